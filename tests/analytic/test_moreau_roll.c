// Hard contact: balls and disks that roll, boxes that tip. What is linear in time is exact in every step; the rest has
// its order.
#include "analytic/scene.h"
#include "support/hard_scene.h"

#include <string.h>

static const double g = 9.81, degree = 3.14159265358979323846 / 180;
static const double radius = 0.2, deep = 1e-7; // [m]

typedef struct ride {
  ff_model *model;
  ff_ground_def ground;
  ff_sim *sim;
} ride;

// One body on a plane that falls along x with `angle`.
static ride ride_of(const ffi_loose *body, double gravity, double angle, double dt)
{
  ride r = {.model = ffi_loose_model(1, body, gravity), .ground = scene_slope(angle)};
  ff_sim_def def = ffi_hard_def(dt);
  def.ground = &r.ground;
  def.ground_count = 1;
  r.sim = ffi_must_sim(r.model, &def);
  return r;
}

static void ride_end(ride *r)
{
  ff_sim_destroy(r->sim);
  ff_model_destroy(r->model);
}

static ffi_loose ball(double mu)
{
  return (ffi_loose){
      .shape = FF_SHAPE_SPHERE, .size = {radius}, .mass = 3, .material = ffi_hard_material(mu, 0, 0)};
}

// Nothing slips and nothing is lost: the contact has no work to do. 2000 steps of rounding.
static void ball_rolls_on_for_ever(void **state)
{
  (void)state;
  const ffi_loose b = ball(0.8);
  ride r = ride_of(&b, g, 0, 0.005);
  const ffi_loose_state start = {
      .position = {0, 0, radius - deep}, .velocity = {0.6, 0.8, 0}, .spin = {-0.8 / radius, 0.6 / radius, 2}};
  ffi_loose_state s;
  ffi_loose_reset(r.sim, 1, &start);
  ffi_must_run(r.sim, 2000, NULL);
  ffi_loose_read(r.sim, 1, &s);
  ffi_check_near("speed", ffi_gap(3, s.velocity, start.velocity), 0, 1e-11);
  ffi_check_near("spin", ffi_gap(3, s.spin, start.spin), 0, 1e-10);
  ffi_check_near("x", s.position[0], 0.6 * 10, 1e-10);
  ffi_check_near("y", s.position[1], 0.8 * 10, 1e-10);
  ffi_check_near("z", s.position[2], radius - deep, 1e-11);
  ride_end(&r);
}

// Down a slope: rolling takes mu >= 2/7 tan a, and has 5/7 g sin a; with less friction g (sin a - mu cos a), and the
// spin grows with 5/2 mu g cos a / r.
static void ball_rolls_or_slips_down_a_slope(void **state)
{
  (void)state;
  const double a = 30 * degree, dt = 0.002, edge = 2. / 7 * tan(a),
               mus[] = {1, 1.01 * edge, 0.99 * edge, 0.05};
  for (int i = 0; i < 4; ++i) {
    const ffi_loose b = ball(mus[i]);
    ride r = ride_of(&b, g, a, dt);
    const double up = radius - deep;
    const ffi_loose_state start = {.position = {sin(a) * up, 0, cos(a) * up}};
    ffi_loose_state s;
    ffi_loose_reset(r.sim, 1, &start);
    ffi_must_run(r.sim, 500, NULL);
    ffi_loose_read(r.sim, 1, &s);
    const int rolls = i < 2;
    const double want = rolls ? 5. / 7 * g * sin(a) : g * (sin(a) - mus[i] * cos(a));
    const double spin = rolls ? want / radius : 2.5 * mus[i] * g * cos(a) / radius;
    const double way =
        (s.position[0] - start.position[0]) * cos(a) - (s.position[2] - start.position[2]) * sin(a);
    ffi_check_near("speed", s.velocity[0] * cos(a) - s.velocity[2] * sin(a), want, 1e-11); // after 1 s
    ffi_check_near("spin", s.spin[1], spin, 1e-10);
    ffi_check_near("way", way, want / 2, 1e-11);
    ride_end(&r);
  }
}

