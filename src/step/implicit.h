/// implicit.h: backward Euler as a system of nv equations, and what its parts share.
///
/// The end of the step is wanted: v+ with
///
///     r(v+) = v+ - v - dt a(q+, v+),     q+ = q (+) dt v+                        Expo paper eq. A1
///
/// The configuration is eliminated: a trial velocity gives a trial state, and the residual is one look at the robot there. Everything is
/// taken at the end of the step: ground, references of elements, contacts.
///
/// **Anchors.** Backward Euler for K e + B edot = F: with the anchor where it was, T = K e - B u; inside the disc the contact sticks; outside
/// F = mu lambda_n T/|T|, and the anchor ends displaced by (F - T) dt / (B + K dt). So a trial's law is the
/// contact law with the old anchor, for every B, also 0. Where the witness rolls, e = e0 - dt u.
///
/// **Which contacts.** Those of the step's start, and every overlap that an accepted trial shows; none is taken out during the step. All follow
/// lambda_n = max(0, -K gap - B gapdot) on either side of the surface. So the residual is continuous: a law that began at gap = 0 would
/// jump there by B |gapdot|, and between a trial that touches and is pushed out, and one that does not touch and falls in, there
/// can be no solution at all. A contact that began in the step has its anchor where its point is at the end, T = -B u.
#ifndef FFI_STEP_IMPLICIT_H
#define FFI_STEP_IMPLICIT_H

#include "step/instant.h"

/// What a contact's law depends on beside the instant.
typedef struct ffi_implicit_contact {
  int is_new;           ///< began in this step
  double elongation[3]; ///< e at the start of the step, in the axes of the anchor's frame
} ffi_implicit_contact;

typedef struct ffi_implicit {
  const ffi_state *from;
  double dt;
  ffi_state x;                   ///< the trial; touching: anchors as the step found them
  ffi_implicit_contact *contact; ///< [max_contacts], beside x.touching
  ffi_instant at;                ///< of the trial
  double *residual;              ///< [nv] at the trial
  double norm;                   ///< of it
  double *best;                  ///< [nv] velocity that the line search starts from
  double *step;                  ///< [nv] Newton's
  double *g;                     ///< [nv] M r / dt
  double *M, *by_q, *A, *LU;     ///< [nv][nv] mass matrix; derivatives of M r / dt by q, by v+; factors
  int *pivot;                    ///< [nv]
  double *slopes;                ///< scratch of the contacts' derivatives
  ff_point_force *force;         ///< [2 (max_contacts + holds)]
  int *body_frame;               ///< [body_count] a frame of each body
} ffi_implicit;

/// The state that the trial velocity m->x.v leads to, its contacts' laws, accelerations, and the residual.
ff_status ffi_implicit_evaluate(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Take the start's contacts over, and a first trial velocity.
ff_status ffi_implicit_begin(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Add overlaps of the trial that are not among its contacts yet; returns how many. FF_ERROR_LIMIT through `status`.
int ffi_implicit_add_overlaps(ffi_system *s, ffi_implicit *m, ff_status *status, ff_error *error);

/// m->M, m->g and m->A = d(M r / dt)/d(v+) at the trial just evaluated, M held.
void ffi_implicit_jacobian(ffi_system *s, ffi_implicit *m);

/// The trial becomes the end of the step.
void ffi_implicit_finish(ffi_system *s, ffi_implicit *m, ffi_state *to);

#endif
