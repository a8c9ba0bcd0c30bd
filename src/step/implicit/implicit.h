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
/// Joint limits are treated alike.
///
/// **Flags.** With the law of contact/flag_law.h the step's start decides who sticks and who slides, and it stays so to the end. Who sticks follows the law above, its
/// anchor where it was, whatever the force; who slides has F = -mu lambda_n u_t / max(|u_t|, 1 mm/s) at the end of the step, which is continuous, so a
/// contact that stops inside the step ends it at less than 1 mm/s, and sticks in the next one. Beginning contacts stick.
///
/// **Newton.** What is smooth (the robot's dynamics, where points are and how fast they move) is replaced by its tangent at the trial; what
/// is not (touching or not, sticking or slipping, saturated or not) is kept as it is. That is a small piecewise smooth system, in which
/// a trial costs next to nothing; it is solved first (implicit_model.c), and only then the robot is looked at again. While nothing
/// switches, this is Newton's method.
///
/// The tangent has terms with the contact forces themselves and with M's slope times acceleration. A trial may be deep inside the ground, its forces far beyond
/// anything that happens; with those the tangent would be that of a robot about to buckle. So they are taken for the forces that the
/// model found, which go with the acceleration (v+ - v)/dt that it found; before there is one, for the mean forces of the last step. In
/// the limit both are those of the trial, and Newton is as fast as ever.
#ifndef FFI_STEP_IMPLICIT_H
#define FFI_STEP_IMPLICIT_H

#include "step/eval/evaluation.h"
#include "step/newton_kernels.h"

/// A contact during the step. Forces of springs and dampers, before the cone has its say, are w = -K x - B u, tangential and normal
/// with their own numbers (see ffi_implicit_trial_gains()).
typedef struct ffi_implicit_contact {
  int is_new;                        ///< began in this step
  int slides;                        ///< its flag says so, at the step's start: w is push n - u_t
  double elongation[3];              ///< e at the start of the step, in the axes of the anchor's frame
  double held[3];                    ///< force for which the tangent's terms with forces are taken
  double w[3];                       ///< at the trial
  int has_tangent;                   ///< it was near when the tangent was taken
  double *P;                         ///< [3][stride] tangent: w(v+ + d) = w + P d
  double *Y;                         ///< [nv][3] what a force does to the step, see implicit_sweep.c
  double model_w[3], model_force[3]; ///< as the model has them
  double slope[9];                   ///< of model_force by model_w, 3 x 3
} ffi_implicit_contact;

/// A joint element during the step: force = min(max(w, low), high), w = -K x - B u.
typedef struct ffi_implicit_joint {
  int side;    ///< limits: the one that is armed, -1 lower, +1 upper, 0 none
  double w, P; ///< at the trial, and its tangent
  double low, high;
  double model_force, slope;
} ffi_implicit_joint;

typedef struct ffi_implicit {
  const ffi_newton_kernels *k;
  int stride; ///< of matrices and vectors
  const ffi_state *from;
  double dt;
  double mark;                   ///< of phase.h
  ffi_state *x;                  ///< the trial; touching: anchors as the step found them
  ffi_implicit_contact *contact; ///< [max_contacts], beside x.touching
  ffi_implicit_joint *joint;     ///< [element_count], beside at.joint_row
  ffi_evaluation *at;            ///< of the trial: the system's present instant
  double *residual;              ///< [nv] at the trial
  double norm;                   ///< of it
  double *base;                  ///< [nv] velocity of the trial that the tangent belongs to
  double *kept;                  ///< [nv] velocity of the best trial so far
  double *step;                  ///< [nv] what the model says should be added to it

  // The tangent.
  double *g;             ///< [nv] M r / dt
  double *M;             ///< [nv][nv] mass matrix
  double *by_q, *by_v;   ///< [nv][nv] derivatives of g, without contact laws, joint elements and inertia
  double *A;             ///< [nv][stride] derivative of g by v+, without contact laws and joint elements
  double (*Q)[6];        ///< [nv] rows of dq+/dv+, block diagonal by joint
  double *slopes;        ///< scratch of the contacts' derivatives
  ff_point_force *force; ///< [2 (max_contacts + holds)]
  int *body_frame;       ///< [body_count] a frame of each body

  // The model.
  double *G;      ///< [nv] its residual
  double *weight; ///< [nv] of the entries of G in its size: 1 / M_ii
  double *d;      ///< [nv] a Newton step in it
  double *tried;  ///< [nv] a trial of the line search
  double *best;   ///< [nv] the best step so far
  double *LU;     ///< [nv][stride]
  int *pivot;     ///< [nv]
} ffi_implicit;

/// Is the i-th contact part of the model? Those that are far away at the trial, or were when the tangent was taken, are not.
static inline int ffi_implicit_is_modelled(const ffi_implicit *m, int i)
{
  return m->contact[i].has_tangent && m->at->contact[i].near.pair >= 0;
}

/// Take the start's contacts over, and its velocity as the first trial.
ff_status ffi_implicit_trial_begin(ffi_system *s, ffi_implicit *m, ff_error *error);

/// The state that the trial velocity m->x->v leads to, its contacts' laws, accelerations, and the residual.
ff_status ffi_implicit_trial_evaluate(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Overlaps of the trial that are not among its contacts yet become contacts, limits that it is beyond are armed, and it is
/// evaluated again if there were any.
ff_status ffi_implicit_trial_take_overlaps(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Stiffness and damping of a contact's springs as functions of the trial's position and velocity.
typedef struct ffi_implicit_gains {
  double K_n, K_t, B_n, B_t;
} ffi_implicit_gains;
ffi_implicit_gains ffi_implicit_trial_gains(const ffi_system *s, const ffi_implicit *m, int contact);

/// The tangent at the trial just evaluated, for the forces held: m->M, g, A, and w and P of contacts and joints.
void ffi_implicit_jacobian(ffi_system *s, ffi_implicit *m);

/// Solve the model: m->step, and its forces become those held. Returns 0 if it did not get there; the step is then the best that was found.
int ffi_implicit_model_solve(const ffi_system *s, ffi_implicit *m);

/// The model's matrix dG/dd at the step m->step, to m->LU: at step zero the derivative of g by v+.
void ffi_implicit_model_matrix(const ffi_system *s, ffi_implicit *m);

/// The trial becomes the end of the step.
void ffi_implicit_trial_finish(ffi_system *s, ffi_implicit *m, ffi_state *to);

#endif
