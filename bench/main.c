// footfall-bench NAME ...: runs a benchmark, or compare. `footfall bench NAME ...` and `footfall compare ...` run this program, so its messages are
// footfall's.
#include "bench.h"
#include "cli/bench_options.h"
#include "cli/complain.h"
#include "cli/interrupt.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} benches[] = {
    {"all", bench_all},
    {"c2a-paper", bench_c2a_paper},
    {"dynamics", bench_dynamics},
    {"ess-paper", bench_ess_paper},
    {"expo", bench_expo},
    {"expo-paper", bench_expo_paper},
    {"moreau-paper", bench_moreau_paper},
    {"step", bench_step},
};

static const int bench_count = (int)(sizeof benches / sizeof *benches);

static void list(void)
{
  printf("footfall bench NAME [options]\n\n");
  for (int i = 0; i < ffi_bench_count; ++i)
    printf("  %-12s %s\n", ffi_benches[i].name, ffi_benches[i].summary);
  printf("\n'footfall bench NAME --help' tells its options.\n");
}

static int unknown(const char *name)
{
  const char *names[sizeof benches / sizeof *benches];
  for (int i = 0; i < bench_count; ++i)
    names[i] = benches[i].name;
  const char *meant = ffi_suggest(name, names, bench_count);
  const char *what = name[0] == '-' ? "option" : "benchmark";
  if (meant)
    ffi_complain("unknown %s '%s'; did you mean '%s'?", what, name, meant);
  else
    ffi_complain("unknown %s '%s'; 'footfall bench --help' lists what there is", what, name);
  return FFI_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
  if (argc < 2) {
    ffi_complain("'bench' needs the name of a benchmark; 'footfall bench --help' lists them");
    return FFI_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    list();
    return FFI_EXIT_OK;
  }
  if (strcmp(argv[1], "compare") == 0)
    return bench_compare(argc - 2, argv + 2);
  for (int i = 0; i < bench_count; ++i)
    if (strcmp(argv[1], benches[i].name) == 0)
      return benches[i].run(argc - 2, argv + 2);
  return unknown(argv[1]);
}

int main(int argc, char **argv)
{
  ffi_begin();
  setvbuf(stdout, NULL, _IOLBF, 0); // what is measured is told, whenever it ends
  ffi_interrupt_end();
  return ffi_finish(run(argc, argv));
}
