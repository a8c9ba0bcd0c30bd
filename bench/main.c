// footfall-bench NAME ...: runs a benchmark. `footfall bench NAME ...` runs this program.
#include "bench.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

static const struct {
  const char *name, *what;
  int (*run)(int argc, char **argv);
} benches[] = {
    {"dynamics", "nanoseconds per call of every dynamics kernel, MuJoCo beside us", bench_dynamics},
};

static const int bench_count = (int)(sizeof benches / sizeof *benches);

static void list(FILE *out)
{
  fputs("usage: footfall bench NAME [options]\n\n", out);
  for (int i = 0; i < bench_count; ++i)
    fprintf(out, "  %-12s %s\n", benches[i].name, benches[i].what);
  fputs("\n`footfall bench NAME --help` tells its options.\n", out);
}

// Edit distance of two short words: insertions, deletions, replacements.
static int distance(const char *a, const char *b)
{
  enum { LONGEST = 31 };
  int row[LONGEST + 1];
  const int n = (int)strlen(b);
  if (n > LONGEST)
    return 99;
  for (int j = 0; j <= n; ++j)
    row[j] = j;
  for (int i = 1; *a; ++a, ++i) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; ++j) {
      const int replace = corner + (*a != b[j - 1]);
      corner = row[j];
      const int least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = replace < least ? replace : least;
    }
  }
  return row[n];
}

static int unknown(const char *name)
{
  int best = 0;
  for (int i = 1; i < bench_count; ++i)
    if (distance(name, benches[i].name) < distance(name, benches[best].name))
      best = i;
  fprintf(stderr, "footfall bench: there is no benchmark '%.40s'", name);
  if (distance(name, benches[best].name) <= 3)
    fprintf(stderr, "; did you mean '%s'?", benches[best].name);
  fputs("\n`footfall bench` lists them.\n", stderr);
  return EXIT_USAGE;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    list(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "list") == 0) {
    list(stdout);
    return 0;
  }
  for (int i = 0; i < bench_count; ++i)
    if (strcmp(argv[1], benches[i].name) == 0)
      return benches[i].run(argc - 1, argv + 1);
  return unknown(argv[1]);
}
