/// expo_joint_events.h: when, inside a substep, does a joint limit, a motor or dry friction change its regime?
///
/// A joint limit begins to push where the joint runs into it and ceases where it would pull; a motor saturates and
/// comes back from it; a joint with dry friction begins and ceases to slide. The law of each is frozen over a substep
/// as it was at its start, so a change ends the substep. The frozen motion of a joint is known inside each subinterval
/// like that of a contact's point, so the same samples show a change and the same root search finds it.
/// docs/theory/expo.md, section 4.
#ifndef FFI_STEP_EXPO_JOINT_EVENTS_H
#define FFI_STEP_EXPO_JOINT_EVENTS_H

#include "step/frozen/frozen.h"

enum { FFI_EXPO_SAMPLES = 4 }; ///< in each subinterval, of joints and of contacts

typedef struct ffi_expo_joint_events {
  double swing[FFI_COMPLEX]; ///< inside a subinterval the velocity changes by at most |alpha| times this
  const ffi_system *system;
  const ffi_evaluation *at; ///< the start, its rows with the frozen regimes
  const ffi_state *from;    ///< the start
  double *when;             ///< [law_count] change of each, since the start; infinite: none
  int *next;                ///< [element_count] its regime then
  double time;              ///< out: the first of them
  int limit_count, *limit;  ///< elements that are joint limits
} ffi_expo_joint_events;

/// Regime of an element that follows its law, where an event may have given it another.
enum { FFI_REGIME_BY_LAW = 2 };

void ffi_expo_joint_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z,
                                  ffi_expo_joint_events *out);

/// Call before a solve.
void ffi_expo_joint_events_begin(ffi_expo_joint_events *w, const ffi_system *s, const ffi_evaluation *at,
                                 const ffi_state *from);

/// Search the subinterval [t, t + h]; weights [FFI_EXPO_SAMPLES][8] give the integrals of xi'' up to each sample, see
/// ffi_expo_events.
void ffi_expo_joint_events_search(ffi_expo_joint_events *w, const ffi_frozen *z,
                                  const double *position_weight, const double *velocity_weight, double t,
                                  double h);

/// Does element e change together with the first event, at `time`?
int ffi_expo_joint_events_changes(const ffi_expo_joint_events *w, int e, double time);

/// Let a row of `at` act in a regime, whatever its law gives at the state x.
void ffi_expo_joint_events_set_regime(const ffi_system *s, const ffi_state *x, ffi_evaluation *at, int row,
                                      int regime);

#endif
