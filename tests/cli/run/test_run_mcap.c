// footfall run: logs in MCAP: every record, checksum and index as the format's specification has them, and in the
// messages what CSV has.
#define _XOPEN_SOURCE 700
#include "cli/run/csv_table.h"
#include "cli/run/mcap_file.h"
#include "cli/run/summary.h"
#include "cli/run_command.h"

#include <footfall/dynamics.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void must_run(const char *prefix, const char *arguments, const char *path, int status)
{
  ffi_output output = ffi_run(prefix, "run %s --out '%s'", arguments, path);
  if (output.status != status)
    fail_msg("status %d of '%s': %s", output.status, arguments, output.err);
  ffi_output_free(&output);
}

static ffi_json_value *parse(const ffi_mcap_message *message)
{
  char why[200];
  ffi_json_value *value = ffi_json_parse(message->text, why);
  if (!value)
    fail_msg("%s: %.300s", why, message->text);
  return value;
}

static double number_of(const ffi_json_value *value, const char *key)
{
  const ffi_json_value *found = ffi_json_get(value, key);
  assert_int_equal(found->type, FFI_JSON_NUMBER);
  return found->number;
}

static void check_digits(double got, double wanted)
{
  if (!(fabs(got - wanted) <= 1e-8 * fabs(wanted) + 1e-12)) // nine digits
    fail_msg("%.17g, not %.17g", got, wanted);
}

// The k-th message of a topic.
static const ffi_mcap_message *message_of(const ffi_mcap_file *file, const char *topic, long long k)
{
  const int channel = ffi_mcap_find(file, topic);
  for (long long i = 0; i < file->count; ++i)
    if (file->messages[i].channel == channel && k-- == 0)
      return &file->messages[i];
  fail_msg("too few messages on %s", topic);
  return NULL;
}

static void messages_have_what_csv_has(void **state)
{
  static const char arguments[] = SOLO12 " --drop 5cm --dt 2ms --duration 0.6 --quiet";
  (void)state;
  must_run("", arguments, ffi_scratch_path("a.csv"), 0);
  must_run("", arguments, ffi_scratch_path("a.mcap"), 0);
  ffi_csv_table csv = ffi_csv_read(ffi_scratch_path("a.csv"));
  ffi_mcap_file file = ffi_mcap_read(ffi_scratch_path("a.mcap"));
  assert_int_equal(file.is_whole, 1);
  assert_int_equal(file.attachments, 1); // the model
  static const char *const topics[][2] = {{"/state", "footfall.State"},
                                          {"/energy", "footfall.Energy"},
                                          {"/contacts", "footfall.Contacts"},
                                          {"/tf", "foxglove.FrameTransforms"},
                                          {"/scene", "foxglove.SceneUpdate"}};
  for (int i = 0; i < 5; ++i)
    assert_string_equal(file.topics[ffi_mcap_find(&file, topics[i][0])].schema, topics[i][1]);
  assert_int_equal(file.topics[ffi_mcap_find(&file, "/state")].count, csv.rows);
  for (int r = 0; r < csv.rows; r += 20) {
    const ffi_mcap_message *message = message_of(&file, "/state", r);
    assert_int_equal(message->time, 2000000LL * r);
    ffi_json_value *s = parse(message), *e = parse(message_of(&file, "/energy", r)),
                   *c = parse(message_of(&file, "/contacts", r));
    assert_int_equal((int)number_of(s, "step"), r);
    check_digits(number_of(ffi_json_get(s, "q"), "root_joint.z"),
                 ffi_csv_cell(&csv, r, "q.root_joint.z [m]"));
    check_digits(number_of(ffi_json_get(s, "q"), "HR_KFE"), ffi_csv_cell(&csv, r, "q.HR_KFE [rad]"));
    check_digits(number_of(ffi_json_get(s, "v"), "root_joint.wy"),
                 ffi_csv_cell(&csv, r, "v.root_joint.wy [rad/s]"));
    check_digits(number_of(e, "total"), ffi_csv_cell(&csv, r, "energy [J]"));
    assert_int_equal((int)number_of(c, "count"), (int)ffi_csv_cell(&csv, r, "contacts [1]"));
    assert_int_equal(ffi_json_get(c, "contacts")->count, (int)ffi_csv_cell(&csv, r, "contacts [1]"));
    check_digits(number_of(ffi_json_get(ffi_json_get(c, "forces"), "FL_FOOT"), "z"),
                 ffi_csv_cell(&csv, r, "force.FL_FOOT.z [N]"));
    ffi_json_free(s);
    ffi_json_free(e);
    ffi_json_free(c);
  }
  ffi_mcap_free(&file);
  ffi_csv_free(&csv);
}

