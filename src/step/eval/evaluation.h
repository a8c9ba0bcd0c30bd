/// instant.h: everything about one moment: where things are, what touches, how each contact and element pushes.
///
/// ffi_evaluation_at() takes a state and computes, in this order: poses; features near surfaces; the contacts among them; bias forces h; the
/// contacts' rows J, velocities and forces; the elements' forces. ffi_evaluation_acceleration() adds the mass matrix, its factors
/// and vdot. All steppers begin a step with this, explicit ones with nothing else.
///
/// An instant is a value. It owns all that was found, poses and mass matrix included, so two of them (start and end of
/// a step) can be compared, and a look at a third
/// state changes neither. Nothing else is written by looking.
#ifndef FFI_STEP_INSTANT_H
#define FFI_STEP_INSTANT_H

#include "contact/law/contact_law.h"
#include "step/eval/state_kinematics.h"

/// Three rows in world axes: velocity of a point of one body relative to another = sum over columns of J[.][k] v[dof[k]].
typedef struct ffi_rows3 {
  int columns;
  const int *dof; ///< [columns], increasing
  double *J;      ///< [3][stride]
  int is_path;    ///< dof is the path of one body: products J' J stay in the tree's sparsity
} ffi_rows3;

/// One contact at one instant. `near` says which bodies and where; forces are those on body near.a.
typedef struct ffi_contact {
  ffi_detect_candidate near;
  double K, B, mu;
  double anchor[3]; ///< in the world
  double rest;
  double limit;  ///< how far its springs may be stretched now [m], see passive.h
  double stored; ///< and at the end of the piece: for ffi_state_contact
  int was_eased; ///< anchor and rest are not those of the state: its springs were let go
  double x[3];   ///< offset of the springs, (gap - rest) n - (anchor - point)_t
  double u[3];   ///< velocity of a's point relative to b's surface
  double c[3];   ///< rate of u at vdot = 0, seen from b
  double creep
      [3]; ///< velocity at which the witness wanders over a's surface (tangential), zero unless it rolls: the
           ///< anchor goes along
  int slips; ///< with a slip flag: that of the state, or what this moment makes of it
  ffi_contact_law_result law;
  ffi_rows3 rows;
} ffi_contact;

/// A point or weld element, one block of three rows of it.
typedef struct ffi_constraint {
  int element, angular;
  double K, B;
  double x[3], u[3], c[3];
  double force[3]; ///< on end a
  ffi_rows3 rows;
} ffi_constraint;

struct ffi_evaluation {
  /// Of the state that it was evaluated at as the start of a step; 0: of another, or a step has worked in it
  uint64_t stamp;
  ffi_state_kinematics at; ///< where everything is
  double deepest;          ///< overlap [m]
  int stride;              ///< of the rows' J, a multiple of 4
  /// Length of the piece of a step that led here [s], 0: a whole step. Set by whoever takes the instant, for passive.h.
  double since;
  int near_count;
  ffi_detect_candidate *near; ///< [scene.most_near]
  int count;
  ffi_contact *contact; ///< [max_contacts], in increasing order of id
  int joint_row_count;
  ffi_joint_law_row *joint_row; ///< [element_count] joint elements, in order
  int *joint_row_element;       ///< [element_count]
  int hold_count;
  ffi_constraint *hold;
  double *h;     ///< [nv] bias forces
  double *force; ///< [nv] tau - h + J' (contacts, holds) + joint rows, after ffi_evaluation_force()
  double *vdot;  ///< [nv] after ffi_evaluation_acceleration()
  double *J;     ///< storage of all rows
  int *dofs;     ///< storage of dof lists of rows that join two bodies
};

/// Of the rows' J in all instants of a system.
int ffi_evaluation_stride(const ffi_system *s);

void ffi_evaluation_layout(const ffi_system *s, ffi_block *block, ffi_evaluation *out);

/// How near a feature must be to be listed [m].
#define FFI_EVALUATION_NEAR_MARGIN 0.02

typedef enum ffi_evaluation_set {
  FFI_EVALUATION_CURRENT, ///< those of x->touching that have not parted, and all new overlaps (the start of a step)
  FFI_EVALUATION_SUBSTEP, ///< exactly x->touching, their springs eased as at the start of a step
  FFI_EVALUATION_FIXED,   ///< exactly x->touching (a stage, or the end of a piece)
} ffi_evaluation_set;

/// FF_ERROR_LIMIT if there are more contacts than max_contacts.
ff_status ffi_evaluation_at(const ffi_system *s, const ffi_state *x, ffi_evaluation_set set,
                            ffi_evaluation *out, ff_error *error);

/// The instant of a state with its current contacts: what a step begins with, and what is reported of the state. Not
/// evaluated again if it is there.
ff_status ffi_evaluation_current(const ffi_system *s, const ffi_state *x, ffi_evaluation *out,
                                 ff_error *error);

/// The same for a step that begins: to s->present, in which the step works from then on.
ff_status ffi_evaluation_start(const ffi_system *s, const ffi_state *from, ff_error *error);

/// FF_ERROR_LIMIT, in words.
ff_status ffi_evaluation_too_many_contacts(const ffi_system *s, ff_error *error);

/// out->force from the present laws of contacts and elements.
void ffi_evaluation_force(const ffi_system *s, ffi_evaluation *i);

/// force, then M, its factors, and out->vdot. FF_ERROR_NUMERIC if M is singular.
ff_status ffi_evaluation_acceleration(const ffi_system *s, ffi_evaluation *i, ff_error *error);

/// f += J' force.
void ffi_rows3_add_transposed(const ffi_rows3 *rows, int stride, const double force[3], double *f);

/// out = J v.
void ffi_rows3_times(const ffi_rows3 *rows, int stride, const double *v, double out[3]);

/// Rate of a contact's tangential elongation e = anchor - point while its law holds: K e + B edot = F. For B = 0: -u tangential.
void ffi_contact_elongation_rate(const ffi_contact *c, double rate[3]);

#endif
