// Hulls that stand on part of a face: a wedge whose weight is off the middle, soles with rounded corners and the load
// at the toes, a puck that slides; and round ones that roll: their depth by how finely they are cut.
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

enum { MOST = 700 };
static const double gravity = 9.81, K = 1e5;

typedef struct shape {
  double x[3 * MOST];
  int count;
} shape;

typedef struct load {
  double mass, com[3], inertia[3], B, mu;
} load;

static void add(shape *s, double x, double y, double z)
{
  assert_true(s->count < MOST);
  double *to = s->x + 3 * s->count++;
  to[0] = x, to[1] = y, to[2] = z;
}

static ff_sim *begin(const shape *s, const load *l, ff_stepper stepper, double dt, ff_model **model)
{
  ff_builder *b = ffi_must_begin("body");
  ff_link_def link = ff_link_def_default();
  link.name = "body";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = l->mass;
  memcpy(link.inertia.com, l->com, sizeof l->com);
  link.inertia.matrix[0] = l->inertia[0];
  link.inertia.matrix[3] = l->inertia[1];
  link.inertia.matrix[5] = l->inertia[2];
  const int id = ffi_must_add_link(b, &link);
  ff_shape_def hull = ff_shape_def_default();
  hull.type = FF_SHAPE_HULL;
  hull.vertices = s->x;
  hull.vertex_count = s->count;
  hull.material.stiffness = K;
  hull.material.damping = l->B;
  hull.material.friction = l->mu;
  ffi_must_add_shape(b, id, &hull);
  *model = ffi_must_finish(b);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.hull_contact = FF_HULL_CONTACT_PATCH;
  return ffi_must_sim(*model, &def);
}

static void end(ff_sim *sim, ff_model *model)
{
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The angle between the body's z and the world's.
static double tilt_of(const double *q)
{
  return 2 * asin(fmin(1, hypot(q[3], q[4])));
}

static double speed_of(const ff_sim *sim)
{
  double most = 0;
  for (int i = 0; i < 6; ++i)
    most = fmax(most, fabs(ff_sim_v(sim)[i]));
  return most;
}

// A right triangle, 0.2 m long and 0.1 m high at x = -0.1, 0.2 m wide: its mass is a third of the length from there. It
// stands on four corners: with moments about the middle its springs lean it by m g d / (4 K (l/2)^2), less what its
// height takes.
static void a_wedge_stands_flat(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_IMPLICIT, FF_STEPPER_ESS};
  const load l = {1, {-1. / 30, 0, 1. / 30}, {4e-3, 3e-3, 6e-3}, 300, 0.8};
  for (int k = 0; k < 3; ++k) {
    shape s = {.count = 0};
    ff_model *model;
    for (int i = 0; i < 2; ++i) {
      add(&s, -0.1, i ? 0.1 : -0.1, 0);
      add(&s, 0.1, i ? 0.1 : -0.1, 0);
      add(&s, -0.1, i ? 0.1 : -0.1, 0.1);
    }
    ff_sim *sim = begin(&s, &l, steppers[k], 1e-3, &model);
    ffi_must_reset(sim, (const double[]){0, 0, 0.001, 0, 0, 0, 1}, NULL);
    ffi_must_run(sim, 1000, NULL);
    const int parted = ff_sim_info(sim)->liftoffs;
    const double want = gravity * -l.com[0] / (4 * K * 0.01 - gravity * l.com[2]),
                 got = tilt_of(ff_sim_q(sim));
    if (!(fabs(got / want - 1) < 1e-3))
      fail_msg("%s: it leans by %g, expected %g", ff_stepper_name(steppers[k]), got, want);
    if (!(speed_of(sim) < 1e-6))
      fail_msg("%s: it moves by %g", ff_stepper_name(steppers[k]), speed_of(sim));
    assert_int_equal(parted, 0);
    end(sim, model);
  }
}

// A sole 0.25 m by 0.1 m by 0.03 m with corners rounded by 0.03 m, n corners per face.
static void make_sole(int n, shape *s)
{
  s->count = 0;
  for (int q = 0; q < 4; ++q)
    for (int i = 0; i < n / 4; ++i) {
      const double angle = PI / 2 * (q + (double)i / (n / 4 - 1));
      const double x = (q == 0 || q == 3 ? 0.095 : -0.095) + 0.03 * cos(angle);
      const double y = (q < 2 ? 0.02 : -0.02) + 0.03 * sin(angle);
      add(s, x, y, 0);
      add(s, x, y, 0.03);
    }
}

