// What holds for every pair: the number of features, the order, invariance under motions, reversal, finite results for
// anything, and no memory.
#include "geometry/solids.h"

#include "support/alloc_counter.h"
#include "support/samples.h"

enum { TYPES = FF_SHAPE_ELLIPSOID + 1 };

static const ff_shape_type MOVERS[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                       FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                       FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
static const ff_shape_type GROUNDS[] = {FF_SHAPE_PLANE, FF_SHAPE_BOX, FF_SHAPE_HEIGHTFIELD};
enum { MOVER_TYPES = 8, BODY_TYPES = 7 };
static const ff_shape_type BODIES[BODY_TYPES] = {FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE, FF_SHAPE_BOX,
                                                 FF_SHAPE_CYLINDER, FF_SHAPE_DISK,    FF_SHAPE_HULL,
                                                 FF_SHAPE_ELLIPSOID};

static int is_one_of(ff_shape_type type, const ff_shape_type *list, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (list[i] == type)
      return 1;
  return 0;
}

// A random pair of these types, near enough to touch more often than not.
static void random_pair(rng *r, ff_shape_type ta, ff_shape_type tb, body *a, body *b)
{
  random_body(r, ta, a);
  random_body(r, tb, b);
  random_rotation(r, a->R);
  random_rotation(r, b->R);
  random_vector(r, 3, 3, b->p);
  double x[3];
  random_vector(r, 3, 0.7, x);
  if (tb == FF_SHAPE_PLANE || tb == FF_SHAPE_HEIGHTFIELD)
    x[2] = random_in(r, -0.2, 0.8);
  to_world(b, x, a->p);
}

// Run `check` on many pairs of all supported types.
static void for_all_pairs(void (*check)(rng *r, body *a, body *b))
{
  rng r = {1};
  body a, b;
  for (int ta = 0; ta < TYPES; ++ta)
    for (int tb = 0; tb < TYPES; ++tb)
      for (int i = 0; i < ffi_samples(200); ++i) {
        random_pair(&r, (ff_shape_type)ta, (ff_shape_type)tb, &a, &b);
        if (ffi_collide_most(&a.solid, &b.solid) > 0)
          check(&r, &a, &b);
      }
}

static void pairs_are_those_of_the_table(void **state)
{
  (void)state;
  static const int grounds[MOVER_TYPES][3] = {{1, 1, 1},
                                              {1, 1, 4},
                                              {2, 3, 8},
                                              {8, 28, 8},
                                              {10, 55, 10},
                                              {5, 43, 5},
                                              {HULL_VERTICES, HULL_VERTICES + 25, HULL_VERTICES},
                                              {1, 1, 4}};
  static const int bodies[BODY_TYPES][BODY_TYPES] = {{1, 1, 1, 1, 1, 1, 1},      {1, 5, 3, 17, 12, 19, 1},
                                                     {1, 3, 28, 0, 0, 0, 1},     {1, 17, 55, 41, 26, 43, 1},
                                                     {1, 12, 43, 26, 21, 28, 1}, {1, 19, 37, 43, 28, 49, 1},
                                                     {1, 1, 1, 1, 1, 1, 1}};
  rng r = {2};
  body a, b;
  for (int i = 0; i < MOVER_TYPES; ++i)
    for (int j = 0; j < 3; ++j) {
      random_pair(&r, MOVERS[i], GROUNDS[j], &a, &b);
      assert_int_equal(ffi_collide_most(&a.solid, &b.solid), grounds[i][j]);
    }
  for (int i = 0; i < BODY_TYPES; ++i)
    for (int j = 0; j < BODY_TYPES; ++j) {
      random_pair(&r, BODIES[i], BODIES[j], &a, &b);
      assert_int_equal(ffi_collide_most(&a.solid, &b.solid), bodies[i][j]);
    }
  for (int ta = 0; ta < TYPES; ++ta)
    for (int tb = 0; tb < TYPES; ++tb) {
      ffi_touch out[MOST];
      const ff_shape_type types[2] = {(ff_shape_type)ta, (ff_shape_type)tb};
      if ((is_one_of(types[0], MOVERS, MOVER_TYPES) && is_one_of(types[1], GROUNDS, 3)) ||
          (is_one_of(types[0], BODIES, BODY_TYPES) && is_one_of(types[1], BODIES, BODY_TYPES)))
        continue;
      random_pair(&r, types[0], types[1], &a, &b);
      assert_int_equal(ffi_collide_most(&a.solid, &b.solid), 0);
      assert_int_equal(touches(&a, &b, 1, out), 0);
    }
  a.solid.type = -1;
  b.solid.type = 99;
  assert_int_equal(ffi_collide_most(&a.solid, &b.solid), 0);
}

static int seen[TYPES][TYPES];

static void check_list(rng *r, body *a, body *b)
{
  ffi_touch first[MOST], again[MOST], all[MOST];
  (void)r;
  const int count = touches(a, b, 0.05, first);
  seen[a->solid.type][b->solid.type] += count;
  memset(again, 0xff, sizeof again);
  assert_int_equal(touches(a, b, 0.05, again), count);
  for (int i = 0; i < count; ++i)
    assert_true(first[i].gap == again[i].gap && memcmp(first[i].point, again[i].point, 24) == 0 &&
                memcmp(first[i].normal, again[i].normal, 24) == 0);
  // A wider margin gives the same touches and more; a narrower one those below it.
  const int more = touches(a, b, 0.5, all);
  assert_true(more >= count);
  for (int i = 0; i < count; ++i) {
    const ffi_touch *t = find(all, more, first[i].feature);
    assert_non_null(t);
    assert_true(t->gap == first[i].gap);
  }
}

static void lists_are_in_order_and_the_same_again(void **state)
{
  (void)state;
  for_all_pairs(check_list);
  for (size_t i = 0; i < MOVER_TYPES; ++i)
    for (size_t j = 0; j < 3; ++j)
      if (seen[MOVERS[i]][GROUNDS[j]] < ffi_samples(20))
        fail_msg("only %d touches of %s and %s", seen[MOVERS[i]][GROUNDS[j]], ff_shape_type_name(MOVERS[i]),
                 ff_shape_type_name(GROUNDS[j]));
}

// Rounding of coordinates of about 10, times the sharpest bend of a distance that random poses come near to.
static const double SAME = 1e-8;

// A rotation, then a shift; sign -1 where normals turn round.
typedef struct touch_map {
  const double *Q, *shift; // [9], [3]
  double sign;
} touch_map;

// The touches y are the touches x under the map.
static void same_list(const ffi_touch *x, int nx, const ffi_touch *y, int ny, const touch_map *map,
                      double margin)
{
  for (int i = 0; i < nx; ++i) {
    const ffi_touch *t = find(y, ny, x[i].feature);
    double p[3], n[3];
    if (!t && x[i].gap > margin - SAME)
      continue;
    assert_non_null(t);
    assert_near(t->gap, x[i].gap, SAME);
    assert_int_equal(t->roll, x[i].roll);
    ffi_m3_mulv(map->Q, x[i].normal, n);
    ffi_m3_mulv(map->Q, x[i].point, p);
    for (int k = 0; k < 3; ++k) {
      assert_near(t->normal[k], map->sign * n[k], SAME);
      assert_near(t->point[k], p[k] + map->shift[k], SAME);
    }
  }
}

static void move(const double Q[9], const double shift[3], body *b)
{
  double p[3], R[9];
  ffi_m3_mulv(Q, b->p, p);
  ffi_v3_add(p, shift, b->p);
  ffi_m3_mul(Q, b->R, R);
  ffi_m3_copy(R, b->R);
}

// Rims and ellipsoids against bodies: their normal comes from the distance and has an accuracy of the root of 1e-12
// times the spread of round solids; so has the raise of a touch that is not the nearest. So the normal, the same for
// all, and the nearest gap are compared.
static int is_inexact(const body *a, const body *b)
{
  static const ff_shape_type rims[] = {FF_SHAPE_CYLINDER, FF_SHAPE_DISK};
  const ff_shape_type ta = (ff_shape_type)a->solid.type, tb = (ff_shape_type)b->solid.type;
  if ((ta == FF_SHAPE_ELLIPSOID && tb != FF_SHAPE_PLANE) || tb == FF_SHAPE_ELLIPSOID)
    return 1;
  return ta != FF_SHAPE_BOX && tb != FF_SHAPE_BOX && is_one_of(ta, BODIES, BODY_TYPES) &&
         is_one_of(tb, BODIES, BODY_TYPES) && (is_one_of(ta, rims, 2) || is_one_of(tb, rims, 2));
}

static void same_nearest(const ffi_touch *x, int nx, const ffi_touch *y, int ny, const double Q[9])
{
  double n[3];
  if (nx == 0 || ny == 0)
    return;
  assert_near(least_gap(x, nx), least_gap(y, ny), 1e-6); // a corner half a metre off swings with the normal
  ffi_m3_mulv(Q, x[0].normal, n);
  for (int k = 0; k < 3; ++k)
    assert_near(y[0].normal[k], n[k], 1e-4);
}

static void check_motion(rng *r, body *a, body *b)
{
  ffi_touch x[MOST], y[MOST];
  double Q[9], shift[3];
  const int nx = touches(a, b, 0.1, x);
  random_rotation(r, Q);
  random_vector(r, 3, 5, shift);
  move(Q, shift, a);
  move(Q, shift, b);
  const int ny = touches(a, b, 0.1, y);
  if (is_inexact(a, b))
    same_nearest(x, nx, y, ny, Q);
  else
    same_list(x, nx, y, ny, &(touch_map){Q, shift, 1}, 0.1);
}

static void moving_both_changes_nothing(void **state)
{
  (void)state;
  for_all_pairs(check_motion);
}

static void check_reversal(rng *r, body *a, body *b)
{
  (void)r;
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0};
  if (ffi_collide_most(&b->solid, &a->solid) == 0)
    return;
  ffi_touch x[MOST], y[MOST];
  const int nx = touches(a, b, 0.1, x), ny = touches(b, a, 0.1, y);
  assert_int_equal(nx, ny);
  same_list(x, nx, y, ny, &(touch_map){one, zero, -1}, 0.1);
  for (int i = 0; i < nx; ++i)
    assert_int_equal(x[i].owner, 1 - y[i].owner);
}

