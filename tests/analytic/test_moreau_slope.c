// Hard contact: blocks that stick and slide. Coulomb's law has no stiffness to give way: below the cone nothing creeps,
// above it the acceleration is exact in every step, whatever the direction (a disc, not a pyramid).
#include "analytic/scene.h"
#include "support/hard_scene.h"

#include <string.h>

static const double g = 9.81, degree = 3.14159265358979323846 / 180, pi = 3.14159265358979323846;
static const double corners[4][3] = {
    {-0.1, -0.1, -0.05}, {0.1, -0.1, -0.05}, {-0.1, 0.1, -0.05}, {0.1, 0.1, -0.05}};
static const double deep = 1e-6; // the corners are below the surface, so that all are seen [m]

typedef struct slide {
  ff_model *model;
  ff_ground_def ground;
  ff_sim *sim;
  double down[3], normal[3], across[3]; // down the slope; out of it; to the left
} slide;

// A block of 2 kg with four corners on a slope that falls towards `azimuth`.
static slide slide_of(double angle, double azimuth, double mu, double dt)
{
  const ffi_loose block = {.shape = FF_SHAPE_POINT,
                           .mass = 2,
                           .moment = {0.01, 0.02, 0.025},
                           .material = ffi_hard_material(mu, 0, 0),
                           .point_count = 4,
                           .points = corners};
  slide s = {.model = ffi_loose_model(1, &block, g), .ground = ff_ground_def_default()};
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, azimuth};
  double R[9];
  s.ground.shape.pose = ff_pose_from_rpy(origin, rpy);
  ff_pose_rotation(&s.ground.shape.pose, R);
  for (int k = 0; k < 3; ++k) {
    s.down[k] = R[3 * k];
    s.across[k] = R[3 * k + 1];
    s.normal[k] = R[3 * k + 2];
  }
  ff_sim_def def = ffi_hard_def(dt);
  def.ground = &s.ground;
  def.ground_count = 1;
  s.sim = ffi_must_sim(s.model, &def);
  return s;
}

// On the slope, with this velocity down and across it, and turned about its normal by `turn`.
static void slide_reset(slide *s, double turn, double down, double across)
{
  const double up[3] = {0, 0, 0.05 - deep}, rpy[3] = {0, 0, turn};
  const ff_pose in = ff_pose_from_rpy(up, rpy), pose = ff_pose_compose(&s->ground.shape.pose, &in);
  ffi_loose_state at = {{0}, {0}, {0}, {0}};
  memcpy(at.position, pose.position, sizeof at.position);
  memcpy(at.quaternion, pose.quaternion, sizeof at.quaternion);
  for (int k = 0; k < 3; ++k)
    at.velocity[k] = down * s->down[k] + across * s->across[k];
  ffi_loose_reset(s->sim, 1, &at);
}

static void slide_end(slide *s)
{
  ff_sim_destroy(s->sim);
  ff_model_destroy(s->model);
}

static double along(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3])
{
  return sqrt(along(a, a));
}

// Each step solves for a velocity of zero, with rounding of g dt = 0.1 m/s and some: 1e-15 or so. These do not add up
// to more than their size times the time.
static void block_does_not_creep(void **state)
{
  (void)state;
  const double dts[] = {0.01, 0.001}, angles[] = {0, 20, 26.4}; // tan 26.4 = 0.4964
  for (int i = 0; i < 6; ++i) {
    slide s = slide_of(angles[i / 2] * degree, 0.3 * i, 0.5, dts[i % 2]);
    ffi_loose_state from, to;
    slide_reset(&s, 0.7 * i, 0, 0);
    ffi_loose_read(s.sim, 1, &from);
    ffi_must_run(s.sim, (int)lround(4 / dts[i % 2]), NULL);
    ffi_loose_read(s.sim, 1, &to);
    const double creep = ffi_gap(3, to.position, from.position),
                 turn = ffi_gap(4, to.quaternion, from.quaternion);
    printf("slope %g, dt %g: creep %.1e m, turn %.1e in 4 s; residual %.1e\n", angles[i / 2], dts[i % 2],
           creep, turn, ff_sim_info(s.sim)->residual);
    ffi_check_near("creep", creep, 0, 1e-12);
    ffi_check_near("turn", turn, 0, 1e-11);
    ffi_check_near("speed", length(to.velocity), 0, 1e-13);
    slide_end(&s);
  }
}

