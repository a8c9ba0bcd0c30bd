// slow: under sanitizers. The contact law with a slip flag, on a particle, against closed forms: sliding while it
// bounces on its normal spring until it stops and swings on its tangential one; held on a slope, for good or until it
// is let
// go; and sliding around a curve, against four lines of a differential equation. With every soft stepper, and the order
// at which each comes near.
//
// In the limit of short steps the law is: sticking until the spring's force is mu lambda_n, then sliding; sliding until
// the speed is 1 mm/s, then sticking, the spring at rest where it is.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double mass = 2, gravity = 9.81, least_speed = 1e-3;
static const ff_material material = {.stiffness = 2e4, .damping = 40, .friction = 0.4};

// A free body that touches with its centre: nothing turns it.
static ff_model *particle(void)
{
  ff_builder *b;
  ff_model *model;
  ff_error error;
  int link;
  ff_link_def body = ff_link_def_default();
  body.name = "particle";
  body.joint.type = FF_JOINT_FREE;
  body.inertia.mass = mass;
  for (int k = 0; k < 6; k += k == 0 ? 3 : 2)
    body.inertia.matrix[k] = 0.01;
  ffi_must(ff_builder_create("particle", &b, &error), &error);
  ffi_must(ff_builder_add_link(b, &body, &link, &error), &error);
  ff_shape_def tip = ff_shape_def_default();
  tip.type = FF_SHAPE_POINT;
  tip.material = material;
  ffi_must(ff_builder_add_shape(b, link, &tip, &error), &error);
  ffi_must(ff_builder_finish(b, &model, &error), &error);
  ff_builder_destroy(b);
  return model;
}

// Position and velocity, x y z.
typedef struct motion {
  double x[3], v[3];
} motion;

typedef struct run {
  motion start;
  double slope; // of the ground, about y: +x is downhill; positions are in its axes
  double duration;
} run;

static void turn(double angle, const double a[3], double out[3]) // about y
{
  const double c = cos(angle), s = sin(angle), x = a[0], z = a[2];
  out[0] = c * x + s * z;
  out[1] = a[1];
  out[2] = -s * x + c * z;
}

typedef struct method {
  const char *name;
  ff_stepper stepper;
  int events;
} method;

static motion simulate(const ff_model *model, const run *r, const method *m, int steps)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.pose.quaternion[1] = sin(r->slope / 2);
  ground.shape.pose.quaternion[3] = cos(r->slope / 2);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = m->stepper;
  def.expo.events = m->events;
  def.contact_law = FF_LAW_SLIP_FLAG;
  def.implicit.tolerance = 1e-11;
  def.ess.epsilon = 1e-8;
  def.ess.relative_tolerance = 0;
  def.ess.absolute_tolerance = 1e-12;
  def.dt = r->duration / steps;
  def.ground = &ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0};
  turn(r->slope, r->start.x, q);
  turn(r->slope, r->start.v, v);
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, steps, NULL);
  motion end;
  turn(-r->slope, ff_sim_q(sim), end.x);
  turn(-r->slope, ff_sim_v(sim), end.v);
  ff_sim_destroy(sim);
  return end;
}

// ---- Closed forms -----------------------------------------------------------------------------------------

// m x'' = -K x - B x' from (x, v), after t.
static void swing(double t, double *x, double *v)
{
  const double decay = material.damping / (2 * mass), w0 = material.stiffness / mass,
               w = sqrt(w0 - decay * decay);
  const double a = *x, b = (*v + decay * a) / w, c = cos(w * t), s = sin(w * t), e = exp(-decay * t);
  *x = e * (a * c + b * s);
  *v = e * (-decay * (a * c + b * s) + w * (b * c - a * s));
}

// Height over where the weight's part along the normal rests; pushing all the time.
static void bounce(const run *r, double t, double *z, double *vz)
{
  const double sag = mass * gravity * cos(r->slope) / material.stiffness;
  *z = r->start.x[2] + sag;
  *vz = r->start.v[2];
  swing(t, z, vz);
  *z -= sag;
}

// m z'' = lambda_n - m g, so friction has changed the speed by -mu (g t + change of z').
static double sliding_speed(const run *r, double speed, double t, double *way)
{
  double z, vz;
  bounce(r, t, &z, &vz);
  const double mu = material.friction;
  *way = speed * t - mu * (gravity * t * t / 2 + z - r->start.x[2] - r->start.v[2] * t);
  return speed - mu * (gravity * t + vz - r->start.v[2]);
}

static motion slid_to_rest(const run *r)
{
  const double speed = hypot(r->start.v[0], r->start.v[1]);
  double low = 0, high = r->duration, way, stretch = 0, v = least_speed;
  for (int k = 0; k < 100; ++k) { // the first time: it only gets slower
    const double t = (low + high) / 2;
    *(sliding_speed(r, speed, t, &way) > least_speed ? &low : &high) = t;
  }
  sliding_speed(r, speed, low, &way);
  swing(r->duration - low, &stretch, &v);
  motion end;
  bounce(r, r->duration, &end.x[2], &end.v[2]);
  for (int k = 0; k < 2; ++k) {
    end.x[k] = (way + stretch) * r->start.v[k] / speed;
    end.v[k] = v * r->start.v[k] / speed;
  }
  return end;
}

