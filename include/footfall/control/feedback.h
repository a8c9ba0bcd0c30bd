/// feedback.h: linear feedback along a trajectory.
///
///     tau = u_k + K_k (x_ref(t) (-) x),     x = (q, v)
///
/// A trajectory has states at equal time intervals. For each interval it has a control u and a gain K, both constant
/// over the interval.
/// - Between two states the reference interpolates: q_k (+) s (q_{k+1} (-) q_k) in the configuration, linearly in v.
/// - Before time 0 the reference is the first state, with the first u and K. After the end it is the last state, with
///   its v and the last u and K.
/// - The difference x_ref (-) x of configurations is that of ff_model_difference(), from x to the reference.
/// - A repeating trajectory ends in an earlier state, `repeat_from`, except for the poses of free joints: each round
///   continues displaced by that difference along the ground and in heading. The rest of the difference, height and
///   tilt, should be zero.
///
///     ff_feedback_def def = ff_feedback_def_default();
///     def.states = 301, def.interval = 0.01, def.q = ..., def.v = ..., def.control = ..., def.gain = ...;
///     ff_feedback *feedback;
///     if (ff_feedback_create(model, &def, &feedback, &error) != FF_OK) ...
///     for (...) {
///       ff_feedback_tau(feedback, ff_sim_time(sim), ff_sim_q(sim), ff_sim_v(sim), tau);
///       ff_sim_step(sim, tau, &error);
///     }
#ifndef FOOTFALL_CONTROL_FEEDBACK_H
#define FOOTFALL_CONTROL_FEEDBACK_H

#include <footfall/model.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Feedback along a trajectory. It copies its def; the caller destroys it.
typedef struct ff_feedback ff_feedback;

/// A trajectory with gains. nu is the number of actuated velocities: all but those of free joints, in the order of v.
/// All arrays are copied.
typedef struct ff_feedback_def {
  int states;                  ///< number of states, >= 2
  double interval;             ///< between two states [s], > 0
  const double *q;             ///< [states][nq]
  const double *v;             ///< [states][nv]
  const double *control;       ///< u [states - 1][nu]; NULL: zero
  const double *gain;          ///< K [states - 1][nu][2 nv], on (q, v) differences; NULL: zero
  const double *torque_limits; ///< [nv] |tau| is clipped to this; default NULL: not clipped
  int repeats;                 ///< 1: after the last state continue from `repeat_from`; default 0
  int repeat_from;             ///< 0..states - 2: the state that equals the last one, displaced
} ff_feedback_def;

/// No gains, no limits, not repeating. The caller must set states, interval, q and v.
ff_feedback_def ff_feedback_def_default(void);

/// Create the feedback. The model must outlive the result.
ff_status ff_feedback_create(const ff_model *model, const ff_feedback_def *def, ff_feedback **out,
                             ff_error *error);
void ff_feedback_destroy(ff_feedback *feedback); ///< NULL is fine

/// The trajectory of a feedback, its own copy: arrays are valid as long as the feedback.
ff_feedback_def ff_feedback_get_def(const ff_feedback *feedback);

int ff_feedback_controls(const ff_feedback *feedback);    ///< nu, the number of controls
double ff_feedback_duration(const ff_feedback *feedback); ///< duration of the trajectory [s]

/// The reference at a time: q [nq], v [nv].
void ff_feedback_reference(ff_feedback *feedback, double time, double *q, double *v);

/// Compute tau [nv] at a time and a state; zero where there is no motor. The call allocates no memory and keeps no
/// state.
void ff_feedback_tau(ff_feedback *feedback, double time, const double *q, const double *v, double *tau);

#ifdef __cplusplus
}
#endif
#endif
