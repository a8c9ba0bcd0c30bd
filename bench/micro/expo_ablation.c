// Ablation: expo without one of its parts, on solo12 in stance, landing, and landing on slippery ground (mu 1 and 0.3);
// the other steppers beside it.
//
// Weak motors hold the joints (5 N m/rad, 0.1 N m s/rad); K = 1e5 N/m, B = 300 N s/m. The error is the largest of any
// coordinate or velocity (SI, mixed) at the end. The reference solution of the stance is rk4 with short steps. Where
// contacts begin, rk4 loses its order, so the reference is expo with short steps, and rk4 with even shorter steps
// bounds its error.
#include "micro/expo.h"
#include "micro/expo_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS = 9, COLUMNS = 10 };

static const bench_expo_motion_method methods[METHODS] = {
    {"expo", FF_STEPPER_EXPO, 2, 1},
    {"expo-order1", FF_STEPPER_EXPO, 1, 1},
    {"expo-no-events", FF_STEPPER_EXPO, 2, 0},
    {"expo-order1-no-events", FF_STEPPER_EXPO, 1, 0},
    {"expo-paper", FF_STEPPER_EXPO_PAPER, 2, 1},
    {"implicit", FF_STEPPER_IMPLICIT, 2, 1},
    {"euler", FF_STEPPER_EULER, 2, 1},
    {"symplectic", FF_STEPPER_SYMPLECTIC, 2, 1},
    {"rk4", FF_STEPPER_RK4, 2, 1},
};
static const bench_expo_motion_method *const expo = &methods[0], *const rk4 = &methods[METHODS - 1];

typedef struct study {
  const bench_expo *bench;
  const char *name;
  bench_expo_motion motion;
  bench_expo_motion_end truth;
  int columns;
  double error[METHODS][COLUMNS], us[METHODS][COLUMNS], substeps[COLUMNS]; // NAN: it failed
} study;

static int steps_of(int column)
{
  return 8 << column;
}

// Standing, its feet `above` the ground.
static ff_status place(study *s, double above, double friction, ff_error *error)
{
  bench_expo_motion *m = &s->motion;
  const ff_status status = bench_expo_solo12(s->bench, &m->model, error);
  if (status != FF_OK)
    return status;
  const ff_model_size size = ff_model_get_size(m->model);
  memcpy(m->q, ff_model_posture(m->model, ff_model_find_posture(m->model, "standing")),
         (size_t)size.nq * sizeof *m->q);
  m->duration = 0.04;
  m->def = ff_sim_def_default();
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(m->model, j, &joint);
    if (joint.nv != 1)
      continue;
    ff_element_def *motor = &m->motors[m->def.element_count++];
    *motor = ff_element_def_default();
    motor->joint = j;
    motor->stiffness = 5;
    motor->damping = 0.1;
    motor->reference = m->q[joint.q];
  }
  m->q[2] += above;
  m->ground = ff_ground_def_default();
  m->ground.gives_pair = 1;
  m->ground.shape.material = ff_material_default();
  m->ground.shape.material.friction = friction;
  return FF_OK;
}

// The reference solution, and a line that states its error.
static ff_status find_truth(study *s, const bench_expo_motion_method *method,
                            const bench_expo_motion_method *witness, ff_error *error)
{
  const int quick = s->bench->is_quick, steps = quick ? 1 << 13 : 1 << 16,
            more = method == rk4 ? steps : 4 * steps;
  bench_expo_motion_end other = {0};
  ff_status status = bench_expo_motion_run(&s->motion, method, steps, 1, &s->truth, error);
  if (status == FF_OK)
    status = bench_expo_motion_run(&s->motion, witness, more, 1, &other, error);
  if (status != FF_OK)
    return status;
  const double apart = bench_expo_motion_distance(&s->motion, &s->truth, &other);
  bench_table_say(
      &s->bench->table,
      "%s: solo12 after %.0f ms; reference solution: %s with %d steps; %s with %d steps differs from it by %.1e",
      s->name, 1e3 * s->motion.duration, method->name, steps, witness->name, more, apart);
  bench_expo_row(s->bench, s->name, "truth", apart, "SI");
  return FF_OK;
}

