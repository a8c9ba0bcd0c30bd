// ca and c2a: plain time stepping as their limit, orders, times of contact against closed forms, and that what never ends in theory ends here.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;
static const ff_stepper both[2] = {FF_STEPPER_CA, FF_STEPPER_C2A};

static ff_sim_def def_of(ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.c2a.impact.relative_tolerance = 0;
  def.c2a.impact.absolute_tolerance = 1e-15;
  return def;
}

static ffi_loose ball_of(double friction, double restitution)
{
  return (ffi_loose){.shape = FF_SHAPE_SPHERE,
                     .size = {0.1},
                     .mass = 1,
                     .material = ffi_hard_material(friction, restitution, 0)};
}

// ---- Plain time stepping -----------------------------------------------------------------------------------

// z += h v; v -= h g; and at the end v may close what is left of the gap in one more step, no faster.
static void h_min_of_dt_is_plain_time_stepping(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0.5, 0);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = def_of(both[k], 0.0078125); // 2^-7: no rounding in the times
    def.c2a.h_min = def.dt;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.5}};
    ffi_loose_reset(sim, 1, &at);
    double z = 0.5, v = 0;
    for (int i = 0; i < 100; ++i) {
      ffi_must_step(sim, NULL);
      z += def.dt * v;
      v += def.dt * -g;
      v = fmax(v, -fmax(z - 0.1 - def.c2a.skin, 0) / def.dt);
      ffi_loose_read(sim, 1, &at);
      assert_true(at.position[2] == z);
      ffi_check_near("velocity", at.velocity[2], v, 4e-16 * 4); // the impulse is solved for
      assert_int_equal(ff_sim_info(sim)->integrator_steps, 1);
      v = at.velocity[2];
    }
    assert_true(z > 0.1 && z < 0.1 + 2 * def.c2a.skin);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A heap of boxes, balls and a pendulum: both algorithms have nothing left to decide.
static void with_h_min_of_dt_both_are_one(void **state)
{
  (void)state;
  const ff_material m = ffi_hard_material(0.4, 0.3, 0);
  const ffi_loose bodies[3] = {{.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.1}, .mass = 2, .material = m},
                               {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = m},
                               {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 0.5, .material = m}};
  const ffi_loose_state start[3] = {{.position = {0, 0, 0.2}, .spin = {1, 2, 0}},
                                    {.position = {0.02, 0, 0.5}, .velocity = {0.3, 0, -1}},
                                    {.position = {0, 0.05, 0.8}, .spin = {0, 3, 1}}};
  ff_model *model = ffi_loose_model(3, bodies, g);
  ff_sim *sim[2];
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = def_of(both[k], 0.004);
    def.c2a.h_min = 1;
    sim[k] = ffi_must_sim(model, &def);
    ffi_loose_reset(sim[k], 3, start);
  }
  int touched = 0;
  for (int i = 0; i < 200; ++i) {
    ffi_must_step(sim[0], NULL), ffi_must_step(sim[1], NULL);
    touched += ff_sim_info(sim[0])->contacts > 0;
    assert_memory_equal(ff_sim_q(sim[0]), ff_sim_q(sim[1]), 21 * sizeof(double));
    assert_memory_equal(ff_sim_v(sim[0]), ff_sim_v(sim[1]), 18 * sizeof(double));
  }
  assert_true(touched > 100);
  ff_sim_destroy(sim[0]), ff_sim_destroy(sim[1]);
  ff_model_destroy(model);
}

// No piece is longer than dt, so what is shorter than h_min need not be looked at: a fall is not held back by ground that is a second away.
static void h_min_beyond_dt_changes_nothing(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0.5, 0);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim *sim[2];
    for (int i = 0; i < 2; ++i) {
      ff_sim_def def = def_of(both[k], 0.004);
      def.c2a.h_min = i > 0 ? 1 : def.dt;
      sim[i] = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 0.5}, .velocity = {1, 0, 0}};
      ffi_loose_reset(sim[i], 1, &at);
    }
    for (int i = 0; i < 100; ++i) {
      ffi_must_step(sim[0], NULL), ffi_must_step(sim[1], NULL);
      assert_memory_equal(ff_sim_q(sim[0]), ff_sim_q(sim[1]), 7 * sizeof(double));
      assert_memory_equal(ff_sim_v(sim[0]), ff_sim_v(sim[1]), 6 * sizeof(double));
    }
    assert_true(ff_sim_info(sim[0])->contacts > 0);
    ff_sim_destroy(sim[0]), ff_sim_destroy(sim[1]);
  }
  ff_model_destroy(model);
}

