// The published numbers.
#include "micro/step_published.h"

#include <footfall/sim.h>

#include <string.h>

static const struct {
  const char *which, *variant;
  double consim; // us
} published[] = {
    {"solo12-stand4", "euler", 5.3},
    {"solo12-stand4", "rk4", 24.7},
    {"solo12-stand4", "implicit", 87.9},
    {"solo12-stand4", "expo-paper-order-1", 22.6},
    {"solo12-stand4", "expo-paper-order-2", 24.7},
    {"solo12-stand4", "expo-paper-order-3", 26.1},
    {"solo12-stand4", "expo-paper-order-5", 27.7},
    {"solo12-stand4", "expo-paper-order-7", 31.6},
    {"solo12-stand4", "expo-paper-exact", 44.6},
};
enum { STATED = sizeof published / sizeof *published };

static int find(const char *which, const char *variant)
{
  for (int k = 0; k < STATED; ++k)
    if (strcmp(published[k].which, which) == 0 && strcmp(published[k].variant, variant) == 0)
      return k;
  return -1;
}

double bench_step_published_consim(const char *which, const char *variant)
{
  const int k = find(which, variant);
  return k >= 0 ? published[k].consim : 0;
}

double bench_step_published_expo_paper(int phase, int is_standard)
{
  static const double phases[FF_PHASE_COUNT][2] = {
      [FF_PHASE_CONTACT] = {8, 8}, [FF_PHASE_PREPARE] = {13, 13}, [FF_PHASE_INTEGRAL] = {13, 67}};
  static const double whole[2] = {39, 94};
  return phase < 0 ? whole[is_standard] : phases[phase][is_standard];
}
