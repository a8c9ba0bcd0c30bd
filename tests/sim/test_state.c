// The state: saved and restored it continues bit for bit, with every stepper; invalid vectors are refused.
#include "sim/toys.h"

#include <math.h>

enum { STEPS = 200, MOST = 4096 };

// A stepper, and options of it.
typedef struct manner {
  ff_stepper stepper;
  ff_contact_law law;
  int without_events;
  ff_exponential exponential;
} manner;

static ff_sim *fair_sim(const ff_model *model, manner how, double dt)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.velocity[0] = 0.2; // it slides and turns under what lies on it
  ground.velocity[5] = 0.5;
  ff_element_def string = ff_element_def_default();
  string.type = FF_ELEMENT_POINT;
  string.a.frame = ff_model_find_frame(model, "ball");
  string.a.offset[2] = 0.1;
  string.b.offset[0] = -1;
  string.b.offset[2] = 0.6;
  string.stiffness = 5;
  string.damping = 0.1;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = how.stepper;
  def.contact_law = how.law;
  def.expo.events = !how.without_events;
  def.expo.exponential = how.exponential;
  def.dt = dt;
  def.ground = &ground;
  def.ground_count = 1;
  def.elements = &string;
  def.element_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  if (ff_sim_set_posture(sim, "start", &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_int_equal(
      ff_sim_set_reference(sim, ff_sim_find_motor(sim, ff_model_find_joint(model, "shoulder")), 0.5, 0.3),
      FF_OK);
  return sim;
}

// What is wanted from step k on: tau depends on the step alone.
static void control(int k, int nv, double *tau)
{
  for (int i = 0; i < nv; ++i)
    tau[i] = 0.05 * ((k * 7 + i * 3) % 5 - 2);
  tau[6] = k / 25 % 2 ? 8 : -8; // the cube is pushed to and fro, beyond its friction
}

// Steps; returns at how many of them something slipped.
static int run(ff_sim *sim, int from, int to)
{
  double tau[64];
  const int nv = ff_model_get_size(ff_sim_model(sim)).nv;
  int slips = 0;
  for (int k = from; k < to; ++k) {
    control(k, nv, tau);
    ffi_must_run(sim, 1, tau);
    int count, slipping = 0;
    const ff_contact *contact = ff_sim_contacts(sim, &count);
    for (int i = 0; i < count; ++i)
      slipping |= contact[i].mode == FF_CONTACT_SLIP;
    slips += slipping;
  }
  return slips;
}

// The vector of a state as it is now; equal states are equal bytes.
static size_t save(const ff_sim *sim, double state[MOST])
{
  assert_true(ff_sim_state_size(sim) <= MOST);
  memset(state, 0x5a, MOST * sizeof *state);
  ff_sim_get_state(sim, state);
  return (size_t)ff_sim_state_size(sim) * sizeof *state;
}

static void restore(ff_sim *sim, const double *state)
{
  ff_error error;
  if (ff_sim_set_state(sim, state, &error) != FF_OK)
    fail_msg("%s", error.message);
}

// A run of 200 steps; again from its middle, in the same sim and in one that did something else before.
static void check_stepper(manner how)
{
  const ff_stepper stepper = how.stepper;
  static double middle[MOST], end[MOST], again[MOST];
  const int is_stable = stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_EXPO_PAPER ||
                        stepper == FF_STEPPER_IMPLICIT || stepper == FF_STEPPER_ESS ||
                        ff_stepper_is_hard(stepper);
  const double dt = is_stable ? 2e-3 : 2e-4;
  ff_model *model = toy_fair();
  ff_sim *sim = fair_sim(model, how, dt);
  const int lead = (int)(0.15 / dt), half = STEPS / 2; // by then cube and ball have landed
  run(sim, 0, lead);
  const int before = run(sim, lead, lead + half);
  const size_t bytes = save(sim, middle);
  int contacts;
  ff_sim_contacts(sim, &contacts);
  ff_sim_energy(sim); // asking must not change the future
  const int after = run(sim, lead + half, lead + STEPS);
  save(sim, end);
  if (contacts < 2 || before < 10 || after < 10)
    fail_msg("%s: %d contacts, %d and %d steps with slip: too little is tested", ff_stepper_name(stepper),
             contacts, before, after);

  restore(sim, middle);
  save(sim, again);
  assert_memory_equal(again, middle, bytes);
  run(sim, lead + half, lead + STEPS);
  save(sim, again);
  if (memcmp(again, end, bytes) != 0)
    fail_msg("%s: the same sim, restored, goes another way", ff_stepper_name(stepper));

  ff_sim *fresh = fair_sim(model, how, dt);
  restore(fresh, middle);
  run(fresh, lead + half, lead + STEPS);
  save(fresh, again);
  if (memcmp(again, end, bytes) != 0)
    fail_msg("%s: a fresh sim, restored, goes another way", ff_stepper_name(stepper));
  assert_true(ff_sim_time(fresh) == ff_sim_time(sim));
  ff_sim_destroy(fresh);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void restored_runs_are_bit_equal(void **state)
{
  (void)state;
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    check_stepper((manner){.stepper = (ff_stepper)i});
}

// With a slip flag, which is part of the state.
static void flags_are_restored(void **state)
{
  (void)state;
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    if (!ff_stepper_is_hard((ff_stepper)i))
      check_stepper((manner){.stepper = (ff_stepper)i, .law = FF_LAW_SLIP_FLAG});
  check_stepper((manner){.stepper = FF_STEPPER_EXPO, .law = FF_LAW_SLIP_FLAG, .without_events = 1});
  static const ff_stepper expos[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  for (int i = 0; i < 2; ++i)
    check_stepper(
        (manner){.stepper = expos[i], .law = FF_LAW_SLIP_FLAG, .exponential = FF_EXPONENTIAL_EXACT});
}

static void refuse(ff_sim *sim, const double *state, const char *fragment)
{
  static double before[MOST], after[MOST];
  ff_error error = {.message = ""};
  const size_t bytes = save(sim, before);
  assert_int_equal(ff_sim_set_state(sim, state, &error), FF_ERROR_ARGUMENT);
  if (!strstr(error.message, fragment))
    fail_msg("'%s' does not say '%s'", error.message, fragment);
  save(sim, after);
  assert_memory_equal(after, before, bytes);
}

static void what_is_no_state_is_refused(void **state)
{
  (void)state;
  static double good[MOST], bad[MOST], other_state[MOST];
  ff_model *model = toy_fair(), *ball = toy_ball(NULL);
  ff_sim *sim = fair_sim(model, (manner){.stepper = FF_STEPPER_EULER}, 1e-4),
         *other = ffi_must_sim(ball, NULL);
  ffi_must_run(sim, 2000, NULL);
  const size_t bytes = save(sim, good);
  const int size = ff_sim_state_size(sim);
  assert_true(good[5] >= 2); // contacts
#define SPOIL(index, value, fragment)                                                                        \
  do {                                                                                                       \
    memcpy(bad, good, bytes);                                                                                \
    bad[index] = value;                                                                                      \
    refuse(sim, bad, fragment);                                                                              \
  } while (0)
  SPOIL(0, 0, "not a state vector");
  SPOIL(1, size + 1, "another model");
  SPOIL(2, good[2] + 1, "another model");
  SPOIL(3, (double)NAN, "number 3 of the state is nan");
  SPOIL(size - 1, (double)INFINITY, "not finite");
  SPOIL(7, 1e300, "number 7 of the state is 1e+300: not finite, or too large");
  SPOIL(9 + 16 + 13, 1e5, "v of joint 'elbow' is beyond max_speed, 10000");
  SPOIL(9 + 16, -1e5, "v of joint 'ball_free' is beyond max_speed");
  const int ground = 9 + 16 + 14 + 2 * 3; // R [9], p [3], then its velocity
  SPOIL(ground, good[ground] + 1e-6, "the orientation of ground 0 is not a rotation");
  SPOIL(ground + 12 + 5, 1e5, "the velocity of ground 0 is beyond max_speed");
  memcpy(bad, good, bytes);
  for (int i = 0; i < 3; ++i)
    bad[ground + i] *= -1; // a mirror: its rows are still of length 1 and at right angles
  refuse(sim, bad, "not a rotation");
  SPOIL(5, 0.5, "number of contacts");
  SPOIL(5, 1000, "number of contacts");
  // behind q, v, references of three elements, ground, forces of hard elements (a limit, a motor, a point), dry
  // friction of each velocity
  const int first = 9 + 16 + 14 + 2 * 3 + 18 + 3 + 2 + 14;
  SPOIL(first, 1e6, "ids of its contacts");
  SPOIL(first, good[first + 10], "ids of its contacts");
  SPOIL(first, good[first] + 0.5, "ids of its contacts");
  memcpy(bad, good, bytes);
  for (int i = 0; i < 4; ++i)
    bad[9 + 3 + i] = 0; // of the first free joint
  refuse(sim, bad, "quaternion");
#undef SPOIL
  save(other, other_state);
  refuse(sim, other_state, "another model");
  assert_int_equal(ff_sim_set_state(sim, NULL, NULL), FF_ERROR_ARGUMENT);
  restore(sim, good);
  ff_sim_destroy(sim);
  ff_sim_destroy(other);
  ff_model_destroy(model);
  ff_model_destroy(ball);
}

static void another_stepper_and_dt_take_a_state(void **state)
{
  (void)state;
  static double saved[MOST];
  ff_model *model = toy_fair();
  ff_sim *a = fair_sim(model, (manner){.stepper = FF_STEPPER_EULER}, 1e-4),
         *b = fair_sim(model, (manner){.stepper = FF_STEPPER_SYMPLECTIC}, 2e-4);
  ffi_must_run(a, 100, NULL);
  save(a, saved);
  restore(b, saved);
  ffi_check_near("time", ff_sim_time(b), ff_sim_time(a), 0);
  assert_memory_equal(ff_sim_q(a), ff_sim_q(b), 16 * sizeof(double));
  ffi_must_run(b, 10, NULL);
  ff_sim_destroy(a);
  ff_sim_destroy(b);
  ff_model_destroy(model);
}

static void reset_forgets_everything(void **state)
{
  (void)state;
  static double start[MOST], again[MOST];
  ff_model *model = toy_fair();
  ff_sim *sim = fair_sim(model, (manner){.stepper = FF_STEPPER_EULER}, 1e-4);
  ff_error error;
  assert_int_equal(ff_sim_set_posture(sim, "start", &error), FF_OK); // the reference is as defined again
  const size_t bytes = save(sim, start);
  assert_int_equal(ff_sim_set_reference(sim, 1, 0.4, 0.1), FF_OK);
  run(sim, 0, 1500);
  assert_true(ff_sim_energy(sim).control_work != 0);
  assert_int_equal(ff_sim_get_totals(sim).steps, 1500);
  assert_int_equal(ff_sim_set_posture(sim, "start", &error), FF_OK);
  save(sim, again);
  assert_memory_equal(again, start, bytes);
  assert_int_equal(ff_sim_get_totals(sim).steps, 0);
  assert_true(ff_sim_energy(sim).control_power == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void reset_takes_good_motions_only(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim *sim = ffi_must_sim(model, NULL);
  const ff_model_size size = ff_model_get_size(model);
  double q[64], v[64] = {0};
  ff_error error;
  ff_model_neutral(model, q);
  q[2] = (double)NAN;
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "q of joint 'ball_free'"));
  q[2] = 1e300; // a state that could not be restored
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "q of joint 'ball_free' is 1e+300, beyond 1e+60"));
  q[2] = 1;
  q[6] = 0;
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "quaternion of joint 'ball_free'"));
  q[6] = 2; // any length will do
  v[size.nv - 1] = (double)INFINITY;
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "v of joint 'elbow'"));
  v[size.nv - 1] = -10001;
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "v of joint 'elbow' is beyond max_speed, 10000"));
  v[size.nv - 1] = 3;
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_OK);
  assert_true(ff_sim_q(sim)[6] == 1);
  assert_true(ff_sim_v(sim)[size.nv - 1] == 3);
  assert_int_equal(ff_sim_reset(sim, ff_sim_q(sim), ff_sim_v(sim), &error), FF_OK); // its own
  assert_true(ff_sim_v(sim)[size.nv - 1] == 3);
  assert_int_equal(ff_sim_reset(sim, NULL, NULL, &error), FF_OK);
  assert_true(ff_sim_v(sim)[size.nv - 1] == 0);
  assert_int_equal(ff_sim_reset(NULL, NULL, NULL, &error), FF_ERROR_ARGUMENT);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void an_unknown_posture_lists_those_there_are(void **state)
{
  (void)state;
  ff_model *model = toy_fair(), *ball = toy_ball(NULL);
  ff_sim *sim = ffi_must_sim(model, NULL), *other = ffi_must_sim(ball, NULL);
  ff_error error;
  assert_int_equal(ff_sim_set_posture(sim, "sitting", &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "has no posture 'sitting'; it has "));
  assert_non_null(strstr(error.message, "'start'"));
  assert_non_null(strstr(error.message, "'flat'"));
  assert_int_equal(ff_sim_set_posture(sim, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_set_posture(other, "start", &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "it has none"));
  ff_sim_destroy(sim);
  ff_sim_destroy(other);
  ff_model_destroy(model);
  ff_model_destroy(ball);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restored_runs_are_bit_equal),
      cmocka_unit_test(flags_are_restored),
      cmocka_unit_test(what_is_no_state_is_refused),
      cmocka_unit_test(another_stepper_and_dt_take_a_state),
      cmocka_unit_test(reset_forgets_everything),
      cmocka_unit_test(reset_takes_good_motions_only),
      cmocka_unit_test(an_unknown_posture_lists_those_there_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
