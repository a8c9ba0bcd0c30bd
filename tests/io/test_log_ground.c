// Ground that moves, as a log tells it: a plank that slides and turns is where its constant velocity puts it.
#include "io/logged_scene.h"
#include "io/scene_text.h"
#include "support/near.h"

// A quarter turn about z within half a second, while it slides along x and y.
static const char text[] = "model: " MODELS "ball.urdf\nstart: {position: [0, 0, 2m]}\n"
                           "ground: {type: box, size: [1, 2, 3], position: [1, 2, -1.5],\n"
                           "         velocity: [0.5, -0.25, 0.125, 0, 0, 3.14159265358979312]}\n"
                           "dt: 1ms\nduration: 1s\n";

static void moving_ground_is_where_its_velocity_puts_it(void **state)
{
  ffi_logged_scene run;
  char path[256];
  (void)state;
  FILE *file = fopen(ffi_logged_path("plank.yaml"), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  snprintf(path, sizeof path, "%s", ffi_logged_path("plank.h5"));
  ffi_logged_begin(&run, ffi_logged_path("plank.yaml"), NULL, path);
  ffi_logged_steps(&run, 10);
  ffi_logged_end(&run);

  ff_log *log = ffi_logged_open(path);
  const double h = sqrt(0.5), tolerance = 1e-14; // a few roundings of numbers of order 1
  const double starts[] = {0, 0, 0, 1}, quarter[] = {0, 0, h, h};
  const ff_pose start = ff_log_ground_pose(log, 0, 0), later = ff_log_ground_pose(log, 0, 0.5);
  assert_true(ffi_gap(3, start.position, (const double[]){1, 2, -1.5}) <= tolerance);
  assert_true(ffi_gap(4, start.quaternion, starts) <= tolerance);
  assert_true(ffi_gap(3, later.position, (const double[]){1.25, 1.875, -1.4375}) <= tolerance);
  assert_true(ffi_gap(4, later.quaternion, quarter) <= tolerance);
  const ff_pose none = ff_log_ground_pose(log, 1, 0.5), identity = ff_pose_identity();
  assert_memory_equal(&none, &identity, sizeof none);
  ff_log_close(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(moving_ground_is_where_its_velocity_puts_it)};
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
