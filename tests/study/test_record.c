// Recordings: what is drawn is what moves and has a shape, snapshots are frames, bad input is refused, and
// nothing is lost when memory is short.
#include "support/alloc_counter.h"
#include "support/must.h"
#include "support/robots.h"

#include <footfall/load.h>
#include <footfall/record.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ff_record *must_record(const ff_record_def *def)
{
  ff_record *record;
  ff_error error;
  ffi_must(ff_record_create(def, &record, &error), &error);
  return record;
}

// ---- What is drawn --------------------------------------------------------------------------------------------------

// A slider with a box, a link without a shape on it, a ball on that, and a post that is fixed to the world, 2
// m up and turned by a quarter.
static const char text[] =
    "<robot name='things'><link name='world'/>"
    "<joint name='slide' type='prismatic'><parent link='world'/><child link='box'/><axis xyz='1 0 0'/>"
    "<limit lower='-1' upper='1' effort='9' velocity='9'/></joint>"
    "<link name='box'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><visual>"
    "<origin xyz='0 0 .5'/><geometry><box size='1 1 1'/></geometry></visual></link>"
    "<joint name='turn' type='continuous'><parent link='box'/><child link='bare'/><axis xyz='0 0 1'/></joint>"
    "<link name='bare'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<joint name='spin' type='continuous'><parent link='bare'/><child link='ball'/><origin xyz='0 3 "
    "0'/><axis xyz='0 0 1'/></joint>"
    "<link name='ball'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "<collision><geometry><sphere radius='.1'/></geometry></collision></link>"
    "<joint name='fixed' type='fixed'><parent link='world'/><child link='post'/><origin xyz='0 0 2' "
    "rpy='0 0 1.5707963267948966'/></joint>"
    "<link name='post'><visual><origin xyz='1 0 0'/><geometry><sphere radius='.2'/></geometry></visual></link></robot>";

static ff_model *things(void)
{
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load_memory(text, strlen(text), "things", NULL, &model, &error), &error);
  return model;
}

static void links_and_shapes(void **state)
{
  (void)state;
  ff_model *model = things();
  ff_record_def def = ff_record_def_default();
  def.model = model;
  ff_record *record = must_record(&def);
  const ff_record_data *d = ff_record_get(record);
  const int box = ff_model_find_link(model, "box"), ball = ff_model_find_link(model, "ball");
  assert_int_equal(d->link_count, 2);
  assert_true(d->links[0].link == box && d->links[0].parent == -1 && !d->links[0].can_touch);
  assert_true(d->links[1].link == ball && d->links[1].parent == -1 &&
              d->links[1].can_touch); // `bare` is not drawn
  assert_int_equal(d->shape_count, 3);
  assert_true(d->shapes[0].link == 0 && d->shapes[0].pose.position[2] == 0.5);
  assert_true(d->shapes[1].link == 1);
  const double *at = d->shapes[2].pose.position; // (1, 0, 0) turned by a quarter is (0, 1, 0), and 2 m up
  assert_int_equal(d->shapes[2].link, -1);
  assert_true(fabs(at[0]) < 1e-15 && fabs(at[1] - 1) < 1e-15 && fabs(at[2] - 2) < 1e-15);
  assert_int_equal(d->frame_count, 0);
  ff_record_destroy(record);
  ff_model_destroy(model);
}

// The slider at x, turned by a: the ball, 3 m along y of what turns, is at (x - 3 sin a, 3 cos a).
static void poses_are_where_links_are(void **state)
{
  (void)state;
  ff_model *model = things();
  ff_record_def def = ff_record_def_default();
  def.model = model;
  ff_record *record = must_record(&def);
  float poses[2 * FF_RECORD_POSE], row[256], contacts[1];
  assert_true(ff_record_get(record)->signal_count <= 256);
  for (int k = 0; k < 20; ++k) {
    const double x = 0.1 * k, a = 0.5 * k - 3, q[3] = {x, a, 0.25}, v[3] = {2, 0, 0};
    const ff_record_state now = {.time = k, .q = q, .v = v};
    ffi_must(ff_record_add(record, &now, 0, NULL), NULL);
    ff_record_snapshot(record, &now, poses, row, contacts);
    const ff_record_data *d = ff_record_get(record);
    assert_int_equal(d->frame_count, k + 1);
    const float *kept = d->poses + (size_t)k * 2 * FF_RECORD_POSE, *ball = kept + FF_RECORD_POSE;
    assert_memory_equal(kept, poses, sizeof poses);
    assert_memory_equal(d->rows + (size_t)k * (size_t)d->signal_count, row,
                        (size_t)d->signal_count * sizeof *row);
    assert_true(fabs(ball[0] - (x - 3 * sin(a))) < 1e-6 && fabs(ball[1] - 3 * cos(a)) < 1e-6);
    const double half = (a + 0.25) / 2, sign = ball[6] * cos(half) < 0 ? -1 : 1;
    assert_true(fabs(ball[5] - sign * sin(half)) < 1e-6);
  }
  ff_record_destroy(record);
  ff_model_destroy(model);
}

