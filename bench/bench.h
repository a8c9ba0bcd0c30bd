/// bench.h: the benchmarks that footfall-bench knows.
///
/// Each is a function like main, in a file of its own name, and one entry in the table of main.c. Every bench
/// prints a table for people and, with --json FILE, the rows of rows.h for machines.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

/// argv[0] is the bench's name. Returns the exit status.
int bench_dynamics(int argc, char **argv);

#endif