// A load of 20 kg that moves to the toes, as far as half a millimetre inside of the rim: ahead, and towards the middle
// of a rounded corner, where it is outside of the polygon of the corners that carry. The sole tilts by about a degree
// at most, and comes to rest.
static void a_loaded_sole_tilts_little_and_rests(void **state)
{
  (void)state;
  static const int corners[] = {20, 60};
  static const double loads[][2] = {{0, 0},         {0.08, 0},    {0.11, 0},     {0.118, 0},
                                    {0.122, 0},     {0.1245, 0},  {0.105, 0.03}, {0.112, 0.037},
                                    {0.114, 0.039}, {0.115, 0.04}};
  for (int c = 0; c < 2; ++c)
    for (int at = 0; at < 10; ++at) {
      shape s;
      ff_model *model;
      make_sole(corners[c], &s);
      const load l = {20, {loads[at][0], loads[at][1], 0.02}, {0.05, 0.2, 0.2}, 3000, 0.8};
      ff_sim *sim = begin(&s, &l, FF_STEPPER_EXPO, 1e-3, &model);
      ffi_must_reset(sim, (const double[]){0, 0, 0, 0, 0, 0, 1}, NULL);
      ffi_must_run(sim, 4000, NULL);
      int changes = 0;
      for (int i = 0; i < 1000; ++i) {
        ffi_must_step(sim, NULL);
        const ff_step_info *info = ff_sim_info(sim);
        changes += info->liftoffs + info->touchdowns;
      }
      const double tilt = tilt_of(ff_sim_q(sim));
      if (!(tilt < 0.02))
        fail_msg("%d corners, load at %g %g: it tilts by %g", corners[c], loads[at][0], loads[at][1], tilt);
      if (changes > 0 || !(speed_of(sim) < 2e-5))
        fail_msg("%d corners, load at %g %g: %d contacts came and went, it moves by %g", corners[c],
                 loads[at][0], loads[at][1], changes, speed_of(sim));
      end(sim, model);
    }
}

static void make_prism(int n, double r, double height, shape *s)
{
  s->count = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      add(s, r * cos(2 * PI * i / n), r * sin(2 * PI * i / n), k ? 0.5 * height : -0.5 * height);
}

// Pushed by 0.9 of the largest friction it does not creep; faster than it can hold, it stops after v^2 / (2 mu g), and
// its eight contacts keep their anchors: nothing turns it.
static void a_puck_sticks_and_slides(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO,       FF_STEPPER_EXPO_PAPER, FF_STEPPER_EULER,
                                        FF_STEPPER_SYMPLECTIC, FF_STEPPER_RK4,        FF_STEPPER_IMPLICIT,
                                        FF_STEPPER_ESS};
  const load l = {2, {0, 0, 0}, {1.4e-3, 1.4e-3, 2.5e-3}, 100, 0.5};
  shape s;
  make_prism(64, 0.05, 0.01, &s);
  for (int k = 0; k < 7; ++k) {
    ff_model *model;
    ff_sim *sim = begin(&s, &l, steppers[k], 5e-5, &model);
    const double z = 0.005 - l.mass * gravity / (4 * K), push = 0.9 * l.mu * l.mass * gravity;
    ffi_must_reset(sim, (const double[]){0, 0, z, 0, 0, 0, 1}, NULL);
    double tau[6] = {push};
    ffi_must_run(sim, 8000, tau);
    const double before = ff_sim_q(sim)[0];
    ffi_must_run(sim, 8000, tau);
    if (!(fabs(ff_sim_q(sim)[0] - before) < 1e-9))
      fail_msg("%s: it creeps by %g", ff_stepper_name(steppers[k]), ff_sim_q(sim)[0] - before);
    int count;
    ff_sim_contacts(sim, &count);
    assert_int_equal(count, 8);
    ffi_must_reset(sim, (const double[]){0, 0, z, 0, 0, 0, 1}, (const double[]){1, 0, 0, 0, 0, 0});
    ffi_must_run(sim, 10000, NULL);
    const double want = 1 / (2 * l.mu * gravity), got = ff_sim_q(sim)[0];
    if (!(fabs(got / want - 1) < 0.01) || !(fabs(ff_sim_q(sim)[1]) < 1e-6) || !(speed_of(sim) < 1e-4))
      fail_msg("%s: it slides %g, expected %g; aside by %g, moves by %g", ff_stepper_name(steppers[k]), got,
               want, ff_sim_q(sim)[1], speed_of(sim));
    end(sim, model);
  }
}