// ---- How much -------------------------------------------------------------------------------------------------------

// 1 ms between states: frames every 10; of 0.1 s at least 50, so every 2.
static void frames_are_spaced_out(void **state)
{
  (void)state;
  static const struct {
    double spacing, duration;
    size_t frames; // of 100 states
  } cases[] = {{1e-3, 10, 10}, {1e-3, 0, 10}, {1e-3, 0.1, 50}, {0.02, 2, 100}, {0, 0, 100}};
  ff_model *model = things();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_record_def def = ff_record_def_default();
    def.model = model, def.spacing = cases[i].spacing, def.duration = cases[i].duration;
    ff_record *record = must_record(&def);
    const double zero[3] = {0};
    for (int k = 0; k < 100; ++k) {
      const ff_record_state now = {.time = k * cases[i].spacing, .q = zero, .v = zero};
      ffi_must(ff_record_add(record, &now, 0, NULL), NULL);
    }
    assert_int_equal(ff_record_get(record)->frame_count, cases[i].frames);
    assert_int_equal(ff_record_get(record)->row_count, 100);
    ff_record_destroy(record);
  }
  ff_model_destroy(model);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  ff_model *model = things();
  ff_record_def def = ff_record_def_default();
  ff_record *record = (ff_record *)model;
  ff_error error;
  assert_int_equal(ff_record_create(&def, &record, &error), FF_ERROR_ARGUMENT); // no model
  assert_null(record);
  def.model = model;
  def.frame_spacing = (double)NAN;
  assert_int_equal(ff_record_create(&def, &record, &error), FF_ERROR_ARGUMENT);
  def = (ff_record_def){.model = model};
  assert_int_equal(ff_record_create(&def, &record, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "begin with that"));
  assert_int_equal(ff_record_create(NULL, &record, NULL), FF_ERROR_ARGUMENT);
  def = ff_record_def_default();
  def.model = model;
  record = must_record(&def);
  assert_int_equal(ff_record_add(record, &(ff_record_state){0}, 0, NULL), FF_ERROR_ARGUMENT);
  ff_record_destroy(record);
  ff_model_destroy(model);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

// Leaks are for the sanitizers to see. After a failure everything that was there is there, and the next state
// comes as if nothing had been.
static void every_allocation_may_fail(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = things();
  ff_record_def def = ff_record_def_default();
  def.model = model;
  long n = 1;
  for (int has_failed = 1; has_failed; ++n) {
    ff_record *record = NULL;
    ffi_test_alloc_fail_at(n);
    ff_status status = ff_record_create(&def, &record, NULL);
    for (int k = 0; record && k < 300; ++k) {
      const double q[3] = {k, 0, 0};
      const ff_record_state now = {.time = k, .q = q, .v = q};
      const ff_status added = ff_record_add(record, &now, 0, NULL);
      const ff_record_data *d = ff_record_get(record);
      if (added != FF_OK) {
        status = added;
        assert_int_equal(d->frame_count, k);
        ffi_must(ff_record_add(record, &now, 0, NULL), NULL);
      }
      assert_true(d->frame_count == (size_t)k + 1 && d->row_count == (size_t)k + 1);
      for (int i = 0; i <= k; ++i)
        assert_true(d->frame_times[i] == i && d->poses[(size_t)i * 2 * FF_RECORD_POSE] == (float)i &&
                    d->contact_starts[i] == 0);
    }
    ff_record_destroy(record);
    has_failed = ffi_test_alloc_failed();
    assert_int_equal(status, has_failed ? FF_ERROR_MEMORY : FF_OK);
  }
  assert_true(n > 10);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_and_shapes),          cmocka_unit_test(poses_are_where_links_are),
      cmocka_unit_test(frames_are_spaced_out),     cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("study/record", tests, NULL, NULL);
}
