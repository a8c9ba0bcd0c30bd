// Backward Euler: that it solves its equations, how fast, and what it does where they are not smooth.

#include "model/model.h"
#include "step/implicit/implicit.h"
#include "step/loose.h"
#include "step/physics.h"
#include "step/stance.h"
#include "support/near.h"
#include "support/random_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const ff_stepper stepper = FF_STEPPER_IMPLICIT;

static const ffi_physics_bar bar = {.stepper = FF_STEPPER_IMPLICIT,
                                    .order = 1,
                                    .slack = 0.1,
                                    .stance_slack = 0.1,
                                    .floor_error = 2.1e-3,
                                    .dt = 5e-3,
                                    .creep = {{300, 1e-12}, {60, 1e-12}, {0, 1e-12}},
                                    .sliding = {{300, 1e-5}, {60, 1e-5}, {5, 1e-5}, {0, 1e-5}}};

// A mass on a spring and a damper: v+ (1 + dt B/m + dt^2 K/m) = v - dt (g + K x/m), for stiffness that leaves no explicit method a chance.
static void solves_the_linear_case(void **state)
{
  (void)state;
  const ffi_loose mass = {.joint = FF_JOINT_PRISMATIC, .shape = FF_SHAPE_POINT, .mass = 2};
  const double K = 1e7, B = 50, dt = 0.01;
  ff_model *model = ffi_loose_create(1, &mass, K, B, 1);
  ffi_rig *r =
      ffi_rig_create(model, &(ffi_rig_def){.stepper = stepper, .K = K, .B = B, .mu = 1, .tolerance = 1e-12});
  double x = -0.003, v = 0;
  ffi_rig_reset(r, &x, NULL);
  for (int k = 0; k < 50; ++k) {
    const double pressed = (v - dt * (9.81 + K * x / 2)) / (1 + dt * B / 2 + dt * dt * K / 2);
    const double free_fall = v - dt * 9.81, held = -K * (x + dt * pressed) - B * pressed;
    v = held > 0 ? pressed : free_fall;
    x += dt * v;
    ffi_rig_step(r, dt);
    assert_true(r->info.converged && r->info.iterations <= 3);
    // rounding of K x against m / dt
    assert_true(fabs(r->now->v[0] - v) < 1e-9 && fabs(r->now->q[0] - x) < 1e-11);
    if (held <= 0) // in the air it is not said here when it is caught again
      break;
  }
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

// Near the solution each iteration squares the error, until rounding. The tangent's forces come from the model of the iteration before, which costs nothing of it.
static void converges_quadratically(void **state)
{
  (void)state;
  static const double frictions[] = {100, 0.2}; // sticking, slipping
  for (int k = 0; k < 2; ++k) {
    ffi_stance s = ffi_stance_create(1e4, 100, 1);
    s.def.stepper = stepper;
    s.def.mu = frictions[k];
    s.def.tolerance = 1e-13;
    ffi_stance_push(&s, 0.1, 8);
    s.v[0] = s.v[1] = k ? 0.5 : 0;
    ffi_rig *r = ffi_rig_create(s.model, &s.def);
    ffi_rig_reset(r, s.q, s.v);
    ffi_rig_run(r, 1e-3, 3);
    ffi_system *sys = &r->system;
    ffi_implicit *m = sys->memory;
    ff_error error;
    double norms[6] = {0};
    int slipping = 0, count = 0;
    m->at = sys->present;
    m->from = r->now;
    m->dt = 5e-3;
    assert_int_equal(ffi_implicit_trial_begin(sys, m, &error), FF_OK);
    while (count < 6) {
      assert_int_equal(ffi_implicit_trial_evaluate(sys, m, &error), FF_OK);
      norms[count++] = m->norm;
      print_message("  %.2e", m->norm);
      slipping = 0;
      for (int c = 0; c < m->at->count; ++c)
        slipping += m->at->contact[c].law.mode == FF_CONTACT_SLIP;
      if (m->norm < 1e-10)
        break;
      ffi_implicit_jacobian(sys, m);
      assert_int_equal(ffi_implicit_model_solve(sys, m), 1);
      for (int j = 0; j < 18; ++j)
        m->x->v[j] += m->step[j];
    }
    print_message("  (%d slipping)\n", slipping);
    assert_int_equal(slipping, k ? 4 : 0);
    assert_true(count > 2 && count <= 5 && norms[count - 1] < 1e-10);
    // Digits at least double, but for a factor, which is below 1e3 here.
    for (int i = 1; i + 1 < count; ++i)
      assert_true(norms[i + 1] <= 1e3 * norms[i] * norms[i] + 1e-11);
    ffi_rig_destroy(r);
    ff_model_destroy(s.model);
  }
}

typedef struct count {
  int steps, iterations, worst, unconverged;
  double speed;
} count;

static void take(ffi_rig *r, double dt, double seconds, count *c)
{
  for (int k = 0; k < (int)lround(seconds / dt); ++k) {
    ffi_rig_step(r, dt);
    c->steps += 1;
    c->iterations += r->info.iterations;
    c->worst = r->info.iterations > c->worst ? r->info.iterations : c->worst;
    c->unconverged += !r->info.converged;
    c->speed = fmax(c->speed, ffi_size(r->model->size.nv, r->now->v));
    assert_true(isfinite(ffi_size(r->model->size.nq, r->now->q)));
  }
}

// A robot with motors dropped from 15 cm, tilted and turning: landings, slips and rebounds, for all sensible stiffnesses and steps. All steps converge, and it
// comes to rest on its feet.
static void robots_land(void **state)
{
  (void)state;
  ffi_stance s = ffi_stance_create(1e4, 100, 1);
  s.def.stepper = stepper;
  s.def.B = 300;
  s.def.mu = 0.7;
  static const double stiffnesses[] = {1e5, 1e6, 1e7}, steps[] = {1e-3, 2e-3, 5e-3};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      count c = {0};
      s.def.K = stiffnesses[i];
      ffi_rig *r = ffi_rig_create(s.model, &s.def);
      for (int k = 0; k < 4; ++k) {
        ffi_random random = ffi_random_seed((uint64_t)k);
        double q[19], v[18];
        memcpy(q, s.q, sizeof q);
        q[2] += 0.15;
        for (int a = 3; a < 6; ++a)
          q[a] += ffi_random_between(&random, -0.1, 0.1);
        ffi_random_vector(&random, 18, 0.5, v);
        ffi_rig_reset(r, q, v);
        take(r, steps[j], 1, &c);
        assert_int_equal(r->now->touching_count, 4);
        assert_true(r->now->q[2] > 0.19 && ffi_size(18, r->now->v) < 0.1);
      }
      print_message("  K %.0e dt %.0e: %.2f iterations, at most %d; %d of %d steps not converged\n",
                    stiffnesses[i], steps[j], (double)c.iterations / c.steps, c.worst, c.unconverged,
                    c.steps);
      assert_int_equal(c.unconverged, 0);
      assert_true(c.iterations < 2.2 * c.steps);
      ffi_rig_destroy(r);
    }
  ff_model_destroy(s.model);
}