static void exchanging_both_turns_the_normals(void **state)
{
  (void)state;
  for_all_pairs(check_reversal);
}

static void check_nonsense(rng *r, body *a, body *b)
{
  static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, -1e308, 1e-310};
  ffi_touch out[MOST];
  const body good[2] = {*a, *b};
  for (int i = 0; i < 6; ++i) {
    double *numbers[] = {&a->p[random_below(r, 3)], &b->p[random_below(r, 3)], &a->R[random_below(r, 9)],
                         &b->R[random_below(r, 9)]};
    for (int k = 0; k < 4; ++k) {
      *numbers[k] = bad[i];
      const int count =
          ffi_collide(&(ffi_solid_at){&a->solid, a->p, a->R}, &(ffi_solid_at){&b->solid, b->p, b->R},
                      k % 2 ? 0.1 : (double)INFINITY, out);
      for (int t = 0; t < count;
           ++t) // nothing that is no number; the rotation may be none, so no more than that
        assert_true(isfinite(out[t].gap) && (k >= 2 || ffi_all_finite(out[t].normal, 3)));
      ffi_v3_copy(good[0].p, a->p);
      ffi_v3_copy(good[1].p, b->p);
      ffi_m3_copy(good[0].R, a->R);
      ffi_m3_copy(good[1].R, b->R);
    }
  }
}

