/// step_case.h: what a step is measured on: a robot that stands, and how it is kept standing.
///
/// A case is a model and a settled state: the robot stood with its joints held by stiff springs until it was at rest (the
/// two-legged stance, which must fall, only until the feet had settled), and the forces of these springs are kept. From then on the joints get
///
///     tau = held + kp (q_ref - q) - kd v
///
/// once per step, from outside: the same rule, gains and state for every stepper and for MuJoCo. The gains are weak, M_jj
/// (2 pi 5 Hz)^2 and critically damped: they keep what the held forces balance, and are stable at any step that is measured.
/// The variant expo-pd instead holds the joints by elements inside the step, stiffly.
#ifndef BENCH_STEP_CASE_H
#define BENCH_STEP_CASE_H

#include <footfall/sim.h>

enum { BENCH_BOXES = 8, BENCH_STEP_CASES = 3 + BENCH_BOXES };

typedef struct bench_step_case {
  char name[32];
  ff_model *model;
  int contacts;    ///< that it stands on
  double settle;   ///< how long it is held at first [s]
  int is_box;      ///< fewer ways of stepping are measured
  int is_steady;   ///< it would stand for ever
  double *posture; ///< [nq] that the joints are held in
  double *q;       ///< [nq] settled
  double *v;       ///< [nv] settled
  double *held;    ///< [nv] forces that hold it there
  double *kp, *kd; ///< [nv], zero where there is no motor
  int *coordinate; ///< [nv] in q of each motor, -1: none
} bench_step_case;

/// The name of case i, whether it is made or not.
void bench_step_case_name(int i, char name[32]);

/// Load or build the model of case i and settle it. `models` may be NULL. On failure everything is released.
ff_status bench_step_case_open(int i, const char *models, ff_isa isa, bench_step_case *out, ff_error *error);
void bench_step_case_close(bench_step_case *c);

/// The rule above: tau [nv] at the state q, v.
void bench_step_control(const bench_step_case *c, const double *q, const double *v, double *tau);

/// Stiff motors without an effort limit that hold the posture, [joints of the model]; how many.
int bench_step_motors(const bench_step_case *c, ff_element_def *elements);

/// A box on `count` contact points, spread over its lower face; 1 kg for each. NULL with the reason in `error`.
ff_model *bench_step_box(int count, ff_error *error);
extern const int bench_step_box_points[BENCH_BOXES];

#endif
