// A scene's robot as MJCF, with its ground and motors: what is in the text, and that MuJoCo's motors push as ours do.
#define _POSIX_C_SOURCE 200809L
#include "peers/mujoco_robot.h"
#include "robots/robots_list.h"
#include "robots/robots_text.h"
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/footfall-text-XXXXXX";

// The hip has a spring and no motor, the shoulder a motor of the scene, the elbow a servo of its own.
static const char robot[] =
    "<mujoco model=\"arm\"><compiler angle=\"radian\"/>"
    "<worldbody><body name=\"hips\"><inertial pos=\"0 0 -0.1\" mass=\"3\" diaginertia=\"0.05 0.05 0.05\"/>"
    "<joint name=\"hip\" type=\"hinge\" axis=\"0 1 0\" stiffness=\"3\" springref=\"0.2\"/>"
    "<body name=\"upper\"><inertial pos=\"0 0 -0.2\" mass=\"2\" diaginertia=\"0.03 0.03 0.01\"/>"
    "<joint name=\"shoulder &amp; so\" type=\"hinge\" axis=\"0 1 0\"/>"
    "<body name=\"lower\" pos=\"0 0 -0.4\"><inertial pos=\"0 0 -0.2\" mass=\"1\" diaginertia=\"0.02 0.02 0.01\"/>"
    "<joint name=\"elbow\" type=\"hinge\" axis=\"0 1 0\"/></body></body></body></worldbody>"
    "<actuator><position joint=\"elbow\" kp=\"40\" forcerange=\"-5 5\"/>"
    "<motor joint=\"shoulder &amp; so\"/></actuator>"
    "<keyframe><key name=\"bent\" qpos=\"0.1 0.3 0.4\"/></keyframe></mujoco>";

static const char scene_text[] =
    "model: arm.xml\n"
    "start: {posture: bent}\n"
    "ground: [{type: plane}, {type: box, size: [1, 2, 0.5], position: [3, 0, 0]}]\n"
    "controller: {type: posture-pd, kp: 0, kd: 0, joints: {\"shoulder & so\": {kp: "
    "20 Nm/rad, kd: 1 Nms/rad}}}\n"
    "dt: 1ms\nduration: 1s\n";

