// Every shipped model loads and holds what its sources say: sizes, masses, names and order of joints, sums over all
// numbers of the source. The expected values were taken from the sources, not from the files in models/.
#include <footfall/load.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/shipped_models.h"

static ff_model *load(const char *file)
{
  char path[1024];
  ff_model *model = NULL;
  ff_error error;
  snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, file);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

static void check_near(double got, double expected, double tolerance, const char *file, const char *what)
{
  if (!(fabs(got - expected) <= tolerance))
    fail_msg("%s: %s is %.17g, expected %.17g within %.2g", file, what, got, expected, tolerance);
}

// ---- Sizes ------------------------------------------------------------------------------------------------

typedef struct expected_size {
  const char *file, *name;
  double mass;
  int nq, nv, links, actuated, roots, points, warnings;
} expected_size;

static const expected_size sizes[] = {
    // robots
    {"solo12.urdf", "solo", 2.50000279, 19, 18, 17, 12, 1, 4, 0},
    {"romeo.urdf", "romeoH37V1", 40.52937, 38, 37, 35, 31, 1, 8, 2},
    {"starleth.urdf", "StarlETH", 26.82, 19, 18, 13, 12, 1, 16, 0},
    {"links.urdf", "LINKS", 3.8, 19, 18, 13, 12, 1, 0, 4},
    {"simple_biped.urdf", "planar_biped", 6, 11, 10, 5, 4, 1, 2, 0},
    {"passive_walker.urdf", "passive_walker", 2, 8, 7, 2, 1, 1, 0, 2},
    // teaching models
    {"mass_on_spring.xml", "mass_on_spring", 1, 1, 1, 1, 1, 1, 0, 0},
    {"sliding_block.urdf", "sliding_block", 2, 7, 6, 1, 0, 1, 4, 0},
    {"ball.urdf", "ball", 0.5, 7, 6, 1, 0, 1, 0, 0},
    {"pendulum.urdf", "pendulum", 1, 1, 1, 1, 1, 1, 0, 0},
    {"chain.xml", "chain", 0.8, 32, 24, 8, 8, 1, 0, 0},
    {"box.xml", "box", 1, 7, 6, 1, 0, 1, 0, 0},
    {"hopper.urdf", "hopper", 1, 1, 1, 1, 1, 1, 1, 0},
    {"plate.urdf", "plate", 5, 3, 3, 3, 3, 1, 10, 0},
    {"painleve_rod.urdf", "painleve_rod", 1, 3, 3, 3, 3, 1, 2, 0},
    {"four_bar.xml", "four_bar", 0.75, 3, 3, 3, 3, 2, 0, 0},
    {"arm_and_boxes.xml", "arm_and_boxes", 3.9, 32, 28, 9, 4, 5, 0, 0},
    // things
    {"bullet_paper.xml", "bullet_paper", 0.0041102503884466457, 7, 6, 1, 0, 1, 0, 0}, // 7850 pi/6 1e-6
    {"hammer.xml", "hammer", 0.95, 7, 6, 1, 0, 1, 0, 0},
    {"gripper.xml", "gripper", 0.86, 10, 9, 4, 3, 2, 0, 0},
};

enum { MODEL_COUNT = sizeof sizes / sizeof sizes[0] };

static int count_points(const ff_model *model)
{
  const int count = ff_model_get_size(model).shapes;
  int points = 0;
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    points += shape.def.type == FF_SHAPE_POINT;
  }
  return points;
}

static void sizes_are_those_of_the_sources(void **state)
{
  (void)state;
  for (int i = 0; i < MODEL_COUNT; ++i) {
    const expected_size *e = &sizes[i];
    ff_model *model = load(e->file);
    const ff_model_size s = ff_model_get_size(model);
    assert_string_equal(ff_model_name(model), e->name);
    check_near(s.nq, e->nq, 0, e->file, "nq");
    check_near(s.nv, e->nv, 0, e->file, "nv");
    check_near(s.links, e->links, 0, e->file, "number of links");
    check_near(s.actuated, e->actuated, 0, e->file, "number of actuated joints");
    check_near(s.roots, e->roots, 0, e->file, "number of moving trees");
    check_near(count_points(model), e->points, 0, e->file, "number of contact points");
    check_near(s.warnings, e->warnings, 0, e->file, "number of warnings");
    // a sum of as many rounded masses as there are links
    check_near(ff_model_mass(model), e->mass, s.links * DBL_EPSILON * e->mass, e->file, "mass");
    ff_model_destroy(model);
  }
}