// Above the cone: from rest to n dt g (sin - mu cos) after n steps, straight down, wherever down is. The block has its
// corners 5 cm below its centre of mass: friction turns it against the slope, and all four still carry.
static void block_slides_alike_in_all_directions(void **state)
{
  (void)state;
  const double angle = 25 * degree, mu = 0.3, dt = 0.002, want = g * (sin(angle) - mu * cos(angle));
  ffi_margin speed = {.what = "speed over a t", .tolerance = 1e-12}; // rounding of 250 steps
  ffi_margin aside = {.what = "speed aside", .tolerance = 1e-12};
  ffi_margin way = {.what = "way", .tolerance = 1e-12};
  for (int i = 0; i < 24; ++i) {
    slide s = slide_of(angle, i * pi / 12, mu, dt);
    slide_reset(&s, 0.4 * i, 0, 0);
    ffi_loose_state a, b;
    ffi_loose_read(s.sim, 1, &a);
    ffi_must_run(s.sim, 250, NULL);
    ffi_loose_read(s.sim, 1, &b);
    const double t = 250 * dt, d[3] = {b.position[0] - a.position[0], b.position[1] - a.position[1],
                                       b.position[2] - a.position[2]};
    ffi_margin_add(&speed, fabs(along(b.velocity, s.down) / (want * t) - 1), i);
    ffi_margin_add(&aside, fabs(along(b.velocity, s.across)) + fabs(along(b.velocity, s.normal)), i);
    ffi_margin_add(&way, fabs(along(d, s.down) / (want * t * t / 2) - 1), i); // trapezoids of a straight line
    slide_end(&s);
  }
  ffi_margin_check(&speed);
  ffi_margin_check(&aside);
  ffi_margin_check(&way);
}

// On the level the speed falls by mu g dt a step, straight ahead, until a step can stop it: after N = floor(v0 / (mu g
// dt)). The way is that of the exact motion up to there, and v_N dt/2 in the last step where v_N^2/(2 mu g) would be
// right: too far by at most mu g dt^2/8 (at v_N = mu g dt/2), a second order.
static void block_stops_straight_ahead(void **state)
{
  (void)state;
  const double mu = 0.35, v0 = 1.3;
  ffi_margin exact = {.what = "way against the steps'", .tolerance = 1e-13};
  ffi_margin near = {.what = "way against v0^2/(2 mu g), of mu g dt^2/8", .tolerance = 1 + 1e-6};
  ffi_margin aside = {.what = "way aside", .tolerance = 1e-13};
  for (int i = 0; i < 36; ++i) {
    const double dt = i % 3 == 0 ? 0.01 : i % 3 == 1 ? 0.0037 : 0.001, azimuth = i * pi / 18;
    slide s = slide_of(0, 0, mu, dt);
    slide_reset(&s, 0.2 * i, v0 * cos(azimuth), v0 * sin(azimuth));
    ffi_must_run(s.sim, (int)lround(0.6 / dt), NULL);
    ffi_loose_state b;
    ffi_loose_read(s.sim, 1, &b);
    const double N = floor(v0 / (mu * g * dt)), v = v0 - N * mu * g * dt,
                 want = N * dt * (v0 + v) / 2 + dt / 2 * v, x = b.position[0], y = b.position[1];
    const double way = x * cos(azimuth) + y * sin(azimuth);
    ffi_check_near("speed", length(b.velocity), 0, 1e-13);
    ffi_margin_add(&exact, fabs(way - want), i);
    ffi_margin_add(&aside, fabs(y * cos(azimuth) - x * sin(azimuth)), i);
    ffi_margin_add(&near, fabs(way - v0 * v0 / (2 * mu * g)) / (mu * g * dt * dt / 8), i);
    slide_end(&s);
  }
  ffi_margin_check(&exact);
  ffi_margin_check(&near);
  ffi_margin_check(&aside);
}

