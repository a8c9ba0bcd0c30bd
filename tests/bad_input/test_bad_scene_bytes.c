// A good scene, damaged: no truncation, wrong byte or missing part does harm; giants are refused; running out of memory
// anywhere is an error.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_scene.h"
#include "support/alloc_counter.h"
#include "valgrind.h"

#include <footfall/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char good[] =
    "title: \"A \\\"ball\\\"\"\n" BALL "load: {fixed_base: no, mimic: fix, mesh_paths: [a, /b]}\n"
    "contact_points: [{link: ball, name: tip, at: [0, 0, -10cm]}]\n"
    "ground:\n  - {type: plane, slope: 1deg, friction: 0.5, stiffness: 1e4, damping: 10}\n"
    "  - {type: heightfield, size: [1, 1, 1], rows: 2, columns: 2, heights: [0, 0, 0, -1cm]}\n"
    "start:\n  posture: drop\n  velocity: [0, 0, 1, 0, 0, 0]\n"
    "controller: {type: posture-pd, kp: 1, kd: 1}\n"
    "stepper: {type: expo, order: 1, max_pieces: 9, moreau: {solver: sor}}\ndt: 1ms\nduration: 10ms\n"
    "log: {every: 3}\nexpect: {upright: yes, speed: [0, 1]}\n";

static ff_status load_text(const char *text, size_t length)
{
  ff_scene *scene = NULL;
  ff_error error = {0};
  ffi_bad_scene_write(text, length);
  const ff_status status = ff_scene_load(ffi_bad_scene_path, NULL, 0, &scene, &error);
  if (status != FF_OK && (scene || !error.message[0] || error.status != status))
    fail_msg("status %d without a message", (int)status);
  ff_scene_destroy(scene);
  return status;
}

static void no_wrong_byte_or_missing_part_does_harm(void **state)
{
  (void)state;
  static const char wrong[] = {'\0', '{', '"', '-', '9', ':', '\xff', ' ', '\n', '[', '*', '&'};
  const size_t length = sizeof good - 1;
  char text[sizeof good];
  assert_int_equal(load_text(good, length), FF_OK);
  const size_t stride = damage_stride();
  for (size_t i = 0; i < length; i += stride) {
    load_text(good, i); // cut short
    memcpy(text, good, sizeof good);
    text[i] = wrong[i % sizeof wrong];
    load_text(text, length);
    const size_t cut = 1 + i % 17 < length - i ? 1 + i % 17 : length - i;
    memcpy(text, good, i);
    memcpy(text + i, good + i + cut, length - i - cut);
    load_text(text, length - cut);
  }
}

static void giants_are_refused(void **state)
{
  (void)state;
  const size_t size = 4 << 20;
  char *text = malloc(size);
  assert_non_null(text);
  memset(text, '[', size); // deep
  assert_int_equal(load_text(text, size), FF_ERROR_LIMIT);
  memcpy(text, "ground: ", 8);
  assert_int_equal(load_text(text, size), FF_ERROR_LIMIT);
  for (size_t i = 8; i + 1 < size; i += 2) // long
    memcpy(text + i, i == 8 ? "[1" : ",1", 2);
  assert_int_equal(load_text(text, size), FF_ERROR_LIMIT);
  size_t used = 0;
  for (int k = 0; used + 20 < size; ++k) // wide
    used += (size_t)snprintf(text + used, size - used, "k%d: 1\n", k);
  assert_int_equal(load_text(text, used), FF_ERROR_LIMIT);
  free(text);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

static void fail_in_turn(const char *file)
{
  const ff_scene_override override = {"stepper.max_speed", "100", NULL};
  long n = 1;
  for (;; ++n) {
    ff_error error = {0};
    ff_scene *scene = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_scene_load(file, &override, 1, &scene, &error);
    const int has_failed = ffi_test_alloc_failed();
    ff_scene_destroy(scene);
    if (!has_failed) {
      assert_int_equal(status, FF_OK);
      break;
    }
    if (status != FF_ERROR_MEMORY && status != FF_OK)
      fail_msg("allocation %ld failed: status %d, %s", n, (int)status, error.message);
  }
  print_message("  %ld allocations\n", n - 1);
  assert_true(n > 20);
}

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ffi_bad_scene_write(good, sizeof good - 1);
  fail_in_turn(ffi_bad_scene_path);
  fail_in_turn(FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml");
  fail_in_turn(FFI_TEST_SOURCE_DIR "/scenes/romeo-walk.yaml");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_wrong_byte_or_missing_part_does_harm),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  const struct CMUnitTest giants[] = {
      cmocka_unit_test(giants_are_refused),
  };
  const int failed = cmocka_run_group_tests(tests, ffi_bad_scene_make, ffi_bad_scene_remove);
  return is_under_valgrind()
             ? failed
             : failed + cmocka_run_group_tests(giants, ffi_bad_scene_make, ffi_bad_scene_remove);
}
