// Hard contact's stepper without contact: bodies that turn. The scheme takes gyroscopic terms from the start of a step
// (Moreau paper eq. 7), which is Euler's explicit method for Euler's equations: its errors are known to the last digit.
#include "analytic/scene.h"
#include "support/hard_scene.h"

#include <string.h>

static const double g = 9.81;

static ffi_loose body(double A, double B, double C)
{
  return (ffi_loose){.shape = FF_SHAPE_SPHERE,
                     .size = {0.1},
                     .mass = 2,
                     .moment = {A, B, C},
                     .material = ffi_hard_material(0, 0, 0)};
}

typedef struct flight {
  ffi_loose body;
  ff_model *model;
  ff_sim *sim;
} flight;

static flight fly(const ffi_loose *b, const ffi_loose_state *start, double dt)
{
  flight f = {.body = *b, .model = ffi_loose_model(1, b, 0)};
  const ff_sim_def def = ffi_hard_def(dt);
  f.sim = ffi_must_sim(f.model, &def);
  ffi_loose_reset(f.sim, 1, start);
  return f;
}

static void land(flight *f)
{
  ff_sim_destroy(f->sim);
  ff_model_destroy(f->model);
}

// A symmetric body, A = B: its axis' component of w is constant and the others turn with Om = (C - A)/A w_3 in the
// body. Euler's step multiplies w_1 + i w_2 by 1 + i Om dt: it grows by sqrt(1 + Om^2 dt^2) and turns by atan(Om dt), a
// step. To rounding of 1000 steps.
static void euler_top_steps_as_computed(void **state)
{
  (void)state;
  const double A = 0.03, C = 0.05, dt = 0.002, w[3] = {1.5, -0.4, 6};
  const double Om = (C - A) / A * w[2];
  const ffi_loose b = body(A, A, C);
  const ffi_loose_state start = {.spin = {w[0], w[1], w[2]}, .velocity = {1, 2, -1}};
  flight f = fly(&b, &start, dt);
  const int n = 1000;
  ffi_must_run(f.sim, n, NULL);
  const double *v = ff_sim_v(f.sim), size = pow(1 + Om * Om * dt * dt, n / 2.0), turn = n * atan(Om * dt);
  ffi_check_near("w_1", v[3], size * (cos(turn) * w[0] - sin(turn) * w[1]), 1e-10);
  ffi_check_near("w_2", v[4], size * (sin(turn) * w[0] + cos(turn) * w[1]), 1e-10);
  ffi_check_near("w_3", v[5], w[2], 1e-12);
  ffi_loose_state s;
  ffi_loose_read(f.sim, 1, &s);
  for (int k = 0; k < 3; ++k) {
    ffi_check_near("velocity", s.velocity[k], start.velocity[k], 1e-11);
    ffi_check_near("position", s.position[k], start.velocity[k] * n * dt, 1e-11);
  }
  land(&f);
}

// The body of a free symmetric top precesses about its angular momentum L with |L|/A. Where the axis is after a while,
// its energy and L: all of order 1.
static void free_top_precesses_with_order_1(void **state)
{
  (void)state;
  const double A = 0.03, C = 0.05, T = 1, pi = 3.14159265358979323846;
  const ffi_loose b = body(A, A, C);
  double last[3] = {0};
  for (double dt = 0.002; dt > 1e-4; dt /= 2) {
    // L along z: the axis leans by `lean`, and turns about z with |L|/A
    const double L = 0.3, lean = 0.4, spin = L * cos(lean) / C, across = L * sin(lean) / A;
    const double axis[3] = {sin(lean), 0, cos(lean)}, side[3] = {-cos(lean), 0, sin(lean)};
    ffi_loose_state start = {.quaternion = {0, sin(lean / 2), 0, cos(lean / 2)}}, s;
    for (int k = 0; k < 3; ++k)
      start.spin[k] = spin * axis[k] + across * side[k];
    flight f = fly(&b, &start, dt);
    double from[6], to[6];
    ffi_loose_read(f.sim, 1, &s);
    ffi_loose_momentum(1, &b, &s, from);
    ffi_check_near("L along z", fabs(from[3]) + fabs(from[4]) + fabs(from[5] - L), 0, 1e-15);
    const double energy = ffi_loose_kinetic(1, &b, &s);
    ffi_must_run(f.sim, (int)lround(T / dt), NULL);
    ffi_loose_read(f.sim, 1, &s);
    ffi_loose_momentum(1, &b, &s, to);
    double R[9];
    ffi_loose_rotation(s.quaternion, R);
    const double azimuth = fmod(L / A * T, 2 * pi);
    const double want[3] = {sin(lean) * cos(azimuth), sin(lean) * sin(azimuth), cos(lean)},
                 got[3] = {R[2], R[5], R[8]};
    const double error[3] = {ffi_gap(3, got, want), ffi_gap(6, to, from) / L,
                             ffi_loose_kinetic(1, &b, &s) / energy - 1};
    printf("dt %g: axis %.2e, momentum %.2e, energy %.2e\n", dt, error[0], error[1], error[2]);
    for (int k = 0; k < 3 && last[0] > 0; ++k)
      ffi_check_near("order", log2(last[k] / error[k]), 1, 0.15);
    memcpy(last, error, sizeof last);
    land(&f);
  }
}

