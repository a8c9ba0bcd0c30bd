// What a controller of a batch sees of a robot: the sim that ff_batch_sim() shows, and looking at it changes no bits.
#include "sim/toys.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROBOTS = 50, STEPS = 40 };

static ff_batch *batch_of(ff_world *world, int threads)
{
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = ROBOTS;
  def.threads = threads;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  const ff_model *model = ff_world_model(world);
  const size_t nq = (size_t)ff_model_get_size(model).nq;
  double *q = calloc(ROBOTS * nq, sizeof *q);
  for (int i = 0; i < ROBOTS; ++i) {
    memcpy(q + (size_t)i * nq, ffi_robot_posture(model, "standing"), nq * sizeof *q);
    q[(size_t)i * nq + 2] += 1e-4 * i; // falls onto its feet, each at another time
  }
  ffi_must(ff_batch_reset(batch, NULL, q, NULL, &error), &error);
  free(q);
  return batch;
}

typedef struct seen {
  int looks;             // 0: leaves them alone
  double energy[ROBOTS]; // before the last step
  int contacts[ROBOTS];  // the same
  int is_bad;            // a robot's q is not that of the group
} seen;

static ff_batch_written look(const ff_batch_group *group, void *user)
{
  seen *s = user;
  for (int round = 0; s->looks && round < 2; ++round)
    for (int k = group->count - 1; k >= 0; --k) {
      ff_sim *sim = ff_batch_group_sim(group, k);
      const size_t nq = (size_t)ff_model_get_size(ff_sim_model(sim)).nq;
      ff_sim_contacts(sim, &s->contacts[group->first + k]);
      s->energy[group->first + k] = ff_sim_energy(sim).kinetic;
      s->is_bad |= memcmp(ff_sim_q(sim), group->q + (size_t)k * nq, nq * sizeof(double)) != 0;
    }
  s->is_bad |= ff_batch_group_sim(group, group->count) != NULL || ff_batch_group_sim(group, -1) != NULL;
  for (int i = 0; i < 18 * group->count; ++i)
    group->tau[i] = 0.01;
  return FF_BATCH_TAU;
}

static void looking_changes_nothing(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_sim_def def = ff_sim_def_default();
  def.dt = 2e-3;
  ff_world *world;
  ff_error error;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  ff_batch *one = batch_of(world, 1), *other = batch_of(world, 3);
  static seen alone, looked = {.looks = 1};
  const ff_batch_inputs inputs = {.control = look, .user = &alone},
                        looking = {.control = look, .user = &looked};
  ffi_must(ff_batch_step_many(one, STEPS, &inputs, &error), &error);
  ffi_must(ff_batch_step_many(other, STEPS - 1, &looking, &error), &error);
  static double energy[ROBOTS];
  static int contacts[ROBOTS];
  int most = 0;
  for (int i = 0; i < ROBOTS; ++i) {
    ff_sim *sim = ff_batch_sim(other, i);
    energy[i] = ff_sim_energy(sim).kinetic;
    ff_sim_contacts(sim, &contacts[i]);
    most = contacts[i] > most ? contacts[i] : most;
  }
  ffi_must(ff_batch_step_many(other, 1, &looking, &error), &error);
  assert_false(alone.is_bad || looked.is_bad);
  if (!(most > 1))
    fail_msg("most %d", most);
  assert_memory_equal(energy, looked.energy, sizeof energy);
  assert_memory_equal(contacts, looked.contacts, sizeof contacts);
  const size_t size = ROBOTS * (size_t)ff_batch_state_size(one);
  double *a = calloc(size, sizeof *a), *b = calloc(size, sizeof *b);
  ffi_must(ff_batch_get_states(one, a, &error), &error);
  ffi_must(ff_batch_get_states(other, b, &error), &error);
  assert_memory_equal(a, b, size * sizeof *a);
  assert_true(ff_batch_get_counts(one).in_lanes == ff_batch_get_counts(other).in_lanes);
  assert_true(ff_batch_get_counts(one).in_lanes > 0);
  assert_null(ff_batch_group_sim(NULL, 0));
  free(a);
  free(b);
  ff_batch_destroy(one);
  ff_batch_destroy(other);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(looking_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
