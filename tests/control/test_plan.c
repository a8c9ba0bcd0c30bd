// slow: some ten seconds. Plans: made again they are what is stored; answers foretell what a changed begin does; what
// makes no sense is refused.
#include "control/plan.h"

#include "stored.h"

#include <stdio.h>

enum { NX = 36, NU = 12 };

static ff_plan_def def_for(const ff_model *model, ff_plan_motion motion)
{
  static const char *const names[4] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  ff_plan_def def = ff_plan_def_default(motion);
  def.base = ffi_robot_frame(model, "base_link");
  for (int i = 0; i < 4; ++i)
    def.feet[i] = ffi_robot_frame(model, names[i]);
  return def;
}

static ff_plan *make_plan(const ff_model *model, ff_plan_motion motion)
{
  const ff_plan_def def = def_for(model, motion);
  ff_error error;
  ff_plan *plan = NULL;
  ffi_must(ff_plan_create(model, &def, ffi_robot_posture(model, "straight_standing"), &plan, &error), &error);
  return plan;
}

// ---- What is stored -------------------------------------------------------------------------------------------------

// Files have 12 digits of states and torques and 5 of gains: half a unit of the last one.
static const double stored_x = 0.5e-11, stored_gain = 0.5e-4;

// Gains are found from differences of ends of 1e-5 m: rounding of velocities, 1e-12 on one instruction set against
// another, is 5e-8 of a derivative, and where a foot leaves or comes down Riccati's equation makes 50 times that of it:
// 7e-7 were seen. Of the largest gain:
static const double rounded_gain = 1e-6;

// Torques are of a quadratic program, whose own rounding was 2e4 eps of the largest on one instruction set against
// another.
static const double rounded_torque = 1e5 * 2.2e-16;

// How much larger a small change of the joints at the start becomes, in q, v and torques. Answers and gains have no
// part in it, so they may be coarse.
static void find_growth(const ff_model *model, ff_plan_motion motion, double growth[3])
{
  enum { NQ = 19 };
  const double by = 1e-8;
  ff_plan_def def = def_for(model, motion);
  const double *from = ffi_robot_posture(model, "straight_standing");
  ff_plan *plans[2];
  double q[NQ];
  def.answer_steps = 1;
  for (int k = 0; k < 2; ++k) {
    ff_error error;
    memcpy(q, from, sizeof q);
    for (int i = 7; k && i < NQ; ++i)
      q[i] += i % 2 ? by : -by;
    ffi_must(ff_plan_create(model, &def, q, &plans[k], &error), &error);
  }
  const int n = plans[0]->intervals;
  growth[0] = ffi_gap(NQ * n, plans[0]->recorded_q, plans[1]->recorded_q) / by;
  growth[1] = ffi_gap((NX / 2) * n, plans[0]->recorded_v, plans[1]->recorded_v) / by;
  growth[2] = ffi_gap(NU * n, plans[0]->control, plans[1]->control) / by;
  for (int k = 0; k < 2; ++k)
    ff_plan_destroy(plans[k]);
}

// The largest gap beyond what printing explains: `digit` of each value itself.
static double beyond_print(int count, const double *now, const double *then, double digit)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
    most = fmax(most, fabs(now[i] - then[i]) - digit * pow(10, ceil(log10(fabs(then[i]) + 1e-300))));
  return most;
}

