// Torsional and rolling friction with hard contact, by every solver of moreau and every law of ca and c2a: a block that
// spins on four points, a ball that rolls. What is kept of a state, and that steps allocate nothing.
#include "analytic/scene.h"
#include "support/alloc_counter.h"

#include <string.h>

static const double mass = 2;

typedef struct way {
  ff_stepper stepper;
  ff_hard_solver solver;
  ff_hard_form form;
  ff_impact_law law;
  int stabilise;
} way;

static const way ways[] = {
    {FF_STEPPER_MOREAU, FF_HARD_JOR, FF_HARD_FORM_IMPULSE, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_JOR, FF_HARD_FORM_VELOCITY, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_SOR, FF_HARD_FORM_IMPULSE, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_SOR, FF_HARD_FORM_VELOCITY, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_SOR_SPLIT, FF_HARD_FORM_IMPULSE, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_SOR_SPLIT, FF_HARD_FORM_VELOCITY, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_EXACT, FF_HARD_FORM_AUTO, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_EXACT, FF_HARD_FORM_VELOCITY, 0, 0},
    {FF_STEPPER_MOREAU, FF_HARD_EXACT, FF_HARD_FORM_AUTO, 0, 1},
    {FF_STEPPER_CA, 0, 0, FF_IMPACT_COULOMB, 0},
    {FF_STEPPER_CA, 0, 0, FF_IMPACT_DISSIPATION, 0},
    {FF_STEPPER_CA, 0, 0, FF_IMPACT_BOUNDED, 0},
    {FF_STEPPER_C2A, 0, 0, FF_IMPACT_COULOMB, 0},
    {FF_STEPPER_C2A, 0, 0, FF_IMPACT_DISSIPATION, 0},
    {FF_STEPPER_C2A, 0, 0, FF_IMPACT_BOUNDED, 0},
};
enum { WAYS = sizeof ways / sizeof *ways };

static ff_sim *make_sim(const way *w, const ff_model *model, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = w->stepper;
  def.dt = dt;
  def.moreau.solver = w->solver;
  def.moreau.form = w->form;
  def.moreau.stabilise = w->stabilise;
  def.c2a.impact.law = w->law;
  return ffi_must_sim(model, &def);
}

// Of the stepper and its solver or law.
static const char *name_of(const way *w)
{
  static char name[96];
  snprintf(name, sizeof name, "%s %s", ff_stepper_name(w->stepper),
           w->stepper == FF_STEPPER_MOREAU ? ff_hard_solver_name(w->solver) : ff_impact_law_name(w->law));
  return name;
}

static ff_model *make_block(double friction, double torsional)
{
  ff_material material = ff_material_default();
  material.friction = friction;
  material.torsional_friction = torsional;
  return scene_block(mass, 0.1, &material);
}

