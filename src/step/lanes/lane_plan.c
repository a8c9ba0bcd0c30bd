// Lists features, planes, motors and stops of a world for calm steps.
#include "step/lanes/lane_plan.h"

#include "contact/detect/broad_phase.h"
#include "math/poles.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/expo/expo_events.h"
#include "step/system/parameters.h"

#include <math.h>

// ---- Poles --------------------------------------------------------------------------------------------------

// As the stepper has them.
static void fill_poles(const ff_world *world, ffi_lane_poles *out)
{
  const ffi_system s = ffi_system_of(world);
  ffi_block counting = {0};
  ffi_frozen z;
  ffi_expo_events events;
  ffi_frozen_layout(&s, &counting, &z);
  ffi_expo_events_layout(&s, &counting, &z, &events);
  memcpy(out->inverse, z.inverse, sizeof out->inverse);
  memcpy(out->weight, z.weight, sizeof out->weight);
  memcpy(out->unresolved, z.unresolved, sizeof out->unresolved);
  memcpy(out->position_weight, events.position_weight, sizeof out->position_weight);
  memcpy(out->velocity_weight, events.velocity_weight, sizeof out->velocity_weight);
  memcpy(out->swing, events.joints.swing, sizeof out->swing);
}

// ---- Who can touch what -------------------------------------------------------------------------------------

static void put_feature(ffi_lane_plan *plan, int pair, int number, const double x[3], double radius,
                        int plane)
{
  const ffi_collider_pair *p = &plan->world->colliders.pairs[pair];
  const int at = plan->feature_count++;
  if (plan->feature_count > FFI_LANE_MOST_FEATURES)
    plan->why_not = "too many points can touch the ground";
  if (!plan->feature || plan->why_not)
    return;
  ffi_lane_feature *f = &plan->feature[at];
  *f = (ffi_lane_feature){
      .id = p->first_id + number, .pair = pair, .body = p->body_a, .radius = radius, .plane = plane};
  ffi_m3_mulv(p->a->in.R, x, f->centre);
  ffi_v3_add(f->centre, p->a->in.p, f->centre);
  plan->feature_of_id[f->id] = at;
}

// Points, spheres, capsules and boxes touch a plane with points that are fixed in them, as in
// geometry/collide_plane.c.
static int put_features(ffi_lane_plan *plan, int pair, int plane)
{
  const ffi_solid *solid = &plan->world->colliders.pairs[pair].a->solid;
  const double *size = solid->size, none[3] = {0, 0, 0};
  switch (solid->type) {
  case FF_SHAPE_POINT: put_feature(plan, pair, 0, none, 0, plane); return 1;
  case FF_SHAPE_SPHERE: put_feature(plan, pair, 0, none, size[0], plane); return 1;
  case FF_SHAPE_CAPSULE:
    for (int i = 0; i < 2; ++i)
      put_feature(plan, pair, i, (const double[3]){0, 0, (i ? -0.5 : 0.5) * size[1]}, size[0], plane);
    return 1;
  case FF_SHAPE_BOX:
    for (int i = 0; i < 8; ++i)
      put_feature(plan, pair, i,
                  (const double[3]){i & 1 ? 0.5 * size[0] : -0.5 * size[0],
                                    i & 2 ? 0.5 * size[1] : -0.5 * size[1],
                                    i & 4 ? 0.5 * size[2] : -0.5 * size[2]},
                  0, plane);
    return 1;
  default: return 0;
  }
}

static int find_plane(ffi_lane_plan *plan, const ffi_broad_phase_half_space *h)
{
  for (int i = 0; i < plan->plane_count && plan->plane; ++i)
    if (plan->plane[i].ground == h->ground && plan->plane[i].offset == h->top &&
        (h->ground >= 0 ||
         (ffi_v3_is_equal(plan->plane[i].at.p, h->in.p) && ffi_m3_is_equal(plan->plane[i].at.R, h->in.R))))
      return i;
  if (plan->plane)
    plan->plane[plan->plane_count] = (ffi_lane_plane){h->ground, h->in, h->top};
  return plan->plane_count++;
}