// ---- Orders ------------------------------------------------------------------------------------------------

// Where a double pendulum is after 0.4 s.
static void swing(ff_stepper stepper, ff_c2a_scheme scheme, double dt, double end[4])
{
  ff_model *model = ffi_double_pendulum();
  ff_sim_def def = def_of(stepper, dt);
  def.c2a.scheme = scheme;
  def.c2a.error_control = 0;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[2] = {0.7, -0.4}, v[2] = {1, 2};
  ffi_must_reset(sim, q, v);
  ffi_must_run(sim, (int)lround(0.4 / dt), NULL);
  memcpy(end, ff_sim_q(sim), 2 * sizeof *end);
  memcpy(end + 2, ff_sim_v(sim), 2 * sizeof *end);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ca is of first order, c2a's extrapolation of second, wherever forces are taken; rk4 knows where it ends.
static void orders_are_one_and_two(void **state)
{
  (void)state;
  double truth[4];
  swing(FF_STEPPER_RK4, FF_C2A_SEMI_IMPLICIT, 1e-4, truth);
  for (int k = 0; k < 2; ++k)
    for (int scheme = 0; scheme < FF_C2A_SCHEME_COUNT; ++scheme) {
      double error[4];
      for (int i = 0; i < 4; ++i) {
        double end[4];
        swing(both[k], (ff_c2a_scheme)scheme, 0.008 / (1 << i), end);
        error[i] = ffi_gap(4, end, truth);
      }
      const double order = log2(error[2] / error[3]);
      print_message("             %s, %s: errors %.2e %.2e %.2e %.2e, order %.2f\n", ff_stepper_name(both[k]),
                    ff_c2a_scheme_name((ff_c2a_scheme)scheme), error[0], error[1], error[2], error[3], order);
      ffi_check_near("order", order, both[k] == FF_STEPPER_CA ? 1 : 2, 0.1);
    }
}

// A tumbling body keeps its momentum, and a free ball its parabola: extrapolated Euler steps are exact for constant force.
static void a_flight_is_exact(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.1, 0.2, 0.4}, .mass = 2, .material = ffi_hard_material(1, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  ff_sim_def def = def_of(FF_STEPPER_C2A, 0.01);
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.velocity = {1, 2, 3}, .spin = {0, 0, 5}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, 100, NULL);
  ffi_loose_read(sim, 1, &at);
  ffi_check_near("x", at.position[0], 1, 1e-13);
  ffi_check_near("z", at.position[2], 3 - g / 2, 1e-12);
  ffi_check_near("fall", at.velocity[2], 3 - g, 1e-12);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A rod that spins at 5000 rad/s about a skew axis, 5 rad a step: its energy does not grow. And one at 3 rad/s, of which the angular momentum stays put to
// the order of the stepper.
static void spins_do_not_blow_up(void **state)
{
  (void)state;
  const ffi_loose rod = {
      .shape = FF_SHAPE_BOX, .size = {0.01, 0.02, 0.5}, .mass = 0.1, .material = ffi_hard_material(0, 0, 0)};
  ff_model *model = ffi_loose_model(1, &rod, 0);
  for (int k = 0; k < 2; ++k)
    for (int slow = 0; slow < 2; ++slow) {
      ff_sim_def def = def_of(both[k], 0.001);
      def.ground_count = 0;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.velocity = {1, 2, 3}};
      for (int i = 0; i < 3; ++i)
        at.spin[i] = (slow ? 3 : 5000) * (i - 0.7);
      ffi_loose_reset(sim, 1, &at);
      double before[6], after[6];
      const double energy = ffi_loose_kinetic(1, &rod, &at);
      ffi_loose_momentum(1, &rod, &at, before);
      for (int i = 0; i < 200; ++i) {
        ffi_must_step(sim, NULL);
        ffi_loose_read(sim, 1, &at);
        assert_true(ffi_loose_kinetic(1, &rod, &at) <=
                    energy * (1 + (both[k] == FF_STEPPER_CA ? 1e-9 : 0.01)));
      }
      ffi_loose_momentum(1, &rod, &at, after);
      print_message("             %s: momentum off by %.1e of %.1e, energy %.6f\n", ff_stepper_name(both[k]),
                    ffi_gap(3, before + 3, after + 3), ffi_size(3, before + 3),
                    ffi_loose_kinetic(1, &rod, &at) / energy);
      if (slow)
        ffi_check_near("momentum", ffi_gap(3, before + 3, after + 3) / ffi_size(3, before + 3), 0,
                       both[k] == FF_STEPPER_CA ? 0.02 : 1e-3);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// ---- Times of contact --------------------------------------------------------------------------------------

// A ball thrown against a wall 1 m away at speed, without gravity, comes back with e times its speed: where it is after 2/speed tells when it struck, to h_min and the skin.
static void the_time_of_a_blow_is_exact(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 6; ++i) {
      const double speed = 0.5 * pow(3, i);
      ff_ground_def wall = ff_ground_def_default();
      wall.shape.type = FF_SHAPE_BOX;
      wall.shape.size[0] = wall.shape.size[1] = 2, wall.shape.size[2] = 0.001;
      ff_sim_def def = def_of(both[k], 2 / speed);
      def.ground = &wall, def.ground_count = 1;
      def.c2a.h_min = 1e-6 / speed;
      def.c2a.skin = 1e-6;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 1.1005}, .velocity = {0, 0, -speed}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_step(sim, NULL);
      ffi_loose_read(sim, 1, &at);
      ffi_check_near("speed", at.velocity[2], speed / 2, 1e-9 * speed);
      ffi_check_near("way back", at.position[2], 0.1005 + 0.5,
                     1e-5); // ten times 1 um: of the skin and of h_min
      assert_true(ff_sim_info(sim)->integrator_steps < 60);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// Dropped from h it strikes at sqrt(2h/g) with sqrt(2gh), and is as high as e^2 h again.
static void a_bounce_is_as_high_as_it_should_be(void **state)
{
  (void)state;
  const double h = 0.5, fall = sqrt(2 * h / g), e = 0.7, top = fall * (1 + e);
  const ffi_loose ball = ball_of(0, e);
  ff_model *model = ffi_loose_model(1, &ball, g);
  double error[3];
  for (int i = 0; i < 3; ++i) {
    const int steps = 50 << i;
    ff_sim_def def = def_of(FF_STEPPER_C2A, top / steps);
    def.c2a.h_min = 1e-8;
    def.c2a.skin = 1e-8;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.1 + h}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_run(sim, steps, NULL);
    ffi_loose_read(sim, 1, &at);
    error[i] = fabs(at.position[2] - 0.1 - e * e * h);
    print_message("             %d steps: %.2e m off\n", steps, error[i]);
    ff_sim_destroy(sim);
  }
  assert_true(error[2] < 1e-4);
  ff_model_destroy(model);
}

// ---- What never ends ---------------------------------------------------------------------------------------

// Bounces with e = 0.5 add up to three times the fall: then the ball rests. Pieces are no more than steps and h_min allow, and far fewer.
static void bounces_without_end_end(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0.5, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k)
    for (int bounce = 0; bounce < FF_IMPACT_BOUNCE_COUNT; ++bounce) {
      ff_sim_def def = def_of(both[k], 0.005);
      def.c2a.impact.bounce = (ff_impact_bounce)bounce;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 0.6}};
      const double rest = 3 * sqrt(2 * 0.5 / g);
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, (int)(rest / def.dt) + 1, NULL);
      ffi_loose_read(sim, 1, &at);
      assert_true(at.position[2] < 0.1 + 0.01);
      ffi_must_run(sim, 200, NULL);
      const long long before = ff_sim_get_totals(sim).integrator_steps;
      ffi_must_run(sim, 100, NULL);
      ffi_loose_read(sim, 1, &at);
      const long long pieces = ff_sim_get_totals(sim).integrator_steps;
      print_message("             %s, %s: %lld pieces in all, %lld in the last 100 steps, %.1e m/s left\n",
                    ff_stepper_name(both[k]), ff_impact_bounce_name((ff_impact_bounce)bounce), pieces,
                    pieces - before, fabs(at.velocity[2]));
      ffi_check_near("height", at.position[2], 0.1, 2 * def.c2a.skin);
      ffi_check_near("speed", at.velocity[2], 0, 1e-3);
      assert_true(pieces < 5000);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// A ball of 1 kg between two blocks of 100 kg, so near to both that it cannot go back from one without driving off the other: Newton's law alone made 25 J of half a joule. And between