// Frames are where kinematics of the logged q puts them; a turned vector tells the quaternion.
static void frames_are_where_links_are(void **state)
{
  ff_model *model;
  ff_dynamics *dynamics;
  double q[19];
  (void)state;
  must_run("", SOLO12 " --drop 20cm --no-pd --dt 5ms --duration 0.4 --quiet", ffi_scratch_path("a.csv"), 0);
  must_run("", SOLO12 " --drop 20cm --no-pd --dt 5ms --duration 0.4 --quiet", ffi_scratch_path("a.mcap"), 0);
  assert_int_equal(ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, NULL), FF_OK);
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, NULL), FF_OK);
  ffi_csv_table csv = ffi_csv_read(ffi_scratch_path("a.csv"));
  ffi_mcap_file file = ffi_mcap_read(ffi_scratch_path("a.mcap"));
  const int frames = (int)file.topics[ffi_mcap_find(&file, "/tf")].count;
  assert_true(frames >= 20 && frames <= 26); // 60 Hz
  for (int k = 0; k < frames; ++k) {
    const ffi_mcap_message *message = message_of(&file, "/tf", k);
    const int row = (int)((message->time + 2500000) / 5000000);
    memcpy(q, csv.cells + row * csv.columns + 1, sizeof q);
    ff_dynamics_kinematics(dynamics, q, NULL, NULL);
    ffi_json_value *value = parse(message);
    const ffi_json_value *list = ffi_json_get(value, "transforms");
    assert_int_equal(list->count, ff_model_get_size(model).links);
    for (const ffi_json_value *t = list->first; t; t = t->next) {
      double position[3], R[9];
      ff_link_info link;
      ff_model_link(model, ff_model_find_link(model, ffi_json_get(t, "child_frame_id")->text), &link);
      ff_dynamics_frame_pose(dynamics, link.frame, position, R);
      const ffi_json_value *p = ffi_json_get(t, "translation"), *r = ffi_json_get(t, "rotation");
      assert_true(fabs(number_of(p, "x") - position[0]) < 1e-8 &&
                  fabs(number_of(p, "z") - position[2]) < 1e-8);
      const double x = number_of(r, "x"), y = number_of(r, "y"), z = number_of(r, "z"), w = number_of(r, "w");
      const double turned[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)}; // of x
      for (int i = 0; i < 3; ++i)
        assert_true(fabs(turned[i] - R[3 * i]) < 1e-7);
    }
    ffi_json_free(value);
  }
  ffi_mcap_free(&file);
  ffi_csv_free(&csv);
  ff_dynamics_destroy(dynamics);
  ff_model_destroy(model);
}