// share: of the height above a half space that is sure to be free.
static void put_apart(ffi_lane_plan *plan, const ffi_collider_pair *pair, int plane, double share)
{
  const int at = plan->apart_count++;
  if (plan->apart_count > FFI_LANE_MOST_APART) {
    plan->why_not = "too many pairs of shapes can touch each other";
    return;
  }
  if (!plan->apart)
    return;
  ffi_lane_apart *out = &plan->apart[at];
  *out = (ffi_lane_apart){.body_a = pair->body_a,
                          .body_b = plane < 0 ? pair->body_b : -1,
                          .plane = plane,
                          .reach = (plane < 0 ? pair->reach : pair->a->solid.radius) / share};
  ffi_v3_copy(pair->a->in.p, out->a);
  if (plane < 0)
    ffi_v3_copy(pair->b->in.p, out->b);
}

static void list_pairs(ffi_lane_plan *plan)
{
  const ffi_colliders *colliders = &plan->world->colliders;
  const ffi_broad_phase *phase = colliders->broad_phase;
  for (int i = 0; i < colliders->pair_count && !plan->why_not; ++i) {
    const ffi_collider_pair *pair = &colliders->pairs[i];
    const ffi_broad_phase_probe *probe = &phase->probes[i];
    if (probe->kind == FFI_PROBE_BOX) {
      plan->why_not = "there are boxes on the ground";
    } else if (probe->kind == FFI_PROBE_BALL) {
      put_apart(plan, pair, -1, 1);
    } else {
      const ffi_broad_phase_half_space *h = &phase->half_spaces[probe->b];
      const int is_plane = pair->b->solid.type == FF_SHAPE_PLANE;
      if (h->body != 0)
        plan->why_not = "planes move with bodies";
      else if (pair->body_a == 0)
        plan->why_not = "shapes of the world touch each other";
      else if (!is_plane || !put_features(plan, i, find_plane(plan, h)))
        put_apart(plan, pair, find_plane(plan, h), h->share);
    }
  }
}

// Is the stepper one that solves springs exactly?
static int has_springs(const ff_sim_def *def)
{
  return def->stepper == FF_STEPPER_EXPO || def->stepper == FF_STEPPER_EXPO_PAPER;
}

// ---- Elements -----------------------------------------------------------------------------------------------

static void put_joint(ffi_lane_joint *list, int *count, int element, const ffi_element *el)
{
  if (list)
    list[*count] = (ffi_lane_joint){element, el->line.single_q, el->line.single_v};
  ++*count;
}

static void list_elements(ffi_lane_plan *plan)
{
  for (int e = 0; e < plan->world->law_count && !plan->why_not; ++e) {
    const ffi_element *el = &plan->world->elements[e];
    if (!el->is_joint || el->line.single_q < 0 || el->line.single_v < 0)
      plan->why_not = "there are couplings, tendons, points or welds";
    else if (el->def.type == FF_ELEMENT_JOINT_FRICTION)
      plan->why_not = "joints have dry friction";
    else if (el->def.type == FF_ELEMENT_JOINT_LIMIT)
      put_joint(plan->stop, &plan->stop_count, e, el);
    else if (has_springs(&plan->world->def) && !(el->def.stiffness > 0))
      plan->why_not = "there are motors without stiffness";
    else
      put_joint(plan->motor, &plan->motor_count, e, el);
  }
}

// ---- The world ----------------------------------------------------------------------------------------------

