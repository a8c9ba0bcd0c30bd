// Nothing in a workspace outlives a call: a sim whose workspace is filled with garbage before every call goes on bit
// for bit.
//
// Scratch becomes NaN, or numbers so large that no index is one, what is kept becomes what it was when the workspace
// was new, and the evaluation of the present state is lost.
#include "model/model.h"
#include "sim/sim.h"
#include "step/expo/expo.h"
#include "step/rig.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPPERS = FF_STEPPER_COUNT };
enum { STEPS = 80, MOST_V = 64, TIMES = 5 };

// ---- Garbage ------------------------------------------------------------------------------------------------

// A sim and how its kept memory was when it was new.
typedef struct soiled {
  ff_sim *sim;
  void *kept;      ///< of the workspace
  void *kinematic; ///< of the present evaluation's kernels
  size_t kinematic_bytes;
} soiled;

// The kernels' workspace and, behind it, its arrays: see ffi_state_kinematics_layout_work().
static size_t work_bytes(const ff_sim *sim)
{
  const ffi_kernels *k = sim->system->k;
  return ffi_block_round(k->work_size) + k->layout(sim->world->model, 1, NULL, NULL);
}

static soiled soiled_begin(ff_sim *sim)
{
  soiled s = {.sim = sim, .kinematic_bytes = work_bytes(sim)};
  s.kept = malloc(sim->workspace->kept_bytes);
  s.kinematic = malloc(s.kinematic_bytes);
  assert_true(s.kept && s.kinematic);
  memcpy(s.kept, sim->workspace->kept, sim->workspace->kept_bytes);
  memcpy(s.kinematic, sim->present.at.work, s.kinematic_bytes);
  return s;
}

static void soiled_end(soiled *s)
{
  ff_sim_destroy(s->sim);
  free(s->kept);
  free(s->kinematic);
}

// In turn: NaN and -1; 1e306 and 2139062143.
static int garbage = 0xff;

static void spoil(void *what, size_t count, size_t size)
{
  if (count > 0)
    memset(what, garbage, count * size);
}

// What was found of the present state: numbers, counts and stages.
static void spoil_present(const soiled *s)
{
  ffi_evaluation *i = &s->sim->present;
  const ffi_colliders *scene = s->sim->system->scene;
  const size_t nv = (size_t)s->sim->world->model->size.nv, elements = (size_t)s->sim->world->element_count;
  const size_t contacts = (size_t)s->sim->world->max_contacts, grounds = (size_t)scene->ground_count;
  spoil(i->at.ground, grounds, sizeof *i->at.ground);
  spoil(i->at.ground_velocity, 6 * grounds, sizeof *i->at.ground_velocity);
  spoil(i->near, (size_t)scene->most_near, sizeof *i->near);
  spoil(i->contact, contacts, sizeof *i->contact);
  spoil(i->joint_row, elements, sizeof *i->joint_row);
  spoil(i->joint_row_element, elements, sizeof *i->joint_row_element);
  spoil(i->h, nv, sizeof *i->h);
  spoil(i->force, nv, sizeof *i->force);
  spoil(i->vdot, nv, sizeof *i->vdot);
  spoil(i->J, contacts * 3 * (size_t)i->stride, sizeof *i->J);
  spoil(i->dofs, contacts * (size_t)i->stride, sizeof *i->dofs);
  memcpy(i->at.work, s->kinematic, s->kinematic_bytes);
  i->stamp = 0;
  i->at.mass = FFI_STATE_KINEMATICS_MASS_FACTORED;
  i->deepest = i->since = (double)NAN;
  i->near_count = i->count = i->joint_row_count = i->hold_count = 1000000;
}

static void soil(const soiled *s)
{
  ffi_step_workspace *w = s->sim->workspace;
  garbage = garbage == 0xff ? 0x7f : 0xff;
  spoil(w->scratch, w->scratch_bytes, 1);
  memcpy(w->kept, s->kept, w->kept_bytes);
  spoil_present(s);
}

