// slow: some ten seconds. What the motion did not load is not there: springs of contacts whose geometry jumps from
// piece to piece, and stops of light joints that change their regime more often than
// a step has pieces. The energy of what falls limp never exceeds that of the start.
#include "properties/contact/many_bodies.h"
#include "support/must.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Largest energy over that of the start, as a share of the largest kinetic energy on the way.
static double excess(ff_sim *sim, int steps)
{
  const double start = ff_sim_energy(sim).total;
  double most = start, kinetic = 0;
  for (int k = 0; k < steps; ++k) {
    ffi_must_step(sim, NULL);
    const ff_energy e = ff_sim_energy(sim);
    most = fmax(most, e.total);
    kinetic = fmax(kinetic, e.kinetic);
  }
  return (most - start) / kinetic;
}

// A number in -1..1 of a falling tower: any will do, but the same each time.
static double dice(uint32_t *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

// Three loose cubes above each other, turned a little, that fall on a floor of ordinary stiffness. Between each other
// they are as stiff and as damped as steel blocks of a thousand tons: edges that are all but parallel pass over each
// other, dampers stop them within nanoseconds, and each of a step's pieces finds other contacts than the one before.
// Energy gained a hundredfold here.
static void cubes_much_stiffer_than_their_floor(void **state)
{
  (void)state;
  static const struct {
    double K, B, mu; // between cubes
    double mass, edge, dt;
  } cases[] = {
      {4e9, 1.4e7, 100, 0.016, 0.07, 1.1e-3}, {1.1e9, 4e5, 0.14, 1.7e-3, 0.7, 1.8e-3},
      {5e5, 1.8e7, 100, 1e-5, 0.16, 3.5e-3},  {8e5, 5, 6.6, 2e-6, 0.65, 2.3e-3},
      {8e7, 4e7, 0, 0.05, 0.2, 4.7e-3},       {8e9, 0.04, 0.06, 1e-4, 0.23, 4e-3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    for (int fall = 0; fall < 2; ++fall) {
      const ff_material steel = {.stiffness = cases[i].K, .damping = cases[i].B, .friction = cases[i].mu};
      ffi_many_bodies_body cube = {FF_SHAPE_BOX, {0}, cases[i].mass}, bodies[3];
      for (int k = 0; k < 3; ++k)
        cube.size[k] = cases[i].edge;
      for (int b = 0; b < 3; ++b)
        bodies[b] = cube;
      ff_model *model = ffi_many_bodies_loose(bodies, 3, &steel);
      ff_ground_def ground = ff_ground_def_default();
      ground.shape.material = (ff_material){.stiffness = 5e5, .damping = 300, .friction = 1};
      ground.gives_pair = 1;
      ff_sim_def def = ff_sim_def_default();
      def.dt = cases[i].dt;
      def.ground = &ground;
      def.ground_count = 1;
      ff_sim *sim = ffi_must_sim(model, &def);
      double q[21], turn[18] = {0};
      uint32_t seed = (uint32_t)(100 * i + (size_t)fall);
      ff_model_neutral(model, q);
      for (int b = 0; b < 3; ++b) {
        q[7 * b + 2] = cases[i].edge * (1 + 1.8 * b); // turned by any angle they do not touch
        for (int k = 0; k < 3; ++k)
          turn[6 * b + k] = 0.1 * cases[i].edge * dice(&seed), turn[6 * b + 3 + k] = 0.3 * dice(&seed);
      }
      ff_model_integrate(model, q, turn, q);
      ffi_must_reset(sim, q, NULL);
      const double gain = excess(sim, 250);
      if (!(gain <
            // a thousandth of the energy of motion is what one contact is allowed for at a look,
            // src/step/eval/passivity.c
            1e-3))
        fail_msg("case %d, fall %d: gains %g of its energy of motion", (int)i, fall, gain);
      ff_sim_destroy(sim);
      ff_model_destroy(model);
    }
}

// Romeo, limp, falls with stops that are stiff and hardly damped: its wrists, of a few grams m^2, run from stop to
// stop.
static void light_joints_between_stiff_stops(void **state)
{
  (void)state;
  ff_error error;
  ff_model *model;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/romeo.urdf", NULL, &model, &error), &error);
  const ff_model_size size = ff_model_get_size(model);
  assert_true(size.nq <= 64);
  for (int fall = 0; fall < 2; ++fall) {
    double q[64], turn[64], v[64];
    uint32_t seed = 7u + (uint32_t)fall;
    ff_sim_def def = ff_sim_def_default();
    def.dt = 5e-3;
    def.limit_stiffness = 1e6;
    def.limit_damping = 0.1;
    ff_sim *sim = ffi_must_sim(model, &def);
    memcpy(q, ff_model_posture(model, 0), (size_t)size.nq * sizeof *q);
    for (int i = 0; i < size.nv; ++i)
      turn[i] = 0.3 * dice(&seed), v[i] = dice(&seed);
    ff_model_integrate(model, q, turn, q);
    q[2] += 0.4;
    for (int j = 0; j < size.joints; ++j) {
      ff_joint_info joint;
      ff_model_joint(model, j, &joint);
      if (joint.has_limits && joint.nq == 1)
        q[joint.q] = fmin(fmax(q[joint.q], joint.lower), joint.upper);
    }
    ffi_must_reset(sim, q, v);
    const double gain = excess(sim, 250);
    if (!(gain < 1e-3))
      fail_msg("fall %d: gains %g of its energy of motion", fall, gain);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Solo12, limp, falls on a floor on which an impact lasts microseconds, at steps of 20 ms.
static void a_floor_stiffer_than_the_step_sees(void **state)
{
  (void)state;
  ff_error error;
  ff_model *model;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, &error), &error);
  const ff_model_size size = ff_model_get_size(model);
  assert_true(size.nq <= 64);
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.material = (ff_material){.stiffness = 1e9, .damping = 300, .friction = 0.5};
  ground.gives_pair = 1;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.02;
  def.ground = &ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  for (int fall = 0; fall < 4; ++fall) {
    double q[64];
    memcpy(q, ff_model_posture(model, 0), (size_t)size.nq * sizeof *q);
    q[2] += 1 + 0.05 * fall;
    ffi_must_reset(sim, q, NULL);
    const double gain = excess(sim, 200);
    if (!(gain < 1e-3))
      fail_msg("fall %d: gains %g of its energy of motion", fall, gain);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_much_stiffer_than_their_floor),
      cmocka_unit_test(light_joints_between_stiff_stops),
      cmocka_unit_test(a_floor_stiffer_than_the_step_sees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
