// Programs that were compiled earlier or later than the library, by defs as their headers had them: what an
// older one does not know has its default, and what a newer one sets is never ignored.
#include "support/must.h"

#include <footfall/compare.h>
#include <footfall/load.h>
#include <footfall/log.h>
#include <footfall/option.h>
#include <footfall/propose.h>
#include <footfall/record.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BALL FFI_TEST_SOURCE_DIR "/models/ball.urdf"

// The first version of ff_load_def, as if it had had three fields; behind it is what the program's stack has.
static void an_older_program_loads(void **state)
{
  (void)state;
  struct {
    struct {
      size_t size;
      int fixed_base;
      ff_mimic_policy mimic;
    } def;
    unsigned char others[sizeof(ff_load_def)];
  } program;
  ff_model *model;
  ff_error error;
  memset(&program, 0xaa, sizeof program);
  ff_load_def_init((ff_load_def *)&program.def, sizeof program.def);
  assert_int_equal(program.def.size, sizeof program.def);
  for (size_t i = 0; i < sizeof program.others; ++i)
    assert_int_equal(program.others[i], 0xaa);
  program.def.fixed_base = 1;
  ffi_must(ff_model_load(BALL, (const ff_load_def *)&program.def, &model, &error), &error);
  assert_int_equal(ff_model_get_size(model).nv, 0); // it does not float
  ff_model_destroy(model);
}

// A later version with one more field.
typedef struct newer_load_def {
  ff_load_def old;
  double tolerance;
} newer_load_def;

static void a_newer_program_loads_if_it_sets_nothing_new(void **state)
{
  (void)state;
  newer_load_def def;
  ff_model *model;
  ff_error error;
  ff_load_def_init(&def.old, sizeof def);
  assert_true(def.old.size == sizeof def && def.tolerance == 0);
  ffi_must(ff_model_load(BALL, &def.old, &model, &error), &error);
  ff_model_destroy(model);
  def.tolerance = 1e-3;
  assert_int_equal(ff_model_load(BALL, &def.old, &model, &error), FF_ERROR_UNSUPPORTED);
  assert_null(model);
  assert_non_null(strstr(error.message, "compiled for a newer version"));
}

// Every def with a size: eight bytes more are zeroed and fine, one of them in use is refused, and so is a def
// that nobody initialised.
typedef ff_status (*taker)(const void *def, ff_error *error);

static ff_status take_load(const void *def, ff_error *error)
{
  ff_model *model = NULL;
  const ff_status status = ff_model_load(BALL, def, &model, error);
  ff_model_destroy(model);
  return status;
}
static ff_status take_log(const void *def, ff_error *error)
{
  ff_log_writer *writer;
  return ff_log_create("/nowhere/log.h5", def, &writer, error);
}
static ff_status take_record(const void *def, ff_error *error)
{
  ff_record *record;
  return ff_record_create(def, &record, error);
}
static ff_status take_proposal(const void *def, ff_error *error)
{
  ff_proposal *proposal;
  return ff_scene_propose("/nowhere.urdf", def, &proposal, error);
}
static ff_status take_sim(const void *def, ff_error *error)
{
  ff_model *model = NULL;
  ff_sim *sim = NULL;
  ff_status status = ff_model_load(BALL, NULL, &model, error);
  if (status == FF_OK)
    status = ff_sim_create(model, def, &sim, error);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return status;
}
static ff_status take_trial(const void *def, ff_error *error)
{
  ff_comparison *comparison;
  return ff_comparison_run(def, NULL, &comparison, error);
}

static void init_load(void *def, size_t size)
{
  ff_load_def_init(def, size);
}
static void init_log(void *def, size_t size)
{
  ff_log_def_init(def, size);
}
static void init_record(void *def, size_t size)
{
  ff_record_def_init(def, size);
}
static void init_proposal(void *def, size_t size)
{
  ff_proposal_def_init(def, size);
}
static void init_sim(void *def, size_t size)
{
  ff_sim_def_init(def, size);
}
static void init_trial(void *def, size_t size)
{
  ff_trial_init(def, size);
}

