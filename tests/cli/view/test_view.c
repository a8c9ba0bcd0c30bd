// footfall view: a page holds what `footfall run` logs of the same run, and what the model's file says; pages of long
// runs stay small. How a page looks is for tests/viewer.
#include "cli/run/csv_table.h"
#include "cli/run_command.h"
#include "cli/view/view_page.h"

#include <footfall/log.h>
#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define TROT "'" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml'"
#define PUSH "'" FFI_TEST_SOURCE_DIR "/scenes/starleth-push.yaml'"
#define BULLET "'" FFI_TEST_SOURCE_DIR "/scenes/bullet-paper.yaml'"
#define BLOCK "'" FFI_TEST_SOURCE_DIR "/models/sliding_block.urdf'"

static char page_path[256];

// A page of these arguments. Free it.
static ffi_page view(const char *arguments)
{
  snprintf(page_path, sizeof page_path, "%s/page.html", ffi_scratch_folder());
  ffi_output output = ffi_run("", "view --no-open -o '%s' %s", page_path, arguments);
  if (output.status != 0)
    fail_msg("view %s: exit status %d, %s", arguments, output.status, output.err);
  assert_non_null(strstr(output.out, page_path));
  ffi_output_free(&output);
  return ffi_page_read(page_path);
}

// The page's numbers are floats: 24 bits.
static void assert_float(double got, double expected, const char *what, int row)
{
  if (fabs(got - expected) > 1e-7 * fabs(expected) + 1e-30)
    fail_msg("%s, row %d: %.10g, expected %.10g", what, row, got, expected);
}

static void rows_are_what_run_logs(void **state)
{
  static const struct {
    const char *group, *name, *title;
  } same[] = {
      {"base_link", "z", "q.root_joint.z [m]"},
      {"base_link", "wy", "v.root_joint.wy [rad/s]"},
      {"joint positions", "FL_KFE", "q.FL_KFE [rad]"},
      {"joint velocities", "HR_HAA", "v.HR_HAA [rad/s]"},
      {"energy", "total", "energy [J]"},
      {"energy", "elastic", "elastic [J]"},
      {"contacts", "touching", "contacts [1]"},
      {"contacts", "normal force", "normal_force [N]"},
      {"contact forces", "FR_FOOT z", "force.FR_FOOT.z [N]"},
  };
  (void)state;
  ffi_page_need_viewer();
  char csv_path[256];
  snprintf(csv_path, sizeof csv_path, "%s/run.csv", ffi_scratch_folder());
  ffi_output output = ffi_run("", "run " TROT " --duration 0.5 --log '%s'", csv_path);
  ffi_output_free(&output);
  ffi_csv_table csv = ffi_csv_read(csv_path);
  ffi_page page = view(TROT " --duration 0.5");
  assert_int_equal(page.run_count, 1);
  assert_int_equal(ffi_page_count(&page.runs[0], "row_times"), csv.rows);
  for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i) {
    const int signal = ffi_page_signal(&page.runs[0], same[i].group, same[i].name);
    const int column = ffi_csv_column(&csv, same[i].title);
    for (int row = 0; row < csv.rows; ++row)
      assert_float(ffi_page_value(&page.runs[0], row, signal), csv.cells[row * csv.columns + column],
                   same[i].title, row);
  }
  ffi_page_free(&page);
  ffi_csv_free(&csv);
}

// The base's pose is the log's q, every hundredth of a second; the contacts of a frame add up to the forces of its row.
static void frames_are_what_rows_say(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(TROT " --duration 0.5");
  const ffi_page_run *run = &page.runs[0];
  const int links = ffi_json_get(run->header, "links")->count, frames = ffi_page_count(run, "frame_times");
  const int x = ffi_page_signal(run, "base_link", "x"),
            normal = ffi_page_signal(run, "contacts", "normal force");
  assert_int_equal(frames, 51);
  assert_int_equal(ffi_page_count(run, "poses"), 7 * links * frames);
  assert_string_equal(ffi_json_get(ffi_json_at(ffi_json_get(run->header, "links"), 0), "name")->text,
                      "base_link");
  double seen = 0;
  for (int f = 0; f < frames; ++f) {
    const int row = 5 * f; // 2 ms
    double length = 0, force = 0;
    assert_float(ffi_page_number(run, "frame_times", f), ffi_page_number(run, "row_times", row), "time", f);
    for (int k = 0; k < 3; ++k)
      assert_float(ffi_page_number(run, "poses", 7 * links * f + k), ffi_page_value(run, row, x + k), "pose",
                   f);
    for (int k = 3; k < 7; ++k)
      length += pow(ffi_page_number(run, "poses", 7 * links * f + k), 2);
    assert_true(fabs(length - 1) < 1e-6);
    for (int c = (int)ffi_page_number(run, "contact_starts", f);
         c < (int)ffi_page_number(run, "contact_starts", f + 1); ++c) {
      for (int k = 0; k < 3; ++k)
        force += ffi_page_number(run, "contacts", 12 * c + 5 + k) *
                 ffi_page_number(run, "contacts", 12 * c + 8 + k);
      assert_true(ffi_page_number(run, "contacts", 12 * c + 11) == 1); // mu of the scene
    }
    assert_true(fabs(force - ffi_page_value(run, row, normal)) < 1e-4);
    seen += force;
  }
  assert_true(fabs(seen / frames / (9.81 * ffi_json_get(run->header, "mass")->number) - 1) <
              0.1); // it trots on its feet
  ffi_page_free(&page);
}

