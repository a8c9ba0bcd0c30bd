/// instructions.h: how many instructions this thread has executed, where kernel and machine provide a counter.
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

typedef struct bench_instructions bench_instructions;

/// NULL where counting is not possible (most virtual machines). Close it when done.
bench_instructions *bench_instructions_open(void);
void bench_instructions_close(bench_instructions *counter); ///< NULL is fine

void bench_instructions_start(bench_instructions *counter);
double bench_instructions_stop(bench_instructions *counter); ///< since start; 0 if it could not be read

#endif
