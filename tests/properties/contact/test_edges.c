// slow: some ten seconds. Bodies thrown at the edges of blocks and at each other: springs hold what work has put into
// them, however detection's features jump.
// soak: edges
#include "properties/contact/many_bodies.h"
#include "support/samples.h"

#include "support/random_state.h"

#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const double mass = 3; // [kg]

// A body of 5 to 40 cm: all shapes that have edges or roll over them.
static ffi_many_bodies_body random_body(ffi_random *random)
{
  static const ff_shape_type types[] = {FF_SHAPE_BOX, FF_SHAPE_CAPSULE, FF_SHAPE_CYLINDER, FF_SHAPE_DISK};
  ffi_many_bodies_body body = {.shape = types[ffi_random_below(random, 4)], .mass = mass};
  for (int k = 0; k < 3; ++k)
    body.size[k] = ffi_random_between(random, 0.05, 0.4);
  if (body.shape != FF_SHAPE_BOX) // a radius, and a length where there is one
    body.size[0] *= 0.4;
  return body;
}

// A block whose upper edge along y is at x = z = 0, and if there are two a lower one before it.
static ff_sim *over_some(const ff_model *model, double stiffness, int blocks)
{
  ff_ground_def ground[2];
  for (int i = 0; i < 2; ++i) {
    ground[i] = ff_ground_def_default();
    ground[i].shape.type = FF_SHAPE_BOX;
    ground[i].shape.material =
        (ff_material){.stiffness = stiffness, .damping = 300 * sqrt(stiffness / 1e5), .friction = 1};
    ground[i].gives_pair = 1;
    const double begin = i ? -3 : 0, end = 3, top = i ? -0.2 : 0;
    ground[i].shape.size[0] = end - begin;
    ground[i].shape.size[1] = 4;
    ground[i].shape.size[2] = top + 2;
    ground[i].shape.pose.position[0] = (begin + end) / 2;
    ground[i].shape.pose.position[2] = (top - 2) / 2;
  }
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.002;
  def.ground = ground;
  def.ground_count = blocks;
  ff_sim *sim;
  ff_error error;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK)
    fail_msg("%s", error.message);
  return sim;
}

static ff_sim *over_blocks(const ff_model *model, double stiffness)
{
  return over_some(model, stiffness, 2);
}

// Near the edge, 0.5 m apart from each other, any way up, moving.
static void place(ffi_random *random, int bodies, double *q, double *v)
{
  for (int i = 0; i < bodies; ++i) {
    q[7 * i] = ffi_random_between(random, -0.15, 0.15);
    q[7 * i + 1] = ffi_random_between(random, -0.1, 0.1);
    q[7 * i + 2] = 0.45 + 0.7 * i;
    ffi_random_quaternion(random, q + 7 * i + 3);
    ffi_random_vector(random, 3, 1.5, v + 6 * i);
    ffi_random_vector(random, 3, 6, v + 6 * i + 3);
  }
}

// A second sim, with a history of its own, is given the state before a step: it must end the step with the same bits,
// whatever was eased or has vanished.
typedef struct echo {
  ff_sim *sim;
  size_t bytes;
  double *before, *after, *own;
} echo;

static echo echo_open(const ff_model *model, double stiffness)
{
  echo e = {.sim = over_blocks(model, stiffness)};
  e.bytes = (size_t)ff_sim_state_size(e.sim) * sizeof(double);
  e.before = malloc(e.bytes), e.after = malloc(e.bytes), e.own = malloc(e.bytes);
  assert_true(e.before && e.after && e.own);
  return e;
}

static void echo_close(echo *e)
{
  ff_sim_destroy(e->sim);
  free(e->before);
  free(e->after);
  free(e->own);
}

