// Defs that grow: an older and a newer program against one library, by structs as each of them was compiled.
#include "base/def.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The same def in three versions. The second ends in padding, behind which the third goes on.
typedef struct first {
  size_t size;
  double dt;
} first;

typedef struct second {
  size_t size;
  double dt;
  double stiffness;
  int order;
} second;

typedef struct third {
  size_t size;
  double dt;
  double stiffness;
  int order;
  int padding; // never read
  double accuracy;
  int events;
} third;

static const first first_defaults = {.dt = 1e-3};
static const second second_defaults = {.dt = 1e-3, .stiffness = 1e5, .order = 2};
static const third third_defaults = {.dt = 1e-3, .stiffness = 1e5, .order = 2, .accuracy = 0.5, .events = 1};

static const ffi_def_kind library_1 = {"ff_x_def", sizeof(first), &first_defaults};
static const ffi_def_kind library_2 = {"ff_x_def", sizeof(second), &second_defaults};
static const ffi_def_kind library_3 = {"ff_x_def", sizeof(third), &third_defaults};

static void same_age(void **state)
{
  (void)state;
  second def, out;
  memset(&def, 0xaa, sizeof def);
  ffi_def_init(&def, sizeof def, &library_2);
  assert_int_equal(def.size, sizeof def);
  assert_true(def.dt == 1e-3 && def.stiffness == 1e5 && def.order == 2);
  def.stiffness = 7;
  assert_int_equal(ffi_def_take(&def, &library_2, &out, NULL), FF_OK);
  assert_int_equal(out.size, sizeof out);
  assert_true(out.dt == 1e-3 && out.stiffness == 7 && out.order == 2);
}

static void null_is_the_default(void **state)
{
  (void)state;
  third out;
  assert_int_equal(ffi_def_take(NULL, &library_3, &out, NULL), FF_OK);
  assert_true(out.size == sizeof out && out.accuracy == 0.5 && out.events == 1);
}

// An older program's bytes end where its def ends: what is behind them belongs to somebody else, and is
// neither written nor read.
static void older_program_newer_library(void **state)
{
  (void)state;
  struct {
    first def;
    unsigned char others[64];
  } program;
  third out;
  memset(&program, 0xaa, sizeof program);
  ffi_def_init(&program.def, sizeof program.def, &library_3);
  for (size_t i = 0; i < sizeof program.others; ++i)
    assert_int_equal(program.others[i], 0xaa);
  assert_true(program.def.size == sizeof(first) && program.def.dt == 1e-3);
  program.def.dt = 4e-3;
  assert_int_equal(ffi_def_take(&program.def, &library_3, &out, NULL), FF_OK);
  assert_true(out.dt == 4e-3 && out.stiffness == 1e5 && out.order == 2);
  assert_true(out.accuracy == 0.5 && out.events == 1 && out.size == sizeof out);
}

// What a newer program leaves alone does no harm; what it sets is refused by name, and never ignored.
static void newer_program_older_library(void **state)
{
  (void)state;
  third def;
  second out;
  ff_error error;
  ffi_def_init(&def, sizeof def, &library_2);
  assert_true(def.size == sizeof def && def.accuracy == 0 && def.events == 0);
  def.order = 1;
  assert_int_equal(ffi_def_take(&def, &library_2, &out, &error), FF_OK);
  assert_true(out.order == 1 && out.size == sizeof out);
  def.events = 1;
  assert_int_equal(ffi_def_take(&def, &library_2, &out, &error), FF_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "ff_x_def: the program was compiled for a newer version"));
  assert_int_equal(ffi_def_take(&def, &library_1, &(first){0}, &error), FF_ERROR_UNSUPPORTED);
  assert_int_equal(ffi_def_take(&def, &library_3, &(third){0}, &error), FF_OK);
}

// A def of the library's, for an older and a newer program: as much of it as the program has room for, and
// zero where the library has nothing to say.
static void given_back(void **state)
{
  (void)state;
  const second whole = {.size = sizeof whole, .dt = 5, .stiffness = 6, .order = 7};
  struct {
    first def;
    unsigned char others[64];
  } older;
  third newer;
  memset(&older, 0xaa, sizeof older);
  older.def.size = sizeof older.def;
  ffi_def_give(&whole, &library_2, &older.def);
  assert_true(older.def.size == sizeof older.def && older.def.dt == 5);
  for (size_t i = 0; i < sizeof older.others; ++i)
    assert_int_equal(older.others[i], 0xaa);
  memset(&newer, 0xaa, sizeof newer);
  newer.size = sizeof newer;
  ffi_def_give(&whole, &library_2, &newer);
  assert_true(newer.size == sizeof newer && newer.order == 7 && newer.accuracy == 0 && newer.events == 0);
  newer = (third){.dt = 9};
  ffi_def_give(&whole, &library_2, &newer);
  assert_true(newer.size == 0 && newer.dt == 9);
}

// A def that nobody initialised: all zero, or whatever the stack had.
static void sizes_that_no_def_has(void **state)
{
  (void)state;
  static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, (size_t)1 << 20, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    second def = second_defaults, out;
    ff_error error;
    def.size = sizes[i];
    assert_int_equal(ffi_def_take(&def, &library_2, &out, &error), FF_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "begin with that"));
  }
  second def = {.size = 5, .order = 9};
  ffi_def_init(&def, 3, &library_2);
  assert_true(def.size == 5 && def.order == 9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_age),
      cmocka_unit_test(null_is_the_default),
      cmocka_unit_test(older_program_newer_library),
      cmocka_unit_test(newer_program_older_library),
      cmocka_unit_test(given_back),
      cmocka_unit_test(sizes_that_no_def_has),
  };
  return cmocka_run_group_tests_name("base/def", tests, NULL, NULL);
}
