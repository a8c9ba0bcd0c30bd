// What touches at the present state, for the user: in world axes, by shapes and links, with the pair's own a and b.
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdio.h>

static const ffi_collider_pair *pair_of(const ff_sim *sim, const ffi_contact *contact)
{
  return &sim->system->scene->pairs[contact->near.pair];
}

static int link_of_shape(const ff_sim *sim, int shape)
{
  return shape < 0 ? -1 : sim->system->model->shapes[shape].link;
}

// "link 'x'", or for what does not move "the ground 'name'".
static void name_side(const ff_sim *sim, int shape, int ground, char *text, size_t size)
{
  const ff_model *model = sim->system->model;
  const int link = link_of_shape(sim, shape);
  const char *name =
      shape >= 0 ? model->shapes[shape].def.name : sim->system->scene->grounds[ground].def.shape.name;
  if (link >= 0)
    snprintf(text, size, "link '%.80s'", model->links[link].name);
  else if (name)
    snprintf(text, size, "the ground '%.80s'", name);
  else if (shape < 0 && sim->system->scene->ground_count > 1)
    snprintf(text, size, "ground %d", ground);
  else
    snprintf(text, size, "the ground");
}

ffi_sim_contact_label ffi_sim_contacts_label(const ff_sim *sim, const ffi_collider_pair *pair)
{
  ffi_sim_contact_label name;
  char a[120], b[120];
  name_side(sim, pair->shape_a, -1, a, sizeof a);
  name_side(sim, pair->shape_b, pair->ground, b, sizeof b);
  snprintf(name.text, sizeof name.text, "%s on %s", a, b);
  return name;
}

// Velocity of the anchor over the surface. Without damping the law does not hold the anchor back: it slides with the point.
static void slip_velocity(const ffi_contact *c, int has_flags, double slip[3])
{
  double rate[3];
  ffi_contact_elongation_rate(c, rate);
  if (c->law.mode != FF_CONTACT_SLIP)
    ffi_v3_set(0, 0, 0, slip);
  else if (c->B > 0 && !has_flags)
    ffi_v3_add(rate, c->u, slip);
  else
    ffi_v3_copy(c->u, slip);
}

// Of the last step, by id; both lists are in order of ids, so the search goes on where it was.
static const ffi_state_contact *last_step(const ffi_state *x, int id, int *at)
{
  static const ffi_state_contact none = {0};
  while (*at < x->touching_count && x->touching[*at].id < id)
    ++*at;
  return *at < x->touching_count && x->touching[*at].id == id ? &x->touching[*at] : &none;
}

// Hard contacts have no force of a moment: theirs is that of the last step.
static void describe_hard(const ffi_contact *c, const ffi_state_contact *last, ff_contact *out,
                          double slip[3])
{
  const double push = ffi_v3_dot(last->mean_force, c->near.normal);
  out->mode = !(push > 0) ? FF_CONTACT_RELEASED : last->slips ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
  ffi_v3_copy(out->mean_force, out->force);
  for (int k = 0; k < 3; ++k)
    slip[k] = out->mode == FF_CONTACT_SLIP ? c->u[k] : 0;
}

static void describe(const ff_sim *sim, const ffi_contact *c, const ffi_state_contact *last, ff_contact *out)
{
  const ffi_collider_pair *pair = pair_of(sim, c);
  const double sign = c->near.flipped ? -1 : 1;
  double slip[3];
  *out = (ff_contact){
      .id = c->near.id,
      .shape_a = pair->shape_a,
      .shape_b = pair->shape_b,
      .ground = pair->ground,
      .link_a = link_of_shape(sim, pair->shape_a),
      .link_b = link_of_shape(sim, pair->shape_b),
      .penetration = 0 - c->near.gap, // no negative zero
      .mode = c->law.mode,
  };
  ffi_v3_copy(c->near.point, out->point);
  // a spring that is let go has no end but the point
  ffi_v3_copy(ffi_stepper_has_slip_flags(&sim->world->def) && c->slips ? c->near.point : c->anchor,
              out->anchor);
  ffi_v3_scale(sign, c->near.normal, out->normal);
  ffi_v3_scale(sign, c->law.force, out->force);
  ffi_v3_scale(sign, last->mean_force, out->mean_force);
  ffi_contact_frame_tangents(out->normal, out->tangent[0], out->tangent[1]);
  if (ffi_stepper_has_hard_contacts(&sim->world->def))
    describe_hard(c, last, out, slip);
  else
    slip_velocity(c, ffi_stepper_has_slip_flags(&sim->world->def), slip);
  for (int k = 0; k < 2; ++k)
    out->slip[k] = sign * ffi_v3_dot(slip, out->tangent[k]);
}

const ff_contact *ff_sim_contacts(ff_sim *sim, int *count)
{
  if (sim->contacts_stamp != sim->state->stamp) {
    const ffi_evaluation *present = ffi_sim_state_present(sim);
    sim->contact_count = 0;
    for (int i = 0, at = 0; i < present->count; ++i) {
      const ffi_contact *c = &present->contact[i];
      if (c->near.pair >= 0) // else its shapes are far apart
        describe(sim, c, last_step(sim->state, c->near.id, &at), &sim->contacts[sim->contact_count++]);
    }
    sim->contacts_stamp = sim->state->stamp;
  }
  if (count)
    *count = sim->contact_count;
  return sim->contacts;
}
