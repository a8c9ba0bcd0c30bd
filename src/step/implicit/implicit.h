/// implicit.h: backward Euler as a system of nv equations, and what its files share. steppers.md, section 4.
///
/// Wanted is the velocity v+ at the end of the step with
///
///     r(v+) = v+ - v - dt a(q+, v+) = 0,     q+ = q (+) dt v+                        Expo paper eq. A1
///
/// The configuration is eliminated: a trial velocity gives a trial state, and the residual takes one evaluation of
/// the robot there. Everything is taken at the end of the step: ground, references of elements, contacts.
///
/// **Anchors.** Backward Euler for K e + B edot = F: with the anchor where it was, T = K e - B u. Inside the friction
/// disc the contact sticks. Outside, F = mu lambda_n T/|T|, and the anchor ends displaced by (F - T) dt / (B + K dt).
/// So the law of a trial is the contact law with the old anchor, for every B, also 0. Where the witness point rolls,
/// e = e0 - dt u.
///
/// **Which contacts.** Those of the step's start, and every overlap of an accepted trial; none is removed during the
/// step. All follow lambda_n = max(0, -K gap - B gapdot) on either side of the surface. So the residual is
/// continuous. A law that began at gap = 0 would jump there by B |gapdot|. There might then be no solution between a
/// trial that touches and is pushed out, and one that does not touch and falls in. A contact that began in the step
/// has its anchor where its point is at the end, T = -B u. Joint limits are treated alike.
///
/// **Slip flags.** With the law of contact/law/flag_law.h each contact keeps its flag from the start of the step to
/// its end. A sticking contact follows the law above with its old anchor, whatever the force. A sliding contact has F
/// = -mu lambda_n u_t / max(|u_t|, 1 mm/s) at the end of the step. That is continuous: a contact that stops inside
/// the step ends it slower than 1 mm/s, and sticks in the next one. New contacts stick.
///
/// **Newton.** The smooth part (the robot's dynamics, positions and velocities of points) is replaced by its tangent
/// at the trial. The rest (touching or not, sticking or slipping, saturated or not) is kept exactly. That is a small
/// piecewise smooth system, the model, in which a trial costs next to nothing. The model is solved first
/// (implicit_model.c); only then is the robot evaluated again. While nothing switches, this is Newton's method.
///
/// The tangent has terms with the contact forces themselves and with the slope of M times acceleration. A trial may
/// be deep inside the ground, with forces far beyond anything that happens. The tangent would then be that of a robot
/// about to buckle. So these terms are linearised at the forces that the model found, together with its acceleration
/// (v+ - v)/dt. Before there is a solution of the model, they are linearised at the mean forces of the last step. In
/// the limit both are the forces of the trial, and Newton converges as fast as ever.
#ifndef FFI_STEP_IMPLICIT_IMPLICIT_H
#define FFI_STEP_IMPLICIT_IMPLICIT_H

#include "step/eval/evaluation.h"
#include "step/newton_kernels.h"

/// A contact during the step. Forces of springs and dampers, before the friction cone limits them, are w = -K x - B
/// u, with their own gains along and across the normal (see ffi_implicit_trial_gains()).
typedef struct ffi_implicit_contact {
  int is_new;                        ///< began in this step
  int slides;                        ///< it slides, by its flag at the step's start: w is push n - u_t
  double elongation[3];              ///< e at the start of the step, in the axes of the anchor's frame
  double linearised_at[3];           ///< force at which the tangent's terms with forces are taken
  double w[3];                       ///< at the trial
  int has_tangent;                   ///< it was near when the tangent was taken
  double *P;                         ///< [3][stride] tangent: w(v+ + d) = w + P d
  double *Y;                         ///< effect of a force on the step, see implicit_sweep.c
  double model_w[3], model_force[3]; ///< in the model
  double slope[9];                   ///< of model_force by model_w, 3 x 3
} ffi_implicit_contact;

/// A joint element during the step: force = min(max(w, low), high), w = -K x - B u.
typedef struct ffi_implicit_joint {
  int side;        ///< limits: the one that is armed, -1 lower, +1 upper, 0 none
  int has_tangent; ///< it had a row when the tangent was taken
  double w, P;     ///< at the trial, and its tangent
  double low, high;
  double model_force, slope;
} ffi_implicit_joint;

