// Logs: what is written is read again, without any other file, and also when the writer is killed.
#define _GNU_SOURCE
#include "logged_scene.h"
#include "support/alloc_counter.h"

#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define SQUAT FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml"

static ff_log_row must_read(ff_log *log, long long index)
{
  ff_log_row row;
  ff_error error = {0};
  if (ff_log_read(log, index, &row, &error) != FF_OK)
    fail_msg("%s", error.message);
  return row;
}

static void check_contacts(const ff_contact *a, const ff_contact *b, int count)
{
  for (int i = 0; i < count; ++i) {
    assert_int_equal(a[i].id, b[i].id);
    assert_int_equal(a[i].shape_a, b[i].shape_a);
    assert_int_equal(a[i].link_a, b[i].link_a);
    assert_int_equal(a[i].ground, b[i].ground);
    assert_int_equal(a[i].mode, b[i].mode);
    for (int k = 0; k < 3; ++k) {
      assert_true((float)a[i].point[k] == (float)b[i].point[k]);
      assert_true((float)a[i].force[k] == (float)b[i].force[k]);
    }
    assert_true((float)a[i].penetration == (float)b[i].penetration);
  }
}

// More rows than a chunk or a block of the reader has, in any order.
static void rows_are_read_as_they_were_written(void **state)
{
  enum { STEPS = 700 };
  static const char *const changes[] = {"dt=4ms", "controller.period=40ms", NULL};
  const char *path = ffi_logged_path("rows.h5");
  ffi_logged_scene run, twin;
  (void)state;
  ffi_logged_begin(&run, SQUAT, changes, path);
  ffi_logged_steps(&run, STEPS);
  ffi_logged_end(&run);

  ff_log *log = ffi_logged_open(path);
  const ff_log_info *info = ff_log_get_info(log);
  assert_int_equal(info->rows, STEPS + 1);
  assert_int_equal(info->is_whole, 1);
  assert_string_equal(info->stepper, "expo");
  assert_true(info->dt == 0.004);
  assert_true(info->from == 0 && info->to > 0.004 * STEPS - 1e-9);
  assert_true(info->states >= 4); // the start, each second, the end

  ffi_logged_begin(&twin, SQUAT, changes, ffi_logged_path("twin.h5"));
  long long contacts = 0;
  for (int k = 0; k <= STEPS; ++k) {
    const ff_log_row a = must_read(log, k), b = ffi_logged_row(&twin);
    assert_memory_equal(a.q, b.q, (size_t)info->nq * sizeof *a.q);
    assert_memory_equal(a.v, b.v, (size_t)info->nv * sizeof *a.v);
    assert_memory_equal(a.tau, b.tau, (size_t)info->nv * sizeof *a.tau);
    assert_true(a.time == b.time && a.step == k && a.energy.total == b.energy.total);
    assert_true(a.energy.control_work == b.energy.control_work);
    assert_int_equal(a.info.touchdowns, b.info.touchdowns);
    assert_int_equal(a.contact_count, b.contact_count);
    check_contacts(a.contacts, b.contacts, b.contact_count);
    contacts += b.contact_count;
    if (k < STEPS)
      ffi_logged_steps(&twin, 1);
  }
  assert_true(contacts > 0);
  assert_int_equal(info->contacts, contacts);
  const ff_log_row early = must_read(log, 3);
  assert_true(early.step == 3);
  ffi_logged_end(&twin);
  ff_log_close(log);
}