// Shapes come once, in the frames of their links; arrows are as long as forces are large, and point as they do.
static void pictures_have_shapes_and_forces(void **state)
{
  (void)state;
  must_run("", SOLO12 " --dt 10ms --duration 2 --quiet", ffi_scratch_path("a.mcap"), 0);
  ffi_mcap_file file = ffi_mcap_read(ffi_scratch_path("a.mcap"));
  ffi_json_value *shapes = parse(message_of(&file, "/scene", 0));
  const ffi_json_value *entities = ffi_json_get(shapes, "entities");
  int solids = 0;
  for (const ffi_json_value *e = entities->first; e; e = e->next)
    solids += ffi_json_get(e, "cubes")->count + ffi_json_get(e, "spheres")->count +
              ffi_json_get(e, "cylinders")->count;
  assert_true(solids > 13); // each link has some, and there is the ground
  ffi_json_free(shapes);
  const long long last = file.topics[ffi_mcap_find(&file, "/scene")].count - 1;
  ffi_json_value *forces = parse(message_of(&file, "/scene", last));
  const ffi_json_value *arrows = ffi_json_get(ffi_json_at(ffi_json_get(forces, "entities"), 0), "arrows");
  assert_int_equal(arrows->count, 4);
  double up = 0, along = 0; // arrows point along their x
  for (const ffi_json_value *a = arrows->first; a; a = a->next) {
    const double length = number_of(a, "shaft_length") + number_of(a, "head_length");
    const ffi_json_value *r = ffi_json_get(ffi_json_get(a, "pose"), "orientation");
    const double x = number_of(r, "x"), y = number_of(r, "y"), z = number_of(r, "z"), w = number_of(r, "w");
    up += length * 2 * (x * z - w * y);
    along += length * (1 - 2 * (y * y + z * z));
  }
  if (!(fabs(up - 0.25) < 1e-3 && fabs(along) < 1e-3)) // a robot that stands: all together carry its weight
    fail_msg("%g m up, %g m along x", up, along);
  ffi_json_free(forces);
  ffi_mcap_free(&file);
}

// Names that JSON must escape.
static void odd_names_stay_whole(void **state)
{
  static const char robot[] =
      "<robot name='r'><link name='world'/><link name='a \"b\" \\c'><inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
      "<joint name='j \"k\" \\l' type='continuous'><parent link='world'/><child link='a \"b\" \\c'/>"
      "<axis xyz='0 0 1'/></joint></robot>";
  char model[512];
  (void)state;
  snprintf(model, sizeof model, "'%s' --duration 0.01 --quiet",
           ffi_write_file("odd.urdf", robot, (int)sizeof robot - 1));
  must_run("", model, ffi_scratch_path("odd.mcap"), 0);
  ffi_mcap_file file = ffi_mcap_read(ffi_scratch_path("odd.mcap"));
  for (long long i = 0; i < file.count; ++i)
    ffi_json_free(parse(&file.messages[i]));
  ffi_json_value *s = parse(message_of(&file, "/state", 0));
  assert_int_equal((int)number_of(ffi_json_get(s, "q"), "j \"k\" \\l"), 0);
  ffi_json_free(s);
  ffi_mcap_free(&file);
}

// A run that ends early, and a disk that is full: whole chunks.
static void what_was_written_stays(void **state)
{
  (void)state;
  must_run("timeout --preserve-status -s INT 1", SOLO12 " --duration 1e6 --log-every 200 --quiet",
           ffi_scratch_path("stopped.mcap"), 130);
  ffi_mcap_file file = ffi_mcap_read(ffi_scratch_path("stopped.mcap"));
  assert_int_equal(file.is_whole, 1);
  assert_true(file.count > 10);
  ffi_mcap_free(&file);

  ffi_output output = ffi_run("ulimit -f 6000;", "run " SOLO12 " --duration 20 --quiet --out '%s'",
                              ffi_scratch_path("full.mcap"));
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "full.mcap: could not be written: File too large"));
  ffi_output_free(&output);
  file = ffi_mcap_read(ffi_scratch_path("full.mcap"));
  assert_int_equal(file.is_whole, 0);
  assert_true(file.chunks > 0 && file.count > 100);
  ffi_mcap_free(&file);

  output = ffi_run("", "run " SOLO12 " --out /no/such/a.mcap");
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "/no/such/a.mcap: cannot be written: No such file"));
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_have_what_csv_has),      cmocka_unit_test(frames_are_where_links_are),
      cmocka_unit_test(pictures_have_shapes_and_forces), cmocka_unit_test(odd_names_stay_whole),
      cmocka_unit_test(what_was_written_stays),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
