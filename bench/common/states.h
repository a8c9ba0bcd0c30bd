/// states.h: random states of a model, the same ones for every way of computing with them.
///
/// State s is the same whatever the number of lanes; with several lanes the states are dealt out to groups of
/// `lanes` and interleaved as <footfall/dynamics.h> wants them: element i of state g * lanes + r is found at
/// [(g * size + i) * lanes + r].
#ifndef BENCH_STATES_H
#define BENCH_STATES_H

#include <footfall/model.h>

enum { BENCH_STATES = 256 }; ///< a multiple of every number of lanes

typedef struct bench_states {
  int lanes, groups; ///< groups = BENCH_STATES / lanes
  int nq, nv;
  double *q;    ///< [groups x nq x lanes] base within 1 m, any attitude; angles within 1.5 rad
  double *v;    ///< [groups x nv x lanes] within 1
  double *vdot; ///< [groups x nv x lanes] within 1
  double *tau;  ///< [groups x nv x lanes] within 1
} bench_states;

/// 0 if there is no memory.
int bench_states_create(const ff_model *model, int lanes, bench_states *out);
void bench_states_destroy(bench_states *states);

/// One state in the layout of one lane: row [size] from an array of the kind of q (size nq) or v (size nv).
void bench_states_row(const bench_states *states, const double *array, int size, int state, double *row);

#endif
