// Closed forms and common properties that every stepper is tested against.
#include "step/physics.h"

#include "model/model.h"
#include "step/loose.h"
#include "step/stance.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

// ---- Orders -----------------------------------------------------------------------------------------------

typedef struct order_case {
  const char *what;
  const ff_model *model;
  ffi_rig_def def;
  ffi_rig_course course;
} order_case;

static double order_of(ff_stepper stepper, order_case *c)
{
  const ffi_rig_course *course = &c->course;
  double error[12];
  c->def.stepper = FF_STEPPER_RK4;
  ffi_rig *r = ffi_rig_create(c->model, &c->def);
  const int steps = (course->first << (course->count - 1)) * (stepper == FF_STEPPER_RK4 ? 8 : 16);
  ffi_rig_reset(r, course->q, course->v);
  ffi_rig_run(r, course->duration / steps, steps);
  ffi_state *reference = ffi_rig_keep(r, r->now);
  ffi_rig_destroy(r);
  c->def.stepper = stepper;
  c->def.tolerance = 1e-12;
  r = ffi_rig_create(c->model, &c->def);
  print_message("%s:\n", c->what);
  const double order = ffi_rig_order(r, course, reference, error);
  ffi_rig_destroy(r);
  free(reference);
  return order;
}

double ffi_physics_flight(ff_stepper stepper)
{
  ff_model *model = ffi_rig_load("solo12.urdf");
  ffi_random random = ffi_random_seed(11);
  double q[19], v[18];
  ffi_random_q(&random, model, q);
  ffi_random_vector(&random, 18, 3, v);
  order_case c = {
      .what = "flight", .model = model, .course = {q, v, .duration = 0.1, .first = 10, .count = 4}};
  const double order = order_of(stepper, &c);
  ff_model_destroy(model);
  return order;
}

double ffi_physics_stance(ff_stepper stepper)
{
  ffi_stance s = ffi_stance_create(2e3, 20, 100);
  ffi_stance_push(&s, 0.02, 3);
  for (int e = 0; e < s.def.element_count; ++e)
    s.def.elements[e].reference_velocity = 0.3 * (e % 3 - 1);
  // with a count of more than 3, rk4 is down to rounding
  order_case c = {.what = "stance",
                  .model = s.model,
                  .def = s.def,
                  .course = {s.q, s.v, .duration = 0.02, .first = 40, .count = 3}};
  const double order = order_of(stepper, &c);
  ff_model_destroy(s.model);
  return order;
}

// Of a loose body, in 0.05 s.
static double order_of_body(ff_stepper stepper, const char *what, const char *file, const ffi_rig_def *def,
                            const double q[7], const double v[6])
{
  ff_model *model = ffi_rig_load(file);
  order_case c = {
      .what = what, .model = model, .def = *def, .course = {q, v, .duration = 0.05, .first = 20, .count = 4}};
  const double order = order_of(stepper, &c);
  ff_model_destroy(model);
  return order;
}

double ffi_physics_slip(ff_stepper stepper)
{
  const ffi_rig_def def = {.K = 2e3, .B = 40, .mu = 0.1};
  const double q[7] = {0, 0, 0.05 - 2 * 9.2184 / 4 / 2e3, 0, 0, 0, 1}, v[6] = {1, 0.5, 0, 0, 0, 2};
  return order_of_body(stepper, "slip", "sliding_block.urdf", &def, q, v);
}

double ffi_physics_roll(ff_stepper stepper)
{
  const ffi_rig_def def = {.K = 2e3, .B = 20, .mu = 100, .ground_velocity = {0.2, 0.1, 0.3, 0, 0, 0.5}};
  const double q[7] = {0, 0, 0.1 - 0.5 * 9.81 / 2e3, 0.1, 0.2, 0.3, 0.9}, v[6] = {0.2, -0.1, 0.1, 3, 4, -2};
  return order_of_body(stepper, "roll", "ball.urdf", &def, q, v);
}

// ---- Closed forms -----------------------------------------------------------------------------------------

