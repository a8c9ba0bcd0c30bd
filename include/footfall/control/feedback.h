/// feedback.h: linear feedback along a trajectory.
///
///     tau = u_k + K_k (x_ref(t) (-) x),     x = (q, v)
///
/// A trajectory has states at equal times and, for each interval between two of them, a control u and a gain K. Between states the
/// reference goes along the straight way of the joints' groups, q_k (+) s (q_{k+1} (-) q_k), and linearly in v; u and K are held. After the last
/// state the reference rests there, its v as it was, with the last u and K; before time 0 it is the first state, with the first.
/// A trajectory that repeats has a last state that is an earlier one, `repeat_from`, but for where free joints are: by so much, along the ground
/// and in heading, each round begins farther on than the one before. What else is left of the difference, height and tilt, should be nothing.
/// The difference of two configurations is that of ff_model_difference(), from x to the reference: what should still be gone.
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

/// A trajectory that is followed. It copies what it is given; the caller destroys it.
typedef struct ff_feedback ff_feedback;

/// nu is the number of velocities that have a motor: all but those of free joints, in the order of v. All arrays are copied.
typedef struct ff_feedback_def {
  int states;                  ///< >= 2
  double interval;             ///< from one to the next [s], > 0
  const double *q;             ///< [states][nq]
  const double *v;             ///< [states][nv]
  const double *control;       ///< u [states - 1][nu]; NULL: zero
  const double *gain;          ///< K [states - 1][nu][2 nv], on (q, v) differences; NULL: zero
  const double *torque_limits; ///< [nv] tau is cut to +- this; default NULL: not at all
  int repeats;                 ///< 1: after the last state it goes on from `repeat_from`; default 0
  int repeat_from;             ///< 0..states - 2; the last state is this one, moved
} ff_feedback_def;

/// Nothing yet: states, interval, q and v are to be given; no gains, no limits, not repeating.
ff_feedback_def ff_feedback_def_default(void);

/// The model must outlive the result.
ff_status ff_feedback_create(const ff_model *model, const ff_feedback_def *def, ff_feedback **out,
                             ff_error *error);
void ff_feedback_destroy(ff_feedback *feedback); ///< NULL is fine

int ff_feedback_controls(const ff_feedback *feedback);    ///< nu
double ff_feedback_duration(const ff_feedback *feedback); ///< [s]

/// Where the reference is: q [nq], v [nv].
void ff_feedback_reference(ff_feedback *feedback, double time, double *q, double *v);

/// tau [nv] at a time and a state; zero where there is no motor. Allocates nothing and keeps nothing.
void ff_feedback_tau(ff_feedback *feedback, double time, const double *q, const double *v, double *tau);

#ifdef __cplusplus
}
#endif
#endif