static const char *reason_of_stepper(const ff_sim_def *def)
{
  const int is_usual_expo = def->expo.exponential == FF_EXPONENTIAL_AUTO && def->expo.order == 2 &&
                            def->expo.events && def->accuracy == 0 && def->expo.max_pieces >= 8;
  switch (def->stepper) {
  case FF_STEPPER_EXPO: return is_usual_expo ? NULL : "options of expo are not the default ones";
  case FF_STEPPER_EXPO_PAPER:
    return def->expo.exponential == FF_EXPONENTIAL_AUTO ? NULL
                                                        : "options of expo-paper are not the default ones";
  case FF_STEPPER_EULER:
  case FF_STEPPER_SYMPLECTIC: return NULL;
  default: return "the stepper has no steps in lanes";
  }
}

static int has_damping(const ff_model *m)
{
  int has = 0;
  for (int i = 0; i < m->size.nv; ++i)
    has |= m->dof_damping[i] != 0;
  return has;
}

static const char *reason_of_options(const ff_world *world)
{
  const ff_sim_def *def = &world->def;
  const ff_model *m = world->model;
  const char *reason = reason_of_stepper(def);
  if (reason)
    return reason;
  if (def->contact_law != FF_LAW_ANCHOR || def->normal_anchor != FF_ANCHOR_SURFACE)
    return "contacts have another law than the default";
  if (def->watch_passing || def->timing || def->time_limit > 0)
    return "steps are watched or timed";
  if (world->has_turning)
    return "contacts have torsional or rolling friction";
  if (m->size.nv == 0)
    return "nothing moves";
  if (has_springs(def) && has_damping(m))
    return "joints have damping";
  for (int i = 1; i < m->body_count; ++i)
    if (m->bodies[i].kind == FFI_KIND_PLANAR)
      return "there are planar joints";
  return NULL;
}

// From the root of its tree no feature is farther away than all joints of the path stretched out. Sliding joints may
// stretch it further; their range is not known.
static double longest_reach(const ffi_lane_plan *plan)
{
  const ff_model *m = plan->world->model;
  double most = 1;
  for (int i = 0; plan->feature && i < plan->feature_count; ++i) {
    const ffi_lane_feature *f = &plan->feature[i];
    double reach = ffi_v3_norm(f->centre) + f->radius;
    for (int b = f->body; b > 0; b = m->bodies[b].parent)
      reach +=
          ffi_v3_norm(m->bodies[b].p) +
          (m->bodies[b].kind >= FFI_KIND_PRISMATIC_X && m->bodies[b].kind <= FFI_KIND_PRISMATIC_G ? 10 : 0);
    most = fmax(most, reach);
  }
  return most;
}

void ffi_lane_plan_layout(const ff_world *world, ffi_block *block, ffi_lane_plan *plan)
{
  ffi_lane_plan counted = {.world = world, .why_not = reason_of_options(world)};
  *plan = counted;
  if (plan->why_not)
    return;
  list_pairs(&counted);
  list_elements(&counted);
  if (counted.why_not) {
    plan->why_not = counted.why_not;
    return;
  }
  plan->feature = ffi_block_keep(block, (size_t)counted.feature_count, sizeof *plan->feature);
  plan->feature_of_id = ffi_block_keep(block, (size_t)world->colliders.id_count, sizeof *plan->feature_of_id);
  plan->plane = ffi_block_keep(block, (size_t)counted.plane_count, sizeof *plan->plane);
  plan->apart = ffi_block_keep(block, (size_t)counted.apart_count, sizeof *plan->apart);
  plan->motor = ffi_block_keep(block, (size_t)counted.motor_count, sizeof *plan->motor);
  plan->stop = ffi_block_keep(block, (size_t)counted.stop_count, sizeof *plan->stop);
  if (!plan->feature) { // counting: no list will be longer
    *plan = counted;
    return;
  }
  for (int i = 0; i < world->colliders.id_count; ++i)
    plan->feature_of_id[i] = -1;
  list_pairs(plan);
  list_elements(plan);
  plan->length = longest_reach(plan);
  fill_poles(world, &plan->poles);
}