// m x'' = -g m - K x - B x' from rest at x = 0: never leaves the floor, since the spring carries the weight at the
// lowest point and above.
static void oscillator(double t, double *x, double *v)
{
  const double K = 400, B = 8, g = 9.81, sag = g / K, decay = B / 2, rate = sqrt(K - decay * decay);
  const double e = exp(-decay * t), c = cos(rate * t), s = sin(rate * t);
  *x = -sag + e * sag * (c + decay / rate * s);
  *v = -e * sag * (K / rate) * s;
}

double ffi_physics_mass_on_floor(ff_stepper stepper, double dt)
{
  const ffi_loose mass = {.joint = FF_JOINT_PRISMATIC, .shape = FF_SHAPE_POINT, .mass = 1};
  ff_model *model = ffi_loose_create(1, &mass, 400, 8, 1);
  ffi_rig *r = ffi_rig_create(
      model, &(ffi_rig_def){.stepper = stepper, .K = 400, .B = 8, .mu = 1, .tolerance = 1e-12});
  double worst = 0;
  const int steps = (int)lround(1 / dt);
  for (int k = 1; k <= steps; ++k) {
    double x, v;
    ffi_rig_step(r, dt);
    oscillator(k * dt, &x, &v);
    worst = fmax(worst, fmax(fabs(r->now->q[0] - x), fabs(r->now->v[0] - v) / 20));
  }
  assert_int_equal(r->now->touching_count, 1);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
  return worst;
}

static ffi_rig *block_on_slope(ff_stepper stepper, double mu, double B, ff_model **model)
{
  *model = ffi_rig_load("sliding_block.urdf");
  ffi_rig *r = ffi_rig_create(*model, &(ffi_rig_def){.stepper = stepper, .K = 1e4, .B = B, .mu = mu});
  const double q[7] = {0, 0, 0.05 - 2 * 9.218384609909762 / 4 / 1e4, 0, 0, 0, 1};
  ffi_rig_reset(r, q, NULL);
  return r;
}

double ffi_physics_creep(ff_stepper stepper, double dt, double B)
{
  ff_model *model;
  ffi_rig *r = block_on_slope(stepper, 0.5, B, &model);
  const int second = (int)lround(1 / dt);
  ffi_rig_run(r, dt, 2 * second);
  ffi_state *settled = ffi_rig_keep(r, r->now);
  ffi_rig_run(r, dt, second);
  assert_int_equal(r->now->touching_count, 4);
  for (int i = 0; i < 4; ++i)
    assert_memory_equal(r->now->touching[i].anchor, settled->touching[i].anchor, 3 * sizeof(double));
  const double way = ffi_gap(3, r->now->q, settled->q);
  free(settled);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
  return way;
}

double ffi_physics_sliding(ff_stepper stepper, double dt, double B)
{
  ff_model *model;
  ffi_rig *r = block_on_slope(stepper, 0.25, B, &model);
  const int second = (int)lround(1 / dt);
  const double want = 9.81 * (sin(pi / 9) - 0.25 * cos(pi / 9));
  ffi_rig_run(r, dt, second);
  const double before = r->now->v[0];
  ffi_rig_run(r, dt, second);
  const double got = r->now->v[0] - before;
  ffi_rig_destroy(r);
  ff_model_destroy(model);
  return fabs(got / want - 1);
}

// ---- Habits -----------------------------------------------------------------------------------------------

static void assert_same_state(const ffi_rig *r, const ffi_state *a, const ffi_state *b)
{
  assert_memory_equal(a->q, b->q, (size_t)r->model->size.nq * sizeof(double));
  assert_memory_equal(a->v, b->v, (size_t)r->model->size.nv * sizeof(double));
  assert_int_equal(a->touching_count, b->touching_count);
  for (int i = 0; i < a->touching_count; ++i) {
    assert_int_equal(a->touching[i].id, b->touching[i].id);
    assert_memory_equal(a->touching[i].anchor, b->touching[i].anchor, sizeof a->touching[i].anchor);
    assert_memory_equal(a->touching[i].mean_force, b->touching[i].mean_force,
                        sizeof a->touching[i].mean_force);
    assert_memory_equal(&a->touching[i].rest, &b->touching[i].rest, sizeof(double));
  }
}