// Thrown without spin it slides, and rolls from t = 2 v0/(7 mu g) on with 5/7 v0, after 12 v0^2/(49 mu g). Friction
// acts at the contact, so v + 2/5 r w is kept in every step: 5/7 v0 is exact. The speed falls by mu g dt until one step
// can end the slip, then trapezoids are wrong by at most mu g dt^2/8 in the way.
static void sliding_ball_ends_rolling(void **state)
{
  (void)state;
  const double mu = 0.25, v0 = 2, slip = 2 * v0 / (7 * mu * g), way = 12 * v0 * v0 / (49 * mu * g);
  const double dts[] = {0.01, 0.003, 0.0007};
  for (int i = 0; i < 3; ++i) {
    const double dt = dts[i], heading = 0.9 * i;
    const ffi_loose b = ball(mu);
    ride r = ride_of(&b, g, 0, dt);
    const ffi_loose_state start = {.position = {0, 0, radius - deep},
                                   .velocity = {v0 * cos(heading), v0 * sin(heading), 0}};
    ffi_loose_state s;
    ffi_loose_reset(r.sim, 1, &start);
    double when = 0;
    int steps = 0;
    do {
      ffi_must_step(r.sim, NULL);
      ++steps;
      ffi_loose_read(r.sim, 1, &s);
      const double ux = s.velocity[0] - radius * s.spin[1], uy = s.velocity[1] + radius * s.spin[0];
      if (hypot(ux, uy) > 1e-10)
        when = ff_sim_time(r.sim);
    } while (steps < (int)lround(1 / dt));
    const double speed = hypot(s.velocity[0], s.velocity[1]), far = hypot(s.position[0], s.position[1]);
    const double want = way + 5. / 7 * v0 * (steps * dt - slip);
    ffi_check_near("speed", speed, 5. / 7 * v0, 1e-12);
    ffi_check_near("heading", atan2(s.position[1], s.position[0]), heading, 1e-12);
    ffi_check_near("way", far, want, mu * g * dt * dt / 8 * (1 + 1e-6) + 1e-12);
    assert_true(when <= slip &&
                slip <= when + dt * (1 + 1e-9)); // the slip ends in the step after the last that slipped
    ride_end(&r);
  }
}

static ffi_loose disk(double mu)
{
  return (ffi_loose){
      .shape = FF_SHAPE_DISK, .size = {radius}, .mass = 1.5, .material = ffi_hard_material(mu, 0, 0)};
}

// An upright disk down a slope: g sin a / (1 + I/(m r^2)) = 2/3 g sin a. Upright is unstable, exp(6 t) from rounding.
static void disk_rolls_down_a_slope(void **state)
{
  (void)state;
  const double a = 15 * degree, up = radius - deep, half = sqrt(0.5);
  const ffi_loose d = disk(1);
  ride r = ride_of(&d, g, a, 0.002);
  const ffi_loose_state start = {.position = {sin(a) * up, 0, cos(a) * up}, .quaternion = {half, 0, 0, half}};
  ffi_loose_state s;
  ffi_loose_reset(r.sim, 1, &start);
  ffi_must_run(r.sim, 250, NULL);
  ffi_loose_read(r.sim, 1, &s);
  const double want = 2. / 3 * g * sin(a) * 0.5;
  ffi_check_near("speed", s.velocity[0] * cos(a) - s.velocity[2] * sin(a), want, 1e-11);
  ffi_check_near("spin", s.spin[1], want / radius, 1e-10);
  ride_end(&r);
}

// A disk that leans inwards by theta and rolls in a circle. n points outwards, z up, t = z x n. The axis is e = cos
// theta n + sin theta z, the centre runs with W R t at the radius R; it turns with W z + s e, and not to slip takes s =
// -W (R/r + sin theta). Angular momentum about the centre, I = m r^2/4 across and m r^2/2 along the axis, turns with W;
// the force that turns it is m g z - m W^2 R n at the contact, r (sin theta n - cos theta z) from the centre. Along t
// that leaves
//
//     W^2 cos theta (3/2 R + r/4 sin theta) = g sin theta.
//
// The order is 1: gyroscopic terms are those of the start of each step.
static double circle_error(double dt)
{
  const double theta = 20 * degree, R = 0.6, T = 0.8;
  const double W = sqrt(g * sin(theta) / (cos(theta) * (1.5 * R + 0.25 * radius * sin(theta))));
  const double s = -W * (R / radius + sin(theta));
  const ffi_loose d = disk(3);
  ride r = ride_of(&d, g, 0, dt);
  const double turn = 90 * degree - theta; // about y: z of the disk to (cos theta, 0, sin theta)
  const ffi_loose_state start = {.position = {R, 0, radius * cos(theta) - deep},
                                 .quaternion = {0, sin(turn / 2), 0, cos(turn / 2)},
                                 .velocity = {0, W * R, 0},
                                 .spin = {s * cos(theta), 0, W + s * sin(theta)}};
  ffi_loose_state now;
  ffi_loose_reset(r.sim, 1, &start);
  ffi_must_run(r.sim, (int)lround(T / dt), NULL);
  ffi_loose_read(r.sim, 1, &now);
  ride_end(&r);
  const double want[3] = {R * cos(W * T), R * sin(W * T), radius * cos(theta)};
  return ffi_gap(3, now.position, want);
}

