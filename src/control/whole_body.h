/// whole_body.h: what a whole-body controller is made of inside.
///
/// A solve goes through four files: whole_body_tasks.c computes M, h and the rows of every task, whole_body_program.c
/// makes one quadratic program of them, math/qp.c solves it, whole_body_solve.c takes torques and forces from the
/// solution. Unknowns are x = (vdot [nv], f [3] of each point of the contacts that are on, world axes).
#ifndef FFI_CONTROL_WHOLE_BODY_H
#define FFI_CONTROL_WHOLE_BODY_H

#include "math/qp.h"

#include <footfall/control/whole_body.h>

#include <math.h>

/// Rows of a task at the present state: J vdot = a.
typedef struct ffi_whole_body_rows {
  int count;
  double *J; ///< [rows][nv]
  double *a; ///< [rows], Jdot v taken off
} ffi_whole_body_rows;

typedef struct ffi_whole_body_reference {
  double position[3], quaternion[4], velocity[6], acceleration[6];
} ffi_whole_body_reference;

typedef struct ffi_whole_body_contact {
  ff_contact_task task;        ///< its points are in `points`
  ffi_whole_body_reference at; ///< of the frame; with one point only `position` is used, the point's
  ff_point *points;            ///< [point_count]
  double tangent[2][3];        ///< with task.normal a right-handed frame
  double *force;               ///< [point_count][3] of the last solution
  ffi_whole_body_rows rows;    ///< of 3 or 6
  int first;                   ///< of its points among those that are on; -1: it is off
} ffi_whole_body_contact;

typedef struct ffi_whole_body_frame {
  ff_frame_task task;
  ffi_whole_body_reference at;
  ffi_whole_body_rows rows; ///< of 6, those that the mask leaves out not counted
} ffi_whole_body_frame;

struct ff_whole_body {
  void *memory;
  const ff_model *model;
  ff_dynamics *dynamics;
  ff_whole_body_def def; ///< its arrays are those below
  int nq, nv;
  int root_v;      ///< first velocity of the only tree's free root; -1: there is none or there are several
  int root_frame;  ///< of the link that it moves
  int max_points;  ///< of all contacts
  char *is_driven; ///< [nv] 0: a free joint's

  ffi_whole_body_contact *stands; ///< [contact_count]
  ffi_whole_body_frame *aims;     ///< [frame_count]
  double com_reference[3][3];     ///< position, velocity, acceleration
  double *posture;                ///< [nq]
  double *torque_limits;          ///< [nv]

  // Of the present state.
  double *M, *h;    ///< [nv][nv], [nv]
  ff_point *points; ///< of the contacts that are on
  int point_count;
  double *point_J;             ///< [3 point_count][nv]
  double *middle_q, *middle_v; ///< [nq], [nv] half a hold later
  double *difference;          ///< [nv]
  ffi_whole_body_rows com, momentum;
  double *posture_a; ///< [nv]

  ffi_qp program;
  double *H, *g, *A, *b;
  ffi_qp_work work;
  int *guess, guess_count,
      guess_rows; ///< limits that were reached, of a program with that many rows and unknowns
  int guess_size;

  double *tau, *vdot; ///< [nv]
  ff_whole_body_info info;
};

/// FF_ERROR_ARGUMENT and what is wrong, or FF_OK.
ff_status ffi_whole_body_check(const ff_model *model, const ff_whole_body_def *def, ff_error *error);

static inline int ffi_whole_body_is_used(const ff_task *task)
{
  return task->is_strict || task->weight > 0;
}

static inline double ffi_whole_body_kd(const ff_task *task)
{
  return task->kd >= 0 ? task->kd : 2 * sqrt(task->kp);
}

/// Kinematics at q: used for references.
void ffi_whole_body_tasks_evaluate(ff_whole_body *body, const double *q);
void ffi_whole_body_tasks_reference(ff_whole_body *body, int frame,
                                    ffi_whole_body_reference *at);                     ///< after that
void ffi_whole_body_tasks_contact(ff_whole_body *body, ffi_whole_body_contact *stand); ///< after that

/// M, h, points and the rows of all tasks at (q, v).
void ffi_whole_body_tasks_rows(ff_whole_body *body, const double *q, const double *v);

/// The program of the present rows.
void ffi_whole_body_program(ff_whole_body *body);

/// How many constraints there can be at most.
int ffi_whole_body_program_most_rows(const ff_whole_body *body);

#endif
