// Postures of the shipped models: feet on the ground, centres of mass and feet where the sources put them. Places are
// computed by place.c, apart from the library's kinematics.
#include "place.h"

#include <footfall/dynamics.h>
#include <footfall/load.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/shipped_models.h"

typedef struct scene {
  ff_model *model;
  ffi_place_pose *links;
} scene;

static scene open_posture(const char *file, const char *posture)
{
  char path[1024];
  ff_error error;
  scene s = {0};
  snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, file);
  if (ff_model_load(path, NULL, &s.model, &error) != FF_OK)
    fail_msg("%s", error.message);
  const double *q = ff_model_posture(s.model, ff_model_find_posture(s.model, posture));
  if (!q)
    fail_msg("%s has no posture '%s'", file, posture);
  s.links = malloc((size_t)ff_model_get_size(s.model).links * sizeof *s.links);
  assert_non_null(s.links);
  ffi_place_links(s.model, q, s.links);
  return s;
}

static void close_posture(scene *s)
{
  free(s->links);
  ff_model_destroy(s->model);
}

// Feet: the collision shapes of moving links that are no boxes, or boxes where there is nothing else.
static int is_foot(const ff_shape_info *shape, int with_boxes)
{
  if (shape->link < 0 || !(shape->def.purpose & FF_SHAPE_COLLISION))
    return 0;
  const ff_shape_type type = shape->def.type;
  return type == FF_SHAPE_POINT || type == FF_SHAPE_SPHERE || type == FF_SHAPE_DISK ||
         (with_boxes && type == FF_SHAPE_BOX);
}

// Check that the lowest points of all feet whose link's name contains `part` lie between two heights.
static void check_feet(const char *file, const char *posture, const char *part, double least, double most)
{
  scene s = open_posture(file, posture);
  int feet = 0;
  const int with_boxes = strcmp(file, "box.xml") == 0;
  for (int i = 0; i < ff_model_get_size(s.model).shapes; ++i) {
    ff_shape_info shape;
    ff_link_info link;
    ff_model_shape(s.model, i, &shape);
    if (!is_foot(&shape, with_boxes) || ff_model_link(s.model, shape.link, &link) != FF_OK ||
        !strstr(link.name, part))
      continue;
    const double height = ffi_place_lowest(s.links, &shape);
    ++feet;
    if (!(height >= least && height <= most))
      fail_msg("%s, %s: a foot of %s is at height %.3g, expected %.3g to %.3g", file, posture, link.name,
               height, least, most);
  }
  assert_true(feet > 0);
  close_posture(&s);
}