static void leaning_disk_rolls_in_a_circle(void **state)
{
  (void)state;
  double last = 0;
  for (double dt = 0.002; dt > 2e-4; dt /= 2) {
    const double error = circle_error(dt);
    printf("dt %g: off the circle by %.3e m\n", dt, error);
    if (last > 0)
      ffi_check_near("order", log2(last / error), 1, 0.15);
    last = error;
  }
}

// ---- Boxes --------------------------------------------------------------------------------------------------

static const double wide = 0.2, tall = 0.4; // along and out of the slope

static ffi_loose box(void)
{
  return (ffi_loose){
      .shape = FF_SHAPE_BOX, .size = {wide, 0.3, tall}, .mass = 4, .material = ffi_hard_material(5, 0, 0)};
}

static ffi_loose_state on_slope(double a)
{
  const double up = tall / 2 - deep;
  return (ffi_loose_state){.position = {sin(a) * up, 0, cos(a) * up},
                           .quaternion = {0, sin(a / 2), 0, cos(a / 2)}};
}

// It stands while its weight points between its edges, tan a < wide/tall, and not a hair beyond. What turns it about
// the lower edge is m g (tall sin a - wide cos a)/2, against m (wide^2 + tall^2)/3.
static void box_tips_above_its_angle(void **state)
{
  (void)state;
  const double edge = atan(wide / tall), dt = 0.002;
  for (int i = 0; i < 4; ++i) {
    const double a = edge + (i == 0 ? -0.05 : i == 1 ? -1e-6 : i == 2 ? 1e-6 : 0.05);
    const ffi_loose b = box();
    ride r = ride_of(&b, g, a, dt);
    const ffi_loose_state start = on_slope(a);
    ffi_loose_state s;
    ffi_loose_reset(r.sim, 1, &start);
    ffi_must_step(r.sim, NULL);
    ffi_loose_read(r.sim, 1, &s);
    const double turn = 1.5 * g * (tall * sin(a) - wide * cos(a)) / (wide * wide + tall * tall);
    ffi_check_near("first step", s.spin[1], i < 2 ? 0 : turn * dt, 1e-13);
    ffi_must_run(r.sim, 250, NULL);
    ffi_loose_read(r.sim, 1, &s);
    if (i < 2)
      ffi_check_near("it stands", ffi_gap(3, s.position, start.position), 0, 1e-12);
    else
      assert_true(s.spin[1] > 250 * dt * turn); // it falls, ever faster
    ride_end(&r);
  }
}

// A box that rocks from one edge to the other, without a bounce, goes on with 1 - 3/2 sin^2 b of its angular velocity,
// tan b = wide/tall (Housner 1963): angular momentum about the edge that it lands on is kept, and the edge that it
// stood on lifts. The law says the same of both contacts at once: the impulse at the edge that lifts is zero. Without
// gravity, in one step, at whose middle the box is flat.
static void rocking_box_loses_what_housner_says(void **state)
{
  (void)state;
  const double dt = 0.001, w = -0.8, ratio = 1 - 1.5 * wide * wide / (wide * wide + tall * tall);
  const ffi_loose b = box();
  ride r = ride_of(&b, 0, 0, dt);
  const double vx = w * tall / 2, vz = w * wide / 2; // about the edge at +x
  const ffi_loose_state start = {.position = {-dt / 2 * vx, 0, tall / 2 - deep - dt / 2 * vz},
                                 .quaternion = {0, sin(-w * dt / 4), 0, cos(w * dt / 4)},
                                 .velocity = {vx, 0, vz},
                                 .spin = {0, w, 0}};
  ffi_loose_state s;
  ffi_loose_reset(r.sim, 1, &start);
  ffi_must_step(r.sim, NULL);
  ffi_loose_read(r.sim, 1, &s);
  ffi_check_near("spin", s.spin[1] / w, ratio, 1e-12);
  ffi_check_near("v_x", s.velocity[0], ratio * w * tall / 2, 1e-12);
  ffi_check_near("v_z", s.velocity[2], -ratio * w * wide / 2, 1e-12);
  ride_end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_rolls_on_for_ever),
      cmocka_unit_test(ball_rolls_or_slips_down_a_slope),
      cmocka_unit_test(sliding_ball_ends_rolling),
      cmocka_unit_test(disk_rolls_down_a_slope),
      cmocka_unit_test(leaning_disk_rolls_in_a_circle),
      cmocka_unit_test(box_tips_above_its_angle),
      cmocka_unit_test(rocking_box_loses_what_housner_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