static void no_file_is_forgotten_here(void **state)
{
  (void)state;
  const int count = ffi_shipped_count();
  for (int i = 0; i < count; ++i) {
    char path[FFI_SHIPPED_PATH];
    int found = 0;
    ffi_shipped_path(i, path);
    for (int k = 0; k < MODEL_COUNT; ++k)
      found += strcmp(strrchr(path, '/') + 1, sizes[k].file) == 0;
    if (!found)
      fail_msg("%s is not in the table of this test", path);
  }
  assert_int_equal(count, MODEL_COUNT);
}

// ---- Sums over all numbers --------------------------------------------------------------------------------

// Sums over the links and joints of a source; a single digit gone wrong anywhere changes one of them.
typedef struct sums {
  const char *file;
  double com;      // of |x| + |y| + |z| of the centres of mass
  double trace;    // of ixx + iyy + izz
  double products; // of |ixy| + |ixz| + |iyz|
  double offset;   // of |x| + |y| + |z| of the joint origins
  double lower, upper, effort, velocity;
} sums;

static const sums source_sums[] = {
    {"solo12.urdf", 1.13721024, 0.0577325, 0.00038588, 2.6462, -120, 120, 12000, 12000},
    {"romeo.urdf", 2.15596, 1.8388312448, 0.011299263805, 3.49209, -27.114735, 30.865118, 565.57, 82.52},
    {"starleth.urdf", 1.148, 1.27287072, 0, 2.824, 0, 0, 0, 0},
    {"links.urdf", 0.654, 0.0236928, 4.86e-10, 1.629, -12e6, 12e6, 87.6, 180},
    {"simple_biped.urdf", 0, 0.22671, 0, 1.31, -19.42, 19.42, 4000, 115},
};

static double absolute_sum(const double x[3])
{
  return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

static void add_link(sums *s, const ff_link_info *link)
{
  const double *m = link->inertia.matrix;
  s->com += absolute_sum(link->inertia.com);
  s->trace += m[0] + m[3] + m[5];
  s->products += fabs(m[1]) + fabs(m[2]) + fabs(m[4]);
  s->offset += absolute_sum(link->pose.position);
}

static sums sum_model(const ff_model *model)
{
  const ff_model_size size = ff_model_get_size(model);
  sums s = {0};
  for (int i = 0; i < size.links; ++i) {
    ff_link_info link;
    ff_model_link(model, i, &link);
    add_link(&s, &link);
  }
  for (int i = 0; i < size.joints; ++i) {
    ff_joint_info joint;
    ff_model_joint(model, i, &joint);
    s.lower += joint.has_limits ? joint.lower : 0;
    s.upper += joint.has_limits ? joint.upper : 0;
    s.effort += isfinite(joint.effort) ? joint.effort : 0;
    s.velocity += isfinite(joint.velocity) ? joint.velocity : 0;
  }
  return s;
}

static void numbers_are_those_of_the_sources(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof source_sums / sizeof source_sums[0]; ++i) {
    const sums *e = &source_sums[i];
    ff_model *model = load(e->file);
    const sums got = sum_model(model);
    const double eps = 300 * DBL_EPSILON; // at most 35 links with nine numbers each, each rounded once
    check_near(got.com, e->com, eps * e->com, e->file, "sum of centres of mass");
    check_near(got.trace, e->trace, eps * e->trace, e->file, "sum of moments of inertia");
    check_near(got.products, e->products, eps * e->trace, e->file, "sum of products of inertia");
    check_near(got.offset, e->offset, eps * e->offset, e->file, "sum of joint origins");
    check_near(got.lower, e->lower, eps * fabs(e->lower), e->file, "sum of lower limits");
    check_near(got.upper, e->upper, eps * e->upper, e->file, "sum of upper limits");
    check_near(got.effort, e->effort, eps * e->effort, e->file, "sum of efforts");
    check_near(got.velocity, e->velocity, eps * e->velocity, e->file, "sum of speeds");
    ff_model_destroy(model);
  }
}

// ---- Order of joints --------------------------------------------------------------------------------------