// Made again, a motion is what is stored, but for printing and for rounding, which differs between compilers and
// instruction sets. A motion forgets: what is changed at its start becomes some twice as large in q and 30 times in v
// (found here, for whatever the motion is), and no more. So even if all roundings, one for each step, added up, they
// would be of the size steps x eps x that. Anything else is another motion, and must be stored anew.
static void compare_with_stored(const ff_plan *plan, const char *file)
{
  ffi_stored s;
  double growth[3];
  ffi_stored_open(&s, file, FF_STEPPER_EXPO, 0.01, 1);
  const ff_feedback_def *now = ff_plan_feedback(plan), *then = ff_trajectory_feedback(s.trajectory);
  assert_int_equal(now->states, then->states);
  assert_int_equal(now->repeats, then->repeats);
  assert_int_equal(now->repeat_from, then->repeat_from);
  assert_true(now->interval == then->interval);
  find_growth(plan->model, plan->def.motion, growth);
  const int states = now->states, rows = states - 1;
  const double rounding = 2.2e-16 * rows * plan->def.steps, most = ffi_size(NU * NX * rows, then->gain);
  const double bars[4] = {growth[0] * rounding, growth[1] * rounding,
                          growth[2] * rounding + rounded_torque * ffi_size(NU * rows, then->control),
                          rounded_gain * most};
  const double gaps[4] = {beyond_print(19 * states, now->q, then->q, stored_x),
                          beyond_print(18 * states, now->v, then->v, stored_x),
                          beyond_print(NU * rows, now->control, then->control, stored_x),
                          beyond_print(NU * NX * rows, now->gain, then->gain, stored_gain)};
  print_message("  %s made again: beyond print q %.1e of %.1e, v %.1e of %.1e, u %.1e of %.1e, gains %.1e of "
                "%.1e; growth %.1f, %.1f, %.1f\n",
                file, gaps[0], bars[0], gaps[1], bars[1], gaps[2], bars[2], gaps[3], bars[3], growth[0],
                growth[1], growth[2]);
  assert_true(growth[0] < 100 && growth[1] < 1000); // or the above says nothing
  for (int i = 0; i < 4; ++i)
    if (!(gaps[i] <= bars[i]))
      fail_msg("%s is not what 'footfall plan %s' makes now: store it anew", file,
               ff_plan_motion_name(plan->def.motion));
  ffi_stored_close(&s);
}

// ---- Answers --------------------------------------------------------------------------------------------------------

static long long events_of(const ff_sim *sim)
{
  const ff_sim_totals t = ff_sim_get_totals(sim);
  return t.touchdowns + t.liftoffs + t.slips + t.sticks;
}

// Where the interval ends if it begins off the motion by dx and du; 0 if there was an event on the way.
static int run_off(ff_plan *plan, int k, double sign, const double *dx, const double *du, double *end)
{
  enum { NQ = 19, NV = 18 };
  double q[NQ], v[NV], way[NV], tau[NV] = {0};
  const double *from_q = plan->recorded_q + k * NQ, *from_v = plan->recorded_v + k * NV;
  for (int i = 0; i < NV; ++i) {
    way[i] = sign * dx[i];
    v[i] = from_v[i] + sign * dx[NV + i];
  }
  for (int i = 0; i < NU; ++i)
    tau[6 + i] = plan->control[k * NU + i] + sign * du[i];
  ff_model_integrate(plan->model, from_q, way, q);
  ffi_must_reset(plan->linear_sim, q, v);
  const long long before = events_of(plan->linear_sim);
  ffi_must_run(plan->linear_sim, plan->def.answer_steps, tau);
  ff_model_difference(plan->model, from_q + NQ, ff_sim_q(plan->linear_sim), end);
  for (int i = 0; i < NV; ++i)
    end[NV + i] = ff_sim_v(plan->linear_sim)[i] - from_v[NV + i];
  return events_of(plan->linear_sim) == before;
}

