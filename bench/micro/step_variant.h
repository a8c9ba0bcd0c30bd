/// step_variant.h: the variants that `footfall bench step` compares: a stepper with its options and its step length.
#ifndef BENCH_STEP_VARIANT_H
#define BENCH_STEP_VARIANT_H

#include <footfall/sim.h>

typedef struct bench_step_variant {
  const char *name; ///< the metric is step:NAME
  const char *what; ///< description
  double dt;        ///< [s]
  ff_stepper stepper;
  ff_exponential exponential;
  int order, events; ///< of expo
  int holds_inside;  ///< joints are held by elements
  int on_boxes;      ///< measured on boxes too
  int on_motion;     ///< and on robots in motion
} bench_step_variant;

enum { BENCH_STEP_VARIANTS = 16 };
extern const bench_step_variant bench_step_variants[BENCH_STEP_VARIANTS];

/// Index of a variant by name, -1 if there is none.
int bench_step_variant_find(const char *name);

#endif