// Pushed across a slope whose angle is the friction angle, mu = tan a: along the path d|v|/dt = g sin a (cos psi - 1),
// down the slope dv_d/dt = g sin a (1 - cos psi), psi the angle to straight down. So |v| + v_d is kept, and the block
// ends sliding straight down with half the speed it had. A step keeps v+.v^+ + v_d = v.v^+ + v_d instead, below |v| +
// v_d by |v|(1 - cos) of the turn in a step: order 1 in dt, always below.
static void path_bends_as_a_disc_says(void **state)
{
  (void)state;
  const double angle = 20 * degree, v0 = 1;
  double last = 0;
  for (double dt = 0.008; dt > 0.0009; dt /= 2) {
    slide s = slide_of(angle, 0.5, tan(angle), dt);
    slide_reset(&s, 0, 0, v0);
    ffi_must_run(s.sim, (int)lround(2 / dt), NULL);
    ffi_loose_state b;
    ffi_loose_read(s.sim, 1, &b);
    const double sum = length(b.velocity) + along(b.velocity, s.down), off = v0 - sum;
    printf("dt %g: |v| + v_down lost %.3e m/s, across %.1e m/s\n", dt, off, along(b.velocity, s.across));
    assert_true(off > 0);
    ffi_check_near("|v|", length(b.velocity), v0 / 2, 5 * dt);
    if (last > 0)
      ffi_check_near("order", log2(last / off), 1, 0.1);
    last = off;
    slide_end(&s);
  }
}

// A belt that runs with V under a block at rest: mu g until the block has its speed, in any direction; from then on it
// is carried, and stays where it is on the belt.
static void belt_carries_the_block(void **state)
{
  (void)state;
  const double mu = 0.4, V = 0.9, dt = 0.004;
  for (int i = 0; i < 8; ++i) {
    const double c = cos(0.8 * i), d = sin(0.8 * i);
    slide s = slide_of(0, 0, mu, dt);
    ff_sim_destroy(s.sim);
    s.ground.velocity[0] = V * c;
    s.ground.velocity[1] = V * d;
    ff_sim_def def = ffi_hard_def(dt);
    def.ground = &s.ground;
    def.ground_count = 1;
    s.sim = ffi_must_sim(s.model, &def);
    slide_reset(&s, 0.3 * i, 0, 0);
    ffi_loose_state b;
    ffi_must_run(s.sim, 30, NULL); // 0.12 s of 0.229 s
    ffi_loose_read(s.sim, 1, &b);
    ffi_check_near("speed", b.velocity[0] * c + b.velocity[1] * d, mu * g * 30 * dt, 1e-12);
    ffi_check_near("aside", b.velocity[1] * c - b.velocity[0] * d, 0, 1e-12);
    ffi_must_run(s.sim, 70, NULL);
    ffi_loose_read(s.sim, 1, &b);
    const double from = b.position[0] * c + b.position[1] * d;
    ffi_must_run(s.sim, 500, NULL);
    ffi_loose_read(s.sim, 1, &b);
    ffi_check_near("way on the belt in 2 s", b.position[0] * c + b.position[1] * d - from - V * 500 * dt, 0,
                   1e-12);
    ffi_check_near("speed", b.velocity[0] * c + b.velocity[1] * d, V, 1e-13);
    slide_end(&s);
  }
}

// A lift: the block has its speed after one step and is carried without sinking in.
static void lift_carries_the_block(void **state)
{
  (void)state;
  const double w = 0.3, dt = 0.005;
  slide s = slide_of(0, 0, 0.4, dt);
  ff_sim_destroy(s.sim);
  s.ground.velocity[2] = w;
  ff_sim_def def = ffi_hard_def(dt);
  def.ground = &s.ground;
  def.ground_count = 1;
  s.sim = ffi_must_sim(s.model, &def);
  slide_reset(&s, 0, 0, 0);
  ffi_must_step(s.sim, NULL);
  ffi_loose_state a, b;
  ffi_loose_read(s.sim, 1, &a);
  ffi_check_near("speed", a.velocity[2], w, 1e-13);
  ffi_must_run(s.sim, 1000, NULL);
  ffi_loose_read(s.sim, 1, &b);
  ffi_check_near("height over the lift", b.position[2] - a.position[2] - w * 1000 * dt, 0, 1e-11);
  slide_end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_does_not_creep),       cmocka_unit_test(block_slides_alike_in_all_directions),
      cmocka_unit_test(block_stops_straight_ahead), cmocka_unit_test(path_bends_as_a_disc_says),
      cmocka_unit_test(belt_carries_the_block),     cmocka_unit_test(lift_carries_the_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