// ---- Robots -------------------------------------------------------------------------------------------------

// What one case is about; all else is the default.
typedef struct trial {
  const char *what, *file, *posture;
  double height, spin; ///< above where the posture is [m]; of all velocities at the start
  ff_contact_law law;
  ff_normal_anchor anchor;
  int self_collision, has_motors, moves, watches, is_exact, max_contacts;
  double accuracy, limits;
} trial;

static const trial trials[] = {
    {.what = "block slides on moving ground",
     .file = "sliding_block.urdf",
     .height = 0.05,
     .spin = 1,
     .moves = 1},
    {.what = "block with slip flags",
     .file = "sliding_block.urdf",
     .height = 0.05,
     .spin = 1,
     .moves = 1,
     .law = FF_LAW_SLIP_FLAG},
    {.what = "ball rolls", .file = "ball.urdf", .height = 0.1, .spin = 2, .anchor = FF_ANCHOR_FIRST_TOUCH},
    {.what = "solo12 lands",
     .file = "solo12.urdf",
     .posture = "standing",
     .height = 0.01,
     .spin = 0.3,
     .self_collision = 1,
     .has_motors = 1,
     .watches = 1,
     .max_contacts = 24},
    {.what = "solo12 limp, against its limits",
     .file = "solo12.urdf",
     .posture = "standing",
     .height = 0.005,
     .spin = 4,
     .limits = 0.02,
     .law = FF_LAW_SLIP_FLAG,
     .moves = 1},
    {.what = "solo12 whirls, stops are far",
     .file = "solo12.urdf",
     .posture = "standing",
     .height = 0.3,
     .spin = 60,
     .limits = 0.3},
    {.what = "solo12, exact exponential",
     .file = "solo12.urdf",
     .posture = "standing",
     .height = 0.002,
     .spin = 0.2,
     .is_exact = 1,
     .has_motors = 1},
    {.what = "block to an accuracy",
     .file = "sliding_block.urdf",
     .height = 0.055,
     .spin = 1,
     .accuracy = 1e-5},
    {.what = "boxes and an arm", .file = "arm_and_boxes.xml", .watches = 1, .spin = 0.1, .max_contacts = 40},
    {.what = "four bars", .file = "four_bar.xml", .spin = 0.5},
    {.what = "a ball and paper", .file = "bullet_paper.xml", .spin = 20, .watches = 1},
};

static ff_ground_def floor_of(const trial *t)
{
  ff_ground_def floor = ff_ground_def_default();
  floor.shape.material = (ff_material){.stiffness = 2e4, .damping = 60, .friction = 0.4};
  floor.gives_pair = 1;
  if (t->moves) {
    floor.velocity[0] = 0.2;
    floor.velocity[4] = 0.1;
    floor.velocity[5] = -0.3;
  }
  return floor;
}

// A motor at every joint that turns or slides, some of them soon at their effort; or stops close by.
static int add_elements(const ff_model *model, const trial *t, const double *q, ff_element_def *out)
{
  int count = 0;
  for (int j = 0; j < model->size.joints && (t->has_motors || t->limits > 0); ++j) {
    if (model->joints[j].nv != 1)
      continue;
    ff_element_def *e = &out[count++];
    const double here = q[model->joints[j].q];
    *e = ff_element_def_default();
    e->type = t->has_motors ? FF_ELEMENT_JOINT_PD : FF_ELEMENT_JOINT_LIMIT;
    e->joint = j;
    e->stiffness = 40;
    e->damping = 1;
    e->reference = here;
    e->reference_velocity = 0.2;
    e->effort = j % 3 ? (double)INFINITY : 0.5;
    e->lower = here - t->limits;
    e->upper = here + t->limits;
  }
  return count;
}

