/// implicit_contact.h: how the forces of contacts, points and welds change with q and v.
///
/// The derivatives of the dynamics take care of forces that keep their axes and their size and act at points of bodies; here is the rest.
#ifndef FFI_STEP_IMPLICIT_CONTACT_H
#define FFI_STEP_IMPLICIT_CONTACT_H

#include "step/implicit/implicit.h"

/// w and P of the i-th contact of the trial; to m->by_q, how its place moves over its bodies and its axes turn. Surfaces are taken as flat, so that normals
/// turn with the body that has them.
void ffi_implicit_contact_add(const ffi_system *s, ffi_implicit *m, int i);

/// To m->by_q and m->by_v: a block of a point or weld element. The derivatives of the dynamics know nothing of torques, so an angular block is complete here.
void ffi_implicit_constraint_add(const ffi_system *s, ffi_implicit *m, int i);

/// The two bodies of a hold and its points on them, world.
void ffi_implicit_constraint_points(const ffi_system *s, const ffi_implicit *m, const ffi_constraint *hold,
                                    int body[2], double x[2][3]);

#endif