static void step_twice(ff_sim *sim, echo *e, ff_error *error)
{
  ff_sim_get_state(sim, e->before);
  if (ff_sim_step(sim, NULL, error) != FF_OK || ff_sim_set_state(e->sim, e->before, error) != FF_OK ||
      ff_sim_step(e->sim, NULL, error) != FF_OK)
    fail_msg("%s", error->message);
  ff_sim_get_state(sim, e->after);
  ff_sim_get_state(e->sim, e->own);
  assert_memory_equal(e->after, e->own, e->bytes);
}

static void states_can_be_set_back_anywhere(void **state)
{
  (void)state;
  const int starts = ffi_samples(60);
  for (int start = 0; start < starts; ++start) {
    ffi_random random = ffi_random_seed((uint64_t)start * 7 + 1);
    const int bodies = 1 + start % 2;
    const double stiffness = start % 4 < 2 ? 1e5 : 1e7;
    ffi_many_bodies_body body[2] = {random_body(&random), random_body(&random)};
    const ff_material material = {
        .stiffness = stiffness, .damping = 300 * sqrt(stiffness / 1e5), .friction = 1};
    ff_model *model = ffi_many_bodies_loose(body, bodies, &material);
    ff_sim *sim = over_blocks(model, stiffness);
    echo second = echo_open(model, stiffness);
    double q[14], v[12];
    ff_error error;
    place(&random, bodies, q, v);
    assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_OK);
    for (int k = 0; k < 300; ++k)
      step_twice(sim, &second, &error);
    echo_close(&second);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// Heights count from the lower block: no place that a body can rest at has less energy.
static void throw_bodies(int bodies, double stiffness, int usual)
{
  const int starts = ffi_samples(usual);
  double worst_gain = 0, worst_share = 0;
  for (int start = 0; start < starts; ++start) {
    ffi_random random = ffi_random_seed((uint64_t)start * 104729 + (uint64_t)bodies);
    ffi_many_bodies_body body[2] = {random_body(&random), random_body(&random)};
    const ff_material material = {
        .stiffness = stiffness, .damping = 300 * sqrt(stiffness / 1e5), .friction = 1};
    ff_model *model = ffi_many_bodies_loose(body, bodies, &material);
    ff_sim *sim = over_blocks(model, stiffness);
    double q[14], v[12];
    ff_error error;
    place(&random, bodies, q, v);
    assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_OK);
    const double floor_energy = 9.81 * mass * bodies * 0.2, first = ff_sim_energy(sim).total + floor_energy;
    for (int k = 0; k < 400; ++k) {
      if (ff_sim_step(sim, NULL, &error) != FF_OK)
        fail_msg("%d bodies, start %d: %s", bodies, start, error.message);
      const double gain = (ff_sim_energy(sim).total + floor_energy) / first - 1;
      const double share = ff_sim_info(sim)->penetration / sqrt(2 * first / stiffness);
      worst_gain = fmax(worst_gain, gain);
      worst_share = fmax(worst_share, share);
      if (!(gain <= 1e-3))
        fail_msg("%d bodies, start %d, step %d: energy exceeds its start by %g", bodies, start, k, gain);
      if (!(share <= 1))
        fail_msg("%d bodies, start %d, step %d: %g times as deep as energy can press", bodies, start, k,
                 share);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  ffi_samples_tried(starts, "bodies on edges");
  print_message("%d bodies, K %g: %d starts, gain %.2g, depth %.2g of what energy can press\n", bodies,
                stiffness, starts, worst_gain, worst_share);
}

static void on_edges(void **state)
{
  (void)state;
  throw_bodies(1, 1e5, 300);
  throw_bodies(1, 1e7, 300);
}

static void on_each_other(void **state)
{
  (void)state;
  throw_bodies(2, 1e5, 150);
  throw_bodies(2, 1e7, 150);
}

// A standing cylinder or disk comes down on the edge of one block, or on its corner at y = -2, its axis off it by up to
// 0.9 of its radius, hardly tilted. It comes to rest or tips over and falls; either way it gains nothing, and nothing
// sinks in.
static void drop_standing(int start, double stiffness, double *worst_gain, double *worst_share)
{
  ffi_random random = ffi_random_seed((uint64_t)start * 31 + 5);
  ffi_many_bodies_body body = {.shape = start % 2 ? FF_SHAPE_DISK : FF_SHAPE_CYLINDER, .mass = mass};
  body.size[0] = ffi_random_between(&random, 0.05, 0.15);
  body.size[1] = ffi_random_between(&random, 0.05, 0.3);
  const ff_material material = {
      .stiffness = stiffness, .damping = 300 * sqrt(stiffness / 1e5), .friction = 1};
  ff_model *model = ffi_many_bodies_loose(&body, 1, &material);
  ff_sim *sim = over_some(model, stiffness, 1);
  const double off = 0.9 * body.size[0], corner = start % 4 < 2 ? 0 : -2;
  const double lower = start % 2 ? 0 : body.size[1] / 2;
  double q[7] = {ffi_random_between(&random, -off, off) / sqrt(2),
                 corner + ffi_random_between(&random, -off, off) / sqrt(2),
                 lower + 0.02,
                 ffi_random_between(&random, -0.02, 0.02),
                 ffi_random_between(&random, -0.02, 0.02),
                 0,
                 1};
  const double length = sqrt(q[3] * q[3] + q[4] * q[4] + 1);
  for (int k = 3; k < 7; ++k)
    q[k] /= length;
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, q, NULL, &error), FF_OK);
  const double floor_energy = 9.81 * mass * 0.2, first = ff_sim_energy(sim).total + floor_energy;
  double touched = 0;
  for (int k = 0; k < 300; ++k) {
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("start %d: %s", start, error.message);
    const double gain = (ff_sim_energy(sim).total + floor_energy) / first - 1;
    const double share = ff_sim_info(sim)->penetration / sqrt(2 * first / stiffness);
    *worst_gain = fmax(*worst_gain, gain);
    *worst_share = fmax(*worst_share, share);
    touched = fmax(touched, share);
    if (!(gain <= 1e-3 && share <= 1))
      fail_msg(
          "start %d, K %g, step %d: energy exceeds its start by %g, %g times as deep as energy can press",
          start, stiffness, k, gain, share);
  }
  if (!(touched > 0))
    fail_msg("start %d: nothing touched", start);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void standing_on_edges_and_corners(void **state)
{
  (void)state;
  for (int i = 0; i < 2; ++i) {
    const double stiffness = i ? 1e7 : 1e5;
    double worst_gain = 0, worst_share = 0;
    const int starts = ffi_samples(100);
    for (int start = 0; start < starts; ++start)
      drop_standing(start, stiffness, &worst_gain, &worst_share);
    ffi_samples_tried(starts, "bodies standing on edges");
    print_message("standing, K %g: %d starts, gain %.2g, depth %.2g of what energy can press\n", stiffness,
                  starts, worst_gain, worst_share);
  }
}

static void put_inside(ff_sim *sim, double depth)
{
  double q[7] = {0.5, 0, 0.05 - depth, 0, 0, 0, 1};
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, q, NULL, &error), FF_OK);
}

