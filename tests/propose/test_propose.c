// Proposals: a robot that is said to stay does so in a sim of the caller's own, the text is a scene that says
// the same, and nothing leaks whatever fails.
#define _GNU_SOURCE // mkdtemp

#include "support/alloc_counter.h"
#include "support/must.h"

#include <footfall/propose.h>
#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define ROBOTS FFI_TEST_SOURCE_DIR "/tests/new_user/robots/"

static ff_proposal *propose(const char *model, const ff_proposal_def *def)
{
  ff_proposal *proposal;
  ff_error error;
  ffi_must(ff_scene_propose(model, def, &proposal, &error), &error);
  assert_int_equal(proposal->text_size, strlen(proposal->text));
  return proposal;
}

// ---- Does it stay? --------------------------------------------------------------------------------------------------

// The proposal's numbers put into a sim by hand, without its text and without its stepper: by RK4 with short steps.
static ff_sim *sim_of(const ff_proposal *p)
{
  ff_sim_def def = ff_sim_def_default();
  ff_ground_def ground = ff_ground_def_default();
  ground.gives_pair = p->has_material;
  if (p->has_material)
    ground.shape.material = p->material;
  def.ground = &ground;
  def.ground_count = ff_model_has_ground(p->model) ? 0 : 1;
  def.elements = p->motors;
  def.element_count = p->motor_count;
  def.stepper = FF_STEPPER_RK4;
  def.dt = 5e-5;
  ff_sim *sim = ffi_must_sim(p->model, &def);
  ffi_must_reset(sim, p->q, NULL);
  return sim;
}

static void check_stays(const char *model, ff_proposal_state expected)
{
  ff_proposal *p = propose(model, NULL);
  assert_int_equal(p->state, expected);
  assert_true(p->is_stable);
  ff_sim *sim = sim_of(p);
  ff_joint_info base;
  ff_model_joint(p->model, p->base, &base);
  ffi_must_run(sim, (int)(2 / 5e-5), NULL);
  const double *q = ff_sim_q(sim) + base.q, *q0 = p->q + base.q, *v = ff_sim_v(sim) + base.v;
  const double moved = sqrt(pow(q[0] - q0[0], 2) + pow(q[1] - q0[1], 2) + pow(q[2] - q0[2], 2));
  if (moved > p->expects_moved || !(fabs(v[2]) < 0.02))
    fail_msg("%s: it moved by %g m, of %g, and falls with %g m/s", model, moved, p->expects_moved, v[2]);
  ff_sim_destroy(sim);
  ff_proposal_destroy(p);
}

static void robots_stay_where_they_are(void **state)
{
  (void)state;
  check_stays(MODELS "solo12.urdf", FF_PROPOSAL_STANDS);
  check_stays(ROBOTS "rod_on_its_tip.urdf", FF_PROPOSAL_LIES);
  check_stays(ROBOTS "quad.urdf", FF_PROPOSAL_STANDS);
}

// A ball rolls away, and it is said so.
static void a_ball_rolls(void **state)
{
  (void)state;
  ff_proposal *p = propose(MODELS "ball.urdf", NULL);
  assert_int_equal(p->state, FF_PROPOSAL_MOVES);
  assert_true(!p->is_stable && isnan(p->expects_moved));
  assert_null(strstr(p->text, "expect:"));
  ff_proposal_destroy(p);
}

// Ground of the default stiffness, 1e5 N/m, would give way by more than 1 cm below a robot heavier than 1000 N.
static void ground_carries_the_weight(void **state)
{
  (void)state;
  static const char model[] =
      "<robot name='anvil'><link name='anvil'><inertial><mass value='4000'/><inertia ixx='600' "
      "iyy='600' izz='600'/></inertial>"
      "<collision><geometry><box size='1 1 0.5'/></geometry></collision></link></robot>";
  char path[] = "/tmp/footfall-propose-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0 && write(file, model, sizeof model - 1) == (ssize_t)sizeof model - 1);
  close(file);
  ff_proposal *p = propose(path, NULL);
  assert_true(p->has_material);
  assert_true(4000 * 9.81 / p->material.stiffness <= 0.01);
  assert_true(4000 * 9.81 / p->material.stiffness > 0.005);
  assert_int_equal(p->state, FF_PROPOSAL_STANDS);
  ff_proposal_destroy(p);
  unlink(path);
}

// ---- The text -------------------------------------------------------------------------------------------------------