// Limp robots thrown to the ground, legs whirling by half a turn in a step: nearly all steps converge, those that do not say so, nothing explodes.
static void limp_robots_fall(void **state)
{
  (void)state;
  static const char *const files[] = {"solo12.urdf", "starleth.urdf"};
  for (int f = 0; f < 2; ++f) {
    ff_model *model = ffi_rig_load(files[f]);
    ffi_rig *r = ffi_rig_create(
        model, &(ffi_rig_def){.stepper = stepper, .K = 1e5, .B = 300, .mu = 0.8, .model_elements = 1});
    count c = {0};
    for (int k = 0; k < 5; ++k) {
      ffi_random random = ffi_random_seed((uint64_t)k);
      double q[64], v[64];
      ff_model_neutral(model, q);
      ffi_random_quaternion(&random, q + 3);
      q[2] = 0.8;
      for (int i = 7; i < model->size.nq; ++i)
        q[i] = ffi_random_between(&random, -0.5, 0.5);
      ffi_random_vector(&random, model->size.nv, 1, v);
      ffi_rig_reset(r, q, v);
      take(r, 5e-3, 1.5, &c);
    }
    print_message("  %s: %.2f iterations, at most %d; %d of %d steps not converged; fastest %.0f\n", files[f],
                  (double)c.iterations / c.steps, c.worst, c.unconverged, c.steps, c.speed);
    assert_true(c.unconverged <= c.steps / 100);
    assert_true(c.speed < 300);
    ffi_rig_destroy(r);
    ff_model_destroy(model);
  }
}

