/// bench.h: the benchmarks that footfall-bench knows.
///
/// Each is a command (common/command.h) in a file of its own name, and one entry in the table of main.c. Every
/// benchmark prints a table for people and, with --json FILE, the rows of json_rows.h for machines.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "common/command.h"

extern const bench_command bench_all_command, bench_batch_command, bench_dynamics_command, bench_expo_command,
    bench_python_command, bench_robots_command, bench_step_command;
extern const bench_command bench_c2a_paper_command, bench_ess_paper_command, bench_expo_paper_command,
    bench_moreau_paper_command;

/// `footfall compare`. Gets its own arguments, without the command's name. Returns the exit status (cli/program.h).
int bench_compare(int argc, char **argv);

#endif
