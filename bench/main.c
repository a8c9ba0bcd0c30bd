// footfall-bench NAME ...: runs a benchmark or compare. `footfall bench NAME ...` and `footfall compare ...` run this
// program, so its messages are footfall's.
#include "bench.h"
#include "cli/error_message.h"
#include "cli/interrupt.h"
#include "cli/options/benchmark.h"
#include "cli/options/suggest.h"
#include "cli/program.h"

#include <stdio.h>
#include <string.h>

enum { BENCHES = 11 };
static const bench_command *const benches[BENCHES] = {
    &bench_all_command,       &bench_batch_command,  &bench_c2a_paper_command,  &bench_dynamics_command,
    &bench_ess_paper_command, &bench_expo_command,   &bench_expo_paper_command, &bench_moreau_paper_command,
    &bench_python_command,    &bench_robots_command, &bench_step_command,
};

static void list(void)
{
  printf("footfall bench NAME [options]\n\n");
  for (int i = 0; i < ffi_benchmark_count; ++i)
    printf("  %-12s %s\n", ffi_benchmark_list[i].name, ffi_benchmark_list[i].summary);
  printf("\n'footfall bench NAME --help' tells its options.\n");
}

static int unknown(const char *name)
{
  const char *names[BENCHES];
  for (int i = 0; i < BENCHES; ++i)
    names[i] = benches[i]->name;
  const char *meant = ffi_suggest(name, names, BENCHES);
  const char *what = name[0] == '-' ? "option" : "benchmark";
  if (meant)
    ffi_error_message("unknown %s '%s'; did you mean '%s'?", what, name, meant);
  else
    ffi_error_message("unknown %s '%s'; 'footfall bench --help' lists the benchmarks", what, name);
  return FFI_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
  if (argc < 2) {
    ffi_error_message("'bench' needs the name of a benchmark; 'footfall bench --help' lists them");
    return FFI_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    list();
    return FFI_EXIT_OK;
  }
  if (strcmp(argv[1], "compare") == 0)
    return bench_compare(argc - 2, argv + 2);
  for (int i = 0; i < BENCHES; ++i)
    if (strcmp(argv[1], benches[i]->name) == 0)
      return bench_command_run(benches[i], argc - 2, argv + 2);
  return unknown(argv[1]);
}

int main(int argc, char **argv)
{
  ffi_program_begin();
  setvbuf(stdout, NULL, _IOLBF, 0); // an interrupted run has printed what it measured
  ffi_interrupt_exit_at_once();
  return ffi_program_end(run(argc, argv));
}
