// Many robots in one world: states continue elsewhere bit for bit, reports change nothing, pointers stay valid,
// memory is freed.
#include "sim/sim.h"
#include "sim/toys.h"
#include "support/alloc_counter.h"
#include "support/robots.h"

#include <math.h>

enum { STEPPERS = FF_STEPPER_COUNT };

// ---- Scenes -------------------------------------------------------------------------------------------------

// A robot and where it begins.
typedef struct place {
  const char *file, *posture;
  double height; ///< of the posture, above where it touches the ground by at most 1 mm [m]
  double dt;
  int before, after; ///< steps before it is moved, and afterwards
} place;

static const place places[] = {
    {"solo12.urdf", "standing", 0.002, 5e-4, 60, 40},
    {"romeo.urdf", "standing", 0, 5e-4, 10, 10},
    {"piles/stack.xml", NULL, 0, 5e-4, 4, 6},
};
enum { PLACES = sizeof places / sizeof places[0] };

static ff_world *world_of(const ff_model *model, const place *p, int stepper)
{
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = p->dt;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  return world;
}

static ff_sim *robot_in(ff_world *world)
{
  ff_sim *sim;
  ff_error error;
  ffi_must(ff_sim_create_in(world, &sim, &error), &error);
  return sim;
}

static void put(ff_sim *sim, const place *p, double more)
{
  const ff_model *model = ff_sim_model(sim);
  double *q = malloc((size_t)ff_model_get_size(model).nq * sizeof *q);
  assert_non_null(q);
  ff_model_neutral(model, q);
  if (p->posture)
    memcpy(q, ffi_robot_posture(model, p->posture), (size_t)ff_model_get_size(model).nq * sizeof *q);
  for (int count = 0, k = 0; p->posture && count == 0; ++k, q[2] -= 1e-3) {
    assert_true(k < 1000);
    ffi_must_reset(sim, q, NULL);
    (void)ff_sim_contacts(sim, &count);
  }
  q[2] += (p->posture ? 1e-3 : 0) + p->height + more;
  ffi_must_reset(sim, q, NULL);
  free(q);
}

static double *state_of(const ff_sim *sim)
{
  double *state = malloc((size_t)ff_sim_state_size(sim) * sizeof *state);
  assert_non_null(state);
  ff_sim_get_state(sim, state);
  return state;
}

static void same_states(const ff_sim *a, const ff_sim *b, const char *what)
{
  double *x = state_of(a), *y = state_of(b);
  for (int i = 0; i < ff_sim_state_size(a); ++i)
    if (memcmp(&x[i], &y[i], sizeof *x) != 0)
      fail_msg("%s, %s at %g s: number %d is %.17g, not %.17g", what, ff_stepper_name(ff_sim_stepper(a)),
               ff_sim_time(a), i, y[i], x[i]);
  ff_step_info p = *ff_sim_info(a), q = *ff_sim_info(b);
  p.gained = q.gained = 0; // these two compare with earlier steps
  p.gain = q.gain = 0;
  assert_memory_equal(&p, &q, sizeof p);
  free(x);
  free(y);
}

// ---- States -------------------------------------------------------------------------------------------------

// The three go on alike: an original, one that was elsewhere and got its state, and its clone. Returns the steps
// taken.
static int go_on(const place *p, ff_sim *original, ff_sim *other)
{
  ff_sim *clone;
  ff_error error;
  double *state = state_of(original);
  ffi_must(ff_sim_clone(original, &clone, &error), &error);
  same_states(original, clone, p->file);
  assert_memory_equal(ff_sim_info(original), ff_sim_info(clone), sizeof(ff_step_info));
  assert_true(ff_sim_get_totals(clone).steps == ff_sim_get_totals(original).steps);
  put(other, p, 0.3);
  ff_sim_step(other, NULL, &error); // somewhere else entirely
  ffi_must(ff_sim_set_state(other, state, &error), &error);
  free(state);
  int taken = 0;
  for (; taken < p->after; ++taken) {
    const ff_status status = ff_sim_step(original, NULL, &error);
    assert_int_equal(ff_sim_step(other, NULL, &error), status);
    assert_int_equal(ff_sim_step(clone, NULL, &error), status);
    if (status != FF_OK)
      break;
    same_states(original, other, p->file);
    same_states(original, clone, p->file);
  }
  assert_true(ff_sim_get_totals(clone).steps == ff_sim_get_totals(original).steps);
  ff_sim_destroy(clone);
  return taken;
}

