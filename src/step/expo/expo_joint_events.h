/// expo_joints.h: when, inside a piece, does a joint's stop or motor change its regime?
///
/// A stop begins to push where the joint runs into it and ceases where it would pull; a motor saturates and comes back from it. The law of each is held
/// over a piece as it was at its start, so a change ends the piece. The frozen motion of a joint is known inside each sub-step like that of a
/// contact's point, so a change is seen by the same looks and found by the same search.
#ifndef FFI_STEP_EXPO_JOINTS_H
#define FFI_STEP_EXPO_JOINTS_H

#include "step/frozen/frozen.h"

enum { FFI_EXPO_SAMPLES = 4 }; ///< in each sub-step, of joints and of contacts

typedef struct ffi_expo_joint_events {
  double swing[FFI_COMPLEX]; ///< the velocity strays by at most |alpha| times this inside a sub-step
  const ffi_system *system;
  const ffi_evaluation *at; ///< the start, its rows with the regimes that are held
  const ffi_state *from;    ///< the start
  double *when;             ///< [element_count] change of each, since the start; infinite: none found
  int *next;                ///< [element_count] its regime then
  double time;              ///< out: the first of them
  int stop_count, *stop;    ///< elements that are stops
} ffi_expo_joint_events;

/// Regime of an element that follows its law, where an event may have given it another.
enum { FFI_REGIME_BY_LAW = 2 };

void ffi_expo_joint_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z,
                                  ffi_expo_joint_events *out);

/// Before a solve.
void ffi_expo_joint_events_begin(ffi_expo_joint_events *w, const ffi_system *s, const ffi_evaluation *at,
                                 const ffi_state *from);

/// The sub-step [t, t + h]; weights [FFI_EXPO_SAMPLES][8] give the integrals of xi'' up to each look, see ffi_expo_events.
void ffi_expo_joint_events_search(ffi_expo_joint_events *w, const ffi_frozen *z,
                                  const double *position_weight, const double *velocity_weight, double t,
                                  double h);

/// Does element e change together with the first event, at `time`?
int ffi_expo_joint_events_changes(const ffi_expo_joint_events *w, int e, double time);

/// Let a row of `at` act in a regime, whatever its law says of the state x.
void ffi_expo_joint_events_set_regime(const ffi_system *s, const ffi_state *x, ffi_evaluation *at, int row,
                                      int regime);

#endif
