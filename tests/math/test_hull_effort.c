// Hulls take time as n log n and memory as n: work is counted for all kinds of points.
#include "math/hull_effort.h"

enum { N = 5000 };

static void work_grows_as_n_log_n(void **state)
{
  static double points[3 * N];
  (void)state;
  for (int g = 0; g < ffi_hull_points_count; ++g)
    (void)ffi_hull_effort_check(&ffi_hull_points_all[g], N, points);
}

// Lists that are sorted, as no mesh is: points along a curve on a sphere, a spiral, from one end to the other.
static void sorted_points_take_no_longer(void **state)
{
  static double points[3 * N];
  (void)state;
  int *faces, count;
  ffi_hull_work work;
  for (int turns = 1; turns < N; turns *= 4) {
    for (int i = 0; i < N; ++i) {
      const double z = 2 * (i + 0.5) / N - 1, a = 2 * PI * turns * i / N, r = sqrt(1 - z * z);
      points[3 * i] = r * cos(a), points[3 * i + 1] = r * sin(a), points[3 * i + 2] = z;
    }
    assert_int_equal(ffi_hull_faces(N, points, &faces, &count, &work), FFI_HULL_OK);
    assert_int_equal(count, 2 * N - 4);
    assert_true(work.faces_made < 12LL * N && (double)work.tests < 20 * log2(N) * N);
    free(faces);
  }
}

// A cap of very many points whose middle comes last: it sees them all, and the rest must not look at each.
static void a_wide_cone_is_searched_in_log_time(void **state)
{
  static double points[3 * N];
  (void)state;
  rng r = {8};
  int *faces, count;
  ffi_hull_work work;
  for (int i = 0; i < N; ++i) {
    const double a = 4 * PI * i / N, radius = i < N / 2 ? 1 : random_in(&r, 0, 0.9);
    points[3 * i] = radius * cos(a), points[3 * i + 1] = radius * sin(a);
    points[3 * i + 2] = i < N / 2 ? 0 : i % 9 == 0 ? -1 : 1e-14 * (1 - radius * radius);
  }
  assert_int_equal(ffi_hull_faces(N, points, &faces, &count, &work), FFI_HULL_OK);
  assert_true(work.faces_made < 16LL * N && (double)work.tests < 20 * log2(N) * N);
  free(faces);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_grows_as_n_log_n),
      cmocka_unit_test(sorted_points_take_no_longer),
      cmocka_unit_test(a_wide_cone_is_searched_in_log_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