static void all_of_them(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    size_t size;
    void (*init)(void *def, size_t size);
    taker take;
  } defs[] = {
      {"ff_load_def", sizeof(ff_load_def), init_load, take_load},
      {"ff_log_def", sizeof(ff_log_def), init_log, take_log},
      {"ff_record_def", sizeof(ff_record_def), init_record, take_record},
      {"ff_proposal_def", sizeof(ff_proposal_def), init_proposal, take_proposal},
      {"ff_sim_def", sizeof(ff_sim_def), init_sim, take_sim},
      {"ff_trial", sizeof(ff_trial), init_trial, take_trial},
  };
  for (size_t i = 0; i < sizeof defs / sizeof defs[0]; ++i) {
    unsigned char bytes[1024];
    ff_error error = {0};
    assert_true(defs[i].size + 8 <= sizeof bytes);
    memset(bytes, 0xaa, sizeof bytes);
    defs[i].init(bytes, defs[i].size + 8);
    assert_true(bytes[defs[i].size + 8] == 0xaa && bytes[defs[i].size + 7] == 0);
    assert_int_not_equal(defs[i].take(bytes, &error), FF_ERROR_UNSUPPORTED);
    bytes[defs[i].size + 7] = 1;
    assert_int_equal(defs[i].take(bytes, &error), FF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, defs[i].name));
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(defs[i].take(bytes, &error), FF_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "begin with that"));
  }
}

// An option of an older program's def is set by its key, or refused if there is no place for it; nothing behind the def
// is written.
static void options_by_key_in_an_older_def(void **state)
{
  (void)state;
  struct {
    struct {
      size_t size;
      ff_stepper stepper;
      double dt;
    } def;
    unsigned char others[sizeof(ff_sim_def)];
  } program;
  ff_error error;
  memset(&program, 0xaa, sizeof program);
  ff_sim_def_init((ff_sim_def *)&program.def, sizeof program.def);
  ffi_must(ff_sim_def_set((ff_sim_def *)&program.def, "dt", "2ms", &error), &error);
  assert_int_equal(ff_sim_def_set((ff_sim_def *)&program.def, "expo.order", "1", &error),
                   FF_ERROR_UNSUPPORTED);
  assert_true(program.def.dt == 2e-3 && program.def.size == sizeof program.def);
  for (size_t i = 0; i < sizeof program.others; ++i)
    assert_int_equal(program.others[i], 0xaa);
}

// New fields begin where the old def ended, so none may lie in padding at its end: an older program has anything there.
_Static_assert(offsetof(ff_load_def, unused) + sizeof(int) == sizeof(ff_load_def), "padding at the end");
_Static_assert(offsetof(ff_log_def, state_interval) + sizeof(double) == sizeof(ff_log_def),
               "padding at the end");
_Static_assert(offsetof(ff_record_def, most_bytes) + sizeof(size_t) == sizeof(ff_record_def),
               "padding at the end");
_Static_assert(offsetof(ff_proposal_def, base_rule) + sizeof(size_t) == sizeof(ff_proposal_def),
               "padding at the end");
_Static_assert(offsetof(ff_trial, user) + sizeof(void *) == sizeof(ff_trial), "padding at the end");
_Static_assert(offsetof(ff_comparison_def, progress) + sizeof(ff_progress) == sizeof(ff_comparison_def),
               "padding at the end");

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_older_program_loads),
      cmocka_unit_test(a_newer_program_loads_if_it_sets_nothing_new),
      cmocka_unit_test(all_of_them),
      cmocka_unit_test(options_by_key_in_an_older_def),
  };
  return cmocka_run_group_tests_name("io/def_ages", tests, NULL, NULL);
}
