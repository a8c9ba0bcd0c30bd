// Shapes that go right through each other within a step are counted, with time and names, for every stepper; and looking changes nothing.
#include "sim/toys.h"

#include "support/alloc_counter.h"

#include <math.h>

static const ff_material firm = {.stiffness = 1e5, .damping = 300, .friction = 0.5};

// One link without gravity.
static ff_model *one_link(const char *name, ff_joint_type type, const ff_shape_def *shape)
{
  ff_builder *b = ffi_must_begin(name);
  ff_link_def link = ff_link_def_default();
  ff_error error;
  link.name = name;
  link.joint.name = "joint";
  link.joint.type = type;
  if (type != FF_JOINT_FREE)
    memcpy(link.joint.axis, (double[3]){0, 0, 1}, sizeof link.joint.axis);
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.1;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), shape);
  ffi_must(ff_builder_set_gravity(b, (double[3]){0, 0, 0}, &error), &error);
  return ffi_must_finish(b);
}

// A ball of 1 cm; the walls that it flies at are 1 mm thin.
static ff_model *bullet(void)
{
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_SPHERE;
  shape.size[0] = 0.005;
  shape.material = firm;
  return one_link("ball", FF_JOINT_FREE, &shape);
}

static ff_ground_def wall_at(double x, const char *name)
{
  ff_ground_def wall = ff_ground_def_default();
  wall.shape.type = FF_SHAPE_BOX;
  wall.shape.name = name;
  memcpy(wall.shape.size, (double[3]){0.001, 0.3, 0.3}, sizeof wall.shape.size);
  wall.shape.pose.position[0] = x;
  return wall;
}

// From x = 0 at 100 m/s along x, `height` beside the middle of the wall.
static ff_sim *fire(const ff_model *model, ff_stepper stepper, const ff_ground_def *walls, int count,
                    double height, int is_watched)
{
  ff_sim_def def = ff_sim_def_default();
  const double q[7] = {0, 0, height, 0, 0, 0, 1}, v[6] = {100};
  def.stepper = stepper;
  def.ground = walls;
  def.ground_count = count;
  def.watch_passing = is_watched;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, q, v);
  return sim;
}