static void write_file(const char *name, const char *text, char path[256])
{
  snprintf(path, 256, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  fclose(file);
}

typedef struct setting {
  ff_scene *scene;
  ff_sim *sim;
} setting;

static setting begin(void)
{
  setting s;
  char path[256];
  ff_error error;
  write_file("arm.xml", robot, path);
  write_file("arm.yaml", scene_text, path);
  ffi_must(ff_scene_load(path, NULL, 0, &s.scene, &error), &error);
  const ff_sim_def def = ff_scene_sim_def(s.scene);
  ffi_must(ff_scene_create_sim(s.scene, &def, &s.sim, &error), &error);
  return s;
}

static void end(setting *s)
{
  ff_sim_destroy(s->sim);
  ff_scene_destroy(s->scene);
}

static char *text_of(const setting *s, double **references)
{
  char why[256];
  char *text = bench_robots_text(s->scene, s->sim, "robot.xml", references, why, sizeof why);
  if (!text)
    fail_msg("%s", why);
  return text;
}

static int count(const char *text, const char *word)
{
  int found = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
    ++found;
  return found;
}

static void ground_and_motors_are_added(void **state)
{
  (void)state;
  setting s = begin();
  double *references;
  char *text = text_of(&s, &references);
  assert_int_equal(count(text, "<geom type=\"plane\""), 1);
  assert_int_equal(count(text, "<geom type=\"box\" size=\"0.5 1 0.25\""), 1);
  assert_int_equal(count(text, "<general joint="), 2);
  assert_int_equal(count(text, "<general joint=\"shoulder &amp; so\""), 1);
  assert_int_equal(count(text, "<position"), 0); // replaced
  assert_int_equal(count(text, "<key "), 0);     // no longer as many controls as it was written for
  assert_int_equal(count(text, "forcerange"), 1);
  free(text);
  free(references);
  end(&s);
}

// Away from the references and in motion, the first step's change of velocity is ours in MuJoCo: springs, dampers,
// references and the limit of the elbow's force are the same. MuJoCo's step is of first order in dt, so at 1e-5 s they
// differ by that much.
static void motors_push_as_ours_do(void **state)
{
  (void)state;
  setting s = begin();
  double *references;
  char *text = text_of(&s, &references), why[256];
  bench_mujoco_robot robot_there;
  if (!bench_mujoco_robot_open_text(&robot_there, text, why, sizeof why)) {
    free(text);
    free(references);
    end(&s);
    skip(); // without MuJoCo
  }
  const double dt = 1e-5, q[3] = {0.3, 0.2, 0.9}, v[3] = {0.5, -0.4, 0.3};
  ff_sim_def def = ff_scene_sim_def(s.scene);
  ff_sim *sim;
  ff_error error;
  def.dt = dt;
  ffi_must(ff_scene_create_sim(s.scene, &def, &sim, &error), &error);
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
  ffi_must_step(sim, NULL);
  const bench_mujoco_peer *f = robot_there.peer;
  assert_int_equal(robot_there.m.nu, 2);
  assert_int_equal(robot_there.m.nv, 3);
  f->set_options(&robot_there.m, &(bench_mujoco_options){.dt = dt});
  f->reset(&robot_there.m, &robot_there.d);
  memcpy(robot_there.d.control, references, 2 * sizeof *references);
  bench_mujoco_robot_convert(ff_scene_model(s.scene), q, v, robot_there.d.qpos, robot_there.d.qvel);
  bench_mujoco_robot_step(&robot_there);
  for (int i = 0; i < 3; ++i) {
    const double ours = (ff_sim_v(sim)[i] - v[i]) / dt, theirs = (robot_there.d.qvel[i] - v[i]) / dt;
    if (!(fabs(ours - theirs) <
          2e-3 * (10 + fabs(ours)))) // 1e-5 s times rates up to 100 /s, of some 10 rad/s^2
      fail_msg("joint %d: %g and %g rad/s^2", i, ours, theirs);
    if (!(fabs(ours) > 5)) // there is something to agree on
      fail_msg("joint %d has %g rad/s^2", i, ours);
  }
  bench_mujoco_robot_close(&robot_there);
  ff_sim_destroy(sim);
  free(text);
  free(references);
  end(&s);
}

static void robots_of_a_folder_are_listed(void **state)
{
  char path[256];
  bench_robots_list list;
  (void)state;
  write_file("b.urdf", "<robot/>", path);
  write_file("notes.txt", "none", path);
  assert_true(bench_robots_list_make(folder, &list));
  assert_int_equal(list.count, 2); // arm.xml of the tests above
  assert_string_equal(list.files[0].name, "arm.xml");
  assert_string_equal(list.files[1].name, "b.urdf");
  bench_robots_list_free(&list);
  assert_false(bench_robots_list_make("/no/such/folder", &list));
  assert_true(bench_robots_list_make(NULL, &list));
  assert_true(list.count >= 20); // the shipped ones at least
  bench_robots_list_free(&list);
}

static void without_mujoco_the_reason_is_told(void **state)
{
  char why[256] = "";
  (void)state;
  setenv("FOOTFALL_MUJOCO", "none", 1);
  assert_null(bench_mujoco_peer_find(why, sizeof why));
  assert_string_equal(why, "FOOTFALL_MUJOCO=none");
  setenv("FOOTFALL_MUJOCO", "nowhere", 1);
  assert_null(bench_mujoco_peer_find(why, sizeof why));
  assert_non_null(strstr(why, "./dev bench"));
  unsetenv("FOOTFALL_MUJOCO");
}

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
  static const char *const names[] = {"arm.xml", "arm.yaml", "b.urdf", "notes.txt"};
  char path[256];
  (void)state;
  for (int i = 0; i < 4; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ground_and_motors_are_added),
      cmocka_unit_test(motors_push_as_ours_do),
      cmocka_unit_test(robots_of_a_folder_are_listed),
      cmocka_unit_test(without_mujoco_the_reason_is_told),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
