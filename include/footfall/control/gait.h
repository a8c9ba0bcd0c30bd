/// gait.h: a trot and a jump of four-legged robots.
///
/// **Trot.** Diagonal pairs of feet step in turn while the base moves along x at constant height and speed. A
/// whole-body program (whole_body.h) computes the torques. A foot lands where its leg was at the start relative to
/// the base, plus half the length of a step, plus `placement` times the excess speed. So the robot recovers from a
/// push by stepping.
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
/// A call depends on its arguments and on the positions of the feet at the start of the present step: 13 numbers,
/// which ff_trot_get_state() and ff_trot_set_state() copy.
///
/// **Jump.** The robot crouches, pushes its centre of mass up until it leaves the ground with the speed for the
/// requested flight, lands on four feet, brakes towards a lowest height, and stands up. In the air the joints move to
/// a landing posture. A call depends on its arguments only.
#ifndef FOOTFALL_CONTROL_GAIT_H
#define FOOTFALL_CONTROL_GAIT_H

#include <footfall/control/whole_body.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A trot controller with its whole-body program. Use it from one thread at a time; the caller destroys it.
typedef struct ff_trot ff_trot;

/// Parameters of a trot. Start from ff_trot_def_default() and set base and feet.
typedef struct ff_trot_def {
  int base;           ///< frame of the trunk
  int feet[4];        ///< frames of the feet: fore left, fore right, hind left, hind right
  double speed;       ///< along x [m/s], default 0.2
  double start_time;  ///< time of standing before the motion [s], >= 0, default 0.3
  double ramp_time;   ///< time from rest to full speed [s], > 0, default 0.5
  double step_time;   ///< time between the lift-offs of both pairs [s], default 0.2
  double both_time;   ///< part of step_time, at its end, when all feet stand [s], >= 0, default 0.04
  double step_height; ///< height of the swing [m], default 0.05
  double sink;      ///< lowers the trunk from its height at the start, for the legs' reach [m], default 0.005
  double placement; ///< foot displacement per excess speed [s], default 0.05
  double friction;  ///< friction coefficient of contact forces, default 0.8
  double torque_limit; ///< of each joint [N m], default infinity
  double hold;         ///< time for which tau is held constant [s], see ff_whole_body_def; default 0
} ff_trot_def;

/// A trot of 0.2 m/s with steps of 0.2 s. The caller must set base and feet.
ff_trot_def ff_trot_def_default(void);

/// Create a trot for a robot of one floating tree that stands at q [nq] with its feet under its legs. The model must
/// outlive the result.
ff_status ff_trot_create(const ff_model *model, const ff_trot_def *def, const double *q, ff_trot **out,
                         ff_error *error);
void ff_trot_destroy(ff_trot *trot); ///< NULL is fine

/// Compute tau [nv] at a time and a state. FF_ERROR_NUMERIC if the program has no solution; tau is then the last one.
ff_status ff_trot_tau(ff_trot *trot, double time, const double *q, const double *v, double *tau,
                      ff_error *error);

/// Size of a trot's state: the positions of the feet at the start of the present step, and the number of that step.
enum { FF_TROT_STATE = 13 };
/// Copy the internal state that ff_trot_tau() depends on.
void ff_trot_get_state(const ff_trot *trot, double state[FF_TROT_STATE]);
/// Restore an internal state, to repeat a past call with the same result.
void ff_trot_set_state(ff_trot *trot, const double state[FF_TROT_STATE]);

// ---- Jump ---------------------------------------------------------------------------------------------------------

/// A jump controller with its whole-body program. Use it from one thread at a time; the caller destroys it.
typedef struct ff_jump ff_jump;

/// Parameters of a jump. Start from ff_jump_def_default() and set base and feet.
typedef struct ff_jump_def {
  int base;    ///< frame of the trunk
  int feet[4]; ///< frames whose origins touch the ground
  /// [nq] joints during flight; free joints are ignored. Copied; default NULL: the start
  const double *landing;
  double flight;       ///< duration of the flight [s], default 0.64
  double start_time;   ///< time of standing before the motion [s], >= 0, default 0.2
  double crouch_time;  ///< duration of the crouch [s], > 0, default 0.5
  double crouch;       ///< lowers the centre of mass by [m], default 0.07
  double stroke;       ///< then raises it by this until lift-off [m], > 0, default 0.14
  double lowest;       ///< largest drop of the centre of mass below its start when landing [m], default 0.09
  double friction;     ///< friction coefficient of contact forces, default 0.8
  double torque_limit; ///< of each joint [N m], default infinity
  double hold;         ///< time for which tau is held constant [s], see ff_whole_body_def; default 0
} ff_jump_def;

/// A flight of 0.64 s after a crouch of 7 cm. The caller must set base and feet.
ff_jump_def ff_jump_def_default(void);

/// Create a jump for a robot of one floating tree that stands at q [nq]. The model must outlive the result.
ff_status ff_jump_create(const ff_model *model, const ff_jump_def *def, const double *q, ff_jump **out,
                         ff_error *error);
void ff_jump_destroy(ff_jump *jump); ///< NULL is fine

/// Compute tau [nv] at a time and a state. FF_ERROR_NUMERIC if the program has no solution; tau is then the last one.
ff_status ff_jump_tau(ff_jump *jump, double time, const double *q, const double *v, double *tau,
                      ff_error *error);

double ff_jump_takeoff(const ff_jump *jump); ///< planned time of lift-off [s]

#ifdef __cplusplus
}
#endif
#endif