// walls, a little wider: what bounces in one of two tries has the same energy, and a velocity that is not to be extrapolated.
static void what_is_between_two_gains_nothing(void **state)
{
  (void)state;
  double most = 0;
  for (int i = 0; i < 2 * 2 * FF_IMPACT_LAW_COUNT * FF_IMPACT_BOUNCE_COUNT * 4; ++i) {
    const int has_walls = i % 2, k = i / 2 % 2, law = i / 4 % FF_IMPACT_LAW_COUNT;
    const int bounce = i / (4 * FF_IMPACT_LAW_COUNT) % FF_IMPACT_BOUNCE_COUNT;
    const int wide = i / (4 * FF_IMPACT_LAW_COUNT * FF_IMPACT_BOUNCE_COUNT);
    const double gap = (has_walls ? 1.05e-4 : 0.5e-4) * (1 + 0.25 * wide);
    const ff_material m = ffi_hard_material(0.5, 1, 0);
    const ffi_loose block = {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 100, .material = m};
    const ffi_loose bodies[3] = {ball_of(0.5, 1), block, block};
    ff_ground_def wall[2] = {ff_ground_def_default(), ff_ground_def_default()};
    for (int w = 0; w < 2; ++w) {
      wall[w].shape.type = FF_SHAPE_BOX;
      wall[w].shape.size[0] = wall[w].shape.size[1] = wall[w].shape.size[2] = 1;
      wall[w].shape.pose.position[0] = (w ? 1 : -1) * (0.6 + gap);
    }
    ff_model *model = ffi_loose_model(has_walls ? 1 : 3, bodies, 0);
    ff_sim_def def = def_of(both[k], 0.001);
    def.c2a.impact = ff_sim_def_default().c2a.impact;
    def.c2a.impact.law = (ff_impact_law)law;
    def.c2a.impact.bounce = (ff_impact_bounce)bounce;
    def.ground = wall, def.ground_count = has_walls ? 2 : 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state start[3] = {
        {.velocity = {1, 0.3, 0}}, {.position = {-0.2 - gap}}, {.position = {0.2 + gap}}};
    ffi_loose_reset(sim, has_walls ? 1 : 3, start);
    const double energy = ff_sim_energy(sim).kinetic;
    for (int j = 0; j < 20; ++j) {
      ffi_must_step(sim, NULL);
      most = fmax(most, ff_sim_energy(sim).kinetic / energy);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  print_message("             at most %.6f of the energy\n", most);
  assert_true(most < 1.001);
}

// A box at rest, a box that slides and a ball that rolls: whole steps, none forced.
static void what_rests_slides_or_rolls_takes_whole_steps(void **state)
{
  (void)state;
  const ff_material m = ffi_hard_material(0.3, 0, 0);
  const ffi_loose bodies[3] = {{.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.1}, .mass = 2, .material = m},
                               {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 1, .material = m},
                               {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = m}};
  ff_model *model = ffi_loose_model(3, bodies, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = def_of(both[k], 0.005);
    def.c2a.impact.law = FF_IMPACT_COULOMB; // the convex law lifts what slides
    ff_sim *sim = ffi_must_sim(model, &def);
    const double skin = def.c2a.skin;
    const ffi_loose_state start[3] = {
        {.position = {0, 0, 0.05 + skin}},
        {.position = {1, 0, 0.1 + skin}, .velocity = {2, 0, 0}},
        {.position = {0, 2, 0.1 + skin}, .velocity = {1, 0, 0}, .spin = {0, 10, 0}}};
    ffi_loose_reset(sim, 3, start);
    ffi_must_run(sim, 100, NULL);
    const ff_sim_totals t = ff_sim_get_totals(sim);
    ffi_loose_state at[3];
    ffi_loose_read(sim, 3, at);
    print_message("             %s: %lld pieces, %lld forced, %lld rejected; slid %.4f m, rolled %.4f m\n",
                  ff_stepper_name(both[k]), t.integrator_steps, t.tries[FF_C2A_FORCED], t.rejected,
                  at[1].position[0] - 1, at[2].position[0]);
    assert_int_equal(t.tries[FF_C2A_FORCED], 0);
    assert_true(t.integrator_steps < 300);
    ffi_check_near("rest", at[0].position[2], 0.05 + skin, skin);
    ffi_check_near("slide", at[1].position[0] - 1, 2 * 0.5 - 0.3 * g * 0.125, 0.02);
    ffi_check_near("roll", at[2].position[0], 0.5, 1e-3);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A ball that grazes the ground at 20 m/s, and one that flies past the edge of a box by less than the skin.
static void what_grazes_passes(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 2; ++i) {
      ff_ground_def box = ff_ground_def_default();
      box.shape.type = FF_SHAPE_BOX;
      box.shape.size[0] = box.shape.size[1] = 1, box.shape.size[2] = 0.5;
      ff_sim_def def = def_of(both[k], 0.01);
      if (i > 0)
        def.ground = &box, def.ground_count = 1;
      ff_sim *sim = ffi_must_sim(model, &def);
      const double top = i > 0 ? 0.25 : 0;
      ffi_loose_state at = {.position = {-2, 0, top + 0.1 + 0.5 * def.c2a.skin},
                            .velocity = {20, 0, i > 0 ? 0 : -1e-7}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, 20, NULL);
      ffi_loose_read(sim, 1, &at);
      const ff_sim_totals t = ff_sim_get_totals(sim);
      print_message("             %s: %lld pieces, %lld forced\n", ff_stepper_name(both[k]),
                    t.integrator_steps, t.tries[FF_C2A_FORCED]);
      ffi_check_near("way", at.position[0], 2, 1e-6);
      assert_true(t.integrator_steps < 200);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// A blade of 1 mm that turns with up to 270 rad/s meets a ball 0.8 m out, and a plane that tips a ball 3 m out: what is near is seen at the speed of what turns. Both carry the ball off.
static void ground_that_turns_strikes(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int is_plane = 0; is_plane < 2; ++is_plane) {
      ff_ground_def ground = ff_ground_def_default();
      if (!is_plane) {
        ground.shape.type = FF_SHAPE_BOX;
        ground.shape.size[0] = 2, ground.shape.size[1] = 0.5, ground.shape.size[2] = 0.001;
      }
      const double far = is_plane ? 3 : 0.8;
      double deepest = 0;
      for (int i = 0; i < 20; ++i) {
        const double speed = 216 / far;
        ground.velocity[4] = -speed; // what is at +x goes up
        ff_sim_def def = def_of(both[k], 0.001);
        def.ground = &ground, def.ground_count = 1;
        ff_sim *sim = ffi_must_sim(model, &def);
        ffi_loose_state at = {.position = {far, 0, 0.11 + 0.0037 * i}};
        ffi_loose_reset(sim, 1, &at);
        while (ff_sim_time(sim) * speed < 0.5)
          ffi_must_step(sim, NULL);
        ffi_loose_read(sim, 1, &at);
        assert_true(at.velocity[2] > 100);
        deepest = fmax(deepest, ff_sim_get_totals(sim).worst_penetration);
        ff_sim_destroy(sim);
      }
      print_message("             %s, %s: %.1e m deep\n", ff_stepper_name(both[k]),
                    is_plane ? "plane" : "blade", deepest);
      assert_true(deepest <= 1e-4); // the skin
    }
  ff_model_destroy(model);
}

// ---- Options -----------------------------------------------------------------------------------------------

static void dissipation_takes_its_share(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int is_rayleigh = 0; is_rayleigh < 2; ++is_rayleigh) {
      ff_sim_def def = def_of(both[k], 0.01);
      def.ground_count = 0;
      def.c2a.error_control = 0;
      *(is_rayleigh ? &def.c2a.rayleigh : &def.c2a.dissipation) = 0.1;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.velocity = {1, 0, 0}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, 20, NULL);
      ffi_loose_read(sim, 1, &at);
      const double want = is_rayleigh ? pow(1 + 0.01 * 0.1, -20) : pow(0.9, 20);
      ffi_check_near("speed", at.velocity[0], want, 1e-14);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// Tolerances of the energy are met by every piece that was taken and was not as short as it may be; a tenth of the tolerance takes more of them.
static void energies_are_as_accurate_as_asked(void **state)
{
  (void)state;
  ff_model *model = ffi_double_pendulum();
  long long last = 0;
  for (int i = 0; i < 3; ++i) {
    ff_sim_def def = def_of(FF_STEPPER_C2A, 0.05);
    def.ground_count = 0;
    def.c2a.relative_error = pow(10, -2 - i);
    def.c2a.absolute_error = 1e-9;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[2] = {0.7, -0.4}, v[2] = {1, 2};
    ffi_must_reset(sim, q, v);
    const double start = ff_sim_energy(sim).total;
    ffi_must_run(sim, 40, NULL);
    const ff_sim_totals t = ff_sim_get_totals(sim);
    print_message("             %.0e: %lld pieces, %lld rejected, share %.2e, energy off by %.1e of %.1e J\n",
                  def.c2a.relative_error, t.integrator_steps, t.rejected, t.energy_share,
                  ff_sim_energy(sim).total - start, ff_sim_energy(sim).kinetic);
    assert_int_equal(t.tries[FF_C2A_FORCED], 0);
    assert_true(t.energy_share <= 1.01 * def.c2a.relative_error);
    assert_true(t.integrator_steps > 2 * last);
    last = t.integrator_steps;
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The history tells the tries in order: what was rejected is longer than what was taken after it, and what was taken adds up to dt.
static void history_adds_up(void **state)
{
  (void)state;
  const ffi_loose ball = ball_of(0, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, g);
  ff_sim_def def = def_of(FF_STEPPER_C2A, 0.05);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {0, 0, 0.2}};
  ffi_loose_reset(sim, 1, &at);
  int rejected = 0;
  for (int i = 0; i < 5; ++i) {
    ffi_must_step(sim, NULL);
    const ff_step_info *info = ff_sim_info(sim);
    int tries = 0;
    for (int r = 0; r < FF_C2A_REASON_COUNT; ++r)
      tries += info->tries[r];
    assert_int_equal(tries, info->integrator_steps + info->rejected);
    if (tries > FF_C2A_HISTORY)
      continue;
    double sum = 0;
    int count;
    const ff_c2a_try *history = ff_sim_history(sim, &count);
    assert_int_equal(count, tries);
    for (int j = 0; j < tries; ++j) {
      const ff_c2a_try *t = &history[j];
      const int is_taken = t->reason == FF_C2A_TAKEN || t->reason == FF_C2A_FORCED;
      sum += is_taken ? t->length : 0;
      rejected += !is_taken;
      assert_true(is_taken || history[j + 1].length < t->length);
    }
    ffi_check_near("sum", sum, def.dt, 1e-12);
  }
  assert_true(rejected > 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A plate that comes down flat on more points than there is room for: refused, not let through.
static void what_has_no_room_is_refused(void **state)
{
  (void)state;
  const ffi_loose plate = {
      .shape = FF_SHAPE_BOX, .size = {1, 1, 0.1}, .mass = 1, .material = ffi_hard_material(0, 0, 0)};
  ff_model *model = ffi_loose_model(1, &plate, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = def_of(both[k], 0.01);
    def.max_contacts = 2;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.2}};
    ff_error error;
    ff_status status = FF_OK;
    ffi_loose_reset(sim, 1, &at);
    for (int i = 0; i < 100 && status == FF_OK; ++i)
      status = ff_sim_step(sim, NULL, &error);
    ffi_loose_read(sim, 1, &at);
    assert_int_equal(status, FF_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_contacts"));
    assert_true(at.position[2] > 0.05);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(h_min_of_dt_is_plain_time_stepping),
      cmocka_unit_test(with_h_min_of_dt_both_are_one),
      cmocka_unit_test(h_min_beyond_dt_changes_nothing),
      cmocka_unit_test(orders_are_one_and_two),
      cmocka_unit_test(a_flight_is_exact),
      cmocka_unit_test(spins_do_not_blow_up),
      cmocka_unit_test(the_time_of_a_blow_is_exact),
      cmocka_unit_test(a_bounce_is_as_high_as_it_should_be),
      cmocka_unit_test(bounces_without_end_end),
      cmocka_unit_test(what_is_between_two_gains_nothing),
      cmocka_unit_test(what_rests_slides_or_rolls_takes_whole_steps),
      cmocka_unit_test(what_grazes_passes),
      cmocka_unit_test(ground_that_turns_strikes),
      cmocka_unit_test(dissipation_takes_its_share),
      cmocka_unit_test(energies_are_as_accurate_as_asked),
      cmocka_unit_test(history_adds_up),
      cmocka_unit_test(what_has_no_room_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