// Saved in the middle of a tumble and restored in another sim, it goes on to the same bits.
static void a_tumble_goes_on_to_the_bit(void **state)
{
  (void)state;
  const load l = {2, {0, 0, 0}, {1.4e-3, 1.4e-3, 2.5e-3}, 100, 0.5};
  shape s;
  make_prism(40, 0.05, 0.03, &s);
  for (int from = 20; from < 200; from += 30) {
    ff_model *model, *other_model;
    ff_error error;
    ff_sim *sim = begin(&s, &l, FF_STEPPER_EXPO, 1e-3, &model);
    ff_sim *other = begin(&s, &l, FF_STEPPER_EXPO, 1e-3, &other_model);
    ffi_must_reset(sim, (const double[]){0, 0, 0.02, 0, sin(0.02), 0, cos(0.02)}, NULL);
    ffi_must_run(sim, from, NULL);
    const size_t size = (size_t)ff_sim_state_size(sim);
    double *saved = malloc(size * sizeof *saved);
    assert_non_null(saved);
    ff_sim_get_state(sim, saved);
    ffi_must(ff_sim_set_state(other, saved, &error), &error);
    ffi_must_run(sim, 100, NULL);
    ffi_must_run(other, 100, NULL);
    assert_memory_equal(ff_sim_q(sim), ff_sim_q(other), 7 * sizeof(double));
    assert_memory_equal(ff_sim_v(sim), ff_sim_v(other), 6 * sizeof(double));
    free(saved);
    end(sim, model);
    end(other, other_model);
  }
}

// Depth of a body that cannot turn, for it is far too heavy to, turned by w about x after a turn about z.
static double depth_of(const shape *s, double about_z, double about_x)
{
  const load l = {2, {0, 0, 0}, {1e6, 1e6, 1e6}, 3000, 1};
  const double a = sin(about_z / 2), b = cos(about_z / 2), c = sin(about_x / 2), d = cos(about_x / 2);
  double q[7] = {0, 0, 0, c * b, -c * a, d * a, d * b}, low = INFINITY;
  for (int i = 0; i < s->count; ++i) {
    const double *x = s->x + 3 * i, along = sin(about_z) * x[0] + cos(about_z) * x[1];
    low = fmin(low, sin(about_x) * along + cos(about_x) * x[2]);
  }
  q[2] = -low;
  ff_model *model;
  ff_sim *sim = begin(s, &l, FF_STEPPER_IMPLICIT, 1e-3, &model);
  ffi_must_reset(sim, q, NULL);
  ffi_must_run(sim, 600, NULL);
  const double depth = -low - ff_sim_q(sim)[2];
  end(sim, model);
  return depth;
}

// Wheels that lie on 16 to 200 corners of both rims, and pucks that stand on one: the mean of the depths on a corner
// and between two is within a factor of two of that of the wheel with 16.
static void rolling_depth_hardly_depends_on_the_number_of_corners(void **state)
{
  (void)state;
  static const int corners[] = {16, 32, 64, 128, 200};
  static const double tilts[] = {PI / 2, PI / 4};
  for (int t = 0; t < 2; ++t) {
    double first = 0;
    for (int i = 0; i < 5; ++i) {
      shape s;
      make_prism(corners[i], 0.05, 0.03, &s);
      const double mean =
          0.5 * (depth_of(&s, PI / 2, tilts[t]) + depth_of(&s, PI / 2 + PI / corners[i], tilts[t]));
      first = i == 0 ? mean : first;
      if (!(mean < 2 * first && mean > first / 2))
        fail_msg("tilt %g: with %d corners %g deep, with 16 %g", tilts[t], corners[i], mean, first);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wedge_stands_flat),
      cmocka_unit_test(a_loaded_sole_tilts_little_and_rests),
      cmocka_unit_test(a_puck_sticks_and_slides),
      cmocka_unit_test(a_tumble_goes_on_to_the_bit),
      cmocka_unit_test(rolling_depth_hardly_depends_on_the_number_of_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