static void measure(study *s)
{
  for (int k = 0; k < METHODS; ++k)
    for (int c = 0; c < s->columns; ++c) {
      bench_expo_motion_end end = {0};
      const int is_run =
          bench_expo_motion_run(&s->motion, &methods[k], steps_of(c),
                                s->bench->is_quick ? 1 : 5 + 2000 / steps_of(c), &end, NULL) == FF_OK;
      s->error[k][c] = is_run ? bench_expo_motion_distance(&s->motion, &end, &s->truth) : NAN;
      s->us[k][c] = is_run ? end.us : NAN;
      if (k == 0)
        s->substeps[c] = is_run ? end.substeps : NAN;
    }
}

static void put_titles(const study *s, const char *corner)
{
  char titles[COLUMNS][24];
  for (int c = 0; c < s->columns; ++c)
    bench_expo_motion_dt(s->motion.duration / steps_of(c), titles[c]);
  bench_table_titles(&s->bench->table, corner, s->columns, titles);
}

static void add_row(const study *s, const char *what, const char *name, int column, double value,
                    const char *unit)
{
  char metric[96];
  snprintf(metric, sizeof metric, "%s:%s:dt=%gus", what, name, 1e6 * s->motion.duration / steps_of(column));
  bench_expo_row(s->bench, s->name, metric, value, unit);
}

static void report(const study *s)
{
  const bench_table *table = &s->bench->table;
  put_titles(s, "error");
  for (int k = 0; k < METHODS; ++k) {
    bench_table_row(table, methods[k].name);
    for (int c = 0; c < s->columns; ++c) {
      bench_table_error(table, s->error[k][c]);
      add_row(s, "error", methods[k].name, c, s->error[k][c], "SI");
    }
    bench_table_end(table);
  }
  bench_table_say(table, "%s: microseconds per step", s->name);
  put_titles(s, "us");
  for (int k = 0; k < METHODS; ++k) {
    bench_table_row(table, methods[k].name);
    for (int c = 0; c < s->columns; ++c) {
      bench_table_number(table, s->us[k][c]);
      add_row(s, "step", methods[k].name, c, s->us[k][c], "us");
    }
    bench_table_end(table);
  }
  bench_table_row(table, "substeps of expo");
  for (int c = 0; c < s->columns; ++c) {
    bench_table_number(table, s->substeps[c]);
    add_row(s, "pieces", "expo", c, s->substeps[c], "per step");
  }
  bench_table_end(table);
}

static ff_status finish(study *s, const bench_expo_motion_method *method,
                        const bench_expo_motion_method *witness, ff_error *error)
{
  s->columns = s->bench->is_quick ? 5 : s->columns;
  const ff_status status = find_truth(s, method, witness, error);
  if (status == FF_OK) {
    measure(s);
    report(s);
  }
  ff_model_destroy(s->motion.model);
  return status;
}

// Contacts from the start, without slip; the joints move.
ff_status bench_expo_ablation_stance(const bench_expo *b, ff_error *error)
{
  study s = {.bench = b, .name = "stance", .columns = 8};
  const ff_status status = place(&s, -1e-4, 100, error);
  if (status != FF_OK)
    return status;
  for (int i = 6; i < ff_model_get_size(s.motion.model).nv; ++i)
    s.motion.v[i] = 0.2 * sin(1.7 * i);
  return finish(&s, rk4, expo, error);
}

// Dropped from 5 mm, moving sideways, turning and tilting: the feet land one after another, milliseconds apart.
static ff_status land(const bench_expo *b, const char *name, double friction, ff_error *error)
{
  study s = {.bench = b, .name = name, .columns = COLUMNS};
  const ff_status status = place(&s, 0.005, friction, error);
  if (status != FF_OK)
    return status;
  s.motion.v[0] = 0.3;
  s.motion.v[1] = 0.1;
  s.motion.v[3] = 0.3;
  s.motion.v[4] = -0.4;
  s.motion.v[5] = 0.5;
  return finish(&s, expo, rk4, error);
}

ff_status bench_expo_ablation_landing(const bench_expo *b, ff_error *error)
{
  return land(b, "landing", 1, error);
}

ff_status bench_expo_ablation_sliding(const bench_expo *b, ff_error *error)
{
  return land(b, "sliding", 0.3, error);
}
