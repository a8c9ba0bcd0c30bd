// The published times.
#include "peers/pinocchio.h"

#include <string.h>

static const struct {
  const char *metric;
  double solo12, romeo;
} stated[] = {
    {"fk", 679, 1565},
    {"fk_va", 1283, 3629},
    {"rnea", 1926, 4831},
    {"crba", 1101, 2885},
    {"ltl", 478, 1534},
    {"solve", 234, 672},
    {"aba", 4416, 10539},
    {"delassus", 4512, 0},
    {"integrate", 171, 281},
    {"difference", 179, 297},
    {"aba_derivatives", 15348, 42447},
};

double bench_pinocchio_published(const char *robot, const char *metric)
{
  for (unsigned k = 0; k < sizeof stated / sizeof *stated; ++k)
    if (strcmp(stated[k].metric, metric) == 0)
      return strcmp(robot, "solo12") == 0  ? stated[k].solo12
             : strcmp(robot, "romeo") == 0 ? stated[k].romeo
                                           : 0;
  return 0;
}
