// The piles: as many bodies as they say, all of one kind, which do not overlap where they start.
#include <footfall/load.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static ff_model *load(const char *file)
{
  char path[1024];
  ff_model *model = NULL;
  ff_error error;
  snprintf(path, sizeof path, "%s/models/piles/%s", FFI_TEST_SOURCE_DIR, file);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

// Every body floats, has one shape of this kind, this mass and these moments.
static ff_model *check_bodies(const char *file, int count, ff_shape_type type, double mass,
                              const double moments[3])
{
  ff_model *model = load(file);
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.links, count);
  assert_int_equal(size.roots, count);
  assert_int_equal(size.nv, 6 * count);
  assert_int_equal(size.warnings, 0);
  int shapes = 0;
  for (int i = 0; i < size.shapes; ++i) {
    ff_shape_info shape;
    ff_link_info link;
    ff_model_shape(model, i, &shape);
    if (shape.link < 0)
      continue;
    ++shapes;
    ff_model_link(model, shape.link, &link);
    assert_int_equal(shape.def.type, type);
    assert_true(link.inertia.mass == mass);
    for (int k = 0; k < 3; ++k)
      if (!(fabs(link.inertia.matrix[(int[]){0, 3, 5}[k]] - moments[k]) <= 16 * DBL_EPSILON * moments[k]))
        fail_msg("%s: moment %d is %.17g, not %.17g", file, k, link.inertia.matrix[(int[]){0, 3, 5}[k]],
                 moments[k]);
  }
  assert_int_equal(shapes, count);
  return model;
}

static double *start_of(const ff_model *model)
{
  double *q = malloc((size_t)ff_model_get_size(model).nq * sizeof *q);
  assert_non_null(q);
  ff_model_neutral(model, q);
  return q;
}

static void ten_cubes_stand_on_each_other(void **state)
{
  (void)state;
  ff_model *model =
      check_bodies("stack.xml", 10, FF_SHAPE_BOX, 1, (double[]){1.0 / 150, 1.0 / 150, 1.0 / 150});
  double *q = start_of(model);
  for (int i = 0; i < 10; ++i) {
    assert_true(fabs(q[7 * i + 2] - 0.1 - 0.2 * i) <= 4 * DBL_EPSILON);
    assert_true(q[7 * i + 3] == 0 && q[7 * i + 4] == 0); // about z alone
    assert_true(hypot(q[7 * i], q[7 * i + 1]) < 0.004);
  }
  free(q);
  ff_model_destroy(model);
}

// The first leans over the edge that stays where it is, on the ground.
static void twenty_tiles_stand_in_a_row(void **state)
{
  (void)state;
  ff_model *model = check_bodies("dominoes.xml", 20, FF_SHAPE_BOX, 0.1,
                                 (double[]){0.1 * (0.04 * 0.04 + 0.08 * 0.08) / 12,
                                            0.1 * (0.008 * 0.008 + 0.08 * 0.08) / 12,
                                            0.1 * (0.008 * 0.008 + 0.04 * 0.04) / 12});
  double *q = start_of(model);
  for (int i = 1; i < 20; ++i) {
    assert_true(fabs(q[7 * i] - 0.03 * i) <= 4 * DBL_EPSILON && q[7 * i + 1] == 0 && q[7 * i + 2] == 0.04);
    assert_true(q[7 * i + 6] == 1);
  }
  const double angle = 2 * atan2(q[4], q[6]), c = cos(angle), s = sin(angle);
  assert_true(fabs(angle - 12 * acos(-1.0) / 180) < 1e-15 && angle > atan(0.1));
  assert_true(fabs(q[0] + 0.004 * c - 0.04 * s - 0.004) < 1e-15);
  assert_true(fabs(q[2] - 0.004 * s - 0.04 * c) < 1e-15);
  const double top = q[0] + 0.004 * c + 0.04 * s;
  assert_true(top < 0.03 - 0.004);
  free(q);
  ff_model_destroy(model);
}

// Far enough above each other for their tilts, and all above the shelf.
static void ten_books_are_in_the_air(void **state)
{
  (void)state;
  const double mass = 0.15, a = 0.14, b = 0.2, c = 0.008;
  ff_model *model = check_bodies(
      "books.xml", 10, FF_SHAPE_BOX, mass,
      (double[]){mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12});
  double *q = start_of(model);
  for (int i = 0; i < 10; ++i) {
    const double *at = q + 7 * i;
    const double tilt = acos(1 - 2 * (at[3] * at[3] + at[4] * at[4]));
    assert_true(fabs(at[2] - 1 - 0.06 * i) < 1e-15 && hypot(at[0], at[1]) < 0.01);
    assert_true(tilt < 0.2 && 2 * (0.1 * sin(tilt) + 0.004) < 0.06); // lower and upper of two: no overlap
  }
  free(q);
  ff_model_destroy(model);
}

static void two_hundred_balls_are_apart_and_inside(void **state)
{
  (void)state;
  const double moment = 0.4 * 0.1 * 0.05 * 0.05;
  ff_model *model =
      check_bodies("ball_pit.xml", 200, FF_SHAPE_SPHERE, 0.1, (double[]){moment, moment, moment});
  double *q = start_of(model);
  for (int i = 0; i < 200; ++i) {
    const double *a = q + 7 * i;
    assert_true(fabs(a[0]) < 0.25 && fabs(a[1]) < 0.25 && a[2] > 0.05);
    for (int j = 0; j < i; ++j) {
      const double *b = q + 7 * j;
      assert_true(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > 0.1);
    }
  }
  int planes = 0;
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    planes += shape.def.type == FF_SHAPE_PLANE;
  assert_int_equal(planes, 5);
  free(q);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_cubes_stand_on_each_other),
      cmocka_unit_test(twenty_tiles_stand_in_a_row),
      cmocka_unit_test(ten_books_are_in_the_air),
      cmocka_unit_test(two_hundred_balls_are_apart_and_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