// From rest on a slope, at rest on its normal spring: it swings about where the spring would hold it, until that would
// be too much.
static void hold(const run *r, double t, double *x, double *v)
{
  const double there = mass * gravity * sin(r->slope) / material.stiffness;
  *x = -there;
  *v = 0;
  swing(t, x, v);
  *x += there;
}

static motion let_go(const run *r)
{
  const double rim = material.friction * mass * gravity * cos(r->slope);
  double low = 0, high = 0, x, v;
  do { // the first time that it is too much, by small steps, then by halving
    low = high;
    high += 1e-5;
    hold(r, high, &x, &v);
  } while (material.stiffness * x + material.damping * v < rim);
  for (int k = 0; k < 60; ++k) {
    const double t = (low + high) / 2;
    hold(r, t, &x, &v);
    *(material.stiffness * x + material.damping * v < rim ? &low : &high) = t;
  }
  hold(r, low, &x, &v);
  assert_true(v > least_speed);
  const double left = r->duration - low, a = gravity * sin(r->slope) - rim / mass;
  motion end = {{x + left * (v + left * a / 2), 0, 0}, {v + left * a, 0, 0}};
  bounce(r, r->duration, &end.x[2], &end.v[2]);
  return end;
}

// Down a slope, with a velocity across it: x'' = g sin - mu g cos u_x/|u| and so on, by Runge-Kutta in many steps.
static void rate(const run *r, const double y[4], double out[4])
{
  const double speed = hypot(y[2], y[3]), f = material.friction * gravity * cos(r->slope) / speed;
  out[0] = y[2];
  out[1] = y[3];
  out[2] = gravity * sin(r->slope) - f * y[2];
  out[3] = -f * y[3];
}

static motion around_a_curve(const run *r)
{
  enum { STEPS = 20000 };
  const double h = r->duration / STEPS, part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double y[4] = {r->start.x[0], r->start.x[1], r->start.v[0], r->start.v[1]};
  for (int k = 0; k < STEPS; ++k) {
    double sum[4] = {0}, slope[4] = {0}, at[4];
    for (int stage = 0; stage < 4; ++stage) {
      for (int i = 0; i < 4; ++i)
        at[i] = y[i] + h * part[stage] * slope[i];
      rate(r, at, slope);
      for (int i = 0; i < 4; ++i)
        sum[i] += weight[stage] * slope[i] / 6;
    }
    for (int i = 0; i < 4; ++i)
      y[i] += h * sum[i];
  }
  motion end = {{y[0], y[1], 0}, {y[2], y[3], 0}};
  bounce(r, r->duration, &end.x[2], &end.v[2]);
  return end;
}

// From rest on a slope that friction holds.
static motion is_held(const run *r)
{
  motion end = {{0}, {0}};
  hold(r, r->duration, &end.x[0], &end.v[0]);
  bounce(r, r->duration, &end.x[2], &end.v[2]);
  return end;
}

// ---- Comparison -------------------------------------------------------------------------------------------

enum { METHODS = 7, STARTS = 5, ROWS = 6 };
static const method methods[METHODS] = {
    {"euler", FF_STEPPER_EULER, 1},
    {"symplectic", FF_STEPPER_SYMPLECTIC, 1},
    {"rk4", FF_STEPPER_RK4, 1},
    {"implicit", FF_STEPPER_IMPLICIT, 1},
    {"expo-paper", FF_STEPPER_EXPO_PAPER, 1},
    {"events off", FF_STEPPER_EXPO, 0},
    {"expo", FF_STEPPER_EXPO, 1},
};

// What is asked of a method: the order, seen from `first` steps on, of the largest error of all starts. Order 0: no
// error but rounding.
typedef struct demand {
  double order;
  int first;
} demand;

static const double rounding = 1e-12; // of sums over thousands of steps, and of the instants of events

static double distance(const motion *a, const motion *b)
{
  double most = 0;
  for (int k = 0; k < 3; ++k)
    most = fmax(most, fmax(fabs(a->x[k] - b->x[k]), fabs(a->v[k] - b->v[k])));
  return most;
}