// Any body: a step of Euler's method changes 2T by dt^2 |w x Iw|^2 in the norm of I^-1 and |L|^2 by dt^2 |w x Iw|^2,
// both exactly: energy is gained, never lost.
static void gain_of_a_step_is_known(void **state)
{
  (void)state;
  const double I[3] = {0.02, 0.05, 0.06}, w[3] = {4, 3, -2}, dt = 0.01;
  const ffi_loose b = body(I[0], I[1], I[2]);
  const ffi_loose_state start = {.spin = {w[0], w[1], w[2]}};
  flight f = fly(&b, &start, dt);
  ffi_must_step(f.sim, NULL);
  const double *v = ff_sim_v(f.sim) + 3;
  double before = 0, after = 0, gain = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double torque = w[i] * I[j] * w[j] - w[j] * I[i] * w[i];
    before += I[k] * w[k] * w[k];
    after += I[k] * v[k] * v[k];
    gain += dt * dt * torque * torque / I[k];
  }
  ffi_check_near("gain", after - before, gain, 1e-15);
  land(&f);
}

// A heavy top on a point that does not move (a ball joint), in steady precession: with C the moment along its axis and
// A across, both about the point, and w_3 the spin along the axis, leaning by theta:  m g l = C w_3 W - A W^2 cos
// theta. Order 1.
static double top_error(double dt)
{
  const double C = 0.1, l = 0.25, m = 2, A = 0.06 + m * l * l, theta = 0.6, W = 3, T = 1;
  const double w3 = (m * g * l + A * W * W * cos(theta)) / (C * W); // 21 rad/s
  ff_builder *builder = ffi_must_begin("top");
  ff_link_def link = ff_link_def_default();
  link.name = "top";
  link.joint.type = FF_JOINT_SPHERICAL;
  link.inertia.mass = m;
  link.inertia.com[2] = l;
  link.inertia.matrix[0] = link.inertia.matrix[3] = 0.06;
  link.inertia.matrix[5] = C;
  ffi_must_add_link(builder, &link);
  ff_model *model = ffi_must_finish(builder);
  const ff_sim_def def = ffi_hard_def(dt);
  ff_sim *sim = ffi_must_sim(model, &def);
  // the axis is (sin theta, 0, cos theta); W z is W (-sin theta, 0, cos theta) in the body
  const double q[4] = {0, sin(theta / 2), 0, cos(theta / 2)}, v[3] = {-sin(theta) * W, 0, w3};
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, (int)lround(T / dt), NULL);
  double R[9];
  ffi_loose_rotation(ff_sim_q(sim), R);
  const double got[3] = {R[2], R[5], R[8]};
  const double want[3] = {sin(theta) * cos(W * T), sin(theta) * sin(W * T), cos(theta)};
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return ffi_gap(3, got, want);
}

static void heavy_top_precesses_steadily(void **state)
{
  (void)state;
  double last = 0;
  for (double dt = 0.0005; dt > 5e-5; dt /= 2) {
    const double error = top_error(dt);
    printf("dt %g: axis off by %.2e\n", dt, error);
    if (last > 0)
      ffi_check_near("order", log2(last / error), 1, 0.2);
    last = error;
  }
}

// A body whose centre of mass is c from the origin that it floats with, turning about an axis across c with w, without
// forces. A step changes the origin's velocity by dt w^2 c towards the arm at its middle, where w x (change of the arm)
// is 2 w c sin(w dt/2) the other way: what is left, w c (f - 2 sin(f/2)) with f = w dt, turns with the body. These add
// up to a polygon whose diameter is that over sin(f/2), f^2/12 of w c: a bounded error of linear momentum. How far it
// goes from where it was, at most, in a short and in a ten times longer time, over m w c.
static void lump_errors(double dt, double error[2])
{
  const double c = 0.1, m = 2, w = 5, none[3] = {0, 0, 0};
  ff_builder *builder = ffi_must_begin("lump");
  ff_error failure;
  ffi_must(ff_builder_set_gravity(builder, none, &failure), &failure);
  ff_link_def link = ff_link_def_default();
  link.name = "lump";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = m;
  link.inertia.com[0] = c;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.03;
  ffi_must_add_link(builder, &link);
  ff_model *model = ffi_must_finish(builder);
  ff_sim_def def = ffi_hard_def(dt);
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0, 0, 0, 0, 1},
               v[6] = {0.3, -w * c, 0, 0, 0, w}; // the centre of mass goes along x
  ffi_must_reset(sim, q, v);
  double worst = 0;
  for (int k = 0; k < (int)lround(20 / dt); ++k) {
    ffi_must_step(sim, NULL);
    const double *u = ff_sim_v(sim);
    double R[9], out[3];
    const double own[3] = {u[0], u[1] + u[5] * c, u[2] - u[4] * c};
    ffi_loose_rotation(ff_sim_q(sim) + 3, R);
    ffi_loose_out(R, own, out);
    worst = fmax(worst, hypot(hypot(out[0] - 0.3, out[1]), out[2]) / (w * c));
    if (k == (int)lround(2 / dt) - 1)
      error[0] = worst;
  }
  error[1] = worst;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void lump_keeps_momentum_within_a_bound(void **state)
{
  (void)state;
  for (double dt = 0.02; dt > 1e-3; dt /= 2) {
    const double f = 5 * dt, want = (f - 2 * sin(f / 2)) / sin(f / 2);
    double error[2];
    lump_errors(dt, error);
    printf("dt %g: momentum off by %.3e m w c in 2 s, by %.3e in 20 s (%.3e)\n", dt, error[0], error[1],
           want);
    for (int k = 0; k < 2; ++k)
      ffi_check_near("off over the polygon's diameter", error[k] / want, 1,
                     0.01); // corners of it are seen, not all of the circle
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(euler_top_steps_as_computed),
      cmocka_unit_test(free_top_precesses_with_order_1),
      cmocka_unit_test(gain_of_a_step_is_known),
      cmocka_unit_test(heavy_top_precesses_steadily),
      cmocka_unit_test(lump_keeps_momentum_within_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