static void the_text_says_the_same(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-propose-XXXXXX", path[128];
  ff_scene *scene;
  ff_error error;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/solo.yaml", folder);
  ff_proposal_def def = ff_proposal_def_default();
  def.scene = path;
  ff_proposal *p = propose(MODELS "solo12.urdf", &def);
  assert_string_equal(p->scene, path);
  FILE *file = fopen(path, "wb");
  assert_true(fwrite(p->text, 1, p->text_size, file) == p->text_size);
  assert_int_equal(fclose(file), 0);
  ffi_must(ff_scene_load(path, NULL, 0, &scene, &error), &error);
  const ff_model_size size = ff_model_get_size(p->model);
  for (int i = 0; i < size.nq; ++i)
    assert_true(fabs(ff_scene_q(scene)[i] - p->q[i]) <= 1e-8);
  const ff_sim_def sim = ff_scene_sim_def(scene);
  assert_int_equal(sim.stepper, p->stepper);
  assert_true(sim.dt == p->dt && ff_scene_get_def(scene)->duration == p->duration);
  assert_int_equal(sim.element_count, p->motor_count);
  for (int i = 0; i < p->motor_count; ++i) // four digits are written
    assert_true(fabs(sim.elements[i].stiffness / p->motors[i].stiffness - 1) < 1e-3);
  assert_int_equal(ff_scene_get_def(scene)->expect.upright, p->expects_upright);
  ff_scene_destroy(scene);
  ff_proposal_destroy(p);
  unlink(path);
  rmdir(folder);
}

// ---- What is added --------------------------------------------------------------------------------------------------

static void what_a_model_lacks_is_added(void **state)
{
  (void)state;
  ff_proposal *p = propose(ROBOTS "mimic.urdf", NULL);
  assert_true(!p->has_mimic && p->mimic == FF_MIMIC_COUPLE); // they follow: nothing is missing
  ff_proposal_destroy(p);
  p = propose(ROBOTS "only_drawn.urdf", NULL);
  assert_true(p->point_count > 0);
  assert_non_null(strstr(p->text, "contact_points:"));
  for (int i = 0; i < p->point_count; ++i)
    assert_true(ff_model_find_link(p->model, p->points[i].link) >= 0);
  ff_proposal_destroy(p);
}

// ---- What is refused ------------------------------------------------------------------------------------------------

static void refuses(const char *model, const ff_proposal_def *def, ff_status status, const char *words)
{
  ff_proposal *p = (ff_proposal *)&status;
  ff_error error;
  assert_int_equal(ff_scene_propose(model, def, &p, &error), status);
  assert_null(p);
  if (!strstr(error.message, words))
    fail_msg("'%s' is not in '%s'", words, error.message);
  assert_int_equal(ff_scene_propose(model, def, &p, NULL), status);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  ff_proposal_def def = ff_proposal_def_default();
  ff_load_def load = ff_load_def_default();
  ff_load_point point = {.link = "ball"};
  refuses("/nowhere.urdf", NULL, FF_ERROR_FILE, "/nowhere.urdf");
  assert_int_equal(ff_scene_propose(NULL, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  def.posture = "restng";
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "did you mean 'resting'?");
  def.posture = NULL;
  def.scene = "bad\xff.yaml";
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "its name holds bytes that a scene cannot name");
  def.scene = NULL;
  load.contact_points = &point;
  load.contact_point_count = 1;
  def.load = &load;
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "contact points and files must be as by default");
  def = (ff_proposal_def){.posture = "resting"};
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "begin with that");
}

static int stop_at(void *user, int start, double share)
{
  assert_true(start >= 1 && share >= 0 && share <= 1);
  return ++*(int *)user == 100;
}

static void the_caller_can_stop_it(void **state)
{
  (void)state;
  int calls = 0;
  ff_proposal_def def = ff_proposal_def_default();
  ff_proposal *p;
  ff_error error;
  def.progress = stop_at;
  def.user = &calls;
  assert_int_equal(ff_scene_propose(MODELS "solo12.urdf", &def, &p, &error), FF_ERROR_STOPPED);
  assert_int_equal(calls, 100);
  assert_null(p);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

// Leaks are for the sanitizers to see.
static void check_memory(const char *model)
{
  long tried = 0;
  for (long n = 1;; n += 1 + n / 50) { // all of the first ones, then fewer: there are thousands
    ff_proposal *p = NULL;
    ff_error error = {0};
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_scene_propose(model, NULL, &p, &error);
    const int has_failed = ffi_test_alloc_failed();
    if (has_failed && (status != FF_ERROR_MEMORY || p))
      fail_msg("allocation %ld failed: %s, %s", n, ff_status_name(status), error.message);
    ff_proposal_destroy(p);
    if (!has_failed)
      break;
    ++tried;
  }
  assert_true(tried > 100);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  check_memory(MODELS "ball.urdf");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_stay_where_they_are),  cmocka_unit_test(a_ball_rolls),
      cmocka_unit_test(ground_carries_the_weight),   cmocka_unit_test(the_text_says_the_same),
      cmocka_unit_test(what_a_model_lacks_is_added), cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(the_caller_can_stop_it),      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("propose/propose", tests, NULL, NULL);
}