static const char *const solo12_joints[] = {"root_joint", "FL_HAA", "FL_HFE", "FL_KFE", "FR_HAA",
                                            "FR_HFE",     "FR_KFE", "HL_HAA", "HL_HFE", "HL_KFE",
                                            "HR_HAA",     "HR_HFE", "HR_KFE", NULL};

static const char *const romeo_joints[] = {
    "root_joint",     "LHipYaw",      "LHipRoll",   "LHipPitch",  "LKneePitch",
    "LAnklePitch",    "LAnkleRoll",   "RHipYaw",    "RHipRoll",   "RHipPitch",
    "RKneePitch",     "RAnklePitch",  "RAnkleRoll", "TrunkYaw",   "LShoulderPitch",
    "LShoulderYaw",   "LElbowRoll",   "LElbowYaw",  "LWristRoll", "LWristYaw",
    "LWristPitch",    "NeckYaw",      "NeckPitch",  "HeadPitch",  "HeadRoll",
    "RShoulderPitch", "RShoulderYaw", "RElbowRoll", "RElbowYaw",  "RWristRoll",
    "RWristYaw",      "RWristPitch",  NULL};

static const char *const starleth_joints[] = {"root_joint", "LF_HAA", "LF_HFE", "LF_KFE", "LH_HAA",
                                              "LH_HFE",     "LH_KFE", "RF_HAA", "RF_HFE", "RF_KFE",
                                              "RH_HAA",     "RH_HFE", "RH_KFE", NULL};

static const char *const links_joints[] = {"root_joint", "LF_X_1", "LF_Y_2", "LF_Y_3", "LH_X_1",
                                           "LH_Y_2",     "LH_Y_3", "RF_X_1", "RF_Y_2", "RF_Y_3",
                                           "RH_X_1",     "RH_Y_2", "RH_Y_3", NULL};

static const char *const simple_biped_joints[] = {"root_joint", "LH_FE", "LK_FE", "RH_FE", "RK_FE", NULL};
static const char *const passive_walker_joints[] = {"root_joint", "hip", NULL};
static const char *const plate_joints[] = {"slide_x", "slide_z", "pitch", NULL};
static const char *const arm_joints[] = {"arm_pan",      "arm_lift",      "arm_elbow",
                                         "arm_wrist",    "crate_a_free",  "crate_b_free",
                                         "crate_c_free", "toy_ball_free", NULL};

static void joints_are_in_order(void **state)
{
  static const struct {
    const char *file;
    const char *const *names;
  } cases[] = {
      {"solo12.urdf", solo12_joints},
      {"romeo.urdf", romeo_joints},
      {"starleth.urdf", starleth_joints},
      {"links.urdf", links_joints},
      {"simple_biped.urdf", simple_biped_joints},
      {"passive_walker.urdf", passive_walker_joints},
      {"plate.urdf", plate_joints},
      {"arm_and_boxes.xml", arm_joints},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_model *model = load(cases[i].file);
    int count = 0, v = 0;
    for (; cases[i].names[count]; ++count) {
      ff_joint_info joint;
      assert_int_equal(ff_model_joint(model, count, &joint), FF_OK);
      assert_string_equal(joint.name, cases[i].names[count]);
      assert_int_equal(joint.v, v); // no gap between the slices
      v += joint.nv;
    }
    assert_int_equal(ff_model_get_size(model).joints, count);
    assert_int_equal(ff_model_get_size(model).nv, v);
    ff_model_destroy(model);
  }
}

// ---- Oddities ---------------------------------------------------------------------------------------------

