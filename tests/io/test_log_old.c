// Logs of earlier versions, which have no checksums: they are read and resumed as before.
#include "logged_scene.h"

#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SQUAT FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml"

enum { STEPS = 40 };

static herr_t forget_sum(hid_t place, const char *name, const H5O_info_t *info, void *data)
{
  (void)data;
  if (info->type == H5O_TYPE_DATASET && H5Aexists_by_name(place, name, "sum", H5P_DEFAULT) > 0)
    assert_true(H5Adelete_by_name(place, name, "sum", H5P_DEFAULT) >= 0);
  return 0;
}

// The layout of before: no tables and attributes of checksums, and a count of four numbers.
static void make_old(const char *path)
{
  const hsize_t four = 4;
  int64_t done[5];
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), count = H5Dopen2(file, "done", H5P_DEFAULT),
              space = H5Screate_simple(1, &four, NULL);
  assert_true(H5Dread(count, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, done) >= 0);
  H5Dclose(count);
  assert_true(H5Ldelete(file, "done", H5P_DEFAULT) >= 0);
  const hid_t old = H5Dcreate2(file, "done", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Dwrite(old, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, done) >= 0);
  H5Dclose(old);
  H5Sclose(space);
  assert_true(H5Ldelete(file, "sums", H5P_DEFAULT) >= 0 && H5Ldelete(file, "states/sum", H5P_DEFAULT) >= 0);
  assert_true(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, forget_sum, NULL) >= 0);
  assert_true(H5Fclose(file) >= 0);
}

static void they_are_read_and_resumed(void **state)
{
  char path[256];
  ffi_logged_scene run;
  ff_error error = {0};
  ff_log_damage damage;
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_logged_path("old.h5"));
  ffi_logged_begin(&run, SQUAT, NULL, path);
  ffi_logged_steps(&run, STEPS);
  ffi_logged_end(&run);
  ff_log *log = ffi_logged_open(path);
  assert_int_equal(ff_log_get_info(log)->has_sums, 1);
  ff_log_close(log);
  make_old(path);
  log = ffi_logged_open(path);
  const ff_log_info *info = ff_log_get_info(log);
  assert_int_equal(info->has_sums, 0);
  assert_int_equal(info->rows, STEPS + 1);
  assert_true(info->from == 0 && info->to > 0);
  assert_string_equal(info->outcome, "finished");
  for (long long k = 0; k < info->rows; ++k) {
    ff_log_row row;
    if (ff_log_read(log, k, &row, &error) != FF_OK)
      fail_msg("%s", error.message);
    assert_true(row.step == k);
  }
  assert_int_equal(ff_log_check(log, &damage, &error), FF_OK);
  assert_true(damage.rows == 0 && damage.states == 0 && !damage.list);
  assert_true(damage.last_state == info->states - 1 && damage.last_time == info->to);
  ff_scene *scene = ffi_logged_resume(log, -1);
  assert_int_equal(ff_scene_step_count(scene), STEPS);
  ff_scene_destroy(scene);
  ff_log_close(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_read_and_resumed)};
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
