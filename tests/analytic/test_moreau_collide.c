// Hard contact: balls that meet. What Newton's law, which is all that `moreau` knows of impacts, says of two balls, of
// five in a row, and of balls that spin.
#include "analytic/scene.h"
#include "support/hard_scene.h"

static const double radius = 0.1; // [m]

static ffi_loose ball(double mass, double mu, double e, double et)
{
  return (ffi_loose){
      .shape = FF_SHAPE_SPHERE, .size = {radius}, .mass = mass, .material = ffi_hard_material(mu, e, et)};
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Two balls run into each other off-centre, without friction and gravity. n is the line of centres in the middle of the
// step with the impact: both are still in free flight there, so x^M = x^S + dt/2 v^S. The impulse (1 + e) m1 m2/(m1 +
// m2) |u_n| along n gives both velocities.
static void two_balls_exchange_momentum_along_the_normal(void **state)
{
  (void)state;
  const double dt = 0.001, es[] = {1, 0.6, 0};
  for (int i = 0; i < 3; ++i) {
    const double e = es[i];
    const ffi_loose balls[2] = {ball(1, 0, e, 0), ball(3, 0, e, 0)};
    ff_model *model = ffi_loose_model(2, balls, 0);
    const ff_sim_def def = ffi_hard_def(dt);
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state start[2] = {{.position = {-0.5, 0.07, 0.02}, .velocity = {2, 0.1, 0}},
                                      {.position = {0.5, 0, 0}, .velocity = {-1, 0, 0.05}}};
    ffi_loose_state old[2], now[2];
    ffi_loose_reset(sim, 2, start);
    do {
      ffi_loose_read(sim, 2, old);
      ffi_must_step(sim, NULL);
      ffi_loose_read(sim, 2, now);
      assert_true(ff_sim_time(sim) < 1);
    } while (fabs(now[0].velocity[0] - 2) < 1e-9);
    double n[3], u[3], length = 0;
    for (int k = 0; k < 3; ++k) {
      u[k] = old[0].velocity[k] - old[1].velocity[k];
      n[k] = old[0].position[k] - old[1].position[k] + dt / 2 * u[k];
    }
    length = sqrt(dot(n, n));
    assert_true(length <= 2 * radius && length > 2 * radius - dt * 3.2);
    const double Lambda = -(1 + e) * 0.75 * dot(u, n) / length;
    for (int k = 0; k < 3; ++k) {
      const double P = Lambda * n[k] / length;
      ffi_check_near("ball 1", now[0].velocity[k], old[0].velocity[k] + P, 1e-13);
      ffi_check_near("ball 2", now[1].velocity[k], old[1].velocity[k] - P / 3, 1e-13);
    }
    const double loss = ffi_loose_kinetic(2, balls, old) - ffi_loose_kinetic(2, balls, now);
    const double normal = dot(u, n) / length;
    ffi_check_near("energy lost", loss, 0.75 / 2 * (1 - e * e) * normal * normal, 1e-12);
    ffi_must_run(sim, 200, NULL); // and they part
    ffi_loose_state far[2];
    ffi_loose_read(sim, 2, far);
    for (int k = 0; k < 3 && e > 0; ++k)
      ffi_check_near("later", far[0].velocity[k], now[0].velocity[k], 1e-13);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

enum { ROW = 5 };

static void row_of_balls(double e, double gap, double dt, double speed, int steps, double v[ROW])
{
  ffi_loose balls[ROW];
  ffi_loose_state at[ROW];
  for (int i = 0; i < ROW; ++i) {
    balls[i] = ball(2, 0.5, e, 0);
    at[i] = (ffi_loose_state){.position = {i * (2 * radius + gap)}};
  }
  at[0].velocity[0] = speed;
  ff_model *model = ffi_loose_model(ROW, balls, 0);
  const ff_sim_def def = ffi_hard_def(dt);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_reset(sim, ROW, at);
  ffi_must_run(sim, steps, NULL);
  ffi_loose_read(sim, ROW, at);
  for (int i = 0; i < ROW; ++i) {
    v[i] = at[i].velocity[0];
    ffi_check_near("sideways", fabs(at[i].velocity[1]) + fabs(at[i].velocity[2]), 0, 1e-13);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Five equal balls that touch, the first comes with 1 m/s. Four contacts, gamma_i = v_i+1 - v_i, before: (-1, 0, 0, 0).
// All at once they are
//
//     xi = gamma+ + e gamma- = G Lambda + (1 + e) gamma-,     0 <= xi  _|_  Lambda >= 0,     G = tridiag(-1, 2, -1)/m
//
// With xi = 0 everywhere Lambda = (1 + e) m (4, 3, 2, 1)/5, from the inverse of G; it is positive, so this is the
// solution, and since G is positive definite the only one. Then gamma+ = (e, 0, 0, 0), and momentum gives (1 - 4e)/5
// for the first and (1 + e)/5 for all others: with e = 1 that is -3/5 and 2/5, which keeps the energy, 9/25 + 4 * 4/25
// = 1, but is not what steel balls do. Newton's law knows no waves.
static void touching_row_moves_as_newtons_law_says(void **state)
{
  (void)state;
  const double es[] = {1, 0.5, 0};
  for (int i = 0; i < 3; ++i) {
    double v[ROW];
    row_of_balls(es[i], -1e-9, 0.001, 1, 1, v); // touching, whatever rounding says
    ffi_check_near("first", v[0], (1 - 4 * es[i]) / 5, 1e-12);
    for (int k = 1; k < ROW; ++k)
      ffi_check_near("others", v[k], (1 + es[i]) / 5, 1e-12);
  }
}

// With gaps there is one impact after the other, however small they are: a contact counts from the step on in which its
// middle is closed, and nothing moves the third ball before the second has been hit. Each impact turns (u, 0) into (1 -
// e, 1 + e) u/2. So with e = 1 the last ball leaves with the speed of the first, and all others stand; with less it has
// ((1 + e)/2)^4, once the wave has passed. 0.99 there: what is left for the others, 1 - 0.98, cannot reach it again.
static void row_with_gaps_passes_it_on(void **state)
{
  (void)state;
  const double gaps[] = {1e-9, 1e-6, 3e-3}, dt = 0.001;
  for (int i = 0; i < 3; ++i) {
    double v[ROW];
    row_of_balls(1, gaps[i], dt, 1, 40, v);
    for (int k = 0; k < ROW; ++k)
      ffi_check_near("elastic", v[k], k == ROW - 1, 1e-12);
  }
  double v[ROW];
  row_of_balls(0.99, 3e-3, dt, 1, 40, v);
  ffi_check_near("e = 0.99", v[ROW - 1], pow(0.995, 4), 1e-12);
}

// A ball falls on the floor obliquely and turning. Its lowest point moves with u = v_x - r w_y along x (w about y turns
// the lowest point towards -x for w > 0), and G_t = 1/m + r^2/I = 7/(2 m). If friction can, u' = -e_t u: the impulse
// -(1 + e_t) u 2m/7. Else it is mu (1 + e) m |v_n| against u.
static void ball_with_spin_bounces(void **state)
{
  (void)state;
  const struct {
    double mu, e, et, vx, wy;
  } cases[] = {{5, 0.8, 0, 1, 3},     {5, 0.8, 0.9, 1, 3},   {0.1, 0.8, 0.9, 1, 3},
               {0.05, 0.5, 0, -2, 9}, {0, 0.9, 0.5, 1.5, 2}, {5, 0.7, 0.7, 0.4, -20}};
  for (int i = 0; i < 6; ++i) {
    const double m = 0.5, e = cases[i].e, mu = cases[i].mu, vn = -1.2, dt = 0.001;
    const ffi_loose one = ball(m, mu, e, cases[i].et);
    ff_model *model = ffi_loose_model(1, &one, 0);
    ff_sim_def def = ffi_hard_def(dt);
    def.ground_count = -1;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state start = {
        .position = {0, 0, radius + 0.0003}, .velocity = {cases[i].vx, 0, vn}, .spin = {0, cases[i].wy, 0}};
    ffi_loose_state now;
    ffi_loose_reset(sim, 1, &start);
    ffi_must_step(sim, NULL);
    ffi_loose_read(sim, 1, &now);
    const double u = cases[i].vx - radius * cases[i].wy, I = 0.4 * m * radius * radius;
    double P = -(1 + cases[i].et) * u * 2 * m / 7;
    const double most = mu * (1 + e) * m * -vn;
    P = fmax(-most, fmin(most, P));
    ffi_check_near("v_z", now.velocity[2], -e * vn, 1e-13);
    ffi_check_near("v_x", now.velocity[0], cases[i].vx + P / m, 1e-13);
    ffi_check_near("w_y", now.spin[1], cases[i].wy - radius * P / I, 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// Newton's law with a different e at each contact can make energy. Three equal balls touch, v = (1, 0, 1/2): the first
// two approach with 1, the other two part with 1/2. With e = 1 between the first two and 0 between the others both
// contacts take part: gamma+ = (1, 0), Lambda = m/3 (7/2, 1) > 0. v+ = (-1/6, 5/6, 5/6), and the energy grows from 5/8
// to 17/24 m. With one e for both it does not: e = 1 keeps it.
static void mixed_restitution_can_make_energy(void **state)
{
  (void)state;
  for (int is_mixed = 0; is_mixed < 2; ++is_mixed) {
    const double rest = is_mixed ? 0 : 1; // a pair has the larger e of its two
    const ffi_loose balls[3] = {ball(1, 0, 1, 0), ball(1, 0, rest, 0), ball(1, 0, rest, 0)};
    ff_model *model = ffi_loose_model(3, balls, 0);
    const ff_sim_def def = ffi_hard_def(0.001);
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at[3];
    const double v[3] = {1, 0, 0.5}, mixed[3] = {-1. / 6, 5. / 6, 5. / 6}, equal[3] = {0, 1, 0.5};
    for (int i = 0; i < 3; ++i)
      at[i] = (ffi_loose_state){.position = {i * (2 * radius - 1e-3)}, .velocity = {v[i]}};
    ffi_loose_reset(sim, 3, at);
    ffi_must_step(sim, NULL);
    ffi_loose_read(sim, 3, at);
    for (int i = 0; i < 3; ++i)
      ffi_check_near("v", at[i].velocity[0], is_mixed ? mixed[i] : equal[i], 1e-12);
    ffi_check_near("energy", ffi_loose_kinetic(3, balls, at), is_mixed ? 17. / 24 : 5. / 8, 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// Nor need contacts differ: a normal e that is not the tangential one can do it at a single contact, if it is steep
// (Kane's example). A thin rod (1 kg, 1 m, J = m l^2/3) leans with tan theta = 2 and falls with (1/2, -1) m/s on its
// lower end, friction holds it there. In (t, n), G = (3.4, -1.2; -1.2, 1.6), det 4. With e_n = 1 and e_t = 0 the end
// leaves with (0, 1): Lambda = G^-1 (-1/2, 2) = (0.4, 1.55), within mu = 1, and the energy changes by half of (gamma +
// gamma').Lambda = 0.4/2 * 1/2 = 0.1 J: from 0.625 J to 0.725 J. With e_t = 1 as well nothing is gained: it leaves with
// (-1/2, 1) and as much energy as it had.
static void unlike_restitutions_of_one_contact_can_make_energy(void **state)
{
  (void)state;
  const double ends[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}}, theta = atan(2), dt = 0.001;
  for (int alike = 0; alike < 2; ++alike) {
    const ffi_loose rod = {.shape = FF_SHAPE_POINT,
                           .mass = 1,
                           .moment = {1e-4, 0.25 / 3, 0.25 / 3},
                           .material = ffi_hard_material(1, 1, alike),
                           .point_count = 2,
                           .points = ends};
    ff_model *model = ffi_loose_model(1, &rod, 0);
    ff_sim_def def = ffi_hard_def(dt);
    def.ground_count = -1;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state start = {.position = {0, 0, 0.5 * sin(theta)}, // inside in the middle of the step
                                   .quaternion = {0, -sin(theta / 2), 0, cos(theta / 2)},
                                   .velocity = {0.5, 0, -1}};
    ffi_loose_state now;
    ffi_loose_reset(sim, 1, &start);
    ffi_must_step(sim, NULL);
    ffi_loose_read(sim, 1, &now);
    ffi_check_near("along", now.velocity[0] - now.spin[1] * 0.5 * sin(theta), alike ? -0.5 : 0, 1e-12);
    ffi_check_near("up", now.velocity[2] + now.spin[1] * 0.5 * cos(theta), 1, 1e-12);
    ffi_check_near("energy", ffi_loose_kinetic(1, &rod, &now), alike ? 0.625 : 0.725, 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_balls_exchange_momentum_along_the_normal),
      cmocka_unit_test(touching_row_moves_as_newtons_law_says),
      cmocka_unit_test(row_with_gaps_passes_it_on),
      cmocka_unit_test(ball_with_spin_bounces),
      cmocka_unit_test(mixed_restitution_can_make_energy),
      cmocka_unit_test(unlike_restitutions_of_one_contact_can_make_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
