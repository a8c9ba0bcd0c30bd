/// expo_watch.h: does a contact lift off, begin to slip or cease to, or a joint's stop or motor change, while the frozen system moves?
///
/// The frozen motion is known inside the step from the same four poles (ffi_poles_inside): each sub-step is looked at in four places. The forces
/// of the contact law are continuous at its three events; slip and stick are placed by linear interpolation between two looks.
#ifndef FFI_STEP_EXPO_WATCH_H
#define FFI_STEP_EXPO_WATCH_H

#include "step/expo/expo_joint_events.h"

typedef struct ffi_expo_events {
  double velocity_weight[FFI_EXPO_SAMPLES * FFI_COMPLEX]; ///< constants of the poles
  double position_weight[FFI_EXPO_SAMPLES * FFI_COMPLEX];
  int has_flags;               ///< the law is that of contact/flag_law.h
  double tie;                  ///< changes that are less than this apart are one [s]
  const ffi_evaluation *at;    ///< the start
  const ff_contact_mode *mode; ///< [count] held during the piece
  const int *contact_block;    ///< [count] -1: no force
  double (*elongation)[3];     ///< [max_contacts] of sliding contacts at the last look
  double (*friction)[3];       ///< [max_contacts] their tangential force at the last look
  double *lift;                ///< [max_contacts] normal force at the last look: < 0 is a lift-off
  double *
      grip; ///< [max_contacts] sticking: mu lambda_n - |F|; sliding: |trial| - mu lambda_n, or with a flag what its speed has above that at which it sticks

  double *when;          ///< [max_contacts] change of each, since the start; infinite: none found
  ff_contact_mode *next; ///< [max_contacts] what each becomes then

  ffi_expo_joint_events joints;

  double time; ///< out: when the first of contacts and joints changes, since the start; infinite: none does
} ffi_expo_events;

void ffi_expo_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z, ffi_expo_events *out);

/// Before a solve.
void ffi_expo_events_begin(ffi_expo_events *w, const ffi_system *s, const ffi_evaluation *at,
                           const ffi_state *from, const ff_contact_mode *mode, const int *contact_block);

/// Does contact i change together with the first, at `time`? Corners of a box that lift off at once are told apart by rounding only.
int ffi_expo_events_changes(const ffi_expo_events *w, int i, double time);

/// An ffi_frozen_observer; user is the ffi_expo_events.
void ffi_expo_events_search(ffi_frozen *z, double t, double h, void *user);

#endif
