// Lays out a world, a system and a stepper for a test.
#include "step/rig.h"

#include "model/model.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <footfall/load.h>

#include <cmocka.h>

static ff_ground_def floor_of(const ffi_rig_def *def)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.material =
      (ff_material){.stiffness = def->K, .damping = def->B, .friction = def->mu, .restitution = 0};
  ground.gives_pair = 1;
  ground.shape.pose.quaternion[1] = sin(def->slope / 2);
  ground.shape.pose.quaternion[3] = cos(def->slope / 2);
  for (int k = 0; k < 6; ++k)
    ground.velocity[k] = def->ground_velocity[k];
  return ground;
}

// Run twice, counting and placing.
static void layout(ffi_rig *r, ffi_block *block)
{
  ffi_system *s = &r->system;
  for (int i = 0; i < 2; ++i)
    r->states[i] = ffi_state_layout(s, block);
  ffi_evaluation_layout(s, block, &r->present);
  r->tau = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *r->tau);
}

ffi_block ffi_rig_memory(const ffi_block *measure, void **memory)
{
  *memory = calloc(1, ffi_block_bytes(measure));
  assert_non_null(*memory);
  return ffi_block_in(*memory, measure);
}

static ff_world *world_of(const ff_model *model, const ffi_rig_def *def)
{
  ff_world *world;
  ff_error error;
  const ff_ground_def ground = floor_of(def);
  ff_sim_def wanted = ff_sim_def_default();
  wanted.stepper = def->stepper;
  wanted.ground = &ground;
  wanted.ground_count = def->K > 0;
  wanted.elements = def->elements;
  wanted.element_count = def->element_count;
  wanted.model_elements = def->model_elements;
  wanted.normal_anchor = def->normal_anchor;
  wanted.contact_law = def->contact_law;
  if (def->tolerance > 0)
    wanted.implicit.tolerance = def->tolerance;
  wanted.moreau.stabilise = def->stabilise;
  wanted.c2a.impact.law = def->impact;
  if (ff_world_create(model, &wanted, &world, &error) != FF_OK)
    fail_msg("%s", error.message);
  return world;
}

ffi_rig *ffi_rig_create(const ff_model *model, const ffi_rig_def *def)
{
  ffi_rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  r->model = model;
  r->world = world_of(model, def);
  r->workspace = ffi_sim_workspace_create(r->world);
  assert_non_null(r->workspace);
  r->def = *ff_world_def(r->world);
  r->system = r->workspace->system;
  r->system.def = &r->def;
  r->system.info = &r->info;
  r->system.history = &r->history;
  r->system.present = &r->present;
  ffi_block measure = {0};
  layout(r, &measure);
  ffi_block block = ffi_rig_memory(&measure, &r->memory);
  layout(r, &block);
  r->system.tau = r->tau;
  ffi_rig_reset(r, NULL, NULL);
  return r;
}

void ffi_rig_destroy(ffi_rig *r)
{
  if (!r)
    return;
  ffi_sim_workspace_free(r->workspace);
  ff_world_destroy(r->world);
  free(r->memory);
  free(r);
}

static ffi_pose place_of(const ff_pose *pose)
{
  ffi_pose place;
  const double *q = pose->quaternion, x = q[0], y = q[1], z = q[2], w = q[3];
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(place.R, R, sizeof R);
  memcpy(place.p, pose->position, sizeof place.p);
  return place;
}

void ffi_rig_reset(ffi_rig *r, const double *q, const double *v)
{
  const ffi_system *s = &r->system;
  r->now = r->states[0];
  r->next = r->states[1];
  ffi_state *x = r->now;
  x->time = 0;
  x->is_placed = 1;
  x->touching_count = 0;
  if (q)
    memcpy(x->q, q, (size_t)s->model->size.nq * sizeof *q);
  else
    ff_model_neutral(s->model, x->q);
  for (int i = 0; i < s->model->size.nv; ++i)
    x->v[i] = v ? v[i] : 0;
  for (int e = 0; e < s->element_count; ++e) {
    x->reference[e] = s->elements[e].def.reference;
    x->reference_velocity[e] = s->elements[e].def.reference_velocity;
  }
  for (int g = 0; g < s->colliders->ground_count; ++g) {
    x->ground[g] = place_of(&s->colliders->grounds[g].def.shape.pose);
    memcpy(x->ground_velocity + 6 * g, s->colliders->grounds[g].def.velocity, 6 * sizeof(double));
  }
}

void ffi_rig_step(ffi_rig *r, double dt)
{
  ff_error error = {0};
  r->info = (ff_step_info){0};
  const ff_status status = r->world->stepper->step(&r->system, r->now, dt, r->next, &error);
  if (status != FF_OK)
    print_error("%s\n", error.message);
  assert_int_equal(status, FF_OK);
  ffi_state *old = r->now;
  r->now = r->next;
  r->next = old;
}

void ffi_rig_run(ffi_rig *r, double dt, int steps)
{
  for (int k = 0; k < steps; ++k)
    ffi_rig_step(r, dt);
}

ff_model *ffi_rig_load(const char *file)
{
  char path[512];
  ff_model *model = NULL;
  ff_error error;
  snprintf(path, sizeof path, "%s/models/%s", FFI_TEST_SOURCE_DIR, file);
  assert_int_equal(ff_model_load(path, NULL, &model, &error), FF_OK);
  return model;
}

double ffi_rig_distance(const ffi_rig *r, const ffi_state *a, const ffi_state *b, double seconds)
{
  const int nv = r->model->size.nv;
  double *d = malloc(((size_t)nv + 1) * sizeof *d);
  assert_non_null(d);
  ff_model_difference(r->model, a->q, b->q, d);
  const double distance = ffi_size(nv, d);
  const double speed = ffi_gap(nv, a->v, b->v);
  double anchors = a->touching_count == b->touching_count ? 0 : (double)INFINITY;
  for (int i = 0; i < a->touching_count && anchors < (double)INFINITY; ++i)
    anchors = fmax(anchors, ffi_gap(3, a->touching[i].anchor, b->touching[i].anchor));
  free(d);
  return fmax(fmax(distance, anchors), seconds * speed);
}

double ffi_rig_order(ffi_rig *r, const ffi_rig_course *course, const ffi_state *reference, double *error)
{
  const double duration = course->duration;
  const int count = course->count;
  for (int k = 0; k < count; ++k) {
    const int steps = course->first << k;
    ffi_rig_reset(r, course->q, course->v);
    ffi_rig_run(r, duration / steps, steps);
    error[k] = ffi_rig_distance(r, r->now, reference, duration);
    print_message("  dt %9.3e  error %9.3e", duration / steps, error[k]);
    print_message(k > 0 ? "  order %.2f\n" : "\n", k > 0 ? log2(error[k - 1] / error[k]) : 0.0);
  }
  return log2(error[count - 2] / error[count - 1]);
}

ffi_state *ffi_rig_keep(const ffi_rig *r, const ffi_state *x)
{
  void *memory = malloc(r->world->shape.bytes);
  assert_non_null(memory);
  ffi_state *kept = ffi_state_in(&r->world->shape, memory);
  ffi_state_copy(&r->system, x, kept);
  return kept;
}