static void nonsense_gives_no_nonsense(void **state)
{
  (void)state;
  for_all_pairs(check_nonsense);
}

// Everything on everything, aligned: all distances and angles that can be equal are.
static void check_aligned(rng *r, body *a, body *b)
{
  ffi_touch out[MOST];
  for (int k = 0; k < 3; ++k)
    a->solid.size[k] = b->solid.size[k] = 0.5;
  if (b->solid.field)
    memset(b->heights, 0, sizeof b->heights);
  ffi_m3_identity(a->R);
  ffi_m3_identity(b->R);
  for (int i = 0; i < 27; ++i) {
    ffi_v3_set(0.25 * (i % 3), 0.25 * (i / 3 % 3), 0.25 * (i / 9), a->p);
    ffi_v3_set(0, 0, 0, b->p);
    touches(a, b, 0.1, out);
    if (random_below(r, 4) == 0) { // a quarter turn
      const double R[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
      ffi_m3_copy(R, a->R);
      touches(a, b, 0.1, out);
      ffi_m3_identity(a->R);
    }
  }
}

static void coincidences_give_finite_touches(void **state)
{
  (void)state;
  for_all_pairs(check_aligned);
}

static void check_memory(rng *r, body *a, body *b)
{
  ffi_touch out[MOST];
  (void)r;
  const long before = ffi_test_alloc_count();
  ffi_collide(&(ffi_solid_at){&a->solid, a->p, a->R}, &(ffi_solid_at){&b->solid, b->p, b->R}, 1, out);
  assert_int_equal(ffi_test_alloc_count(), before);
}

static void nothing_is_allocated(void **state)
{
  (void)state;
  for_all_pairs(check_memory);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_those_of_the_table), cmocka_unit_test(lists_are_in_order_and_the_same_again),
      cmocka_unit_test(moving_both_changes_nothing),  cmocka_unit_test(exchanging_both_turns_the_normals),
      cmocka_unit_test(nonsense_gives_no_nonsense),   cmocka_unit_test(coincidences_give_finite_touches),
      cmocka_unit_test(nothing_is_allocated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