static ff_sim *open_trial(const ff_model *model, const trial *t, ff_stepper stepper)
{
  const ff_ground_def floor = floor_of(t);
  ff_element_def elements[MOST_V];
  double q[2 * MOST_V], v[MOST_V];
  ff_sim *sim;
  ff_error error;
  assert_true(model->size.nq <= 2 * MOST_V && model->size.nv <= MOST_V);
  ff_model_neutral(model, q);
  const double *posture =
      t->posture ? ff_model_posture(model, ff_model_find_posture(model, t->posture)) : NULL;
  assert_true(posture || !t->posture);
  if (posture)
    memcpy(q, posture, (size_t)model->size.nq * sizeof *q);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 5e-4;
  if (t->height > 0) {
    def.ground = &floor;
    def.ground_count = 1;
    q[2] += t->height;
  }
  def.elements = elements;
  def.element_count = add_elements(model, t, q, elements);
  def.self_collision = t->self_collision;
  def.contact_law = t->law;
  def.normal_anchor = t->anchor;
  def.watch_passing = t->watches;
  def.max_contacts = t->max_contacts;
  def.accuracy = stepper == FF_STEPPER_EXPO ? t->accuracy : 0;
  if (t->is_exact)
    def.expo.exponential = FF_EXPONENTIAL_EXACT;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK)
    fail_msg("%s: %s", t->what, error.message);
  ffi_random random = ffi_random_seed(3);
  ffi_random_vector(&random, model->size.nv, t->spin, v);
  if (ff_sim_reset(sim, q, v, &error) != FF_OK)
    fail_msg("%s: %s", t->what, error.message);
  return sim;
}

// ---- Two runs, side by side ---------------------------------------------------------------------------------

static void control(const ff_model *model, int step, double *tau)
{
  for (int i = 0; i < model->size.nv; ++i)
    tau[i] = step % 3 == 0 ? 0 : 0.01 * sin(0.3 * step + i);
}

static void same_state(const soiled *s, const ff_sim *other, const char *what, int step)
{
  const size_t size = (size_t)ff_sim_state_size(other);
  double *a = malloc(2 * size * sizeof *a), *b = a + size;
  assert_non_null(a);
  ff_sim_get_state(s->sim, a);
  ff_sim_get_state(other, b);
  for (size_t i = 0; i < size; ++i)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0)
      fail_msg("%s with %s: after step %d number %zu of the state is %.17g, not %.17g", what,
               ff_stepper_name(ff_sim_stepper(other)), step, i, a[i], b[i]);
  free(a);
  const ff_step_info x = *ff_sim_info(s->sim), y = *ff_sim_info(other);
  assert_memory_equal(&x, &y, sizeof x);
}

// Contacts, energies and forces of elements. Asked in an order that changes, each after garbage.
static void same_reports(const soiled *s, ff_sim *other, int step)
{
  int count, expected;
  soil(s);
  const ff_contact *a = ff_sim_contacts(s->sim, &count), *b = ff_sim_contacts(other, &expected);
  assert_int_equal(count, expected);
  for (int i = 0; i < count; ++i)
    assert_true(memcmp(&a[i], &b[i], offsetof(ff_contact, mode)) == 0 && a[i].mode == b[i].mode);
  if (step % 2)
    soil(s);
  const ff_energy e = ff_sim_energy(s->sim), f = ff_sim_energy(other);
  assert_memory_equal(&e, &f, sizeof e);
  for (int k = 0; k < ff_sim_element_count(other); ++k) {
    double own[6] = {0}, its[6] = {0};
    soil(s);
    assert_int_equal(ff_sim_element_force(s->sim, k, own), ff_sim_element_force(other, k, its));
    assert_memory_equal(own, its, sizeof own);
  }
}