// Where touching pushes the mass out of the surface and not touching lets it in: the law continues above the surface, so there is a solution, and it is the
// nearer to touching the smaller the step.
static void touches_down_through_a_jump(void **state)
{
  (void)state;
  const ffi_loose mass = {.joint = FF_JOINT_PRISMATIC, .shape = FF_SHAPE_POINT, .mass = 0.1};
  ff_model *model = ffi_loose_create(1, &mass, 1e5, 300, 1);
  ffi_rig *r = ffi_rig_create(model, &(ffi_rig_def){.stepper = stepper, .K = 1e5, .B = 300, .mu = 1});
  for (int k = 1; k < 20; ++k) {
    const double x = 1e-3 * k / 20, v = -1;
    ffi_rig_reset(r, &x, &v);
    ffi_rig_step(r, 1e-3);
    assert_true(r->info.converged && r->info.iterations <= 4);
    assert_true(r->now->v[0] > -1.02 && r->now->v[0] <= 0.3);
    ffi_rig_run(r, 1e-3, 200);
    assert_true(fabs(r->now->q[0] + 0.1 * 9.81 / 1e5) < 1e-9);
  }
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

// A pendulum falls against its stop and stays there, pressed in by its weight.
static void stops_hold(void **state)
{
  (void)state;
  ff_model *model = ffi_rig_load("pendulum.urdf");
  ffi_rig_def def = {.stepper = stepper, .element_count = 1};
  def.elements[0] = ff_element_def_default();
  def.elements[0].type = FF_ELEMENT_JOINT_LIMIT;
  def.elements[0].joint = 0;
  def.elements[0].stiffness = 1e4;
  def.elements[0].damping = 20;
  def.elements[0].lower = 0.3;
  def.elements[0].upper = 2;
  ffi_rig *r = ffi_rig_create(model, &def);
  const double q[1] = {1.2};
  count c = {0};
  ffi_rig_reset(r, q, NULL);
  take(r, 5e-3, 3, &c);
  ff_dynamics *dynamics = NULL;
  ff_error error;
  double weight;
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, &error), FF_OK);
  ff_dynamics_gravity(dynamics, r->now->q, &weight);
  print_message("  %d of %d steps not converged; at %.6f, weight %.3f\n", c.unconverged, c.steps,
                r->now->q[0], weight);
  assert_int_equal(c.unconverged, 0);
  assert_true(fabs(r->now->q[0] - (0.3 - weight / 1e4)) < 1e-6);
  ff_dynamics_destroy(dynamics);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

// With springs at rest where a contact was first seen, a box dropped flat rests where it was first seen: not deeper by more than its weight asks for.
static void anchors_at_first_touch(void **state)
{
  (void)state;
  const ffi_loose box = {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 1};
  ff_model *model = ffi_loose_create(1, &box, 1e5, 300, 1);
  ffi_rig *r = ffi_rig_create(
      model, &(ffi_rig_def){
                 .stepper = stepper, .K = 1e5, .B = 300, .mu = 1, .normal_anchor = FF_ANCHOR_FIRST_TOUCH});
  const double q[7] = {0, 0, 0.102, 0, 0, 0, 1};
  ffi_rig_reset(r, q, NULL);
  ffi_rig_run(r, 2e-3, 1500);
  assert_int_equal(r->now->touching_count, 4);
  double rest = 0;
  for (int i = 0; i < 4; ++i) {
    assert_true(r->now->touching[i].rest <= 0 && r->now->touching[i].rest > -2e-3);
    rest += r->now->touching[i].rest / 4;
  }
  assert_true(fabs(r->now->q[2] - (0.1 + rest - 9.81 / 4e5)) < 1e-6);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves_the_linear_case),
      cmocka_unit_test(converges_quadratically),
      cmocka_unit_test(robots_land),
      cmocka_unit_test(limp_robots_fall),
      cmocka_unit_test(touches_down_through_a_jump),
      cmocka_unit_test(stops_hold),
      cmocka_unit_test(anchors_at_first_touch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) + ffi_physics_run(&bar);
}
