// Reports tunnelling: shapes that passed through each other within a step. Steppers that evaluate only the ends of
// their steps cannot know.
#include "model/model.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

// Resolution of the reported time, as a share of a step.
static const double time_resolution = 1e-3;

static int link_of(const ff_sim *sim, int shape)
{
  return shape < 0 ? -1 : sim->system->model->shapes[shape].link;
}

void ffi_sim_tunnelling(ff_sim *sim)
{
  ffi_system *s = sim->system;
  ff_sim_totals *totals = &sim->totals;
  const double dt = sim->world->def.dt;
  const double half = sim->workspace->tunnelling_check.least;
  // Halfway through, the depth is half the sum of both widths; check from half of that on.
  const int is_deep = sim->info.penetration > 0.5 * half;
  if (!is_deep &&
      !ffi_tunnelling_check_may_pass(&sim->workspace->tunnelling_check, s->colliders, sim->state->q,
                                     sim->workspace->next->q, sim->state->ground_velocity, dt))
    return;
  ffi_advance_tunnelled_pair first;
  const ffi_advance_path path = {.colliders = s->colliders,
                                 .k = s->k,
                                 .work = s->spare,
                                 .detection = s->detection,
                                 .ground = sim->state->ground,
                                 .ground_velocity = sim->state->ground_velocity,
                                 .q = sim->state->q,
                                 .T = dt};
  sim->info.passed = ffi_advance_tunnelling(sim->workspace->advance, &path, sim->workspace->next->q,
                                            time_resolution * dt, sim->workspace->change, &first);
  if (sim->info.passed > 0 && totals->passed == 0) {
    const ffi_collider_pair *pair = &s->colliders->pairs[first.pair];
    totals->first_passing = (ff_passing){.time = sim->state->time + first.time,
                                         .shape_a = pair->shape_a,
                                         .shape_b = pair->shape_b,
                                         .ground = pair->ground,
                                         .link_a = link_of(sim, pair->shape_a),
                                         .link_b = link_of(sim, pair->shape_b)};
  }
  totals->passed += sim->info.passed;
}

// A shape by its name, else by that of its link. Ground by its name, else by its number if there is more than one.
static const char *name_of(const ff_sim *sim, int shape, int ground, char *made, size_t size)
{
  const ff_model *model = sim->system->model;
  const ffi_colliders *colliders = sim->system->colliders;
  const char *name = shape >= 0 ? model->shapes[shape].def.name : colliders->grounds[ground].def.shape.name;
  if (name && *name)
    return name;
  if (link_of(sim, shape) >= 0)
    return model->links[link_of(sim, shape)].name;
  snprintf(made, size, colliders->ground_count > 1 && shape < 0 ? "ground %d" : "the ground", ground);
  return made;
}

void ff_sim_describe_passing(const ff_sim *sim, char text[FF_PASSING_TEXT])
{
  const ff_passing *p = &sim->totals.first_passing;
  char a[24], b[24];
  text[0] = '\0';
  if (sim->totals.passed > 0)
    snprintf(text, FF_PASSING_TEXT, "%.80s passed through %.80s at t = %.6g ms",
             name_of(sim, p->shape_a, -1, a, sizeof a), name_of(sim, p->shape_b, p->ground, b, sizeof b),
             1e3 * p->time);
}
