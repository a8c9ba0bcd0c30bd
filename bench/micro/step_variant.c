// The table of variants.
#include "micro/step_variant.h"

#include <string.h>

// Explicit steppers are stable up to 0.1 ms; the others are measured at 2 ms.
#define COARSE 2e-3
#define FINE 1e-4
#define AUTO FF_EXPONENTIAL_AUTO
#define PAPER FF_STEPPER_EXPO_PAPER

const bench_step_variant bench_step_variants[BENCH_STEP_VARIANTS] = {
    {"expo", "second order, events", COARSE, FF_STEPPER_EXPO, AUTO, 2, 1, 0, 1, 1},
    {"expo-paper", "the published scheme", COARSE, PAPER, AUTO, 2, 1, 0, 1, 1},
    {"euler", "explicit", FINE, FF_STEPPER_EULER, AUTO, 2, 1, 0, 1, 1},
    {"symplectic", "explicit", FINE, FF_STEPPER_SYMPLECTIC, AUTO, 2, 1, 0, 0, 0},
    {"rk4", "explicit, order 4", FINE, FF_STEPPER_RK4, AUTO, 2, 1, 0, 0, 0},
    {"implicit", "backward Euler", COARSE, FF_STEPPER_IMPLICIT, AUTO, 2, 1, 0, 0, 1},
    {"expo-order1", "expo without its corrector", COARSE, FF_STEPPER_EXPO, AUTO, 1, 1, 0, 0, 1},
    {"expo-no-events", "expo, events at the ends only", COARSE, FF_STEPPER_EXPO, AUTO, 2, 0, 0, 0, 1},
    {"expo-pd", "expo, stiff motors inside", COARSE, FF_STEPPER_EXPO, AUTO, 2, 1, 1, 0, 0},
    {"expo-paper-pd", "expo-paper, stiff motors inside", COARSE, PAPER, AUTO, 2, 1, 1, 0, 0},
    {"expo-paper-order-1", "augmented matrix, Pade 1", COARSE, PAPER, FF_EXPONENTIAL_ORDER_1, 2, 1, 0, 0, 0},
    {"expo-paper-order-2", "Pade 2", COARSE, PAPER, FF_EXPONENTIAL_ORDER_2, 2, 1, 0, 0, 0},
    {"expo-paper-order-3", "Pade 3", COARSE, PAPER, FF_EXPONENTIAL_ORDER_3, 2, 1, 0, 0, 0},
    {"expo-paper-order-5", "Pade 5", COARSE, PAPER, FF_EXPONENTIAL_ORDER_5, 2, 1, 0, 0, 0},
    {"expo-paper-order-7", "Pade 7", COARSE, PAPER, FF_EXPONENTIAL_ORDER_7, 2, 1, 0, 0, 0},
    {"expo-paper-exact", "scaling and squaring", COARSE, PAPER, FF_EXPONENTIAL_EXACT, 2, 1, 0, 0, 0},
};

int bench_step_variant_find(const char *name)
{
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w)
    if (strcmp(bench_step_variants[w].name, name) == 0)
      return w;
  return -1;
}