// The slope of a line through the logarithms of errors that are more than rounding.
static double order_of(const double error[ROWS])
{
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < ROWS && error[k] > rounding; ++k) {
    const double x = -k, y = log2(error[k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return n < 2 ? INFINITY : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void check_method(const ff_model *model, const method *m, const run *r, const motion *truth,
                         demand wanted)
{
  double error[ROWS] = {0};
  print_message("  %-10s", m->name);
  for (int k = 0; k < ROWS; ++k) {
    for (int i = 0; i < STARTS; ++i) {
      const motion end = simulate(model, &r[i], m, wanted.first << k);
      error[k] = fmax(error[k], distance(&end, &truth[i]));
    }
    print_message("  %.4f ms: %.1e", 1e3 * r->duration / (wanted.first << k), error[k]);
  }
  const double order = order_of(error);
  print_message("  order %.2f\n", order);
  if (wanted.order > 0 ? !(order >= wanted.order) : !(error[0] <= rounding))
    fail_msg("%s: order %.2f, at least %.2f is asked for; error %.1e", m->name, order, wanted.order,
             error[0]);
}

// The error of ess is that of its tolerance, whatever the steps of the sim, as long as none of them begins while a
// contact that was let go at rest is still slower than 1 mm/s.
static void check_ess(const ff_model *model, const run *r, const motion *truth)
{
  static const method ess = {"ess", FF_STEPPER_ESS, 1};
  static const int steps[] = {1, 7, 64};
  print_message("  %-10s", ess.name);
  for (int k = 0; k < 3; ++k) {
    double error = 0;
    for (int i = 0; i < STARTS; ++i) {
      const motion end = simulate(model, &r[i], &ess, steps[k]);
      error = fmax(error, distance(&end, &truth[i]));
    }
    print_message("  %d steps: %.1e", steps[k], error);
    assert_true(error < 1e-8);
  }
  print_message("\n");
}

static void compare(const char *what, const run r[STARTS], motion (*find)(const run *),
                    const demand wanted[METHODS])
{
  ff_model *model = particle();
  motion truth[STARTS];
  for (int i = 0; i < STARTS; ++i)
    truth[i] = find(&r[i]);
  print_message("%s: the first at %.6f %.6f %.6f m, %.6f %.6f %.6f m/s\n", what, truth->x[0], truth->x[1],
                truth->x[2], truth->v[0], truth->v[1], truth->v[2]);
  for (int i = 0; i < METHODS; ++i)
    check_method(model, &methods[i], r, truth, wanted[i]);
  check_ess(model, r, truth);
  ff_model_destroy(model);
}

// A spring: the exponentials are exact.
static void sticks(void **state)
{
  (void)state;
  static const demand wanted[METHODS] = {{0.9, 512}, {0.9, 512}, {3.8, 128}, {0.9, 512},
                                         {0, 64},    {0, 64},    {0, 64}};
  run r[STARTS];
  for (int i = 0; i < STARTS; ++i) {
    r[i] = (run){.slope = 0.1 + 0.02 * i, .duration = 0.1};
    r[i].start.x[2] = -mass * gravity * cos(r[i].slope) / material.stiffness;
  }
  compare("sticks", r, is_held, wanted);
}

// The force is the same before and after, so that to let go later by a part of a step costs the square of it. Which
// part is chance: half an order for that.
static void is_let_go(void **state)
{
  (void)state;
  static const demand wanted[METHODS] = {{0.9, 256}, {0.9, 256}, {1.5, 64}, {0.9, 256},
                                         {1.5, 64},  {1.5, 64},  {1.8, 64}};
  run r[STARTS];
  for (int i = 0; i < STARTS; ++i) {
    r[i] = (run){.slope = 0.56 + 0.02 * i, .duration = 0.1};
    r[i].start.x[2] = -mass * gravity * cos(r[i].slope) / material.stiffness;
  }
  compare("is let go", r, let_go, wanted);
}

// Where it stops friction jumps: a step that does not look inside itself loses one order. That shows in steps that take
// less than 1 mm/s from the speed, 0.25 ms.
static void slides_to_rest(void **state)
{
  (void)state;
  static const demand wanted[METHODS] = {{0.8, 1024}, {0.8, 1024}, {0.8, 1024}, {0.8, 1024},
                                         {0.8, 1024}, {0.8, 1024}, {1.8, 64}};
  const double sag = mass * gravity / material.stiffness;
  run r[STARTS];
  for (int i = 0; i < STARTS; ++i) {
    const double speed = 0.56 + 0.017 * i;
    r[i] = (run){.start = {{0, 0, -1.5 * sag}, {0.6 * speed, 0.8 * speed, 0.02}}, .duration = 0.2};
  }
  compare("slides to rest", r, slid_to_rest, wanted);
}

static void slides_around_a_curve(void **state)
{
  (void)state;
  static const demand wanted[METHODS] = {{0.9, 64}, {0.9, 64}, {3.8, 16}, {0.9, 64},
                                         {1.9, 64}, {1.9, 64}, {1.9, 64}};
  run r[STARTS];
  for (int i = 0; i < STARTS; ++i) {
    r[i] = (run){.start = {{0, 0, 0}, {0, 1 + 0.1 * i, 0}}, .slope = 0.5, .duration = 0.1};
    r[i].start.x[2] = -mass * gravity * cos(r[i].slope) / material.stiffness;
  }
  compare("slides around a curve", r, around_a_curve, wanted);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sticks),
      cmocka_unit_test(is_let_go),
      cmocka_unit_test(slides_to_rest),
      cmocka_unit_test(slides_around_a_curve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
