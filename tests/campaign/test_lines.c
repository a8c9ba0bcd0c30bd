// Tendons, couplings and changes between steps in the campaign: all kinds are drawn, in both classes; their energy is
// counted, by closed forms; changes reach the sim.
#include "campaign/change.h"
#include "campaign/draw.h"
#include "campaign/tally.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// ---- Draws --------------------------------------------------------------------------------------------------

enum { SEEDS = 600 };

enum kind {
  SPRING,
  STOP,
  FRICTION,
  SERVO,
  FOLLOWER,
  HELD,
  FOLLOWING_TENDON,
  SOFT_COUPLING,
  JOINT_FRICTION,
  REFERENCES,
  GROUND,
  KINDS
};

static void count_elements(const ffi_recipe *r, int *counts)
{
  for (int i = 0; i < r->element_count; ++i) {
    const ffi_recipe_element *e = &r->elements[i];
    const int is_coupling = e->type == FF_ELEMENT_COUPLING;
    counts[SPRING] += e->tendon && e->type == FF_ELEMENT_JOINT_PD;
    counts[STOP] += e->tendon && e->type == FF_ELEMENT_JOINT_LIMIT;
    counts[FRICTION] += e->tendon && e->type == FF_ELEMENT_JOINT_FRICTION;
    counts[FOLLOWER] += is_coupling && !e->tendon && e->b != FF_WORLD;
    counts[HELD] += is_coupling && e->b == FF_WORLD;
    counts[FOLLOWING_TENDON] += is_coupling && e->tendon;
    counts[SOFT_COUPLING] += is_coupling && e->stiffness > 0;
  }
}

static void all_kinds_are_drawn(void **state)
{
  (void)state;
  static ffi_recipe r;
  for (int which = FFI_DRAW_MILD; which <= FFI_DRAW_WILD; ++which) {
    int counts[KINDS] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
      ffi_draw(seed, (ffi_draw_class)which, FFI_DRAW_ANY_STEPPER, &r);
      count_elements(&r, counts);
      for (int i = 0; i < r.tendon_count; ++i)
        counts[SERVO] += r.tendons[i].has_servo;
      for (int i = 0; i < r.link_count; ++i)
        counts[JOINT_FRICTION] += r.links[i].friction > 0;
      counts[REFERENCES] += r.reference_period > 0;
      counts[GROUND] += r.ground_period > 0;
    }
    for (int k = 0; k < KINDS; ++k)
      if (counts[k] < SEEDS / 300)
        fail_msg("class %d: kind %d was drawn %d times in %d scenes", which, k, counts[k], SEEDS);
  }
}

// ---- Energy -------------------------------------------------------------------------------------------------

enum { STEPS = 20 };

static ffi_recipe_element element_of(ff_element_type type, int tendon, double stiffness)
{
  return (ffi_recipe_element){
      .type = type, .tendon = tendon, .b = FF_WORLD, .stiffness = stiffness, .effort = (double)INFINITY};
}

// Two wheels side by side, without gravity, on a tendon of 2 q0 - q1 with a spring and a stop, and the second follows
// the first through a spring.
static void make_wheels(ff_stepper stepper, ffi_recipe *r)
{
  memset(r, 0, sizeof *r);
  r->is_passive = 1;
  r->stepper = stepper;
  r->dt = 1e-4;
  r->steps = STEPS;
  r->link_count = 2;
  for (int i = 0; i < 2; ++i) {
    ffi_recipe_link *link = &r->links[i];
    *link = (ffi_recipe_link){
        .parent = FF_WORLD, .type = FF_JOINT_CONTINUOUS, .pose = ff_pose_identity(), .gear = 1};
    link->axis[2] = 1;
    link->inertia = (ff_inertia){.mass = 1, .matrix = {0.1, 0, 0, 0.1, 0, 0.1}};
  }
  r->links[0].q[0] = 0.3;
  r->links[0].v[0] = -5;
  r->tendon_count = 1;
  r->tendons[0] = (ffi_recipe_tendon){.count = 2, .links = {0, 1}, .weights = {2, -1}};
  r->element_count = 3;
  r->elements[0] = element_of(FF_ELEMENT_JOINT_PD, 1, 50);
  r->elements[0].reference = 0.1;
  r->elements[1] = element_of(FF_ELEMENT_JOINT_LIMIT, 1, 80);
  r->elements[1].lower = -10;
  r->elements[1].upper = 0.15;
  r->elements[2] = element_of(FF_ELEMENT_COUPLING, 0, 30);
  r->elements[2].a = 1;
  r->elements[2].b = 0;
  r->elements[2].polynomial[0] = 0.05;
  r->elements[2].polynomial[2] = 0.5;
}

