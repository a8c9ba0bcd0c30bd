// Changes references and ground between steps.
#include "campaign/change.h"

#include "support/random_state.h"

#include <string.h>

// A motor with a delay takes its reference within a later step, whose energy then grows by the user's work.
static int change_references(const ffi_recipe *r, ffi_random *random, ff_sim *sim)
{
  int changed = 0;
  for (int i = 0; i < ff_sim_element_count(sim); ++i) {
    ff_element_def e;
    double shift, speed;
    ffi_random_vector(random, 1, r->reference_size, &shift);
    ffi_random_vector(random, 1, 10, &speed);
    if (ff_sim_element(sim, i, &e) != FF_OK || e.type != FF_ELEMENT_JOINT_PD ||
        (r->is_passive && e.delay > 0))
      continue;
    changed |= ff_sim_set_reference(sim, i, e.reference + shift, r->is_passive ? 0 : speed) == FF_OK;
  }
  return changed;
}

// From its first place, so that it does not wander off.
static int move_ground(const ffi_recipe *r, ffi_random *random, ff_sim *sim)
{
  int changed = 0;
  for (int i = 0; i < r->ground_count; ++i) {
    ff_pose pose = r->grounds[i].shape.pose;
    double shift[3], velocity[6];
    ffi_random_vector(random, 3, r->ground_size, shift);
    ffi_random_vector(random, 6, 10, velocity);
    for (int k = 0; k < 3; ++k)
      pose.position[k] += shift[k];
    const int has_speed = !r->is_passive && ffi_random_chance(random, 0.5);
    changed |= ff_sim_move_ground(sim, i, &pose, has_speed ? velocity : NULL) == FF_OK;
  }
  return changed;
}

static int is_due(int period, int step)
{
  return period > 0 && step > 0 && step % period == 0;
}

int ffi_change_make(const ffi_recipe *r, int step, ff_sim *sim)
{
  ffi_random random = {.state = r->seed * 0x9e3779b97f4a7c15u + (uint64_t)step};
  int changed = 0;
  ffi_random_bits(&random);
  if (is_due(r->reference_period, step))
    changed |= change_references(r, &random, sim);
  if (is_due(r->ground_period, step))
    changed |= move_ground(r, &random, sim);
  return changed;
}