// The wall is between two ends of steps, and for moreau not at their middle: the ball meets it after 0.2245 m. Steppers that see events inside a step by springs see none where
// there is no overlap at its end.
static void a_bullet_through_a_wall_is_told(void **state)
{
  (void)state;
  ff_model *model = bullet();
  const ff_ground_def wall = wall_at(0.23, "wall");
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO,  FF_STEPPER_EXPO_PAPER, FF_STEPPER_EULER,
                                        FF_STEPPER_RK4,   FF_STEPPER_SYMPLECTIC, FF_STEPPER_IMPLICIT,
                                        FF_STEPPER_MOREAU};
  for (size_t i = 0; i < sizeof steppers / sizeof steppers[0]; ++i) {
    ff_sim *sim = fire(model, steppers[i], &wall, 1, 0, 1);
    char text[FF_PASSING_TEXT];
    ffi_must_run(sim, 2, NULL);
    ff_sim_describe_passing(sim, text);
    assert_true(ff_sim_get_totals(sim).passed == 0 && text[0] == '\0');
    ffi_must_run(sim, 1, NULL);
    const ff_sim_totals totals = ff_sim_get_totals(sim);
    assert_int_equal(ff_sim_info(sim)->passed, 1);
    assert_int_equal(totals.passed, 1);
    const ff_passing *p = &totals.first_passing;
    if (!(fabs(p->time - 2.245e-3) <= 1.1e-6)) // found to a thousandth of a step
      fail_msg("%s: %g s", ff_stepper_name(steppers[i]), p->time);
    assert_true(p->shape_a == 0 && p->shape_b == -1 && p->ground == 0 && p->link_a == 0 && p->link_b == -1);
    ff_sim_describe_passing(sim, text);
    assert_non_null(strstr(text, "ball passed through wall at t = 2.24"));
    ffi_must_run(sim, 5, NULL);
    assert_true(ff_sim_get_totals(sim).passed == 1 && ff_sim_info(sim)->passed == 0);
    ffi_must_reset(sim, NULL, NULL);
    assert_true(ff_sim_get_totals(sim).passed == 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Those that advance conservatively stop it.
static void nothing_passes_where_nothing_can(void **state)
{
  (void)state;
  ff_model *model = bullet();
  const ff_ground_def wall = wall_at(0.23, "wall");
  for (int i = 0; i < 2; ++i) {
    ff_sim *sim = fire(model, i ? FF_STEPPER_C2A : FF_STEPPER_CA, &wall, 1, 0, 1);
    ffi_must_run(sim, 8, NULL);
    assert_true(fabs(ff_sim_v(sim)[0]) < 1e-3 && fabs(ff_sim_q(sim)[0] - 0.2245) < 2e-4);
    assert_true(ff_sim_get_totals(sim).passed == 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

static long long passed(const ff_model *model, const ff_ground_def *walls, int count, double height,
                        int steps)
{
  ff_sim *sim = fire(model, FF_STEPPER_SYMPLECTIC, walls, count, height, 1);
  ffi_must_run(sim, steps, NULL);
  const long long result = ff_sim_get_totals(sim).passed;
  ff_sim_destroy(sim);
  return result;
}

// Just over the wall is not through it; two walls in one step are two; a wall that comes is one; a wall that it stops at is none.
static void only_what_is_passed_through_counts(void **state)
{
  (void)state;
  ff_model *model = bullet();
  ff_ground_def walls[2] = {wall_at(0.23, NULL), wall_at(0.27, NULL)};
  assert_int_equal(passed(model, walls, 1, 0.1551, 8), 0); // above 0.15 + 0.005
  assert_int_equal(passed(model, walls, 1, 0.1499, 8), 1);
  assert_int_equal(passed(model, walls, 2, 0, 8), 2);
  assert_int_equal(passed(model, walls, 2, 0, 2), 0);
  walls[0] = wall_at(2, NULL);
  walls[0].velocity[0] = -3000; // from 2 m to -1 m in a step, the ball to 0.1 m
  assert_int_equal(passed(model, walls, 1, 0, 1), 1);
  walls[0].velocity[0] = 0;
  walls[0].shape.pose.position[0] = 0.252; // in the middle of a step it is there, and stops
  ff_sim *sim = fire(model, FF_STEPPER_MOREAU, walls, 1, 0, 1);
  ffi_must_run(sim, 8, NULL);
  assert_true(fabs(ff_sim_v(sim)[0]) < 1e-3 && ff_sim_get_totals(sim).passed == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Short steps see the wall, but springs of 1e5 N/m give way to 1 kg at 100 m/s: K x^2 = m v^2 for x = 0.3 m. It is through when it is past the middle of the wall. A slow one goes in by some mm and
// comes back.
static void what_is_pushed_through_counts(void **state)
{
  (void)state;
  ff_model *model = bullet();
  const ff_ground_def wall = wall_at(0.02, "wall");
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_SYMPLECTIC;
  def.dt = 1e-5;
  def.ground = &wall;
  def.ground_count = 1;
  def.watch_passing = 1;
  for (int is_slow = 0; is_slow < 2; ++is_slow) {
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {is_slow ? 2 : 100};
    ffi_must_reset(sim, q, v);
    ffi_must_run(sim, is_slow ? 2500 : 100, NULL);
    const ff_sim_totals totals = ff_sim_get_totals(sim);
    print_message("  %lld at %g s, %g m deep, now at %g m with %g m/s\n", totals.passed,
                  totals.first_passing.time, totals.worst_penetration, ff_sim_q(sim)[0], ff_sim_v(sim)[0]);
    assert_int_equal(totals.passed, !is_slow);
    if (is_slow)
      assert_true(totals.worst_penetration > 2.75e-3 && ff_sim_v(sim)[0] < 0);
    else
      assert_true(ff_sim_v(sim)[0] > 90 && fabs(totals.first_passing.time - 2e-4) < 2e-5);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A rod on a hinge sweeps through a peg: q = w t, and it is there when its face is, w t = angle of the peg less what rod and peg are thick.
static void links_pass_too(void **state)
{
  (void)state;
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_CAPSULE;
  shape.size[0] = 0.01;
  shape.size[1] = 0.8;
  shape.pose = ff_pose_from_rpy((double[3]){0.5, 0, 0}, (double[3]){0, 1.5707963267948966, 0}); // along x
  ff_model *model = one_link("blade", FF_JOINT_REVOLUTE, &shape);
  ff_ground_def peg = ff_ground_def_default();
  peg.shape.type = FF_SHAPE_BOX;
  memcpy(peg.shape.size, (double[3]){0.02, 0.02, 1}, sizeof peg.shape.size);
  peg.shape.pose.position[1] = 0.7; // a quarter turn ahead
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_SYMPLECTIC;
  def.dt = 0.01;
  def.ground = &peg;
  def.ground_count = 1;
  def.watch_passing = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q = 0, v = 300; // 3 rad a step
  ffi_must_reset(sim, &q, &v);
  ffi_must_run(sim, 1, NULL);
  // the peg's near upper corner is (0.01, 0.71); at an angle a the axis is sin(a) 0.01 - cos(a) 0.71 before it, which is 0.01 as they meet
  const double r = hypot(0.01, 0.71), meet = acos(0.01 / r) - asin(0.01 / r);
  const ff_sim_totals totals = ff_sim_get_totals(sim);
  print_message("  %lld at %g s, expected %g s\n", totals.passed, totals.first_passing.time, meet / 300);
  assert_int_equal(totals.passed, 1);
  assert_true(fabs(totals.first_passing.time - meet / 300) < 1.1e-5);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Watched or not, a motion through contacts has the same bits; and watching allocates nothing.
static void watching_changes_nothing(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim *sims[2];
    ff_sim_def def = ff_sim_def_default();
    ff_error error;
    const int is_slow = stepper == FF_STEPPER_ESS;
    def.stepper = (ff_stepper)stepper;
    def.dt = 1e-4;
    for (int i = 0; i < 2; ++i) {
      def.watch_passing = i;
      sims[i] = ffi_must_sim(model, &def);
      ffi_must(ff_sim_set_posture(sims[i], "start", &error), &error);
    }
    const long before = ffi_test_alloc_count();
    for (int k = 0; k < (is_slow ? 50 : 500); ++k) {
      ffi_must_run(sims[0], 1, NULL);
      ffi_must_run(sims[1], 1, NULL);
    }
    assert_int_equal(ffi_test_alloc_count(), before);
    const size_t size = (size_t)ff_sim_state_size(sims[0]);
    double *states = calloc(2 * size, sizeof *states);
    for (int i = 0; i < 2; ++i)
      ff_sim_get_state(sims[i], states + (size_t)i * size);
    assert_memory_equal(states, states + size, size * sizeof *states);
    free(states);
    ff_sim_destroy(sims[0]);
    ff_sim_destroy(sims[1]);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bullet_through_a_wall_is_told),
      cmocka_unit_test(nothing_passes_where_nothing_can),
      cmocka_unit_test(only_what_is_passed_through_counts),
      cmocka_unit_test(what_is_pushed_through_counts),
      cmocka_unit_test(links_pass_too),
      cmocka_unit_test(watching_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