static void check_energy(const ffi_recipe *r, const ffi_recipe_made *made, ff_dynamics *dynamics, ff_sim *sim)
{
  const double q0 = ff_sim_q(sim)[0], q1 = ff_sim_q(sim)[1], v0 = ff_sim_v(sim)[0], v1 = ff_sim_v(sim)[1];
  const int is_hard = ff_stepper_is_hard(r->stepper);
  const double gap = is_hard ? 0 : q1 - 0.05 - 0.5 * q0 * q0; // hard steppers keep it exactly
  const double stretched = 2 * q0 - q1 - 0.1, beyond = is_hard ? 0 : fmax(2 * q0 - q1 - 0.15, 0);
  const double kinetic = 0.5 * 0.1 * (v0 * v0 + v1 * v1);
  const ffi_tally sum = ffi_tally_energy(r, made, dynamics, sim);
  const ff_energy e = ff_sim_energy(sim);
  const double elements = 0.5 * 50 * stretched * stretched + 0.5 * 30 * gap * gap,
               stop = 0.5 * 80 * beyond * beyond;
  const double rounding = 1e-12 * (1 + kinetic + elements + stop);
  if (!(fabs(sum.kinetic - kinetic) <= rounding && fabs(sum.elements - elements) <= rounding &&
        fabs(sum.pushers - stop) <= rounding && fabs(e.elastic - elements - stop) <= rounding))
    fail_msg(
        "%s at %g s: motion %.12g, springs %.12g, stop %.12g J; counted %.12g, %.12g, %.12g; the sim %.12g",
        ff_stepper_name(r->stepper), ff_sim_time(sim), kinetic, elements, stop, sum.kinetic, sum.elements,
        sum.pushers, e.elastic);
}

static void energies_of_tendons_and_couplings(void **state)
{
  (void)state;
  static ffi_recipe r;
  static ffi_recipe_made made;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_error error = {.message = ""};
    ff_sim *sim = NULL;
    ff_dynamics *dynamics = NULL;
    make_wheels((ff_stepper)stepper, &r);
    assert_int_equal(ffi_recipe_make(&r, &made, &error), FF_OK);
    assert_true(fabs(made.q[1] - (0.05 + 0.5 * 0.09)) < 1e-15 &&
                fabs(made.v[1] + 0.3 * 5) < 1e-14); // follows
    assert_int_equal(ff_sim_create(made.model, &made.def, &sim, &error), FF_OK);
    assert_int_equal(ff_dynamics_create(made.model, NULL, &dynamics, &error), FF_OK);
    assert_int_equal(ff_sim_reset(sim, made.q, made.v, &error), FF_OK);
    check_energy(&r, &made, dynamics, sim);
    for (int k = 0; k < STEPS; ++k) {
      if (ff_sim_step(sim, NULL, &error) != FF_OK)
        fail_msg("%s", error.message);
      check_energy(&r, &made, dynamics, sim);
    }
    ff_sim_destroy(sim);
    ff_dynamics_destroy(dynamics);
    ffi_recipe_free(&made);
  }
}

// ---- Changes ------------------------------------------------------------------------------------------------

// Every second step, by at most so much, and the same again.
static void references_change_between_steps(void **state)
{
  (void)state;
  static ffi_recipe r;
  static ffi_recipe_made made;
  ff_error error;
  ff_sim *sims[2];
  make_wheels(FF_STEPPER_EXPO, &r);
  r.reference_period = 2;
  r.reference_size = 0.01;
  assert_int_equal(ffi_recipe_make(&r, &made, &error), FF_OK);
  for (int i = 0; i < 2; ++i)
    assert_int_equal(ff_sim_create(made.model, &made.def, &sims[i], &error), FF_OK);
  for (int step = 0; step < 6; ++step) {
    ff_element_def before, after, other;
    ff_sim_element(sims[0], 0, &before);
    const int is_due = step == 2 || step == 4;
    assert_int_equal(ffi_change_make(&r, step, sims[0]), is_due);
    assert_int_equal(ffi_change_make(&r, step, sims[1]), is_due);
    ff_sim_element(sims[0], 0, &after);
    ff_sim_element(sims[1], 0, &other);
    assert_true(after.reference == other.reference && after.reference_velocity == 0);
    assert_true(is_due
                    ? after.reference != before.reference && fabs(after.reference - before.reference) <= 0.01
                    : after.reference == before.reference);
  }
  for (int i = 0; i < 2; ++i)
    ff_sim_destroy(sims[i]);
  ffi_recipe_free(&made);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_kinds_are_drawn),
      cmocka_unit_test(energies_of_tendons_and_couplings),
      cmocka_unit_test(references_change_between_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
