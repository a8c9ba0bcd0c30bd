// Orders of convergence of the exponential steppers: solo12 in stance, landing, and sliding, against a fine solution by
// another method where it can give one, and what each part of `expo` is worth.
// slow: fine reference solutions
#include <footfall/load.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct scene {
  ff_model *model;
  ff_model_size size;
  double *q, *v;   // start
  double duration; // [s]
  double stiffness, friction;
} scene;

typedef struct method {
  ff_stepper stepper;
  int order, events;
} method;

static const method expo = {FF_STEPPER_EXPO, 2, 1}, first_order = {FF_STEPPER_EXPO, 1, 1},
                    no_events = {FF_STEPPER_EXPO, 2, 0}, paper = {FF_STEPPER_EXPO_PAPER, 2, 1},
                    rk4 = {FF_STEPPER_RK4, 2, 1};

// Solo12 in its standing posture, `above` the ground, moving sideways and turning; weak motors hold its joints.
static scene solo12(double above, double duration, double stiffness, double friction)
{
  scene s = {.duration = duration, .stiffness = stiffness, .friction = friction};
  ff_error error;
  if (ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &s.model, &error) != FF_OK)
    fail_msg("%s", error.message);
  s.size = ff_model_get_size(s.model);
  s.q = malloc((size_t)s.size.nq * sizeof *s.q);
  s.v = calloc((size_t)s.size.nv, sizeof *s.v);
  assert_non_null(s.q);
  assert_non_null(s.v);
  const int posture = ff_model_find_posture(s.model, "standing");
  memcpy(s.q, ff_model_posture(s.model, posture), (size_t)s.size.nq * sizeof *s.q);
  s.q[2] += above;
  s.v[0] = 0.3;
  s.v[1] = 0.1;
  s.v[5] = 0.5;
  return s;
}

static void scene_free(scene *s)
{
  free(s->q);
  free(s->v);
  ff_model_destroy(s->model);
}

static ff_sim *start(const scene *s, const method *m, double dt)
{
  ff_element_def motors[12];
  int count = 0;
  for (int j = 0; j < s->size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(s->model, j, &joint);
    if (joint.nv != 1)
      continue;
    motors[count] = ff_element_def_default();
    motors[count].joint = j;
    motors[count].stiffness = 5;
    motors[count].damping = 0.1;
    motors[count++].reference = s->q[joint.q];
  }
  ff_ground_def ground = ff_ground_def_default();
  ground.gives_pair = 1;
  ground.shape.material = ff_material_default();
  ground.shape.material.stiffness = s->stiffness;
  ground.shape.material.friction = s->friction;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = m->stepper;
  def.dt = dt;
  def.expo.order = m->order;
  def.expo.events = m->events;
  def.ground = &ground;
  def.ground_count = 1;
  def.elements = motors;
  def.element_count = count;
  ff_sim *sim;
  ff_error error;
  if (ff_sim_create(s->model, &def, &sim, &error) != FF_OK || ff_sim_reset(sim, s->q, s->v, &error) != FF_OK)
    fail_msg("%s", error.message);
  return sim;
}

// q and v after the scene in `steps` steps, to end [nq + nv].
static void run(const scene *s, const method *m, int steps, double *end)
{
  ff_sim *sim = start(s, m, s->duration / steps);
  ff_error error;
  for (int k = 0; k < steps; ++k)
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s", error.message);
  memcpy(end, ff_sim_q(sim), (size_t)s->size.nq * sizeof *end);
  memcpy(end + s->size.nq, ff_sim_v(sim), (size_t)s->size.nv * sizeof *end);
  ff_sim_destroy(sim);
}

// Largest difference of a coordinate (in the tangent space) or a velocity.
static double distance(const scene *s, const double *a, const double *b)
{
  double dq[64], most = 0;
  ff_model_difference(s->model, a, b, dq);
  for (int i = 0; i < s->size.nv; ++i)
    most = fmax(most, fmax(fabs(dq[i]), fabs(a[s->size.nq + i] - b[s->size.nq + i])));
  return most;
}

typedef struct doublings {
  int coarsest, count;
} doublings;