// A cube that is put into the ground by a reset gets the springs of four corners, K d^2/2 each. One that finds itself
// there later, without having come there, does not.
static void a_sudden_depth_loads_no_spring(void **state)
{
  (void)state;
  const double K = 1e5, depth = 0.01;
  const ffi_many_bodies_body cube = {.shape = FF_SHAPE_BOX, .size = {0.1, 0.1, 0.1}, .mass = mass};
  ff_model *model =
      ffi_many_bodies_loose(&cube, 1, &(ff_material){.stiffness = K, .damping = 300, .friction = 1});
  ff_sim *sim = over_blocks(model, K);
  put_inside(sim, depth);
  const double loaded = ff_sim_energy(sim).elastic, expected = 4 * 0.5 * K * depth * depth;
  if (!(fabs(loaded - expected) <= 1e-12 * expected))
    fail_msg("after a reset springs hold %.17g J, expected %.17g J", loaded, expected);

  const int size = ff_sim_state_size(sim);
  double *flight = calloc((size_t)size, sizeof *flight), *inside = calloc((size_t)size, sizeof *inside);
  assert_true(flight && inside);
  ff_error error;
  put_inside(sim, -0.5);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_OK);
  ff_sim_get_state(sim, flight);
  put_inside(sim, depth);
  ff_sim_get_state(sim, inside);
  int z = 0; // where the height is
  while (z < size && !(inside[z] == 0.05 - depth))
    ++z;
  assert_true(z < size);
  flight[z] = 0.05 - depth;
  assert_int_equal(ff_sim_set_state(sim, flight, &error), FF_OK);
  const double sudden = ff_sim_energy(sim).elastic;
  int count;
  const ff_contact *contact = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; ++i)
    if (!(fabs(contact[i].penetration - depth) <= 1e-12)) // what is told is the geometry's
      fail_msg("contact %d is %g m deep, expected %g m", i, contact[i].penetration, depth);
  if (!(sudden <= 1e-6 * expected))
    fail_msg("springs that were never pressed hold %g J", sudden);
  free(flight);
  free(inside);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Energy in the four corners of a cube that finds itself 1 cm deep, moving down with this speed.
