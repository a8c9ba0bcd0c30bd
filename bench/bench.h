/// bench.h: the benchmarks that footfall-bench knows.
///
/// Each is a function in a file of its own name, and one entry in the table of main.c. Every bench
/// prints a table for people and, with --json FILE, the rows of rows.h for machines.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

/// Gets its own arguments, without "footfall bench dynamics". Returns the exit status (cli/complain.h).
int bench_all(int argc, char **argv);
int bench_c2a_paper(int argc, char **argv);
int bench_dynamics(int argc, char **argv);
int bench_step(int argc, char **argv);
int bench_expo(int argc, char **argv);
int bench_expo_paper(int argc, char **argv);
int bench_moreau_paper(int argc, char **argv);
int bench_ess_paper(int argc, char **argv);
int bench_compare(int argc, char **argv); ///< `footfall compare`

#endif
