/// expo_joints.h: when, inside a piece, does a joint's stop or motor change its regime?
///
/// A stop begins to push where the joint runs into it and ceases where it would pull; a motor saturates and comes back from it. The law of each is held
/// over a piece as it was at its start, so a change ends the piece. The frozen motion of a joint is known inside each sub-step like that of a
/// contact's point, so a change is seen by the same looks and found by the same search.
#ifndef FFI_STEP_EXPO_JOINTS_H
#define FFI_STEP_EXPO_JOINTS_H

#include "step/frozen.h"

enum { FFI_LOOKS = 4 }; ///< in each sub-step, of joints and of contacts

typedef struct ffi_joint_watch {
  double swing[FFI_COMPLEX]; ///< the velocity strays by at most |alpha| times this inside a sub-step
  const ffi_system *system;
  const ffi_instant *at; ///< the start, its rows with the regimes that are held
  const ffi_state *from; ///< the start
  double *when;          ///< [element_count] change of each, since the start; infinite: none found
  int *next;             ///< [element_count] its regime then
  double time;           ///< out: the first of them
  int stop_count, *stop; ///< elements that are stops
} ffi_joint_watch;

/// Regime of an element that follows its law, where an event may have given it another.
enum { FFI_REGIME_BY_LAW = 2 };

void ffi_joints_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z, ffi_joint_watch *out);

/// Before a solve.
void ffi_joints_begin(ffi_joint_watch *w, const ffi_system *s, const ffi_instant *at, const ffi_state *from);

/// The sub-step [t, t + h]; weights [FFI_LOOKS][8] give the integrals of xi'' up to each look, see ffi_watch.
void ffi_joints_look(ffi_joint_watch *w, const ffi_frozen *z, const double *position_weight,
                     const double *velocity_weight, double t, double h);

/// Does element e change together with the first event, at `time`?
int ffi_joints_changes(const ffi_joint_watch *w, int e, double time);

/// Let a row of `at` act in a regime, whatever its law says of the state x.
void ffi_joints_hold(const ffi_system *s, const ffi_state *x, ffi_instant *at, int row, int regime);

#endif
