/// controller.h: what every kind of controller is made of.
///
///     controller.c        the table of kinds, creation, torques
///     controller_tasks.c  whole-body control of squats and walks: their common part
///     controller_squat.c  the centre of mass swings
///     controller_walk.c   feet step along a plan
///     controller_trot.c   pairs of feet step in turn
///     controller_posture.c  motors hold the start
///     controller_stand.c  torques that carry the weight, and keep the centre of mass over the feet
///     controller_loops.c  of these, what loops and couplings carry to joints with motors
///
/// A kind fills its part of the controller in create(), and update() gives tau. Neither relies on an earlier update().
#ifndef FFI_CONTROL_CONTROLLER_H
#define FFI_CONTROL_CONTROLLER_H

#include <footfall/control/controller.h>
#include <footfall/control/gait.h>

/// A trot and what it was made of.
typedef struct ffi_controller_trot {
  ff_trot *trot;
  ff_trot_def def;
  double under[4][3]; ///< feet at the start: along the ground from the trunk, above the ground
} ffi_controller_trot;

typedef struct ffi_controller_loops ffi_controller_loops;

/// Standing on given links.
typedef struct ffi_controller_stand {
  int base;            ///< the floating joint, -1: fixed to the world
  int base_frame;      ///< of its link
  int point_count;     ///< four corners of each sole
  ff_point *points;    ///< [point_count]
  double *J;           ///< [3 point_count][nv]
  double *effort;      ///< [nv] of motors, 0: none
  double up[3];        ///< against gravity
  double mass, weight; ///< [kg], [N]
  double height;       ///< of the centre of mass above the soles at the start [m]
  double
      over[3]; ///< the centre of mass from the middle of the points at the start, without its part along up
  double R[9]; ///< of the base at the start
  ffi_controller_loops *loops; ///< NULL: the model has no elements; owned
} ffi_controller_stand;

struct ff_controller {
  const struct ffi_controller_kind *kind;
  const ff_model *model;
  ff_dynamics *dynamics;
  int nq, nv;
  double period;
  double ahead; ///< references are those of so much later [s]
  ff_whole_body *body;
  ff_squat squat;
  ff_walk *walk;
  ffi_controller_trot trot;
  ff_feedback *feedback;
  double *state; ///< [nq + nv] of a feedback's reference, working space; [nq] that a posture holds
  double kp, kd; ///< of a posture
  ffi_controller_stand *stand; ///< posture-pd with gravity, else NULL; owned
};

typedef struct ffi_controller_kind {
  const char *name;
  ff_status (*create)(ff_controller *c, const ff_controller_def *def, const double *q0, ff_error *error);
  ff_status (*update)(ff_controller *c, double time, const double *q, const double *v, double *tau,
                      ff_error *error);
  int (*com)(const ff_controller *c, double time, double com[3]);
} ffi_controller_kind;

extern const ffi_controller_kind ffi_controller_squat, ffi_controller_walk, ffi_controller_trot_kind,
    ffi_controller_posture, ffi_controller_stand_kind;

void ffi_controller_stand_free(ff_controller *c);

/// Once the efforts of joints are known.
ff_status ffi_controller_loops_create(ff_controller *c, ff_error *error);
void ffi_controller_loops_free(ffi_controller_loops *loops); ///< NULL is fine

/// After kinematics at q: tau [nv] without what joints without motors would have to give, as far as loops and couplings
/// carry it.
void ffi_controller_loops_carry(ff_controller *c, const double *q, double *tau);

/// Find the frame that a field names. FF_ERROR_ARGUMENT with the field if there is none or it does not move.
ff_status ffi_controller_tasks_frame(const ff_controller *c, const char *field, const char *name, int *frame,
                                     ff_error *error);

/// A contact with the gains and limits of `tasks`; frame and points are to be filled.
ff_contact_task ffi_controller_tasks_contact(const ff_tasks_def *tasks);

/// Whole-body control with the tasks of `def`; contacts and frames are in `body` already. References: as at q0.
ff_status ffi_controller_tasks_body(ff_controller *c, const ff_controller_def *def, ff_whole_body_def *body,
                                    const double *q0, ff_error *error);

/// Solve and copy tau.
ff_status ffi_controller_tasks_solve(ff_controller *c, const double *q, const double *v, double *tau,
                                     ff_error *error);

#endif
