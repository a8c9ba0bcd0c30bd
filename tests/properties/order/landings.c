// Random landings, their errors at all step lengths, and the order of convergence.
#include "properties/order/landings.h"

#include "properties/order/landing_reference.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ROWS = 12, MOST_LANDINGS = 32 };

typedef struct study {
  const ffi_landings *of;
  ffi_landings_robot robot;
  double error[MOST_ROWS][MOST_LANDINGS], doubt[MOST_LANDINGS];
} study;

// Of many errors; logarithms to base 2.
typedef struct middle {
  double median, mean, worst; // mean: the geometric one
} middle;

// From a linear congruential generator with Knuth's constants.
static double draw(ffi_landings_robot *s, double low, double high)
{
  s->random = s->random * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(s->random >> 11) / 9007199254740992.0);
}

// Weak motors hold the joints where the standing posture has them.
static void hold_joints(ffi_landings_robot *s, const double *posture)
{
  const ff_model_size size = ff_model_get_size(s->model);
  int count = 0;
  for (int j = 0; j < size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(s->model, j, &joint);
    if (joint.nv != 1)
      continue;
    assert_true(count < FFI_LANDINGS_MOST_MOTORS);
    ff_element_def *motor = &s->motor[count++];
    *motor = ff_element_def_default();
    motor->joint = j;
    motor->stiffness = 5;
    motor->damping = 0.1;
    motor->reference = posture[joint.q];
  }
  s->scene.def.elements = s->motor;
  s->scene.def.element_count = count;
}

void ffi_landings_begin(const ffi_landings *l, ffi_landings_robot *s)
{
  char path[512];
  ff_error error;
  memset(s, 0, sizeof *s);
  snprintf(path, sizeof path, FFI_TEST_SOURCE_DIR "/models/%s.urdf", l->robot);
  if (ff_model_load(path, NULL, &s->model, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_true(ff_model_get_size(s->model).nq <= FFI_ORDER_MOST);
  s->ground = ff_ground_def_default();
  s->ground.gives_pair = 1;
  s->ground.shape.material = ff_material_default();
  s->ground.shape.material.friction = l->friction;
  s->scene.model = s->model;
  s->scene.def = ff_sim_def_default();
  s->scene.def.ground = &s->ground;
  s->scene.def.ground_count = 1;
  s->random = 20240229; // any will do, but always the same
  hold_joints(s, ff_model_posture(s->model, ff_model_find_posture(s->model, "standing")));
}

void ffi_landings_draw(const ffi_landings *l, ffi_landings_robot *s)
{
  ffi_order_scene *x = &s->scene;
  const double *posture = ff_model_posture(s->model, ff_model_find_posture(s->model, "standing"));
  double raised[FFI_ORDER_MOST], turn[FFI_ORDER_MOST] = {0};
  memcpy(raised, posture, (size_t)ff_model_get_size(s->model).nq * sizeof *raised);
  memset(x->v, 0, sizeof x->v);
  x->duration = l->hops ? 0.096 : 0.064;
  raised[2] += l->hops ? draw(s, -2e-3, -1e-3) : draw(s, 0.004, 0.012);
  x->v[2] = l->hops ? draw(s, 0, 0.1) : draw(s, -0.3, 0);
  for (int k = 3; k < 5; ++k)
    turn[k] = draw(s, -0.02, 0.02);
  for (int k = 0; k < 2; ++k)
    x->v[k] = draw(s, -0.4, 0.4);
  for (int k = 3; k < 6; ++k)
    x->v[k] = draw(s, -0.5, 0.5);
  ff_model_integrate(s->model, raised, turn, x->q);
}

void ffi_landings_end(ffi_landings_robot *s)
{
  ff_model_destroy(s->model);
}

// One landing at all step lengths. Its events are counted at the finest, that of the second truth.
static void land(study *s, int index, ffi_landings_order *out)
{
  double truth[2 * FFI_ORDER_MOST], end[2 * FFI_ORDER_MOST];
  ff_sim_totals totals;
  ffi_landings_draw(s->of, &s->robot);
  ffi_landing_reference_run(&s->robot.scene, s->of->truth, truth);
  ffi_order_run_counted(&s->robot.scene, &ffi_order_expo, s->of->truth, end, &totals);
  s->doubt[index] = ffi_order_distance(&s->robot.scene, end, truth);
  out->touchdowns += totals.touchdowns;
  out->liftoffs += totals.liftoffs;
  out->slips += totals.slips;
  out->sticks += totals.sticks;
  for (int k = 0; k < s->of->rows; ++k) {
    ffi_order_run(&s->robot.scene, &ffi_order_expo, s->of->coarsest << k, end);
    s->error[k][index] = ffi_order_distance(&s->robot.scene, end, truth);
  }
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static middle middle_of(int count, double *error)
{
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += log2(error[i]);
  qsort(error, (size_t)count, sizeof *error, by_size);
  return (middle){log2(error[count / 2] * error[(count - 1) / 2]) / 2, sum / count, log2(error[count - 1])};
}

// Through y against -0, -1, ...: the steps' logarithms.
static double slope(int count, const double *y)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < count; ++k)
    sx -= k, sy += y[k], sxx += k * k, sxy -= k * y[k];
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static void print_middle(const middle *m)
{
  print_message("median %.1e, geometric mean %.1e, worst %.1e\n", exp2(m->median), exp2(m->mean),
                exp2(m->worst));
}

// Slopes of the rows down to the first that the truth is too coarse for.
static void conclude(study *s, ffi_landings_order *out)
{
  const ffi_landings *l = s->of;
  const middle doubt = middle_of(l->count, s->doubt);
  const double room = log2(ffi_landings_room);
  double median[MOST_ROWS], mean[MOST_ROWS];
  print_message("  two truths: ");
  print_middle(&doubt);
  for (int k = 0; k < l->rows; ++k) {
    const middle error = middle_of(l->count, s->error[k]);
    const int is_told = error.median - doubt.median > room && error.mean - doubt.mean > room;
    median[k] = error.median;
    mean[k] = error.mean;
    if (is_told && out->rows == k)
      ++out->rows;
    print_message("  %7.4f ms%c ", 1e3 * s->robot.scene.duration / (l->coarsest << k),
                  out->rows > k ? ':' : '-');
    print_middle(&error);
  }
  out->median = slope(out->rows, median);
  out->mean = slope(out->rows, mean);
  print_message("  of the first %d rows, order of the median %.2f, of the geometric mean %.2f\n", out->rows,
                out->median, out->mean);
}

ffi_landings_order ffi_landings_measure(const ffi_landings *l)
{
  static study s;
  ffi_landings_order out = {0};
  assert_true(l->rows <= MOST_ROWS && l->count <= MOST_LANDINGS);
  memset(&s, 0, sizeof s);
  s.of = l;
  ffi_landings_begin(l, &s.robot);
  for (int i = 0; i < l->count; ++i)
    land(&s, i, &out);
  print_message("%s, %d %s, friction %g: %lld touch-downs, %lld lift-offs, %lld slips, %lld sticks\n",
                l->robot, l->count, l->hops ? "hops" : "landings", l->friction, out.touchdowns, out.liftoffs,
                out.slips, out.sticks);
  conclude(&s, &out);
  ffi_landings_end(&s.robot);
  return out;
}