// However four points share the load, it loses (rho + mu d) m g / I of its spin each second, d their distance.
static void a_block_on_four_points_stops(void **state)
{
  (void)state;
  const double inertia = mass * 0.04 / 6, spin = 5, dt = 1e-3;
  for (int k = 0; k < 2 * WAYS; ++k) {
    const way *w = &ways[k / 2];
    const double friction = k % 2 ? 0.02 : 0,
                 loss = (0.01 + friction * 0.1 * sqrt(2)) * mass * scene_gravity / inertia;
    const int half = (int)lround(0.5 * spin / loss / dt);
    ff_model *model = make_block(friction, 0.01);
    ff_sim *sim = make_sim(w, model, dt);
    ffi_must_reset(sim, (const double[7]){0, 0, 0.1, 0, 0, 0, 1}, (const double[6]){0, 0, 0, 0, 0, spin});
    ffi_must_run(sim, half, NULL);
    const double off = ff_sim_v(sim)[5] - (spin - loss * dt * half);
    if (!(fabs(off) <= 1e-3 * spin))
      fail_msg("%s: wrong by %g", name_of(w), off / spin);
    ffi_must_run(sim, 2 * half, NULL);
    const double angle = ff_sim_q(sim)[5];
    ffi_must_run(sim, 1000, NULL);
    ffi_check_near(name_of(w), ff_sim_q(sim)[5], angle, 1e-6);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// A ball that rolls and spins on a slope, both radii in play.
static ff_sim *rolling_ball(const way *w, ff_model **model)
{
  ff_builder *b = ffi_must_begin("ball");
  ff_link_def link = ff_link_def_default();
  ff_shape_def shape = ff_shape_def_default();
  link.name = "ball";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.4 * mass * 0.01;
  shape.size[0] = 0.1;
  shape.material.torsional_friction = 0.004;
  shape.material.rolling_friction = 0.002;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &shape);
  *model = ffi_must_finish(b);
  ff_sim *sim = make_sim(w, *model, 1e-3);
  ffi_must_reset(sim, (const double[7]){0, 0, 0.1, 0, 0, 0, 1}, (const double[6]){0.5, 0, 0, 0, 5, 3});
  return sim;
}

// A saved state goes on to the same bits, also in a sim that was elsewhere, and no step allocates.
static void a_state_is_all_that_a_step_needs(void **state)
{
  (void)state;
  for (int k = 0; k < WAYS; ++k) {
    ff_model *model;
    ff_sim *sim = rolling_ball(&ways[k], &model);
    double saved[4000], q[7], v[6];
    ff_error error;
    assert_true(ff_sim_state_size(sim) <= 4000);
    ffi_must_run(sim, 50, NULL);
    ff_sim_get_state(sim, saved);
    const long before = ffi_test_alloc_count();
    ffi_must_run(sim, 100, NULL);
    assert_int_equal(ffi_test_alloc_count(), before);
    memcpy(q, ff_sim_q(sim), sizeof q);
    memcpy(v, ff_sim_v(sim), sizeof v);
    ffi_must_run(sim, 300, NULL);
    ffi_must(ff_sim_set_state(sim, saved, &error), &error);
    ffi_must_run(sim, 100, NULL);
    if (memcmp(q, ff_sim_q(sim), sizeof q) != 0 || memcmp(v, ff_sim_v(sim), sizeof v) != 0)
      fail_msg("%s: other bits", name_of(&ways[k]));
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// The convex laws lift what slides or turns.
static int is_convex(const way *w)
{
  return w->stepper != FF_STEPPER_MOREAU && w->law != FF_IMPACT_COULOMB;
}

// Rolling and spinning at once: rolling is slowed down by rho_r g / 1.4 r and spinning by rho_t m g / I, each as if it
// were alone, since each moment has a limit of its own.
static void rolling_and_spinning_do_not_mix(void **state)
{
  (void)state;
  const double time = 0.3, slower = 0.002 * scene_gravity / (1.4 * 0.1),
               loss = 0.004 * mass * scene_gravity / 0.008;
  for (int k = 0; k < WAYS; ++k) {
    ff_model *model;
    ff_sim *sim = rolling_ball(&ways[k], &model);
    ffi_must_run(sim, (int)lround(time / 1e-3), NULL);
    const double *q = ff_sim_q(sim), *w = ff_sim_v(sim) + 3;
    // the third row of the rotation, times the angular velocity in the axes of the ball
    const double row[3] = {2 * (q[3] * q[5] - q[4] * q[6]), 2 * (q[4] * q[5] + q[3] * q[6]),
                           1 - 2 * (q[3] * q[3] + q[4] * q[4])};
    const double omega = row[0] * w[0] + row[1] * w[1] + row[2] * w[2];
    const double way_off = q[0] - (0.5 * time - 0.5 * slower * time * time),
                 spin_off = omega - (3 - loss * time);
    if (!(fabs(way_off) <= 1e-3 * 0.15 && fabs(spin_off) <= (is_convex(&ways[k]) ? 9e-3 : 3e-3)))
      fail_msg("%s: %g m and %g rad/s off", name_of(&ways[k]), way_off, spin_off);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_on_four_points_stops),
      cmocka_unit_test(rolling_and_spinning_do_not_mix),
      cmocka_unit_test(a_state_is_all_that_a_step_needs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
