/// expo_feasible.h: substeps whose mean forces are infeasible, and the fallback for them.
///
/// With the right modes all mean forces of a substep lie in their cones, but for the error of an event at its end
/// that was found by interpolation. They do not where the event search gave up, or where sliding friction feeds on
/// the normal force it makes (mu J_d M^-1 J_n' against J_n M^-1 J_n'), so that the frozen motion grows without bound.
/// A shorter substep may have modes that fit. Failing that, the substep is taken by the published scheme.
/// docs/theory/expo.md, sections 7, 9.
#ifndef FFI_STEP_EXPO_FEASIBLE_H
#define FFI_STEP_EXPO_FEASIBLE_H

#include "step/expo/expo.h"

/// Are all mean forces in their cones, up to a small slack?
int ffi_expo_feasible_means(const ffi_expo *e);

/// The published scheme: contacts that push stick, and mean forces are projected on their cones. The mass matrix is
/// that of the start.
ff_status ffi_expo_feasible_fallback(ffi_system *s, ffi_expo *e, double h, ff_error *error);

/// The same for a substep that cannot become shorter than `min_length`, if its correction made its means infeasible.
ff_status ffi_expo_feasible_restore(ffi_system *s, ffi_expo *e, double min_length, double h, ff_error *error);

#endif