// Numbers in the files are rounded to 12 digits behind the point or more.
static void feet_stand_on_the_ground(void **state)
{
  static const struct {
    const char *file, *posture, *part;
  } cases[] = {
      {"solo12.urdf", "standing", ""},
      {"solo12.urdf", "straight_standing", ""},
      {"romeo.urdf", "standing", ""},
      {"starleth.urdf", "standing", "SHANK"},
      {"links.urdf", "standing", ""},
      {"simple_biped.urdf", "standing", ""},
      {"simple_biped.urdf", "crouch", ""},
      {"passive_walker.urdf", "parallel", ""},
      {"passive_walker.urdf", "heel_strike", ""},
      {"ball.urdf", "resting", ""},
      {"sliding_block.urdf", "resting", ""},
      {"hopper.urdf", "touchdown", ""},
      {"plate.urdf", "touchdown", ""},
      {"box.xml", "on_face", ""},
      {"box.xml", "on_edge", ""},
      {"box.xml", "on_corner", ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    check_feet(cases[i].file, cases[i].posture, cases[i].part, -2e-12, 2e-12);
}

// The sources' own heights, to the digits they are known with.
static void feet_are_where_the_sources_leave_them(void **state)
{
  (void)state;
  check_feet("solo12.urdf", "squat", "FL_", -1.15e-5, -1.05e-5);
  check_feet("solo12.urdf", "squat", "FR_", -1.15e-5, -1.05e-5);
  check_feet("solo12.urdf", "squat", "HL_", -1e-6, 0);
  check_feet("solo12.urdf", "squat", "HR_", -1e-6, 0);
  check_feet("romeo.urdf", "walk", "r_ankle", -6.5e-6, 7.5e-6);
  check_feet("romeo.urdf", "walk", "l_ankle", 9.9e-4, 1.0e-3);
  check_feet("links.urdf", "start", "LF", 0.0071875 - 0.01, 0.0071885 - 0.01);
  check_feet("links.urdf", "start", "RH", 0.0061635 - 0.01, 0.0061645 - 0.01);
}

static void check_point(const char *what, const double got[3], const double expected[3], double tolerance)
{
  for (int i = 0; i < 3; ++i) {
    if (!(fabs(got[i] - expected[i]) <= tolerance))
      fail_msg("%s: %c is %.9g, expected %.9g within %.1g", what, "xyz"[i], got[i], expected[i], tolerance);
  }
}

// Published to five digits; the tolerance is one in the last, since it is not known how they were rounded.
static void centres_of_mass_are_those_published(void **state)
{
  static const struct {
    const char *file, *posture;
    double com[3];
  } cases[] = {
      {"solo12.urdf", "squat", {0.01591, 0.00039, 0.19896}},
      {"romeo.urdf", "walk", {0.03448, -0.09605, 0.65197}},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    scene s = open_posture(cases[i].file, cases[i].posture);
    double com[3];
    ffi_place_com(s.model, s.links, com);
    check_point(cases[i].file, com, cases[i].com, 1e-5);
    close_posture(&s);
  }
}

static void feet_of_solo12_are_where_published(void **state)
{
  static const struct {
    const char *link;
    double x, y;
  } feet[] = {{"FL_FOOT", 0.1946, 0.14695},
              {"FR_FOOT", 0.1946, -0.14695},
              {"HL_FOOT", -0.1946, 0.14695},
              {"HR_FOOT", -0.1946, -0.14695}};
  (void)state;
  scene s = open_posture("solo12.urdf", "squat");
  for (size_t i = 0; i < 4; ++i) {
    const double *got = s.links[ff_model_find_link(s.model, feet[i].link)].p;
    // four digits behind the point, and the base is tilted by 1e-5
    check_point(feet[i].link, got, (double[]){feet[i].x, feet[i].y, got[2]}, 5e-6);
  }
  close_posture(&s);
}

static void contact_points_keep_their_order(void **state)
{
  static const char *const solo12[] = {"HL", "HR", "FL", "FR"};
  static const char *const romeo[] = {"RAnkleRoll_0", "RAnkleRoll_1", "RAnkleRoll_2", "RAnkleRoll_3",
                                      "LAnkleRoll_0", "LAnkleRoll_1", "LAnkleRoll_2", "LAnkleRoll_3"};
  static const double corners[4][3] = {
      {-0.05, -0.05, -0.07}, {-0.05, 0.05, -0.07}, {0.1, -0.05, -0.07}, {0.1, 0.05, -0.07}};
  static const struct {
    const char *file;
    const char *const *names;
    int count;
  } cases[] = {{"solo12.urdf", solo12, 4}, {"romeo.urdf", romeo, 8}};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    scene s = open_posture(cases[i].file, "standing");
    int met = 0;
    for (int k = 0; k < ff_model_get_size(s.model).shapes; ++k) {
      ff_shape_info shape;
      ff_model_shape(s.model, k, &shape);
      if (shape.def.type != FF_SHAPE_POINT)
        continue;
      assert_true(met < cases[i].count);
      assert_string_equal(shape.def.name, cases[i].names[met]);
      check_point(shape.def.name, shape.def.pose.position, i == 1 ? corners[met % 4] : (double[]){0, 0, 0},
                  0);
      ++met;
    }
    assert_int_equal(met, cases[i].count);
    close_posture(&s);
  }
}

// StarlETH touches with each joint as well: with the place where the link after the joint has its origin.
static void every_joint_of_starleth_may_touch(void **state)
{
  (void)state;
  scene s = open_posture("starleth.urdf", "standing");
  int met = 0;
  for (int k = 0; k < ff_model_get_size(s.model).shapes; ++k) {
    ff_shape_info shape;
    double at[3];
    ff_model_shape(s.model, k, &shape);
    const int joint = shape.def.type == FF_SHAPE_POINT ? ff_model_find_joint(s.model, shape.def.name) : -1;
    if (joint < 0)
      continue;
    for (int l = 0; l < ff_model_get_size(s.model).links; ++l) {
      ff_link_info link;
      ff_model_link(s.model, l, &link);
      if (link.joint != joint)
        continue;
      ffi_place_point(s.links, shape.link, shape.def.pose.position, at);
      check_point(shape.def.name, at, s.links[l].p, 4 * DBL_EPSILON);
      ++met;
    }
  }
  assert_int_equal(met, 12);
  close_posture(&s);
}

// The published total energy of the gait, 0.710897553 of which 0.073386833 is kinetic, fixes masses, centres of mass,
// gravity and posture at once: what remains is potential, - sum m g' com.
static void the_walker_starts_with_the_published_energy(void **state)
{
  (void)state;
  scene s = open_posture("passive_walker.urdf", "heel_strike");
  double com[3], g[3];
  ffi_place_com(s.model, s.links, com);
  ff_model_gravity(s.model, g);
  const double energy = -ff_model_mass(s.model) * (g[0] * com[0] + g[1] * com[1] + g[2] * com[2]);
  const double expected = 0.710897553 - 0.073386833;
  if (!(fabs(energy - expected) <= 1e-9)) // nine digits, twice half a unit
    fail_msg("potential energy is %.12g, expected %.12g", energy, expected);
  // the stance disk touches the ground at the origin, below its centre, which is at x = -0.000113
  check_point("left disk", s.links[0].p, (double[]){-0.000113, s.links[0].p[1], s.links[0].p[2]}, 5e-7);
  close_posture(&s);
}

// Unit quaternions and limits: a posture can be used as it is.
static void check_posture(const ff_model *model, int posture)
{
  const double *q = ff_model_posture(model, posture);
  const char *name = ff_model_posture_name(model, posture), *robot = ff_model_name(model);
  for (int i = 0; i < ff_model_get_size(model).joints; ++i) {
    ff_joint_info j;
    ff_model_joint(model, i, &j);
    if (j.has_limits && !(q[j.q] >= j.lower && q[j.q] <= j.upper))
      fail_msg("%s, %s: %s is outside its limits", robot, name, j.name);
    if (j.nq != 4 && j.nq != 7)
      continue;
    const double *u = q + j.q + j.nq - 4;
    const double norm = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
    if (!(fabs(norm - 1) <= 4 * DBL_EPSILON))
      fail_msg("%s, %s: quaternion of %s has length %.17g", robot, name, j.name, norm);
  }
}

static void postures_are_within_limits(void **state)
{
  (void)state;
  const int count = ffi_shipped_count();
  for (int i = 0; i < count; ++i) {
    ff_model *model = ffi_shipped_load(i);
    assert_true(ff_model_get_size(model).postures > 0);
    for (int p = 0; p < ff_model_get_size(model).postures; ++p)
      check_posture(model, p);
    ff_model_destroy(model);
  }
}

// The library's kinematics and these tests' agree on every link of every robot in every posture.
static void check_kinematics(const ff_model *model, const double *q, const char *what)
{
  const ff_model_size size = ff_model_get_size(model);
  ff_dynamics *dynamics = NULL;
  ff_error error;
  ffi_place_pose *links = malloc((size_t)size.links * sizeof *links);
  double com[3], own_com[3];
  assert_non_null(links);
  if (ff_dynamics_create(model, NULL, &dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  ffi_place_links(model, q, links);
  const double tolerance = 64 * DBL_EPSILON; // about ten rotations in a row, lengths of about a metre
  for (int i = 0; i < size.links; ++i) {
    ff_link_info link;
    double p[3], R[9];
    ff_model_link(model, i, &link);
    ff_dynamics_frame_pose(dynamics, link.frame, p, R);
    check_point(what, p, links[i].p, tolerance);
    for (int k = 0; k < 3; ++k)
      check_point(what, R + 3 * k, links[i].R[k], tolerance);
  }
  ff_dynamics_com(dynamics, com);
  ffi_place_com(model, links, own_com);
  check_point(what, com, own_com, tolerance);
  ff_dynamics_destroy(dynamics);
  free(links);
}

static void the_library_places_links_alike(void **state)
{
  (void)state;
  const int count = ffi_shipped_count();
  for (int i = 0; i < count; ++i) {
    ff_model *model = ffi_shipped_load(i);
    for (int p = 0; p < ff_model_get_size(model).postures; ++p) {
      char what[256];
      snprintf(what, sizeof what, "%s, %s", ff_model_name(model), ff_model_posture_name(model, p));
      check_kinematics(model, ff_model_posture(model, p), what);
    }
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(feet_stand_on_the_ground),
      cmocka_unit_test(feet_are_where_the_sources_leave_them),
      cmocka_unit_test(centres_of_mass_are_those_published),
      cmocka_unit_test(feet_of_solo12_are_where_published),
      cmocka_unit_test(contact_points_keep_their_order),
      cmocka_unit_test(every_joint_of_starleth_may_touch),
      cmocka_unit_test(the_walker_starts_with_the_published_energy),
      cmocka_unit_test(postures_are_within_limits),
      cmocka_unit_test(the_library_places_links_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
