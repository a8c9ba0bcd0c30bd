// The longest step with which solo12 stands, for several gains of its motors: as a controller outside of the step,
// which keeps its torque constant during a step, and as elements inside of the step.
//
// It starts at rest in its standing posture. It stands if no step fails and the base ends upright, at half its height
// or more. Step lengths start at 0.1 ms and grow by 10 % until the robot falls.
#include "micro/expo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 32, GAINS = 3 };
static const double shortest = 1e-4, longest = 0.06; // [s]
static const struct {
  double kp, kd;
} gains[GAINS] = {{5, 0.1}, {50, 1}, {500, 10}};

typedef struct study {
  const ff_model *model;
  ff_model_size size;
  const double *posture;
  double kp, kd, duration;
} study;

// Torques for the step that begins now.
static int control(ff_sim *sim, double *tau, void *user)
{
  const study *s = *(const study **)user;
  for (int j = 0; j < s->size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(s->model, j, &joint);
    if (joint.nv == 1)
      tau[joint.v] = s->kp * (s->posture[joint.q] - ff_sim_q(sim)[joint.q]) - s->kd * ff_sim_v(sim)[joint.v];
  }
  return 1;
}

static int add_motors(const study *s, ff_element_def *motors)
{
  int count = 0;
  for (int j = 0; j < s->size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(s->model, j, &joint);
    if (joint.nv != 1)
      continue;
    motors[count] = ff_element_def_default();
    motors[count].joint = j;
    motors[count].stiffness = s->kp;
    motors[count].damping = s->kd;
    motors[count++].reference = s->posture[joint.q];
  }
  return count;
}

static int stands(const study *s, int inside, double dt)
{
  ff_element_def motors[MOST];
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  const study *user = s;
  def.dt = dt;
  if (inside) {
    def.elements = motors;
    def.element_count = add_motors(s, motors);
  }
  int is_good = 0;
  if (ff_sim_create(s->model, &def, &sim, NULL) == FF_OK &&
      ff_sim_reset(sim, s->posture, NULL, NULL) == FF_OK &&
      ff_sim_run(sim, (int)ceil(s->duration / dt), inside ? NULL : control, &user, NULL, NULL) == FF_OK) {
    const double *q = ff_sim_q(sim), upright = 1 - 2 * (q[3] * q[3] + q[4] * q[4]); // z of its own z axis
    is_good = q[2] > s->posture[2] / 2 && upright > 0.7;
  }
  ff_sim_destroy(sim);
  return is_good;
}

// 0: not even the shortest step.
static double longest_step(const study *s, int inside, double factor)
{
  double good = 0;
  for (double dt = shortest; dt < longest && stands(s, inside, dt); dt *= factor)
    good = dt;
  return good;
}

static void put(const bench_expo *b, const study *s, int inside, double factor)
{
  char text[64], dt[24];
  const double step = longest_step(s, inside, factor);
  snprintf(dt, sizeof dt, "%.2g ms", 1e3 * step);
  if (step == 0)
    snprintf(dt, sizeof dt, "below %.2g ms", 1e3 * shortest);
  else if (step * factor >= longest)
    snprintf(dt, sizeof dt, "beyond %.2g ms", 1e3 * step);
  bench_table_text(&b->table, dt);
  snprintf(text, sizeof text, "longest:%s:kp=%g", inside ? "elements" : "tau", s->kp);
  bench_expo_row(b, "motors", text, 1e3 * step, "ms");
}

ff_status bench_expo_motors(const bench_expo *b, ff_error *error)
{
  char titles[2][24] = {"as tau", "as elements"}, name[32];
  const double factor = b->is_quick ? 2 : 1.1;
  ff_model *model = NULL;
  const ff_status status = bench_expo_solo12(b, &model, error);
  if (status != FF_OK)
    return status;
  study s = {model, ff_model_get_size(model),
             ff_model_posture(model, ff_model_find_posture(model, "standing")),
             .duration = b->is_quick ? 1 : 3};
  bench_table_say(&b->table, "motors: the longest step of expo with which solo12 stands for %g s",
                  s.duration);
  bench_table_titles(&b->table, "kp, kd", 2, titles);
  for (int g = 0; g < GAINS; ++g) {
    s.kp = gains[g].kp;
    s.kd = gains[g].kd;
    snprintf(name, sizeof name, "%g, %g", s.kp, s.kd);
    bench_table_row(&b->table, name);
    for (int inside = 0; inside < 2; ++inside)
      put(b, &s, inside, factor);
    bench_table_end(&b->table);
  }
  ff_model_destroy(model);
  return status;
}
