// A recording of a log: every frame and row is a row of the log at that time, whatever was thinned out.
#include "logged_scene.h"
#include "support/must.h"

#include <footfall/log.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 400 };

static const char *log_path;

static int begin(void **state)
{
  (void)state;
  ffi_logged_scene run;
  log_path = ffi_logged_path("stand.h5");
  ffi_logged_begin(&run, FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml", NULL, log_path);
  ffi_logged_steps(&run, STEPS);
  ffi_logged_end(&run);
  return 0;
}

static ff_record *record_of(ff_log *log, size_t most)
{
  ff_record_def def = ff_record_def_default();
  ff_record *record;
  ff_error error;
  def.most_bytes = most;
  ffi_must(ff_log_record_def(log, &def, &error), &error);
  ffi_must(ff_record_create(&def, &record, &error), &error);
  ffi_must(ff_log_record(log, record, &error), &error);
  return record;
}

static ff_log_row row_at(ff_log *log, double time)
{
  ff_log_row row;
  ff_error error;
  for (long long k = 0; k < ff_log_get_info(log)->rows; ++k) {
    ffi_must(ff_log_read(log, k, &row, &error), &error);
    if (row.time == time)
      return row;
  }
  fail_msg("no row at %.17g s", time);
  return row;
}

static int signal_of(const ff_record_data *d, const char *group, const char *name)
{
  for (int i = 0; i < d->signal_count; ++i)
    if (strcmp(d->signals[i].group, group) == 0 && strcmp(d->signals[i].name, name) == 0)
      return i;
  fail_msg("there is no signal %s, %s", group, name);
  return -1;
}

static void check_row(ff_log *log, const ff_record_data *d, const ff_model *model, size_t k)
{
  const ff_log_row row = row_at(log, d->row_times[k]);
  const float *values = d->rows + k * (size_t)d->signal_count;
  ff_joint_info joint;
  double sum = 0;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.nq == 1) {
      assert_true(values[signal_of(d, "joint positions", joint.name)] == (float)row.q[joint.q]);
      assert_true(values[signal_of(d, "joint velocities", joint.name)] == (float)row.v[joint.v]);
      const double tau = (row.tau ? row.tau[joint.v] : 0) + (row.motor ? row.motor[joint.v] : 0);
      assert_true(values[signal_of(d, "joint torques", joint.name)] == (float)tau);
    }
  for (int c = 0; c < row.contact_count; ++c)
    sum += row.contacts[c].force[2];
  assert_true(values[signal_of(d, "contacts", "touching")] == (float)row.contact_count);
  assert_true(values[signal_of(d, "energy", "total")] == (float)row.energy.total);
  double links = 0;
  for (int i = 0; i < d->signal_count; ++i) {
    const char *name = d->signals[i].name;
    if (strcmp(d->signals[i].group, "contact forces") == 0 && strcmp(name + strlen(name) - 2, " z") == 0)
      links += values[i];
  }
  assert_true(fabs(links - sum) < 1e-5 * (1 + fabs(sum)));
}

static void check_frame(ff_log *log, const ff_record_data *d, const ff_model *model, size_t k)
{
  const ff_log_row row = row_at(log, d->frame_times[k]);
  const size_t first = d->contact_starts[k], count = d->contact_starts[k + 1] - first;
  ff_link_info link;
  ff_joint_info joint;
  assert_int_equal(count, row.contact_count);
  for (size_t c = 0; c < count; ++c) {
    const float *x = d->contacts + (first + c) * FF_RECORD_CONTACT;
    assert_true(x[1] == (float)row.contacts[c].mode && d->links[(int)x[0]].link == row.contacts[c].link_a);
    for (int i = 0; i < 3; ++i) {
      assert_true(x[2 + i] == (float)row.contacts[c].point[i]);
      assert_true(x[8 + i] == (float)row.contacts[c].force[i]);
    }
  }
  for (int l = 0; l < d->link_count; ++l) { // what floats is where its coordinates say
    const float *pose = d->poses + (k * (size_t)d->link_count + (size_t)l) * FF_RECORD_POSE;
    ff_model_link(model, d->links[l].link, &link);
    ff_model_joint(model, link.joint, &joint);
    const double w = pose[6] * row.q[joint.q + 6] < 0 ? -1 : 1;
    for (int i = 0; joint.type == FF_JOINT_FREE && i < 3; ++i)
      assert_true(pose[i] == (float)row.q[joint.q + i]);
    for (int i = 3; joint.type == FF_JOINT_FREE && i < 7; ++i)
      assert_true(fabs(pose[i] - w * row.q[joint.q + i]) < 1e-7);
  }
}

static void check(size_t most, size_t frames, size_t rows)
{
  ff_log *log = ffi_logged_open(log_path);
  ff_record *record = record_of(log, most);
  const ff_record_data *d = ff_record_get(record);
  const ff_model *model;
  ff_error error;
  ffi_must(ff_log_model(log, &model, &error), &error);
  print_message("  %zu frames and %zu rows of %lld\n", d->frame_count, d->row_count, d->states);
  assert_int_equal(d->states, STEPS + 1);
  assert_int_equal(d->frame_count, frames);
  assert_int_equal(d->row_count, rows);
  for (size_t k = 0; k < d->frame_count; ++k)
    check_frame(log, d, model, k);
  for (size_t k = 0; k < d->row_count; ++k)
    check_row(log, d, model, k);
  assert_true(d->frame_times[0] == 0 && d->row_times[0] == 0);
  assert_true(d->frame_times[frames - 1] == ff_log_get_info(log)->to && d->last == ff_log_get_info(log)->to);
  ff_record_destroy(record);
  ff_log_close(log);
}

// 400 steps of 2 ms are 0.8 s: a frame every 10 ms, and the start.
static void all_of_it(void **state)
{
  (void)state;
  check(100000000, 81, STEPS + 1);
}

// Room for some tens of each: whatever is kept is still the log's, the first and the last among them, and no
// more than asked for.
static void thinned_out(void **state)
{
  (void)state;
  ff_log *log = ffi_logged_open(log_path);
  ff_record *record = record_of(log, 20000);
  const ff_record_data *d = ff_record_get(record);
  const size_t frames = d->frame_count, rows = d->row_count;
  assert_true(frames < 81 && frames > 10 && rows < STEPS / 4 && rows > 10);
  const size_t frame_bytes = frames * (size_t)d->link_count * FF_RECORD_POSE * sizeof(float);
  assert_true(frame_bytes < 20000 && rows * (size_t)d->signal_count * sizeof(float) < 22000);
  for (size_t k = 2; k + 1 < rows; ++k) // evenly, but for the last
    assert_true(fabs(d->row_times[k] - d->row_times[k - 1] - d->row_times[1]) < 1e-9);
  ff_record_destroy(record);
  ff_log_close(log);
  check(20000, frames, rows);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it), cmocka_unit_test(thinned_out)};
  return cmocka_run_group_tests_name("io/log_record", tests, begin, ffi_logged_tear_down);
}