// As a program sees it that knows HDF5 but not us: names, units, and numbers through HDF5's own filters.
static void others_can_read_it(void **state)
{
  static const char *const tables[] = {"time",  "q",      "v",        "tau",
                                       "motor", "energy", "contacts", "states/state"};
  const char *path = ffi_logged_path("others.h5");
  ffi_logged_scene run;
  double time[101], last;
  (void)state;
  ffi_logged_begin(&run, SQUAT, NULL, path);
  ffi_logged_steps(&run, 100);
  last = ff_sim_time(ff_scene_sim(run.scene));
  ffi_logged_end(&run);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    assert_true(H5Aexists_by_name(file, tables[i], "unit", H5P_DEFAULT) > 0);
  const hid_t set = H5Dopen2(file, "time", H5P_DEFAULT), names = H5Dopen2(file, "names/q", H5P_DEFAULT);
  assert_int_equal(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, time), 0);
  assert_true(time[0] == 0 && time[100] == last);
  const hid_t space = H5Dget_space(names), type = H5Dget_type(names);
  assert_int_equal(H5Sget_simple_extent_npoints(space), 19);
  char *text = calloc(20, H5Tget_size(type));
  assert_int_equal(H5Dread(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), 0);
  assert_string_equal(text + 6 * H5Tget_size(type), "root_joint.qw");
  free(text);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(names);
  H5Dclose(set);
  H5Fclose(file);
}

static ff_shape_info find_shape(const ff_model *model, int purpose)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (shape.def.purpose == purpose)
      return shape;
  fail_msg("no shape with purpose %d", purpose);
  return (ff_shape_info){0};
}

// Copies of scene and model are gone when the log is read; robot, ground and meshes are in it.
static void a_log_needs_no_other_file(void **state)
{
  static const char mesh[] = "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nv 0.2 0.2 0.2\n";
  static const char robot[] =
      "<robot name='lump'><link name='lump'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
      "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='package://lump/lump.obj'/>"
      "</geometry></collision><visual><geometry><mesh filename='seen.stl'/></geometry></visual></link>"
      "</robot>";
  static const char scene[] = "title: A lump falls\nmodel: lump.urdf\nstart: {position: [0, 0, 1m]}\n"
                              "ground: {type: box, size: [1, 2, 3], position: [0, 0, -1.5]}\nduration: 10s\n";
  static const char *const names[] = {"lump.obj", "seen.stl", "lump.urdf", "lump.yaml"};
  const char *const texts[] = {mesh, "anything", robot, scene};
  ffi_logged_scene run;
  (void)state;
  for (int i = 0; i < 4; ++i) {
    FILE *file = fopen(ffi_logged_path(names[i]), "w");
    assert_non_null(file);
    fputs(texts[i], file);
    fclose(file);
  }
  char path[256];
  snprintf(path, sizeof path, "%s", ffi_logged_path("lump.h5"));
  static const char *const changes[] = {"dt=2ms", NULL};
  ffi_logged_begin(&run, ffi_logged_path("lump.yaml"), changes, path);
  ffi_logged_steps(&run, 100);
  ff_shape_info shape = find_shape(ff_scene_model(run.scene), FF_SHAPE_COLLISION);
  const int corners = shape.def.vertex_count;
  ffi_logged_end(&run);
  for (int i = 0; i < 4; ++i)
    assert_int_equal(unlink(ffi_logged_path(names[i])), 0);

  ff_log *log = ffi_logged_open(path);
  const ff_model *model;
  ff_error error = {0};
  int count;
  assert_int_equal(ff_log_model(log, &model, &error), FF_OK);
  assert_string_equal(ff_model_name(model), "lump");
  shape = find_shape(model, FF_SHAPE_COLLISION);
  assert_int_equal(shape.def.type, FF_SHAPE_HULL);
  assert_true(corners >= 4);
  assert_int_equal(shape.def.vertex_count, corners);
  shape = find_shape(model, FF_SHAPE_VISUAL);
  const ff_file *seen = ff_files_at(ff_log_files(log), shape.def.mesh_file);
  assert_non_null(seen);
  assert_string_equal(seen->data, "anything");
  const ff_ground_def *ground = ff_log_ground(log, &count);
  assert_int_equal(count, 1);
  assert_int_equal(ground[0].shape.type, FF_SHAPE_BOX);
  assert_true(ground[0].shape.size[2] == 3 && ground[0].shape.pose.position[2] == -1.5);
  const ff_file *text = ff_files_find(ff_log_files(log), FF_FILE_SCENE, NULL);
  assert_non_null(text);
  assert_non_null(strstr(text->data, "dt: 2ms"));
  ff_scene *again = ffi_logged_resume(log, -1);
  assert_int_equal(ff_scene_step_count(again), 100);
  assert_true(ff_scene_get_def(again)->sim.dt == 0.002);
  ff_scene_destroy(again);
  ff_log_close(log);
}