// Changes of all of x and u at once, against the sum of what was found for each alone: x' = A dx + B du. Returns 0 if
// there was an event: then the sum of changes meets it elsewhere in the step.
static int answers_foretell(ff_plan *plan, int k, ffi_random *random, double *error)
{
  double dx[NX], du[NU], end[2][NX], foretold[NX], was[NX];
  ffi_random_vector(random, NX / 2, 1e-6, dx);
  ffi_random_vector(random, NX / 2, 1e-3, dx + NX / 2);
  ffi_random_vector(random, NU, 1e-2, du);
  if (!run_off(plan, k, 1, dx, du, end[0]) || !run_off(plan, k, -1, dx, du, end[1]))
    return 0;
  for (int i = 0; i < NX; ++i) {
    was[i] = (end[0][i] - end[1][i]) / 2;
    foretold[i] = 0;
    for (int j = 0; j < NX; ++j)
      foretold[i] += plan->A[(k * NX + i) * NX + j] * dx[j];
    for (int j = 0; j < NU; ++j)
      foretold[i] += plan->B[(k * NX + i) * NU + j] * du[j];
  }
  *error = ffi_gap(NX, was, foretold) / ffi_size(NX, was);
  return 1;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// In every interval in which nothing comes down, leaves, slips or sticks. Contacts are linear while they last, and
// central differences leave out third orders: what is left is what the stepper decides otherwise for a changed state
// (how many pieces a step has), within its tolerance of 1e-4 in each of ten steps. That is the bar for the worst; it
// happens seldom, so half of them keep to a hundredth of it.
static void check_answers(ff_plan *plan)
{
  enum { TRIALS = 3, MOST = 1000 };
  static double errors[TRIALS * MOST];
  ffi_random random = ffi_random_seed(11);
  const double tolerance = plan->def.answer_steps * ff_sim_def_default().expo.force_tolerance;
  int smooth = 0;
  assert_true(plan->intervals <= MOST);
  for (int i = 0; i < TRIALS * plan->intervals; ++i)
    smooth += answers_foretell(plan, i / TRIALS, &random, &errors[smooth]);
  assert_true(smooth > TRIALS * plan->intervals / 2);
  qsort(errors, (size_t)smooth, sizeof *errors, by_size);
  print_message("  answers, %d of %d without events: median %.1e, worst %.1e\n", smooth,
                TRIALS * plan->intervals, errors[smooth / 2], errors[smooth - 1]);
  assert_true(errors[smooth - 1] < tolerance && errors[smooth / 2] < 0.01 * tolerance);
}

static void check_motion(ff_plan_motion motion, const char *file)
{
  ff_model *model = ffi_robot("solo12.urdf");
  ff_plan *plan = make_plan(model, motion);
  compare_with_stored(plan, file);
  check_answers(plan);
  ff_plan_destroy(plan);
  ff_model_destroy(model);
}

static void jump_is_what_is_stored(void **state)
{
  (void)state;
  check_motion(FF_PLAN_JUMP, "solo-jump.txt");
}

static void trot_is_what_is_stored(void **state)
{
  (void)state;
  check_motion(FF_PLAN_TROT, "solo-trot.txt");
}

// ---- Plans ----------------------------------------------------------------------------------------------------------

// Nothing but model and def decides.
static void plans_made_twice_are_the_same(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_plan_def def = def_for(model, FF_PLAN_JUMP);
  ff_plan *plans[2];
  def.steps = 8;
  def.answer_steps = 2;
  for (int i = 0; i < 2; ++i) {
    ff_error error;
    ffi_must(ff_plan_create(model, &def, ffi_robot_posture(model, "straight_standing"), &plans[i], &error),
             &error);
  }
  const ff_feedback_def *a = ff_plan_feedback(plans[0]), *b = ff_plan_feedback(plans[1]);
  const size_t d = sizeof(double), states = (size_t)a->states, rows = (states - 1) * NU;
  assert_int_equal(a->states, b->states);
  assert_memory_equal(a->q, b->q, states * 19 * d);
  assert_memory_equal(a->v, b->v, states * 18 * d);
  assert_memory_equal(a->control, b->control, rows * d);
  assert_memory_equal(a->gain, b->gain, rows * NX * d);
  for (int i = 0; i < 2; ++i)
    ff_plan_destroy(plans[i]);
  ff_model_destroy(model);
}

static int give_up(double share, void *user)
{
  *(double *)user = share;
  return share < 0.02;
}

// Other postures will do: knees that all bend the same way (the robot turns a little in the air, and a leg may not
// reach as far as it should), feet farther apart. Every jump leaves the ground by 30 cm and ends on its feet.
static void jumps_are_planned_from_other_postures(void **state)
{
  (void)state;
  static const char *const postures[] = {"squat", "standing"};
  ff_model *model = ffi_robot("solo12.urdf");
  ff_plan_def def = def_for(model, FF_PLAN_JUMP);
  def.answer_steps = 1; // gains have no part in it
  for (int i = 0; i < 2; ++i) {
    ff_plan *plan = NULL;
    ff_error error;
    const double *from = ffi_robot_posture(model, postures[i]);
    ffi_must(ff_plan_create(model, &def, from, &plan, &error), &error);
    double highest = 0;
    for (int k = 0; k < plan->intervals; ++k)
      highest = fmax(highest, plan->recorded_q[19 * k + 2]);
    const double *last = plan->recorded_q + 19 * (plan->intervals - 1);
    const double off[3] = {last[0] - from[0], last[1] - from[1], last[2] - from[2]};
    const double tilt = 2 * hypot(last[3], last[4]),
                 rate = ffi_size(18, plan->recorded_v + 18 * (plan->intervals - 1));
    print_message(
        "  %s: up to %.3f m, ends %.3f %.3f %.3f m from where it began, tilted by %.3f rad, at a rate of %.3f\n",
        postures[i], highest, off[0], off[1], off[2], tilt, rate);
    assert_true(highest > from[2] + 0.3);
    assert_true(fabs(off[2]) < 0.03 && tilt < 0.1 && rate < 1); // it stands, on feet that may have slid
    ff_plan_destroy(plan);
  }
  ff_model_destroy(model);
}

// Far above the ground there is nothing to push against. What is said is for somebody who plans, not for somebody who
// steps a sim.
static void a_motion_that_runs_away_is_blamed(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const ff_plan_def def = def_for(model, FF_PLAN_JUMP);
  ff_plan *plan = NULL;
  ff_error error;
  double q[19];
  ff_model_neutral(model, q); // legs are straight
  q[2] = 0.3;
  assert_int_equal(ff_plan_create(model, &def, q, &plan, &error), FF_ERROR_NUMERIC);
  print_message("  %s\n", error.message);
  assert_non_null(strstr(error.message, "it cannot be made from this posture"));
  assert_null(strstr(error.message, "Try dt"));
  ff_model_destroy(model);
}

static void what_makes_no_sense_is_refused(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *q = ffi_robot_posture(model, "straight_standing");
  ff_error error;
  ff_plan *plan = NULL;
  double share = 0;
  for (int i = 0; i < 8; ++i) {
    ff_plan_def def = def_for(model, FF_PLAN_JUMP);
    switch (i) {
    case 0: def.motion = (ff_plan_motion)7; break;
    case 1: def.interval = 0; break;
    case 2: def.steps = 0; break;
    case 3: def.answer_steps = 1000000; break;
    case 4: def.cost.joint = -1; break;
    case 5: def.cost.torque = 0; break;
    case 6: def.feet[2] = 0; break; // the world
    default: def.cost.attitude = NAN;
    }
    assert_int_equal(ff_plan_create(model, &def, q, &plan, &error), FF_ERROR_ARGUMENT);
    assert_null(plan);
    assert_true(strlen(error.message) > 10);
  }
  ff_plan_def def = def_for(model, FF_PLAN_JUMP);
  def.progress = give_up;
  def.user = &share;
  assert_int_equal(ff_plan_create(model, &def, q, &plan, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "given up"));
  assert_true(share >= 0.02 && share < 0.03);
  assert_int_equal(ff_plan_create(model, NULL, q, &plan, &error), FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
}

static void motions_have_names(void **state)
{
  (void)state;
  ff_plan_motion motion;
  assert_true(ff_plan_motion_find("jump", &motion) && motion == FF_PLAN_JUMP);
  assert_true(ff_plan_motion_find("trot", &motion) && motion == FF_PLAN_TROT);
  assert_false(ff_plan_motion_find("hop", &motion));
  assert_string_equal(ff_plan_motion_name((ff_plan_motion)9), "unknown");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jump_is_what_is_stored),
      cmocka_unit_test(trot_is_what_is_stored),
      cmocka_unit_test(plans_made_twice_are_the_same),
      cmocka_unit_test(jumps_are_planned_from_other_postures),
      cmocka_unit_test(a_motion_that_runs_away_is_blamed),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(motions_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
