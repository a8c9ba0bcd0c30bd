/// random_states.h: random states of a model, the same for every kernel and number of lanes.
///
/// State s does not depend on the number of lanes. With several lanes the states are split into groups of `lanes` and
/// interleaved as <footfall/dynamics.h> expects: element i of state g * lanes + r is at [(g * size + i) * lanes + r].
#ifndef BENCH_RANDOM_STATES_H
#define BENCH_RANDOM_STATES_H

#include <footfall/model.h>

enum { BENCH_RANDOM_STATES = 256 }; ///< a multiple of every number of lanes

typedef struct bench_random_states {
  int lanes, groups; ///< groups = BENCH_RANDOM_STATES / lanes
  int nq, nv;
  double *q;    ///< [groups x nq x lanes] base within 1 m, any attitude; angles within 1.5 rad
  double *v;    ///< [groups x nv x lanes] within 1
  double *vdot; ///< [groups x nv x lanes] within 1
  double *tau;  ///< [groups x nv x lanes] within 1
} bench_random_states;

/// 0 if there is no memory.
int bench_random_states_create(const ff_model *model, int lanes, bench_random_states *out);
void bench_random_states_destroy(bench_random_states *states);

#endif