static void suspicious_inertias_are_reported(void **state)
{
  static const struct {
    const char *file, *link;
  } cases[] = {
      {"romeo.urdf", "RShoulderYawLink"},  {"romeo.urdf", "RElbowYawLink"},      {"links.urdf", "LF_LEG_2"},
      {"links.urdf", "RF_LEG_2"},          {"links.urdf", "LH_LEG_2"},           {"links.urdf", "RH_LEG_2"},
      {"passive_walker.urdf", "left_leg"}, {"passive_walker.urdf", "right_leg"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_model *model = load(cases[i].file);
    int hits = 0;
    for (int w = 0; w < ff_model_get_size(model).warnings; ++w) {
      const char *text = ff_model_warning(model, w);
      hits += strstr(text, cases[i].link) && strstr(text, "triangle inequality");
    }
    if (hits != 1)
      fail_msg("%s: %d warnings about %s, expected 1", cases[i].file, hits, cases[i].link);
    ff_model_destroy(model);
  }
}

// The sources' slips are kept, since published results were computed with them.
static void slips_of_the_sources_are_kept(void **state)
{
  ff_link_info link;
  (void)state;
  ff_model *solo = load("solo12.urdf");
  ff_model_link(solo, ff_model_find_link(solo, "FR_LOWER_LEG"), &link);
  assert_true(link.inertia.com[1] == 0.00787644); // the mirror image would be negative
  ff_model_destroy(solo);

  ff_model *romeo = load("romeo.urdf");
  ff_model_link(romeo, ff_model_find_link(romeo, "RShoulderYawLink"), &link);
  assert_true(link.inertia.matrix[5] == 0.000664209);
  ff_model_link(romeo, ff_model_find_link(romeo, "RElbowYawLink"), &link);
  assert_true(link.inertia.matrix[5] == 0.000211493);
  ff_model_destroy(romeo);

  ff_model *links = load("links.urdf");
  ff_model_link(links, ff_model_find_link(links, "LH_FOOT"), &link);
  assert_true(link.inertia.com[0] == -0.15);
  ff_model_destroy(links);
}

// ---- Closed forms of the teaching models ------------------------------------------------------------------

static void moments_of_solids_are_right(void **state)
{
  static const struct {
    const char *file, *link;
    double xx, yy, zz;
  } cases[] = {
      {"box.xml", "box", 1.0 / 150, 1.0 / 150, 1.0 / 150},                  // m a^2 / 6, a = 0.2
      {"ball.urdf", "ball", 0.002, 0.002, 0.002},                           // 2/5 m r^2
      {"sliding_block.urdf", "block", 0.1 / 12, 0.2 / 12, 0.26 / 12},       // m (b^2 + c^2) / 12
      {"plate.urdf", "plate", 0.2125 / 12, 20.0125 / 12, 20.2 / 12},        //
      {"pendulum.urdf", "rod", 1.0003 / 12, 1.0003 / 12, 0.00005},          // m (3 r^2 + l^2) / 12, m r^2 / 2
      {"painleve_rod.urdf", "rod", 0.00005, 1.0 / 3, 1.0 / 3},              // m r^2 / 2, m L^2 / 12
      {"arm_and_boxes.xml", "crate_b", 0.0016 / 6, 0.0016 / 6, 0.0016 / 6}, // m a^2 / 6, m = 0.25, a = 0.08
      {"arm_and_boxes.xml", "toy_ball", 0.000288, 0.000288, 0.000288},      // 2/5 m r^2
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_model *model = load(cases[i].file);
    ff_link_info link;
    assert_int_equal(ff_model_link(model, ff_model_find_link(model, cases[i].link), &link), FF_OK);
    const double eps = 16 * DBL_EPSILON; // a handful of operations
    check_near(link.inertia.matrix[0], cases[i].xx, eps * cases[i].xx, cases[i].file, "ixx");
    check_near(link.inertia.matrix[3], cases[i].yy, eps * cases[i].yy, cases[i].file, "iyy");
    check_near(link.inertia.matrix[5], cases[i].zz, eps * cases[i].zz, cases[i].file, "izz");
    ff_model_destroy(model);
  }
}

static void check_material(const char *file, double stiffness, double damping, double friction,
                           double restitution)
{
  ff_model *model = load(file);
  int checked = 0;
  for (int i = 0; i < ff_model_get_size(model).shapes; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    if (!(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    const ff_material *m = &shape.def.material;
    check_near(m->stiffness, stiffness, 0, file, "stiffness");
    check_near(m->damping, damping, 0, file, "damping");
    check_near(m->friction, friction, 0, file, "friction");
    check_near(m->restitution, restitution, 0, file, "restitution");
    ++checked;
  }
  assert_true(checked > 0);
  ff_model_destroy(model);
}

static void contacts_have_their_materials(void **state)
{
  (void)state;
  check_material("solo12.urdf", 1e5, 300, 1, 0);
  check_material("romeo.urdf", 1e5, 300, 1, 0);
  check_material("links.urdf", 1e5, 100, 1, 0);
  check_material("ball.urdf", 2e4, 20, 0.6, 0.8);
  check_material("sliding_block.urdf", 1e5, 300, 0.25, 0);
  check_material("hopper.urdf", 100, 0, 1, 0);
  check_material("plate.urdf", 100, 2, 0, 0);
  check_material("painleve_rod.urdf", 1e5, 300, 2, 0);
}

static void gravity_is_tilted_where_it_should_be(void **state)
{
  static const struct {
    const char *file;
    double slope, strength; // [rad], [m/s^2]
  } cases[] = {{"passive_walker.urdf", 0.0702, 1},
               {"sliding_block.urdf", 0.34906585039886592, 9.81},
               {"solo12.urdf", 0, 9.81}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_model *model = load(cases[i].file);
    double g[3];
    ff_model_gravity(model, g);
    const double eps = 4 * DBL_EPSILON * cases[i].strength;
    check_near(g[0], cases[i].strength * sin(cases[i].slope), eps, cases[i].file, "gravity along x");
    check_near(g[1], 0, 0, cases[i].file, "gravity along y");
    check_near(g[2], -cases[i].strength * cos(cases[i].slope), eps, cases[i].file, "gravity along z");
    ff_model_destroy(model);
  }
}

static void the_spring_is_in_the_joint(void **state)
{
  (void)state;
  ff_model *model = load("mass_on_spring.xml");
  ff_joint_info joint;
  assert_int_equal(ff_model_joint(model, ff_model_find_joint(model, "spring"), &joint), FF_OK);
  assert_true(joint.type == FF_JOINT_PRISMATIC && joint.stiffness == 100 && joint.damping == 1);
  // where the spring carries the weight
  const double *rest = ff_model_posture(model, ff_model_find_posture(model, "rest"));
  check_near(rest[0], -9.81 / 100, DBL_EPSILON, "mass_on_spring.xml", "rest");
  ff_model_destroy(model);
}

// The bars are as long as the file says, and the loop is closed where they stand: both ends of the pin are in one
// place.
static void the_loop_is_closed(void **state)
{
  (void)state;
  ff_model *model = load("four_bar.xml");
  ff_element_def pin;
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_find_element(model, "rod_pin"), 0);
  assert_int_equal(ff_model_element(model, 0, &pin), FF_OK);
  assert_int_equal(pin.type, FF_ELEMENT_POINT);
  assert_true(pin.stiffness == 1e6 && pin.damping == 300);

  // As written no joint is turned, so places are sums of what the file says.
  ff_link_info crank, rod, rocker;
  ff_shape_info bars[3];
  ff_model_link(model, ff_model_find_link(model, "crank"), &crank);
  ff_model_link(model, ff_model_find_link(model, "rod"), &rod);
  ff_model_link(model, ff_model_find_link(model, "rocker"), &rocker);
  const double lengths[3] = {0.1, 0.35, 0.3}, eps = 8 * DBL_EPSILON;
  for (int i = 0; i < 3; ++i) {
    ff_model_shape(model, i, &bars[i]);
    check_near(bars[i].def.size[1], lengths[i], eps, "four_bar.xml", "length of a bar");
  }
  check_near(rocker.pose.position[0] - crank.pose.position[0], 0.4, eps, "four_bar.xml", "frame");
  for (int k = 0; k < 3; ++k) { // a bar's middle is half its way
    const double end = crank.pose.position[k] + rod.pose.position[k] + 2 * bars[1].def.pose.position[k];
    const double other = rocker.pose.position[k] + 2 * bars[2].def.pose.position[k];
    check_near(end, other, eps, "four_bar.xml", "gap");
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_those_of_the_sources),
      cmocka_unit_test(no_file_is_forgotten_here),
      cmocka_unit_test(numbers_are_those_of_the_sources),
      cmocka_unit_test(joints_are_in_order),
      cmocka_unit_test(suspicious_inertias_are_reported),
      cmocka_unit_test(slips_of_the_sources_are_kept),
      cmocka_unit_test(moments_of_solids_are_right),
      cmocka_unit_test(contacts_have_their_materials),
      cmocka_unit_test(gravity_is_tilted_where_it_should_be),
      cmocka_unit_test(the_spring_is_in_the_joint),
      cmocka_unit_test(the_loop_is_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
