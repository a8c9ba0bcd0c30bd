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

static const ffi_stepper *stepper_of(ff_stepper stepper)
{
  switch (stepper) {
  case FF_STEPPER_EXPO: return &ffi_stepper_expo;
  case FF_STEPPER_EXPO_PAPER: return &ffi_stepper_expo_paper;
  case FF_STEPPER_EULER: return &ffi_stepper_euler;
  case FF_STEPPER_SYMPLECTIC: return &ffi_stepper_symplectic;
  case FF_STEPPER_RK4: return &ffi_stepper_rk4;
  case FF_STEPPER_ESS: return &ffi_stepper_ess;
  case FF_STEPPER_MOREAU: return &ffi_stepper_moreau;
  case FF_STEPPER_CA: return &ffi_stepper_ca;
  case FF_STEPPER_C2A: return &ffi_stepper_c2a;
  default: return &ffi_stepper_implicit;
  }
}

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
  s->work = ffi_block_take(block, 1, s->k->work_size);
  void *arrays = ffi_block_take(block, 1, s->k->layout(s->model, s->max_contacts + 8, NULL, NULL));
  if (arrays)
    s->k->layout(s->model, s->max_contacts + 8, arrays, s->work);
  for (int i = 0; i < 2; ++i)
    ffi_state_layout(s, block, &r->states[i]);
  r->tau = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *r->tau);
  s->tau = r->tau;
  s->memory = r->stepper->layout(s, block);
}

ffi_block ffi_rig_memory(const ffi_block *measure)
{
  const size_t bytes = (measure->used + FFI_BLOCK_ALIGN) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
  ffi_block memory = {.base = aligned_alloc(FFI_BLOCK_ALIGN, bytes)};
  assert_non_null(memory.base);
  memset(memory.base, 0, bytes);
  return memory;
}

ffi_rig *ffi_rig_create(const ff_model *model, const ffi_rig_def *def)
{
  ff_error error;
  ffi_rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  const ff_ground_def ground = floor_of(def);
  r->model = model;
  r->def = ff_sim_def_default();
  r->def.ground = &ground;
  r->def.ground_count = def->K > 0;
  r->def.elements = def->elements;
  r->def.element_count = def->element_count;
  r->def.model_elements = def->model_elements;
  r->def.normal_anchor = def->normal_anchor;
  r->def.contact_law = def->contact_law;
  if (def->tolerance > 0)
    r->def.implicit.tolerance = def->tolerance;
  if (ff_stepper_is_hard(def->stepper))
    r->def.stepper = def->stepper;
  r->def.moreau.stabilise = def->stabilise;
  r->def.c2a.impact.law = def->impact;
  r->stepper = stepper_of(def->stepper);
  ffi_system *s = &r->system;
  s->model = model;
  s->def = &r->def;
  s->k = ffi_kernels_find(FF_ISA_AUTO, 1);
  s->info = &r->info;
  assert_int_equal(ffi_elements_create(model, &r->def, &s->elements, &s->element_count, &error), FF_OK);
  assert_int_equal(ffi_scene_create(model, &r->def, &s->scene, &error), FF_OK);
  s->max_contacts = s->scene.most_near;

  ffi_block measure = {0};
  layout(r, &measure);
  ffi_block memory = ffi_rig_memory(&measure);
  r->memory = memory.base;
  layout(r, &memory);
  r->def.ground = NULL;
  r->def.elements = NULL;
  ffi_rig_reset(r, NULL, NULL);
  return r;
}

void ffi_rig_destroy(ffi_rig *r)
{
  if (!r)
    return;
  ffi_elements_free(r->system.elements);
  ffi_scene_free(&r->system.scene);
  free(r->memory);
  free(r);
}

static ffi_place place_of(const ff_pose *pose)
{
  ffi_place place;
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
  r->now = &r->states[0];
  r->next = &r->states[1];
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
  for (int g = 0; g < s->scene.ground_count; ++g) {
    x->ground[g] = place_of(&s->scene.grounds[g].def.shape.pose);
    memcpy(x->ground_velocity + 6 * g, s->scene.grounds[g].def.velocity, 6 * sizeof(double));
  }
}

void ffi_rig_step(ffi_rig *r, double dt)
{
  ff_error error = {0};
  r->info = (ff_step_info){0};
  const ff_status status = r->stepper->step(&r->system, r->now, dt, r->next, &error);
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

double ffi_rig_order(ffi_rig *r, const double *q, const double *v, double duration, int first, int count,
                     const ffi_state *reference, double *error)
{
  for (int k = 0; k < count; ++k) {
    const int steps = first << k;
    ffi_rig_reset(r, q, v);
    ffi_rig_run(r, duration / steps, steps);
    error[k] = ffi_rig_distance(r, r->now, reference, duration);
    print_message("  dt %9.3e  error %9.3e", duration / steps, error[k]);
    print_message(k > 0 ? "  order %.2f\n" : "\n", k > 0 ? log2(error[k - 1] / error[k]) : 0.0);
  }
  return log2(error[count - 2] / error[count - 1]);
}

ffi_state *ffi_rig_keep(const ffi_rig *r, const ffi_state *x)
{
  ffi_block measure = {0};
  ffi_state *kept = NULL, unused;
  ffi_block_take(&measure, 1, sizeof *kept);
  ffi_state_layout(&r->system, &measure, &unused);
  ffi_block memory = {.base = calloc(1, measure.used + FFI_BLOCK_ALIGN)};
  assert_non_null(memory.base);
  kept = ffi_block_take(&memory, 1, sizeof *kept);
  ffi_state_layout(&r->system, &memory, kept);
  ffi_state_copy(&r->system, x, kept);
  return kept;
}
