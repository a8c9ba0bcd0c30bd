/// expo_events.h: when, inside a substep, does a contact lift off, slip or stick, or a joint limit or motor change?
///
/// The same four poles give the frozen motion inside the step (ffi_poles_inside). Each subinterval is sampled at four
/// times. The forces of the contact law are continuous at these events, so slip and stick are placed by linear
/// interpolation between two samples. docs/theory/expo.md, section 4.
#ifndef FFI_STEP_EXPO_EVENTS_H
#define FFI_STEP_EXPO_EVENTS_H

#include "step/expo/expo_joint_events.h"

typedef struct ffi_expo_events {
  double velocity_weight[FFI_EXPO_SAMPLES * FFI_COMPLEX]; ///< constants of the poles
  double position_weight[FFI_EXPO_SAMPLES * FFI_COMPLEX];
  int has_flags;               ///< the law is that of contact/law/flag_law.h
  double tie;                  ///< changes less than this apart are one event [s]
  const ffi_evaluation *at;    ///< the start
  const ff_contact_mode *mode; ///< [count] constant during the substep
  const int *contact_block;    ///< [count] -1: no force
  double (*elongation)[3];     ///< [max_contacts] of sliding contacts at the last sample
  double (*friction)[3];       ///< [max_contacts] their tangential force at the last sample
  double *lift;                ///< [max_contacts] normal force at the last sample: < 0 is a lift-off
  /// [max_contacts] sticking: mu lambda_n - |F|; sliding: |trial| - mu lambda_n, or with a flag its speed beyond the
  /// one at which it sticks.
  double *grip;

  double *when;          ///< [max_contacts] change of each, since the start; infinite: none
  ff_contact_mode *next; ///< [max_contacts] its mode then

  ffi_expo_joint_events joints;

  double time; ///< out: of the first change of a contact or joint, since the start; infinite: none
} ffi_expo_events;

void ffi_expo_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z, ffi_expo_events *out);

/// Call before a solve.
void ffi_expo_events_begin(ffi_expo_events *w, const ffi_system *s, const ffi_evaluation *at,
                           const ffi_state *from, const ff_contact_mode *mode, const int *contact_block);

/// Does contact i change together with the first event, at `time`? Only rounding tells corners of a box apart that lift
/// off at once.
int ffi_expo_events_changes(const ffi_expo_events *w, int i, double time);

/// Search one subinterval: an ffi_frozen_observer, user is the ffi_expo_events.
void ffi_expo_events_search(ffi_frozen *z, double t, double h, void *user);

#endif
