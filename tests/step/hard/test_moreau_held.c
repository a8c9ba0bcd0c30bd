// moreau, stabilised: a contact that opens a little while it pushes stays a contact, and never adds energy.
#include "support/hard_scene.h"
#include "support/must.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const double g = 9.81, dt = 5e-3, mass = 1;

static ff_model *make_slide(void)
{
  ff_builder *b = ffi_must_begin("a mass on a vertical slide");
  ff_link_def link = ff_link_def_default();
  link.name = link.joint.name = "mass";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = link.joint.axis[1] = 0;
  link.joint.axis[2] = 1;
  link.inertia = (ff_inertia){.mass = mass, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &point);
  return ffi_must_finish(b);
}

// From depth q (< 0), moving up at v so that it is apart in the middle of the step, while tau presses it down. All
// forces act on one line, so the work of constant forces is exact, (tau - m g) times the displacement. The rest of
// the change of kinetic energy is the work of the impulse, and of the correction of positions.
static double gain_of(ff_sim *sim, const double *rest, double *copy, double q, double v, double tau)
{
  ff_error error;
  const int size = ff_sim_state_size(sim);
  for (int i = 0; i < size; ++i)
    copy[i] = rest[i];
  copy[9] = q;
  copy[10] = v;
  ffi_must(ff_sim_set_state(sim, copy, &error), &error);
  ffi_must_step(sim, &tau);
  assert_int_equal(ff_sim_info(sim)->converged, 1);
  const double end = ff_sim_v(sim)[0], delta = ff_sim_q(sim)[0] - q;
  return mass * (end * end - v * v) / 2 - (tau - mass * g) * delta;
}

static void held_contact_gives_no_energy(void **state)
{
  (void)state;
  ff_model *model = make_slide();
  ff_sim_def def = ffi_hard_def(dt);
  def.ground_count = -1;
  def.moreau.stabilise = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_run(sim, 100, NULL); // a contact that pushes
  const int size = ff_sim_state_size(sim);
  double *rest = calloc(2 * (size_t)size, sizeof *rest), most = -INFINITY, least = INFINITY;
  ff_sim_get_state(sim, rest);
  int held = 0;
  for (int i = 0; i < 20; ++i)
    for (int k = 0; k < 20; ++k)
      for (int f = 0; f < 4; ++f) {
        const double q = 1e-4 * (5 - i), v = 0.05 * k, tau = -pow(10, f);
        const double gain = gain_of(sim, rest, rest + size, q, v, tau), scale = mass * v * v / 2 - tau * 1e-3;
        const int is_apart =
            q + dt / 2 * v > 1e-12; // of numbers of 1e-4, some of which end at 0: there rounding decides
        if (!is_apart) // an ordinary contact: lifted out of its depth by half a step of v at most, against tau
          continue;
        held += ff_sim_info(sim)->contacts == 1;
        most = fmax(most, gain / scale);
        least = fmin(least, gain / scale);
      }
  print_message("             %d held, work of impulses %.2g .. %.2g of the energy at hand\n", held, least,
                most);
  assert_true(held > 500);
  assert_true(least < -0.1);
  assert_true(most <= 1e-12); // rounding
  free(rest);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(held_contact_gives_no_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
