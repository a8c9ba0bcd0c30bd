// The ways of stepping that are compared.
#include "step_run.h"

#include <string.h>

// Explicit steppers stand still at 0.1 ms at most; the others are measured at 2 ms.
#define COARSE 2e-3
#define FINE 1e-4
#define AUTO FF_EXPONENTIAL_AUTO
#define PAPER FF_STEPPER_EXPO_PAPER

const bench_way bench_ways[BENCH_WAYS] = {
    {"expo", "second order, events", FF_STEPPER_EXPO, COARSE, AUTO, 2, 1, 0, 1},
    {"expo-paper", "the published scheme", PAPER, COARSE, AUTO, 2, 1, 0, 1},
    {"euler", "explicit", FF_STEPPER_EULER, FINE, AUTO, 2, 1, 0, 1},
    {"symplectic", "explicit", FF_STEPPER_SYMPLECTIC, FINE, AUTO, 2, 1, 0, 0},
    {"rk4", "explicit, order 4", FF_STEPPER_RK4, FINE, AUTO, 2, 1, 0, 0},
    {"implicit", "backward Euler", FF_STEPPER_IMPLICIT, COARSE, AUTO, 2, 1, 0, 0},
    {"expo-order1", "expo without its corrector", FF_STEPPER_EXPO, COARSE, AUTO, 1, 1, 0, 0},
    {"expo-no-events", "expo, events at the ends only", FF_STEPPER_EXPO, COARSE, AUTO, 2, 0, 0, 0},
    {"expo-pd", "expo, stiff motors inside", FF_STEPPER_EXPO, COARSE, AUTO, 2, 1, 1, 0},
    {"expo-paper-pd", "expo-paper, stiff motors inside", PAPER, COARSE, AUTO, 2, 1, 1, 0},
    {"expo-paper-order-1", "augmented matrix, Pade 1", PAPER, COARSE, FF_EXPONENTIAL_ORDER_1, 2, 1, 0, 0},
    {"expo-paper-order-2", "Pade 2", PAPER, COARSE, FF_EXPONENTIAL_ORDER_2, 2, 1, 0, 0},
    {"expo-paper-order-3", "Pade 3", PAPER, COARSE, FF_EXPONENTIAL_ORDER_3, 2, 1, 0, 0},
    {"expo-paper-order-5", "Pade 5", PAPER, COARSE, FF_EXPONENTIAL_ORDER_5, 2, 1, 0, 0},
    {"expo-paper-order-7", "Pade 7", PAPER, COARSE, FF_EXPONENTIAL_ORDER_7, 2, 1, 0, 0},
    {"expo-paper-exact", "scaling and squaring", PAPER, COARSE, FF_EXPONENTIAL_EXACT, 2, 1, 0, 0},
};

int bench_way_find(const char *name)
{
  for (int w = 0; w < BENCH_WAYS; ++w)
    if (strcmp(bench_ways[w].name, name) == 0)
      return w;
  return -1;
}
