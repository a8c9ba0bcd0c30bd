// Distances to height fields leave out prisms that cannot be the nearest: the rest must give what all prisms give, each
// measured alone. And a search within a range finds what is in it, to the same bits, and nothing else.
#include "geometry/distance_height_field.h"
#include "geometry/solids.h"

static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                      FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                      FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
enum { TYPES = sizeof types / sizeof types[0], CASES = 2000 };

// A solid near a field, sometimes in it.
static void random_pair(rng *r, int i, body *a, body *b)
{
  random_body(r, types[i % TYPES], a);
  random_body(r, FF_SHAPE_HEIGHTFIELD, b);
  random_rotation(r, a->R);
  random_rotation(r, b->R);
  random_vector(r, 3, 1, b->p);
  const double steep = i % 3 == 0 ? 5 : 1;
  for (int k = 0; k < b->field.rows * b->field.columns; ++k)
    b->heights[k] *= steep;
  b->field.high *= steep;
  const double at[3] = {random_in(r, -1.8, 1.8), random_in(r, -1.8, 1.8), random_in(r, -0.3, 1.5)};
  to_world(b, at, a->p);
}

static int measure(const body *a, const body *b, ffi_distance_height_field_range within, ffi_distance *out)
{
  ffi_convex convex;
  ffi_convex_set(&a->solid, a->p, a->R, &convex);
  return ffi_distance_height_field(&convex, &b->field, b->p, b->R, within, out);
}

// The least signed distance of the cells, each as a field of its own.
static double least_of_cells(const body *a, const body *b)
{
  const ffi_height_field *f = &b->field;
  const double width[2] = {f->size[0] / (f->columns - 1), f->size[1] / (f->rows - 1)};
  double least = INFINITY;
  for (int row = 0; row < f->rows - 1; ++row)
    for (int column = 0; column < f->columns - 1; ++column) {
      body cell = *b;
      const double *z = f->heights + row * f->columns + column;
      const double heights[4] = {z[0], z[1], z[f->columns], z[f->columns + 1]};
      const double middle[3] = {(column + 0.5) * width[0] - 0.5 * f->size[0],
                                (row + 0.5) * width[1] - 0.5 * f->size[1], 0};
      ffi_distance d;
      cell.field = (ffi_height_field){2, 2, {width[0], width[1]}, f->high, heights};
      to_world(b, middle, cell.p);
      assert_true(measure(a, &cell, FFI_DISTANCE_HEIGHT_FIELD_ANY, &d));
      least = fmin(least, d.value);
    }
  return least;
}

static void it_is_the_least_of_all_cells(void **state)
{
  (void)state;
  rng r = {31};
  int apart = 0, overlaps = 0;
  for (int i = 0; i < CASES; ++i) {
    body a, b;
    ffi_distance d;
    random_pair(&r, i, &a, &b);
    assert_true(measure(&a, &b, FFI_DISTANCE_HEIGHT_FIELD_ANY, &d));
    const double least = least_of_cells(&a, &b);
    if (d.value > 0)
      assert_true(fabs(d.value - least) <= 1e-8); // curved cores end at 1e-13 of the square
    else
      assert_true(least <= 1e-8 && d.value >= least - 1e-8);
    apart += d.value > 0;
    overlaps += d.value < 0;
  }
  assert_true(apart > CASES / 4 && overlaps > CASES / 4);
}

static void a_range_changes_nothing_in_it(void **state)
{
  (void)state;
  rng r = {32};
  int inside = 0;
  for (int i = 0; i < CASES; ++i) {
    body a, b;
    ffi_distance all, d;
    random_pair(&r, i, &a, &b);
    assert_true(measure(&a, &b, FFI_DISTANCE_HEIGHT_FIELD_ANY, &all));
    const double least = all.value + random_in(&r, -0.3, 0.1), most = all.value + random_in(&r, -0.1, 0.3);
    const int is_inside = all.value > least && all.value < most;
    const int found = measure(&a, &b, (ffi_distance_height_field_range){least, most}, &d);
    assert_int_equal(found, is_inside);
    if (found) {
      assert_memory_equal(&d, &all, sizeof d);
      ++inside;
    }
  }
  assert_true(inside > CASES / 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_least_of_all_cells),
      cmocka_unit_test(a_range_changes_nothing_in_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