static void a_state_goes_on_in_another_sim(void **state)
{
  (void)state;
  for (int i = 0; i < PLACES; ++i) {
    ff_model *model = ffi_robot(places[i].file);
    for (int stepper = 0; stepper < STEPPERS; ++stepper) {
      ff_world *world = world_of(model, &places[i], stepper);
      ff_sim *original = robot_in(world), *other = robot_in(world);
      ff_world_destroy(world); // they have their own hold on it
      ff_error error;
      put(original, &places[i], 0);
      int touched = 0, taken = 0;
      while (taken < places[i].before && ff_sim_step(original, NULL, &error) == FF_OK) {
        touched |= ff_sim_info(original)->contacts > 0;
        ++taken;
      }
      taken += go_on(&places[i], original, other);
      if (taken < places[i].before + places[i].after)
        print_message("%s, %s: %d steps\n", places[i].file, ff_stepper_name((ff_stepper)stepper), taken);
      assert_true(touched && taken > places[i].before);
      ff_sim_destroy(original);
      ff_sim_destroy(other);
    }
    ff_model_destroy(model);
  }
}

// Each asks for something else between two steps; none is the wiser.
static void reports_change_nothing(void **state)
{
  (void)state;
  enum { SIMS = 5, STEPS = 60 };
  ff_model *model = ffi_robot("solo12.urdf");
  for (int stepper = 0; stepper < STEPPERS; ++stepper) {
    ff_world *world = world_of(model, &places[0], stepper);
    ff_sim *sim[SIMS];
    for (int i = 0; i < SIMS; ++i) {
      sim[i] = robot_in(world);
      put(sim[i], &places[0], -0.001);
    }
    int touching = 0;
    for (int k = 0; k < STEPS; ++k) {
      int count, again;
      ff_error error;
      double force[8 * 3 * 16], load[6];
      (void)ff_sim_contacts(sim[1], &count);
      (void)ff_sim_energy(sim[2]);
      for (int e = 0; e < ff_sim_element_count(sim[3]); ++e)
        ffi_must(ff_sim_element_force(sim[3], e, load), &error);
      (void)ff_sim_contacts(sim[3], &count);
      if (!ff_stepper_is_hard((ff_stepper)stepper)) {
        ffi_must(ff_sim_predict_forces(sim[4], NULL, 0.01, 0, NULL, &count, &error), &error);
        assert_true(count <= 16);
        ffi_must(ff_sim_predict_forces(sim[4], NULL, 0.01, 8, force, &count, &error), &error);
      }
      (void)ff_sim_contacts(sim[4], &again);
      for (int i = 0; i < SIMS; ++i)
        ffi_must_step(sim[i], NULL);
      for (int i = 1; i < SIMS; ++i)
        same_states(sim[0], sim[i], "reports");
      touching += ff_sim_info(sim[0])->contacts > 0;
    }
    assert_true(touching > 0);
    for (int i = 0; i < SIMS; ++i)
      ff_sim_destroy(sim[i]);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

// A step ends with the evaluation of its result, for its energy. A report after it does not detect again: there is
// nothing that it could detect with.
static void a_report_takes_what_a_step_saw(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  for (int stepper = FF_STEPPER_EULER; stepper <= FF_STEPPER_SYMPLECTIC; ++stepper) {
    ff_world *world = world_of(model, &places[0], stepper);
    ff_sim *a = robot_in(world), *b = robot_in(world);
    put(a, &places[0], -0.003);
    put(b, &places[0], -0.003);
    int touching = 0;
    for (int k = 0; k < 20; ++k) {
      int count;
      ffi_must_step(b, NULL);
      ffi_must_step(a, NULL);
      ffi_detect_memory *const detection = b->system->detection;
      b->system->detection = NULL;
      (void)ff_sim_contacts(b, &count);
      touching += count > 0;
      b->system->detection = detection;
      same_states(a, b, "seen before");
    }
    assert_true(touching > 0);
    ff_sim_destroy(a);
    ff_sim_destroy(b);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

static void views_stay(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const int nq = ff_model_get_size(model).nq, nv = ff_model_get_size(model).nv;
  for (int stepper = 0; stepper < STEPPERS; ++stepper) {
    ff_world *world = world_of(model, &places[0], stepper);
    ff_sim *sim = robot_in(world);
    const double *q = ff_sim_q(sim), *v = ff_sim_v(sim);
    const int is_placed_at = 9; // of a state vector: q begins behind its head
    put(sim, &places[0], 0);
    double *saved = state_of(sim);
    for (int k = 0; k < 5; ++k) {
      ffi_must_step(sim, NULL);
      assert_true(ff_sim_q(sim) == q && ff_sim_v(sim) == v);
      double *now = state_of(sim);
      assert_memory_equal(now + is_placed_at, q, (size_t)nq * sizeof *q);
      assert_memory_equal(now + is_placed_at + nq, v, (size_t)nv * sizeof *v);
      free(now);
    }
    ff_error error;
    ffi_must(ff_sim_set_state(sim, saved, &error), &error);
    assert_true(ff_sim_q(sim) == q && ff_sim_v(sim) == v && q[2] == ff_sim_q(sim)[2]);
    free(saved);
    ffi_must_reset(sim, NULL, NULL);
    assert_true(ff_sim_q(sim) == q && ff_sim_v(sim) == v);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

// ---- Lives --------------------------------------------------------------------------------------------------

static void a_world_tells_what_it_is(void **state)
{
  (void)state;
  ff_model *model = toy_fair(), *robot = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, &places[0], FF_STEPPER_RK4);
  ff_sim *sim = robot_in(world);
  const ff_sim_def *def = ff_world_def(world);
  assert_true(ff_world_model(world) == model && ff_sim_model(sim) == model && ff_sim_world(sim) == world);
  assert_true(def->stepper == FF_STEPPER_RK4 && def->dt == places[0].dt && def->ground_count == 1);
  assert_true(def->element_count == ff_sim_element_count(sim) && def->max_contacts > 0 &&
              def->isa != FF_ISA_AUTO);
  assert_true(!def->ground && !def->elements);
  const ff_world_memory bytes = ff_world_get_memory(world);
  assert_true(bytes.world > 0 && bytes.parameters > 0 && bytes.state > 0 && bytes.workspace > bytes.state);
  ff_sim_destroy(sim);
  ff_world_destroy(world);
  world = world_of(robot, &places[0], FF_STEPPER_EXPO); // on a plane
  assert_true(ff_world_get_memory(world).state <= 1536);
  ff_world_destroy(world);
  ff_world_destroy(NULL);
  ff_model_destroy(model);
  ff_model_destroy(robot);
}

static void what_is_not_there_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_world *world = (ff_world *)(uintptr_t)1;
  ff_sim *sim = (ff_sim *)(uintptr_t)1;
  ff_sim_def def = ff_sim_def_default();
  ff_error error;
  assert_int_equal(ff_world_create(model, &def, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_world_create(NULL, &def, &world, &error), FF_ERROR_ARGUMENT);
  assert_null(world);
  def.dt = -1;
  assert_int_equal(ff_world_create(model, &def, &world, &error), FF_ERROR_ARGUMENT);
  assert_null(world);
  assert_int_equal(ff_sim_create_in(NULL, &sim, &error), FF_ERROR_ARGUMENT);
  assert_null(sim);
  ffi_must(ff_world_create(model, NULL, &world, &error), &error);
  assert_int_equal(ff_sim_create_in(world, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_clone(NULL, &sim, &error), FF_ERROR_ARGUMENT);
  ff_sim *there = robot_in(world);
  assert_int_equal(ff_sim_clone(there, NULL, &error), FF_ERROR_ARGUMENT);
  ff_sim_destroy(there);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// Each of the four that allocate.
typedef enum maker { MAKE_WORLD, MAKE_SIM, MAKE_CLONE, MAKE_PARAMETERS, MAKERS } maker;

static ff_status make(maker what, const ff_model *model, ff_sim *sim, void **out, ff_error *error)
{
  switch (what) {
  case MAKE_WORLD: return ff_world_create(model, NULL, (ff_world **)out, error);
  case MAKE_SIM: return ff_sim_create_in(ff_sim_world(sim), (ff_sim **)out, error);
  case MAKE_CLONE: return ff_sim_clone(sim, (ff_sim **)out, error);
  default: return ff_parameters_create(ff_sim_world(sim), (ff_parameters **)out, error);
  }
}

static void destroy(maker what, void *made)
{
  if (what == MAKE_WORLD)
    ff_world_destroy(made);
  else if (what == MAKE_PARAMETERS)
    ff_parameters_destroy(made);
  else
    ff_sim_destroy(made);
}

static void no_memory_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = toy_fair();
  ff_sim *sim = ffi_must_sim(model, NULL);
  ffi_must_run(sim, 3, NULL);
  static const long least[MAKERS] = {3, 3, 3, 1};
  for (maker what = 0; what < MAKERS; ++what) {
    const long before = ffi_test_alloc_count() - ffi_test_free_count();
    long failed = 0; // those are counted as allocations too
    for (long n = 1;; ++n) {
      void *made = (void *)(uintptr_t)1;
      ff_error error = {.status = FF_OK};
      ffi_test_alloc_fail_at(n);
      const ff_status status = make(what, model, sim, &made, &error);
      if (!ffi_test_alloc_failed()) {
        assert_int_equal(status, FF_OK);
        destroy(what, made);
        break;
      }
      ++failed;
      assert_int_equal(status, FF_ERROR_MEMORY);
      assert_non_null(strstr(error.message, "memory"));
      assert_null(made);
    }
    assert_true(failed >= least[what]);
    assert_int_equal(ffi_test_alloc_count() - ffi_test_free_count(), before + failed);
  }
  ffi_must_run(sim, 3, NULL); // none the worse for it
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_state_goes_on_in_another_sim),
      cmocka_unit_test(reports_change_nothing),
      cmocka_unit_test(a_report_takes_what_a_step_saw),
      cmocka_unit_test(views_stay),
      cmocka_unit_test(a_world_tells_what_it_is),
      cmocka_unit_test(what_is_not_there_is_refused),
      cmocka_unit_test(no_memory_is_an_error_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