// Of a joint that a motor of the sim holds: what its gains make of the page's own angle and speed, in a run as in its
// log.
static void torques_are_those_of_motors_too(void **state)
{
  static const char pendulum[] = "'" FFI_TEST_SOURCE_DIR "/models/pendulum.urdf' --posture horizontal "
                                 "--pd 40,2 --dt 10ms --duration 1";
  char log_path[256];
  (void)state;
  ffi_page_need_viewer();
  snprintf(log_path, sizeof log_path, "%s/pendulum.h5", ffi_scratch_folder());
  ffi_output output = ffi_run("", "run %s --quiet --out '%s'", pendulum, log_path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  for (int is_log = 0; is_log < 2; ++is_log) {
    ffi_page page = view(is_log ? log_path : pendulum);
    const ffi_page_run *run = &page.runs[0];
    const int rows = ffi_page_count(run, "row_times"),
              joint = ffi_page_signal(run, "joint positions", "hinge"),
              speed = ffi_page_signal(run, "joint velocities", "hinge"),
              torque = ffi_page_signal(run, "joint torques", "hinge");
    double most = 0;
    for (int row = 0; row < rows; ++row) {
      const double wanted =
          40 * (M_PI / 2 - ffi_page_value(run, row, joint)) - 2 * ffi_page_value(run, row, speed);
      const double got = ffi_page_value(run, row, torque);
      if (fabs(got - wanted) >
          40 * 2e-7 + 2e-7 * fabs(wanted)) // floats: half a bit of pi / 2, times the gain
        fail_msg("row %d: %.9g, expected %.9g", row, got, wanted);
      most = fmax(most, fabs(wanted));
    }
    assert_true(rows == 101 && most > 1);
    ffi_page_free(&page);
  }
}

static void log_row(ff_scene *scene, ff_log_writer *writer)
{
  ff_sim *sim = ff_scene_sim(scene);
  ff_error error = {0};
  ff_log_row row = {.time = ff_sim_time(sim),
                    .step = ff_scene_step_count(scene),
                    .q = ff_scene_now_q(scene),
                    .v = ff_scene_now_v(scene),
                    .tau = ff_scene_tau(scene),
                    .energy = ff_sim_energy(sim),
                    .info = *ff_sim_info(sim)};
  row.contacts = ff_scene_contacts(scene, &row.contact_count);
  if (ff_log_write(writer, &row, &error) != FF_OK)
    fail_msg("%s", error.message);
}

// So many steps of the trotting Solo as a log, made with the library.
static void write_log(const char *path, int steps)
{
  ff_files *files = ff_files_create();
  ff_scene *scene = NULL;
  ff_log_writer *writer = NULL;
  ff_error error = {0};
  const char *file = FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml";
  if (ff_scene_load_files(file, NULL, 0, files, NULL, &scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  const ff_sim_def sim = ff_scene_sim_def(scene);
  ff_log_def def = ff_log_def_default();
  def.model = ff_scene_model(scene), def.sim = ff_scene_sim(scene), def.files = files, def.file = file;
  def.title = ff_scene_get_def(scene)->title, def.ground = sim.ground, def.ground_count = sim.ground_count;
  if (ff_log_create(path, &def, &writer, &error) != FF_OK)
    fail_msg("%s", error.message);
  log_row(scene, writer);
  for (int k = 0; k < steps; ++k) {
    if (ff_scene_step(scene, &error) != FF_OK)
      fail_msg("%s", error.message);
    log_row(scene, writer);
  }
  if (ff_log_finish(writer, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_scene_destroy(scene);
  ff_files_destroy(files);
}

// Contacts of a log are floats, whose sums are a little different; all else has the same bits.
static void a_log_gives_the_page_of_its_run(void **state)
{
  static const char *const arrays[] = {"frame_times", "poses",     "contact_starts",
                                       "contacts",    "row_times", "rows"};
  char log_path[256];
  (void)state;
  ffi_page_need_viewer();
  snprintf(log_path, sizeof log_path, "%s/trot.h5", ffi_scratch_folder());
  write_log(log_path, 100);
  ffi_page from_log = view(log_path), from_scene = view(TROT " --duration 0.2");
  assert_int_equal(from_log.run_count, 1);
  assert_string_equal(ffi_json_get(from_log.runs[0].header, "title")->text, "Solo trots");
  assert_int_equal(ffi_json_get(from_log.runs[0].header, "links")->count,
                   ffi_json_get(from_scene.runs[0].header, "links")->count);
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
    const int count = ffi_page_count(&from_log.runs[0], arrays[i]);
    assert_int_equal(count, ffi_page_count(&from_scene.runs[0], arrays[i]));
    for (int k = 0; k < count; ++k) {
      const double a = ffi_page_number(&from_log.runs[0], arrays[i], k);
      const double b = ffi_page_number(&from_scene.runs[0], arrays[i], k);
      if (fabs(a - b) > 3e-7 * fabs(b) + 1e-6)
        fail_msg("%s[%d]: %.9g, expected %.9g", arrays[i], k, a, b);
    }
  }
  ffi_page_free(&from_log);
  ffi_page_free(&from_scene);
}

// Of a block that slides at once: friction of its file, all contacts slip, and the ground is tilted as asked.
static void slipping_and_slope_are_told(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(BLOCK " --slope 20deg --duration 0.5");
  const ffi_page_run *run = &page.runs[0];
  const int contacts = ffi_page_count(run, "contacts") / 12;
  const ffi_json_value *ground = ffi_json_at(ffi_json_get(run->header, "ground"), 0);
  assert_string_equal(ffi_json_get(ground, "type")->text, "plane");
  assert_true(fabs(ffi_json_at(ffi_json_get(ground, "quaternion"), 1)->number - sin(10 * M_PI / 180)) <
              1e-12);
  assert_true(contacts > 100);
  for (int c = contacts - 4; c < contacts; ++c) {
    assert_true(ffi_page_number(run, "contacts", 12 * c + 1) == 2);
    assert_float(ffi_page_number(run, "contacts", 12 * c + 11), 0.25, "friction", c);
  }
  ffi_page_free(&page);
}

static void long_runs_stay_small(void **state)
{
  struct stat status;
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(BLOCK " --dt 0.1ms --duration 6");
  const ffi_page_run *run = &page.runs[0];
  const int rows = ffi_page_count(run, "row_times"), frames = ffi_page_count(run, "frame_times");
  assert_int_equal(stat(page_path, &status), 0);
  assert_true(status.st_size < 5000000);
  assert_true(rows > 5000 && rows < 50000 && frames > 500);
  assert_true(ffi_page_number(run, "row_times", 0) == 0);
  assert_float(ffi_page_number(run, "row_times", rows - 1), 6, "end", rows - 1);
  for (int i = 2; i + 1 < rows; ++i) // evenly, but for the last
    assert_true(fabs(ffi_page_number(run, "row_times", i) - i * ffi_page_number(run, "row_times", 1)) < 1e-5);
  ffi_page_free(&page);
}

static void several_steppers_and_one_that_fails(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(TROT " --duration 0.2 --steppers expo,euler");
  assert_int_equal(page.run_count, 2);
  assert_string_equal(ffi_json_get(page.runs[0].header, "stepper")->text, "expo");
  assert_true(ffi_json_get(page.runs[0].header, "failure")->type == FFI_JSON_NULL);
  assert_string_equal(ffi_json_get(page.runs[1].header, "stepper")->text, "euler");
  assert_non_null(strstr(ffi_json_get(page.runs[1].header, "failure")->text, "euler"));
  assert_true(ffi_json_get(page.runs[1].header, "end")->number < 0.2);
  ffi_page_free(&page);
}

// The push of a scene is in the page of its run and in that of its log, as the scene has it: 20 N s over 0.1 s.
static void pushes_are_told(void **state)
{
  char log_path[256];
  (void)state;
  ffi_page_need_viewer();
  snprintf(log_path, sizeof log_path, "%s/push.h5", ffi_scratch_folder());
  ffi_output output = ffi_run("", "run " PUSH " --duration 0.1 --set 'expect={}' --log '%s'", log_path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  ffi_page pages[2] = {view(log_path), view(PUSH " --duration 0.1")};
  for (int i = 0; i < 2; ++i) {
    const ffi_json_value *pushes = ffi_json_get(pages[i].runs[0].header, "pushes"),
                         *links = ffi_json_get(pages[i].runs[0].header, "links");
    assert_int_equal(pushes->count, 1);
    const ffi_json_value *push = ffi_json_at(pushes, 0);
    const int link = (int)ffi_json_get(push, "link")->number;
    assert_string_equal(ffi_json_get(ffi_json_at(links, link), "name")->text, "BASE");
    assert_true(ffi_json_at(ffi_json_get(push, "at"), 1)->number == 0.185);
    assert_true(fabs(ffi_json_at(ffi_json_get(push, "force"), 1)->number + 200) < 1e-9);
    assert_true(ffi_json_get(push, "from")->number == 0.2);
    assert_true(ffi_json_get(push, "duration")->number == 0.1);
    ffi_page_free(&pages[i]);
  }
}

// What went through what is told; nothing of a run in which nothing did.
static void passing_through_is_told(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(BULLET " --steppers symplectic,c2a");
  assert_non_null(strstr(ffi_json_get(page.runs[0].header, "warning")->text, "passed through"));
  assert_true(ffi_json_get(page.runs[1].header, "warning")->type == FFI_JSON_NULL);
  assert_true(ffi_page_count(&page.runs[1], "frame_times") >= 20); // a short run has frames, too
  ffi_page_free(&page);
}

// The same of a log, also where nothing was expected of its run.
static void passing_through_is_told_of_logs(void **state)
{
  char log_path[256];
  (void)state;
  ffi_page_need_viewer();
  snprintf(log_path, sizeof log_path, "%s/bullet.h5", ffi_scratch_folder());
  ffi_output output =
      ffi_run("", "run " BULLET " --stepper symplectic --dt 1ms --set 'expect={}' --log '%s'", log_path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  ffi_page page = view(log_path);
  assert_non_null(strstr(ffi_json_get(page.runs[0].header, "warning")->text, "passed through"));
  assert_true(ffi_json_get(page.runs[0].header, "failure")->type == FFI_JSON_NULL);
  ffi_page_free(&page);
}

// A title cannot end the element that it stands in, and needs nothing but the page: its policy says so.
static void titles_are_only_titles(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_page page = view(TROT " --duration 0.01 --set 'title=\"</script><script>alert(1)</script>\"'");
  assert_string_equal(ffi_json_get(page.runs[0].header, "title")->text, "</script><script>alert(1)</script>");
  assert_null(strstr(page.text, "alert(1)</script>"));
  assert_non_null(strstr(page.text, "default-src 'none'"));
  ffi_page_free(&page);
}

// Two shapes of one mesh, and one of another: the page has each file once, byte for byte.
static void a_mesh_is_in_a_page_once(void **state)
{
  static const char one[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", two[] = "v 0 0 0\nv 2 0 0\n";
  static const char robot[] =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
      "ixz='0' iyz='0'/></inertial><visual><geometry><mesh filename='one.obj'/></geometry></visual><visual>"
      "<geometry><mesh filename='two.obj'/></geometry></visual><visual><geometry><mesh filename='one.obj' "
      "scale='1 -1 1'/></geometry></visual></link></robot>";
  const char *const texts[] = {one, two, one};
  (void)state;
  ffi_page_need_viewer();
  ffi_write_file("one.obj", one, (int)strlen(one));
  ffi_write_file("two.obj", two, (int)strlen(two));
  ffi_page page = view(ffi_write_file("meshes.urdf", robot, (int)strlen(robot)));
  const ffi_page_run *run = &page.runs[0];
  const ffi_json_value *shapes = ffi_json_get(ffi_json_at(ffi_json_get(run->header, "links"), 0), "shapes");
  int begins[3];
  assert_int_equal(shapes->count, 3);
  for (int i = 0; i < 3; ++i) {
    const ffi_json_value *piece = ffi_json_get(ffi_json_at(shapes, i), "mesh");
    begins[i] = (int)ffi_json_at(piece, 0)->number;
    assert_int_equal((int)ffi_json_at(piece, 1)->number, strlen(texts[i]));
    assert_memory_equal(run->bytes[0] + begins[i], texts[i], strlen(texts[i]));
  }
  assert_int_equal(begins[0], begins[2]);
  assert_int_not_equal(begins[0], begins[1]);
  ffi_page_free(&page);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_what_run_logs),
      cmocka_unit_test(frames_are_what_rows_say),
      cmocka_unit_test(torques_are_those_of_motors_too),
      cmocka_unit_test(a_log_gives_the_page_of_its_run),
      cmocka_unit_test(slipping_and_slope_are_told),
      cmocka_unit_test(long_runs_stay_small),
      cmocka_unit_test(several_steppers_and_one_that_fails),
      cmocka_unit_test(pushes_are_told),
      cmocka_unit_test(passing_through_is_told),
      cmocka_unit_test(passing_through_is_told_of_logs),
      cmocka_unit_test(titles_are_only_titles),
      cmocka_unit_test(a_mesh_is_in_a_page_once),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