static void check_refused(const char *path, ff_status expected, const char *words)
{
  ff_log *log = (ff_log *)1;
  ff_error error = {0};
  assert_int_equal(ff_log_open(path, &log, &error), expected);
  assert_null(log);
  if (!strstr(error.message, words) || strncmp(error.message, path, strlen(path)) != 0)
    fail_msg("%s", error.message);
}

static void copy_part(const char *from, const char *to, long long bytes)
{
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  assert_true(in && out);
  for (int c; bytes-- > 0 && (c = fgetc(in)) != EOF;)
    fputc(c, out);
  fclose(in);
  fclose(out);
}

static long long size_of(const char *path)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  const long long size = ftell(file);
  fclose(file);
  return size;
}

static void what_is_no_log_is_refused(void **state)
{
  ffi_logged_scene run;
  (void)state;
  char good[256], bad[256];
  snprintf(good, sizeof good, "%s", ffi_logged_path("good.h5"));
  snprintf(bad, sizeof bad, "%s", ffi_logged_path("bad.h5"));
  check_refused(ffi_logged_path("absent.h5"), FF_ERROR_FILE, "no such file");
  check_refused(SQUAT, FF_ERROR_PARSE, "is not a log");

  hid_t file = H5Fcreate(bad, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(file >= 0);
  H5Fclose(file);
  check_refused(bad, FF_ERROR_PARSE, "not a log of Footfall");

  ffi_logged_begin(&run, SQUAT, NULL, good);
  ffi_logged_steps(&run, 20);
  ffi_logged_end(&run);
  const int next = FF_LOG_VERSION + 1;
  file = H5Fopen(good, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(file, "version", H5P_DEFAULT);
  assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &next) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
  check_refused(good, FF_ERROR_UNSUPPORTED, "use the program that wrote it");

  ffi_logged_begin(&run, SQUAT, NULL, good);
  ffi_logged_steps(&run, 20);
  ffi_logged_end(&run);
  const long long size = size_of(good);
  int refused = 0;
  for (int part = 0; part < 32; ++part) { // cut anywhere: refused, or read without harm, but never trusted
    copy_part(good, bad, size * part / 32);
    ff_log *log = NULL;
    ff_error error = {0};
    if (ff_log_open(bad, &log, &error) != FF_OK) {
      ++refused;
      assert_non_null(strstr(error.message, part == 0 ? "is not a log" : "damaged"));
      continue;
    }
    ff_log_row row;
    for (long long k = 0; k < ff_log_get_info(log)->rows; ++k)
      if (ff_log_read(log, k, &row, &error) != FF_OK) {
        ++refused;
        break;
      }
    ff_log_close(log);
  }
  if (refused < 31)
    fail_msg("only %d of 32 truncated files were refused", refused);
}

// Rows that a log has by now; 0 if it cannot be opened yet.
static long long rows_so_far(const char *path)
{
  ff_log *log;
  if (ff_log_open(path, &log, NULL) != FF_OK)
    return 0;
  const long long rows = ff_log_get_info(log)->rows;
  ff_log_close(log);
  return rows;
}

static void write_forever(const char *path)
{
  static const char *const changes[] = {"dt=1ms", NULL};
  ffi_logged_scene run;
  ffi_logged_begin(&run, SQUAT, changes, path);
  for (;;)
    ffi_logged_steps(&run, 1);
}

// Children write rows as fast as they can. Read meanwhile, a log has more and more of them; killed, its child leaves
// all that was seen, and a state to go on from.
static void a_killed_writer_leaves_a_log(void **state)
{
  enum { CHILDREN = 2 };
  pid_t children[CHILDREN];
  char paths[CHILDREN][256];
  (void)state;
  for (int c = 0; c < CHILDREN; ++c) {
    snprintf(paths[c], sizeof paths[c], "%s", ffi_logged_path(c ? "killed-1.h5" : "killed-0.h5"));
    children[c] = fork();
    assert_true(children[c] >= 0);
    if (children[c] == 0)
      write_forever(paths[c]);
  }
  for (int c = 0; c < CHILDREN; ++c) {
    const struct timespec while_it_writes = {0, 30000000};
    long long seen = 0;
    for (int tries = 0; tries < 1000 && (seen = rows_so_far(paths[c])) < 2; ++tries)
      nanosleep(&while_it_writes, NULL);
    kill(children[c], SIGKILL);
    int how;
    waitpid(children[c], &how, 0);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    ff_log *log = ffi_logged_open(paths[c]);
    const ff_log_info *info = ff_log_get_info(log);
    assert_int_equal(info->is_whole, 0);
    assert_true(seen >= 2 && info->rows >= seen);
    for (long long k = 0; k < info->rows; ++k)
      assert_true(must_read(log, k).step == k);
    ff_scene *scene = ffi_logged_resume(log, -1);
    assert_int_equal(ff_scene_step_count(scene), info->rows - 1);
    assert_memory_equal(ff_scene_now_q(scene), must_read(log, info->rows - 1).q,
                        (size_t)info->nq * sizeof(double));
    ff_scene_destroy(scene);
    ff_log_close(log);
  }
}

static void a_place_that_cannot_be_written_is_said(void **state)
{
  ffi_logged_scene run;
  ff_log_writer *writer = (ff_log_writer *)1;
  ff_error error = {0};
  (void)state;
  ffi_logged_begin(&run, SQUAT, NULL, ffi_logged_path("here.h5"));
  ff_log_def def = ff_log_def_default();
  def.model = ff_scene_model(run.scene);
  def.sim = ff_scene_sim(run.scene);
  assert_int_equal(ff_log_create(ffi_logged_path("absent/there.h5"), &def, &writer, &error), FF_ERROR_FILE);
  assert_null(writer);
  assert_non_null(strstr(error.message, "No such file or directory"));
  assert_int_equal(ff_log_create("/tmp", &def, &writer, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "not a regular file"));
  ffi_logged_end(&run);
}

// Every allocation of ours fails once, in writing and in reading: it is refused, for that reason, and nothing leaks.
static void memory_may_be_short(void **state)
{
  char path[256];
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ffi_logged_scene run;
  snprintf(path, sizeof path, "%s", ffi_logged_path("short.h5"));
  ffi_logged_begin(&run, SQUAT, NULL, path);
  ffi_logged_steps(&run, 5);
  ff_log_def def = ff_log_def_default();
  def.model = ff_scene_model(run.scene);
  def.sim = ff_scene_sim(run.scene);
  def.files = run.files;
  for (long n = 1, failed = 1; failed; ++n) {
    ff_log_writer *writer = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_log_create(ffi_logged_path("other.h5"), &def, &writer, NULL);
    failed = ffi_test_alloc_failed();
    assert_true(!failed || status == FF_ERROR_MEMORY || writer); // without a thread's memory it goes on
    ff_log_finish(writer, NULL);
    assert_true(n < 10000);
  }
  ffi_logged_end(&run);
  for (long n = 1, failed = 1; failed; ++n) {
    ff_log *log = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_log_open(path, &log, NULL);
    failed = ffi_test_alloc_failed();
    assert_true((status == FF_OK) == (log != NULL));
    assert_true(!failed || status == FF_ERROR_MEMORY);
    ff_log_close(log);
    assert_true(n < 10000);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_read_as_they_were_written),
      cmocka_unit_test(others_can_read_it),
      cmocka_unit_test(a_log_needs_no_other_file),

      cmocka_unit_test(what_is_no_log_is_refused),
      cmocka_unit_test(a_killed_writer_leaves_a_log),
      cmocka_unit_test(a_place_that_cannot_be_written_is_said),
      cmocka_unit_test(memory_may_be_short),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