// Errors with 2^k times `coarsest` steps, k = 0..count-1, and the slope of a line through their logarithms: the order.
static double order_of(const scene *s, const method *m, const double *reference, doublings steps,
                       double *error, const char *name)
{
  const int count = steps.count;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  print_message("%-22s", name);
  for (int k = 0; k < count; ++k) {
    double end[64];
    run(s, m, steps.coarsest << k, end);
    error[k] = distance(s, end, reference);
    print_message(" %.1e", error[k]);
    const double x = -k, y = log2(error[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double order = (count * sxy - sx * sy) / (count * sxx - sx * sx);
  print_message("  order %.2f\n", order);
  return order;
}

// Stance: contacts from the start on, no event; rk4 with steps of 0.6 us is the other method.
static void stance(void **state)
{
  (void)state;
  scene s = solo12(-1e-4, 0.02, 1e5, 100);
  for (int i = 0; i < s.size.nv; ++i)
    s.v[i] = 0;
  for (int i = 6; i < s.size.nv; ++i)
    s.v[i] = 0.2 * sin(1.7 * i);
  double reference[64], ours[16], error[16];
  run(&s, &rk4, 32768, reference);
  // Order 2 is there once a step resolves the feet on their springs, some 0.1 ms; before, at up to 5 ms, the error is
  // far smaller than its order says from there. The slope is that of steps from 0.16 ms to 5 us; the next order is a
  // few per cent of this one by then.
  const double two = order_of(&s, &expo, reference, (doublings){4, 11}, ours, "stance, expo"),
               tail = log2(ours[5] / ours[10]) / 5;
  print_message("stance, expo: order %.2f from 128 steps on (all: %.2f)\n", tail, two);
  assert_true(fabs(tail - 2) < 0.1);
  order_of(&s, &first_order, reference, (doublings){4, 11}, error, "stance, order 1");
  assert_true(fabs(log2(error[5] / error[10]) / 5 - 1) < 0.1);
  for (int k = 0; k < 11; ++k) // what the corrector is worth at any step, more as they get shorter
    assert_true(ours[k] < error[k] / 8);
  order_of(&s, &paper, reference, (doublings){4, 11}, error, "stance, expo-paper");
  assert_true(fabs(log2(error[5] / error[10]) / 5 - 1) < 0.1);
  scene_free(&s);
}

// Dropped from 5 mm on sticky ground: four touch-downs one after another, and a slip and a stick in the first
// millisecond of one of them. The reference is expo itself at an eight-thousandth of the coarsest step, which fine rk4
// (first order through a touch-down) confirms to 1e-5. Of second order from 8 ms to 16 us, unevenly: that slip and
// stick fall here or there in a step.
static void landing(void **state)
{
  (void)state;
  scene s = solo12(0.005, 0.064, 1e5, 10);
  double reference[64], other[64], ours[16], theirs[16], without[16];
  run(&s, &expo, 65536, reference);
  run(&s, &rk4, 65536, other);
  print_message("landing: fine expo and fine rk4 differ by %.1e\n", distance(&s, reference, other));
  assert_true(distance(&s, reference, other) < 5e-5);
  const double order = order_of(&s, &expo, reference, (doublings){8, 10}, ours, "landing, expo");
  order_of(&s, &paper, reference, (doublings){8, 6}, theirs, "landing, expo-paper");
  order_of(&s, &no_events, reference, (doublings){8, 6}, without, "landing, events off");
  assert_true(order > 1.85 && log2(ours[0] / ours[9]) / 9 > 1.85); // many landings: order_landings
  for (int k = 0; k < 6; ++k)
    assert_true(ours[k] < theirs[k] / 9);
  for (int k = 2; k < 6;
       ++k) // with events only at the ends of steps the error stays what one late touch-down makes it
    assert_true(ours[k] < without[k] / 10);
  scene_free(&s);
}

// The same on slippery ground: feet land sliding, turn to their lasting direction within some 70 us, slide on, stick,
// slip again. Of second order from 4 ms to 16 us: steps that do not resolve that layer cut it into pieces.
static void sliding(void **state)
{
  (void)state;
  static const double frictions[] = {0.3, 1};
  for (int i = 0; i < 2; ++i) {
    scene s = solo12(0.005, 0.064, 1e5, frictions[i]);
    double reference[64], other[64], ours[16], theirs[16];
    run(&s, &expo, 65536, reference);
    run(&s, &rk4, 65536, other);
    print_message("friction %g: fine expo and fine rk4 differ by %.1e\n", frictions[i],
                  distance(&s, reference, other));
    assert_true(distance(&s, reference, other) < 5e-5);
    const double order = order_of(&s, &expo, reference, (doublings){16, 9}, ours, "sliding, expo");
    assert_true(order > 1.85); // uneven by a tenth: slips fall here or there in a step
    order_of(&s, &paper, reference, (doublings){16, 6}, theirs, "sliding, expo-paper");
    for (int k = 0; k < 6; ++k)
      assert_true(ours[k] < theirs[k] / 100);
    scene_free(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stance),
      cmocka_unit_test(landing),
      cmocka_unit_test(sliding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
