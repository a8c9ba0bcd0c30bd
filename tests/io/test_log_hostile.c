// Logs that somebody has tampered with, or a disk: numbers in them that would lead out of arrays are refused when they
// are read.
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

enum { STEPS = 20 };

// As if whoever tampers with it had made new checksums.
static void forget_sums(const char *path)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "sums", H5P_DEFAULT) >= 0);
  assert_true(H5Fclose(file) >= 0);
}

static const char *good_log(const char *name)
{
  const char *path = ffi_logged_path(name);
  ffi_logged_scene run;
  ffi_logged_begin(&run, SQUAT, NULL, path);
  ffi_logged_steps(&run, STEPS);
  ffi_logged_end(&run);
  forget_sums(path);
  return path;
}

// Element `at` of a table becomes `value`; in a record, its field of that name.
static void tamper(const char *path, const char *table, const char *field, hsize_t at, hid_t type,
                   const void *value)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, table, H5P_DEFAULT),
              space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
  hid_t part = type;
  if (field) {
    part = H5Tcreate(H5T_COMPOUND, H5Tget_size(type));
    assert_true(H5Tinsert(part, field, 0, type) >= 0);
  }
  assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at) >= 0);
  assert_true(H5Dwrite(set, part, one, space, H5P_DEFAULT, value) >= 0);
  if (field)
    H5Tclose(part);
  H5Sclose(one);
  H5Sclose(space);
  H5Dclose(set);
  assert_true(H5Fclose(file) >= 0);
}

static void stretch(const char *path, const char *table, hsize_t rows)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, table, H5P_DEFAULT);
  assert_true(H5Dset_extent(set, &rows) >= 0);
  H5Dclose(set);
  assert_true(H5Fclose(file) >= 0);
}

// Some row is refused as damaged; before that all are read.
static void check_damaged(const char *path)
{
  ff_log *log = ffi_logged_open(path);
  ff_error error = {0};
  const ff_model *model;
  ff_log_row row;
  ff_status status = FF_OK;
  assert_int_equal(ff_log_model(log, &model, &error), FF_OK);
  for (long long k = 0; k < ff_log_get_info(log)->rows && status == FF_OK; ++k)
    status = ff_log_read(log, k, &row, &error);
  assert_int_equal(status, FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "damaged"));
  ff_log_close(log);
}

static void contacts_name_what_there_is(void **state)
{
  static const char *const fields[] = {"link_a", "link_b", "shape_a", "shape_b"};
  static const int32_t wrong[] = {1000000, -2, INT32_MAX, INT32_MIN};
  (void)state;
  for (size_t f = 0; f < sizeof fields / sizeof fields[0]; ++f) {
    const char *path = good_log("contacts.h5");
    tamper(path, "contacts", fields[f], 1, H5T_NATIVE_INT32, &wrong[f]);
    check_damaged(path);
  }
}

// So many contacts that the bytes for them wrap around to a few.
static void contacts_without_end(void **state)
{
  const int64_t many = ((int64_t)1 << 61) + 1;
  const char *path = good_log("many.h5");
  (void)state;
  stretch(path, "contacts", (hsize_t)many);
  tamper(path, "done", NULL, 1, H5T_NATIVE_INT64, &many);
  for (hsize_t row = 0; row <= STEPS; ++row)
    tamper(path, "steps", "contacts_end", row, H5T_NATIVE_INT64, &many);
  check_damaged(path);
}

// A full state that says it is longer than it is would be read beyond its end.
static void states_have_the_length_they_say(void **state)
{
  const char *path = good_log("state.h5");
  ff_log *log = ffi_logged_open(path);
  ff_log_state full;
  ff_error error = {0};
  (void)state;
  assert_int_equal(ff_log_read_state(log, 0, &full, &error), FF_OK);
  const int size = full.state_size;
  const double head[3] = {full.state[0], full.state[1], full.state[2]};
  assert_true(size > 3 && head[1] == size);
  ff_log_close(log);

  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t shape[2] = {(hsize_t)2, 3};
  const double rows[6] = {head[0], head[1], head[2], head[0], head[1], head[2]};
  assert_true(H5Ldelete(file, "states/state", H5P_DEFAULT) >= 0);
  const hid_t space = H5Screate_simple(2, shape, NULL),
              set = H5Dcreate2(file, "states/state", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                               H5P_DEFAULT);
  assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  assert_true(H5Fclose(file) >= 0);

  log = ffi_logged_open(path);
  assert_int_equal(ff_log_get_info(log)->states, 2); // the start and the end
  assert_int_equal(ff_log_read_state(log, 1, &full, &error), FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "full state"));
  ff_log_close(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_name_what_there_is),
      cmocka_unit_test(contacts_without_end),
      cmocka_unit_test(states_have_the_length_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