static double sudden_energy(double K, double speed)
{
  const double depth = 0.01, q[7] = {0.5, 0, 0.55, 0, 0, 0, 1};
  const ffi_many_bodies_body cube = {.shape = FF_SHAPE_BOX, .size = {0.1, 0.1, 0.1}, .mass = mass};
  ff_model *model =
      ffi_many_bodies_loose(&cube, 1, &(ff_material){.stiffness = K, .damping = 300, .friction = 1});
  ff_sim *sim = over_blocks(model, K);
  const double v[6] = {0, 0, -speed, 0, 0, 0};
  const int size = ff_sim_state_size(sim);
  double *flight = calloc((size_t)size, sizeof *flight);
  ff_error error;
  int z = 0, count;
  assert_non_null(flight);
  assert_int_equal(ff_sim_reset(sim, q, v, &error), FF_OK);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_OK);
  const double height = ff_sim_q(sim)[2];
  ff_sim_get_state(sim, flight);
  while (z < size && !(flight[z] == height))
    ++z;
  assert_true(z < size);
  flight[z] = 0.05 - depth;
  assert_int_equal(ff_sim_set_state(sim, flight, &error), FF_OK);
  const double energy = ff_sim_energy(sim).elastic;
  ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  free(flight);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return energy;
}

// contact.md, eq. 5a: such a spring may hold what a fiftieth of the way of a step would load, and no more than a
// thousandth of the kinetic energy (0.03^2 of it), however stiff it is. The speed gains 2 % in the step that is taken.
static void a_sudden_depth_loads_what_motion_could(void **state)
{
  (void)state;
  const double speed = 1, dt = 0.002, kinetic = 0.5 * mass * speed * speed;
  for (double K = 1e3; K < 2e9; K *= 10) {
    const double energy = sudden_energy(K, speed), way = 0.02 * dt * speed;
    const double most = 4 * fmin(0.5 * K * way * way, 0.03 * 0.03 * kinetic);
    print_message("K %g: %.4g J, of %.4g J that motion could load\n", K, energy, most);
    if (!(energy <= 1.05 * most && energy >= most))
      fail_msg("K %g: springs hold %g J, and motion could load %g J", K, energy, most);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_edges),
      cmocka_unit_test(states_can_be_set_back_anywhere),
      cmocka_unit_test(on_each_other),
      cmocka_unit_test(standing_on_edges_and_corners),
      cmocka_unit_test(a_sudden_depth_loads_no_spring),
      cmocka_unit_test(a_sudden_depth_loads_what_motion_could),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
