/// implicit_contact.h: how the forces of contacts, points and welds change with q and v.
///
/// The derivatives of the dynamics cover forces of constant axes and size that act at points of bodies. This is the
/// rest.
#ifndef FFI_STEP_IMPLICIT_IMPLICIT_CONTACT_H
#define FFI_STEP_IMPLICIT_IMPLICIT_CONTACT_H

#include "step/implicit/implicit.h"

/// w and P of the i-th contact of the trial. To m->by_q: how its point moves over its bodies and its axes turn.
/// Surfaces are taken as flat, so normals turn with the body that has them.
void ffi_implicit_contact_add(const ffi_system *s, ffi_implicit *m, int i);

/// To m->by_q and m->by_v: a block of a point or weld element. The derivatives of the dynamics have no torques, so an
/// angular block is complete here.
void ffi_implicit_constraint_add(const ffi_system *s, ffi_implicit *m, int i);

/// The two bodies of a constraint and its points on them, in the world.
void ffi_implicit_constraint_points(const ffi_system *s, const ffi_implicit *m,
                                    const ffi_constraint *constraint, int body[2], double x[2][3]);

#endif
