/// step_case.h: what a step is measured on: a standing robot and the control that keeps it standing, or a robot in
/// motion.
///
/// A case is a model and a settled state: the robot stands with stiff springs at its joints until it is at rest (the
/// two-legged stance, which must fall, only until its feet have settled); the forces of these springs are kept as
/// `held`. From then on the joints get
///
///     tau = held + kp (q_ref - q) - kd v
///
/// once per step, from outside: the same law, gains and state for every stepper and for MuJoCo. The gains are low,
/// M_jj (2 pi 5 Hz)^2 and critically damped, so that they are stable at every measured step. The variant expo-pd
/// instead holds the joints by stiff elements inside the step.
///
/// A case in motion is a scene with its controller: its motion is recorded with each stepper and measured without the
/// controller (motion/motion.h).
#ifndef BENCH_STEP_CASE_H
#define BENCH_STEP_CASE_H

#include <footfall/scene.h>

enum { BENCH_STEP_BOXES = 8, BENCH_STEP_CASES = 4 + BENCH_STEP_BOXES };

/// Folders of the shipped files; NULL: where they are shipped.
typedef struct bench_step_folders {
  const char *models, *scenes;
} bench_step_folders;

typedef struct bench_step_case {
  char name[32];
  const ff_model *model;
  ff_model *own;   ///< the model, unless it is the scene's
  ff_scene *scene; ///< in motion; then all below is unused. NULL: it stands
  int contacts;    ///< that it stands on
  double settle;   ///< duration of settling [s]
  int is_box;      ///< fewer variants are measured
  int is_steady;   ///< it would stand forever
  double *posture; ///< [nq] that the joints are held in
  double *q;       ///< [nq] settled
  double *v;       ///< [nv] settled
  double *held;    ///< [nv] forces that hold it there
  double *kp, *kd; ///< [nv], zero where there is no motor
  int *coordinate; ///< [nv] in q of each motor, -1: none
} bench_step_case;

/// The name of case i, which need not be open.
void bench_step_case_name(int i, char name[32]);

/// Load or build the model of case i and settle it. On failure everything is released.
ff_status bench_step_case_open(int i, const bench_step_folders *folders, ff_isa isa, bench_step_case *out,
                               ff_error *error);
void bench_step_case_close(bench_step_case *c);

/// The control law above: tau [nv] at the state q, v.
void bench_step_case_control(const bench_step_case *c, const double *q, const double *v, double *tau);

/// Stiff motors without an effort limit that hold the posture, [joints of the model]. Returns their number.
int bench_step_case_motors(const bench_step_case *c, ff_element_def *elements);

/// A box on `count` contact points, spread over its lower face; 1 kg for each. Returns NULL with the reason in `error`.
ff_model *bench_step_box(int count, ff_error *error);
extern const int bench_step_box_points[BENCH_STEP_BOXES];

#endif