void ffi_physics_nothing_lingers(ff_stepper stepper)
{
  ffi_stance s = ffi_stance_create(1e4, 100, 0.5);
  ffi_random random = ffi_random_seed(9);
  s.def.stepper = stepper;
  ffi_rig *r = ffi_rig_create(s.model, &s.def), *other = ffi_rig_create(s.model, &s.def);
  s.q[2] += 0.01;
  ffi_stance_push(&s, 0.3, 4);
  ffi_rig_reset(r, s.q, s.v);
  int landed = 0;
  for (int k = 0; k < 300; ++k) {
    ffi_state *before = ffi_rig_keep(r, r->now), *after;
    ffi_rig_step(r, 2e-4);
    after = ffi_rig_keep(r, r->now);
    if (k % 10 == 0) { // somewhere else entirely, then back
      double q[19], v[18];
      ffi_random_q(&random, s.model, q);
      ffi_random_vector(&random, 18, 2, v);
      q[2] = 0.1;
      ffi_rig_reset(r, q, v);
      ffi_rig_step(r, 1e-5);
      ffi_rig_reset(r, NULL, NULL);
      ffi_state_copy(&r->system, before, r->now);
      ffi_rig_step(r, 2e-4);
      assert_same_state(r, r->now, after);
      ffi_state_copy(&other->system, before, other->now); // and one that was never used
      ffi_rig_step(other, 2e-4);
      assert_same_state(other, other->now, after);
      ffi_rig_destroy(other);
      other = ffi_rig_create(s.model, &s.def);
    }
    landed |= r->now->touching_count > 0;
    free(before);
    free(after);
  }
  assert_true(landed);
  ffi_rig_destroy(other);
  ffi_rig_destroy(r);
  ff_model_destroy(s.model);
}

// ---- All of it --------------------------------------------------------------------------------------------

static void has_its_order(void **state)
{
  const ffi_physics_bar *bar = *state;
  assert_true(fabs(ffi_physics_flight(bar->stepper) - bar->order) < bar->slack);
  assert_true(fabs(ffi_physics_stance(bar->stepper) - bar->order) < bar->stance_slack);
  assert_true(fabs(ffi_physics_slip(bar->stepper) - bar->order) < bar->slack);
  assert_true(fabs(ffi_physics_roll(bar->stepper) - bar->order) < bar->slack);
}

static void follows_a_mass_on_the_floor(void **state)
{
  const ffi_physics_bar *bar = *state;
  const double error = ffi_physics_mass_on_floor(bar->stepper, 5e-3);
  print_message("  error %.2e m\n", error);
  assert_true(error < bar->floor_error);
}

static void check_on_slope(const ffi_physics_bar *bar, const ffi_physics_slope cases[4],
                           double (*measure)(ff_stepper stepper, double dt, double B), const char *what)
{
  assert_true(cases[0].bound > 0); // something is tested
  for (int k = 0; k < 4 && cases[k].bound > 0; ++k) {
    const double error = measure(bar->stepper, bar->dt, cases[k].damping);
    print_message("  damping %g: %.1e %s\n", cases[k].damping, error, what);
    assert_true(error < cases[k].bound);
  }
}

static void does_not_creep(void **state)
{
  const ffi_physics_bar *bar = *state;
  check_on_slope(bar, bar->creep, ffi_physics_creep, "m in a second");
}

static void slides(void **state)
{
  const ffi_physics_bar *bar = *state;
  check_on_slope(bar, bar->sliding, ffi_physics_sliding, "of the acceleration is wrong");
}

static void keeps_nothing_from_step_to_step(void **state)
{
  const ffi_physics_bar *bar = *state;
  ffi_physics_nothing_lingers(bar->stepper);
}

int ffi_physics_run(const ffi_physics_bar *bar)
{
  void *state = (void *)bar; // the tests only read it
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(has_its_order, state),
      cmocka_unit_test_prestate(follows_a_mass_on_the_floor, state),
      cmocka_unit_test_prestate(does_not_creep, state),
      cmocka_unit_test_prestate(slides, state),
      cmocka_unit_test_prestate(keeps_nothing_from_step_to_step, state),
  };
  return cmocka_run_group_tests_name("physics", tests, NULL, NULL);
}