typedef struct ffi_implicit {
  const ffi_newton_kernels *k;
  int stride; ///< of matrices and vectors
  const ffi_state *from;
  double dt;
  double mark;                   ///< of phase.h
  ffi_state *x;                  ///< the trial; its anchors are those of the start of the step
  ffi_implicit_contact *contact; ///< [max_contacts], beside x.touching
  ffi_implicit_joint *joint;     ///< [law_count], see ffi_implicit_joint_of()
  ffi_evaluation *at;            ///< of the trial: the present evaluation of the system
  double *residual;              ///< [nv] at the trial
  double norm;                   ///< of it
  double *base;                  ///< [nv] velocity of the trial that the tangent belongs to
  double *kept;                  ///< [nv] velocity of the best trial so far
  double *step;                  ///< the step that the model says to add to it

  // The tangent.
  double *g;             ///< [nv] M r / dt
  double *M;             ///< [nv][nv] mass matrix
  double *by_q, *by_v;   ///< [nv][nv] derivatives of g, without contact laws, joint elements and inertia
  double *A;             ///< [nv][stride] derivative of g by v+, without contact laws and joint elements
  double (*Q)[6];        ///< [nv] rows of dq+/dv+, block diagonal by joint
  double *slopes;        ///< scratch of the contacts' derivatives
  double (*moment)[3];   ///< [2 max_contacts] scratch of turning.h, if the world has it
  ff_point_force *force; ///< [2 (max_contacts + constraints)]
  int force_count;
  int *body_frame; ///< [body_count] a frame of each body

  // The model.
  double *G;      ///< [nv] its residual
  double *weight; ///< [nv] of the entries of G in its size: 1 / M_ii
  double *d;      ///< [nv] a Newton step in it
  double *tried;  ///< [nv] a trial of the line search
  double *best;   ///< [nv] the best step so far
  double *LU;     ///< [nv][stride]
  int *pivot;     ///< [nv]
} ffi_implicit;

/// Is the i-th contact part of the model? Not if it is far away at the trial, or was when the tangent was taken.
static inline int ffi_implicit_is_modelled(const ffi_implicit *m, int i)
{
  return m->contact[i].has_tangent && m->at->contact[i].near.pair >= 0;
}

/// The element of the i-th joint row of the trial. Rows come and go from trial to trial, with the distance of a stop;
/// elements stay.
static inline ffi_implicit_joint *ffi_implicit_joint_of(const ffi_implicit *m, int i)
{
  return &m->joint[m->at->joint_row_element[i]];
}

/// Begin with the contacts of the start, and its velocity as the first trial.
ff_status ffi_implicit_trial_begin(ffi_system *s, ffi_implicit *m, ff_error *error);

/// The state that the trial velocity m->x->v leads to, the laws of its contacts, accelerations, and the residual.
ff_status ffi_implicit_trial_evaluate(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Add contacts for overlaps of the trial that have none, arm limits that it is beyond, and evaluate it again if
/// there were any.
ff_status ffi_implicit_trial_take_overlaps(ffi_system *s, ffi_implicit *m, ff_error *error);

/// Stiffness and damping of a contact's springs as functions of the trial's position and velocity.
typedef struct ffi_implicit_gains {
  double K_n, K_t, B_n, B_t;
} ffi_implicit_gains;
ffi_implicit_gains ffi_implicit_trial_gains(const ffi_system *s, const ffi_implicit *m, int contact);

/// The tangent at the trial just evaluated, its forces being linearised_at: m->M, g, A, and w and P of contacts and
/// joints.
void ffi_implicit_jacobian(ffi_system *s, ffi_implicit *m);

/// Solve the model: m->step. Its forces become linearised_at. Returns 0 if it did not converge; the step is then the
/// best one found.
int ffi_implicit_model_solve(const ffi_system *s, ffi_implicit *m);

/// The model's matrix dG/dd at the step m->step, to m->LU: at step zero the derivative of g by v+.
void ffi_implicit_model_matrix(const ffi_system *s, ffi_implicit *m);

/// The trial becomes the end of the step.
void ffi_implicit_trial_finish(ffi_system *s, ffi_implicit *m, ffi_state *to);

#endif