// How many steps both took, and how many of them were in contact.
static int run(const ff_model *model, const trial *t, ff_stepper stepper, int *touching)
{
  ff_sim *clean = open_trial(model, t, stepper);
  ff_sim *dirty = NULL;
  ff_error error;
  assert_int_equal(ff_sim_create_in(ff_sim_world(clean), &dirty, &error), FF_OK);
  soiled s = soiled_begin(dirty);
  double *start = malloc((size_t)ff_sim_state_size(clean) * sizeof *start), tau[MOST_V];
  assert_non_null(start);
  ff_sim_get_state(clean, start);
  soil(&s);
  assert_int_equal(ff_sim_set_state(dirty, start, &error), FF_OK);
  free(start);
  const int steps = stepper == FF_STEPPER_ESS ? STEPS / 4 : STEPS;
  int taken = 0;
  for (; taken < steps; ++taken) {
    control(model, taken, tau);
    soil(&s);
    const ff_status status = ff_sim_step(dirty, tau, &error);
    assert_int_equal(ff_sim_step(clean, tau, &error), status);
    same_state(&s, clean, t->what, taken);
    if (status != FF_OK)
      break; // too stiff for an explicit stepper: both say so
    *touching += ff_sim_info(clean)->contacts > 0;
    if (taken % 5 == 0)
      same_reports(&s, clean, taken);
  }
  soiled_end(&s);
  ff_sim_destroy(clean);
  return taken;
}

static void garbage_changes_no_bit(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; ++i) {
    ff_model *model = ffi_rig_load(trials[i].file);
    int touching = 0, taken = 0;
    for (int stepper = 0; stepper < STEPPERS; ++stepper)
      taken += run(model, &trials[i], (ff_stepper)stepper, &touching);
    print_message("%-34s %d steps, %d in contact\n", trials[i].what, taken, touching);
    assert_true(taken > STEPS);
    assert_true(touching > 0 || trials[i].height == 0 || trials[i].height > 0.1);
    ff_model_destroy(model);
  }
}

// Predictions between steps, in a dirty workspace.
static void predictions_leave_nothing(void **state)
{
  (void)state;
  ff_model *model = ffi_rig_load("solo12.urdf");
  for (int stepper = 0; stepper < FF_STEPPER_SOFT_COUNT; ++stepper) {
    ff_sim *clean = open_trial(model, &trials[3], (ff_stepper)stepper), *dirty;
    ff_error error;
    assert_int_equal(ff_sim_clone(clean, &dirty, &error), FF_OK);
    soiled s = soiled_begin(dirty);
    for (int k = 0; k < 10; ++k) {
      double a[TIMES * 3 * 24] = {0}, b[TIMES * 3 * 24] = {0}; // of max_contacts
      int contacts, expected;
      soil(&s);
      assert_int_equal(ff_sim_predict_forces(dirty, NULL, 0.01, TIMES, a, &contacts, &error), FF_OK);
      assert_int_equal(ff_sim_predict_forces(clean, NULL, 0.01, TIMES, b, &expected, &error), FF_OK);
      assert_int_equal(contacts, expected);
      assert_memory_equal(a, b, sizeof a);
      soil(&s);
      assert_int_equal(ff_sim_step(dirty, NULL, &error), FF_OK);
      assert_int_equal(ff_sim_step(clean, NULL, &error), FF_OK);
      same_state(&s, clean, "predictions", k);
    }
    soiled_end(&s);
    ff_sim_destroy(clean);
  }
  ff_model_destroy(model);
}

// Sizes that errors are measured by are the robot's own, not those that the workspace was made with.
static void gravity_is_the_robots_own(void **state)
{
  (void)state;
  ff_model *model = ffi_rig_load("ball.urdf");
  ff_sim *sim = open_trial(model, &trials[2], FF_STEPPER_EXPO);
  const ffi_expo *expo = sim->system->memory;
  ff_parameters *p;
  ff_error error;
  assert_int_equal(ff_parameters_create(ff_sim_world(sim), &p, &error), FF_OK);
  assert_int_equal(ff_parameters_set_gravity(p, (const double[3]){0, 3, -4}, &error), FF_OK);
  assert_int_equal(ff_sim_set_parameters(sim, p, &error), FF_OK);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_OK);
  assert_true(expo->frozen.gravity == 5);
  ff_parameters_destroy(p);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(garbage_changes_no_bit),
      cmocka_unit_test(predictions_leave_nothing),
      cmocka_unit_test(gravity_is_the_robots_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
