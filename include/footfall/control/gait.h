/// gait.h: a four-legged robot that trots, and one that jumps.
///
/// **Trot.** Diagonal pairs of feet step in turn while the base moves along x at a constant height and speed. A whole-body program (whole_body.h) finds the torques; feet are
/// put down where the base needs them: under the place where the leg began, ahead by half of a step's way, and by `placement` times the speed that is
/// too much, so that a push is walked off.
///
///     ff_trot_def def = ff_trot_def_default();
///     def.base = ff_model_find_frame(model, "base_link"), def.feet[0] = ...;
///     ff_trot *trot;
///     if (ff_trot_create(model, &def, ff_sim_q(sim), &trot, &error) != FF_OK) ...
///     for (...) {
///       if (ff_trot_tau(trot, ff_sim_time(sim), ff_sim_q(sim), ff_sim_v(sim), tau, &error) != FF_OK) ...
///       ff_sim_step(sim, tau, &error);
///     }
///
/// Beside its arguments a call depends on where the feet were when the present step began: 13 numbers, which ff_trot_get_state() and
/// ff_trot_set_state() copy.
///
/// **Jump.** It crouches, pushes its centre of mass up until it leaves the ground with the speed of the flight asked for, lands on four feet, brakes so that
/// it would stop at a lowest height, and stands up. In the air the joints go to a posture for landing. A call depends on its arguments alone.
#ifndef FOOTFALL_CONTROL_GAIT_H
#define FOOTFALL_CONTROL_GAIT_H

#include <footfall/control/whole_body.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A trot under way, with its whole-body program. For one thread; the caller destroys it.
typedef struct ff_trot ff_trot;

/// How it trots. Start from ff_trot_def_default() and name base and feet.
typedef struct ff_trot_def {
  int base;           ///< frame of the trunk
  int feet[4];        ///< frames that stand on the ground: fore left, fore right, hind left, hind right
  double speed;       ///< along x [m/s], default 0.2
  double start_time;  ///< it stands before [s], >= 0, default 0.3
  double ramp_time;   ///< from rest to its speed [s], > 0, default 0.5
  double step_time;   ///< from the lift of one pair to that of the other [s], default 0.2
  double both_time;   ///< of it, all feet stand at its end [s], >= 0, default 0.04
  double step_height; ///< [m], default 0.05
  double sink;        ///< the trunk's height below that at the start [m], default 0.005: legs need some reach
  double placement;   ///< [s], default 0.05
  double friction;    ///< that forces keep to, default 0.8
  double torque_limit; ///< of each joint [N m], default infinity
  double hold;         ///< tau will be held for so long [s], see ff_whole_body_def; default 0
} ff_trot_def;

/// A trot of 0.2 m/s in steps of 0.2 s; base and feet are still to be given.
ff_trot_def ff_trot_def_default(void);

/// For a robot of one tree that floats and stands at q [nq]: its feet are under its legs there. The model must outlive the result.
ff_status ff_trot_create(const ff_model *model, const ff_trot_def *def, const double *q, ff_trot **out,
                         ff_error *error);
void ff_trot_destroy(ff_trot *trot); ///< NULL is fine

/// tau [nv] at a time and a state. FF_ERROR_NUMERIC where the program has no solution; tau is then the last one.
ff_status ff_trot_tau(ff_trot *trot, double time, const double *q, const double *v, double *tau,
                      ff_error *error);

/// Where each foot was when the present step began, and which step that is.
enum { FF_TROT_STATE = 13 };
/// Copy what a call of ff_trot_tau() depends on beside its arguments.
void ff_trot_get_state(const ff_trot *trot, double state[FF_TROT_STATE]);
/// Put it back, to ask about a past moment again with the same answer.
void ff_trot_set_state(ff_trot *trot, const double state[FF_TROT_STATE]);

// ---- Jump ---------------------------------------------------------------------------------------------------------

/// A jump and its whole-body program. For one thread; the caller destroys it.
typedef struct ff_jump ff_jump;

/// How it jumps. Start from ff_jump_def_default() and name base and feet.
typedef struct ff_jump_def {
  int base;    ///< frame of the trunk
  int feet[4]; ///< frames whose origins touch the ground
  const double
      *landing;  ///< [nq] joints in the air; free joints are ignored. Copied; default NULL: as at the start
  double flight; ///< [s], default 0.64
  double start_time;   ///< it stands before [s], >= 0, default 0.2
  double crouch_time;  ///< [s], > 0, default 0.5
  double crouch;       ///< the centre of mass goes down by [m], default 0.07
  double stroke;       ///< and up by, until it leaves the ground [m], > 0, default 0.14
  double lowest;       ///< landing, it goes at most this far below where it stood [m], default 0.09
  double friction;     ///< that forces keep to, default 0.8
  double torque_limit; ///< of each joint [N m], default infinity
  double hold;         ///< tau will be held for so long [s], see ff_whole_body_def; default 0
} ff_jump_def;

/// A flight of 0.64 s after a crouch of 7 cm; base and feet are still to be given.
ff_jump_def ff_jump_def_default(void);

/// For a robot of one tree that floats and stands at q [nq]. The model must outlive the result.
ff_status ff_jump_create(const ff_model *model, const ff_jump_def *def, const double *q, ff_jump **out,
                         ff_error *error);
void ff_jump_destroy(ff_jump *jump); ///< NULL is fine

/// tau [nv] at a time and a state. FF_ERROR_NUMERIC where the program has no solution; tau is then the last one.
ff_status ff_jump_tau(ff_jump *jump, double time, const double *q, const double *v, double *tau,
                      ff_error *error);

double ff_jump_takeoff(const ff_jump *jump); ///< when it should leave the ground [s]

#ifdef __cplusplus
}
#endif
#endif
