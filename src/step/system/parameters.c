// Creates and copies the parameters of a robot: one block with all numbers that may differ within a world.
#include "step/system/parameters.h"
#include "contact/law/pair_materials.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/inertia.h"

#include <stdlib.h>

// Run twice, counting and placing.
static void lay_out(const ff_world *world, ffi_block *block, ff_parameters *p)
{
  const ff_model_size *size = &world->model->size;
  const size_t grounds = (size_t)world->colliders.ground_count;
  const size_t packed =
      ffi_parameters_pairs_at(world) + FFI_PARAMETERS_OF_PAIR * (size_t)world->colliders.pair_count;
  p->packed = ffi_block_take(block, packed, sizeof *p->packed); // first, beside the pointer to it
  p->bodies = ffi_block_take(block, (size_t)world->model->body_count, sizeof *p->bodies);
  p->inertia = ffi_block_take(block, (size_t)size->links, sizeof *p->inertia);
  if (world->model->lift)
    p->lift = ffi_block_take(block, 4 * (size_t)world->model->body_count, sizeof *p->lift);
  p->elements = ffi_block_take(block, (size_t)world->law_count, sizeof *p->elements);
  p->material = ffi_block_take(block, (size_t)world->colliders.count, sizeof *p->material);
  p->materials = ffi_block_take(block, (size_t)world->colliders.pair_count, sizeof *p->materials);
  p->ground = ffi_block_take(block, grounds, sizeof *p->ground);
  p->ground_velocity = ffi_block_take(block, 6 * grounds, sizeof *p->ground_velocity);
}

static void fill(const ff_world *world, ff_parameters *p)
{
  const ff_model *model = world->model;
  p->model = *model;
  p->model.bodies = p->bodies;
  memcpy(p->bodies, model->bodies, (size_t)model->body_count * sizeof *p->bodies);
  for (int i = 0; i < model->size.links; ++i)
    p->inertia[i] = model->links[i].inertia;
  if (model->lift) {
    p->model.lift = p->lift;
    memcpy(p->lift, model->lift, 4 * (size_t)model->body_count * sizeof *p->lift);
  }
  for (int i = 0; i < world->law_count; ++i)
    p->elements[i] = world->elements[i];
  for (int i = 0; i < world->colliders.count; ++i)
    p->material[i] = *world->colliders.items[i].material;
  for (int g = 0; g < world->colliders.ground_count; ++g) {
    p->ground[g] = world->colliders.grounds[g].start;
    memcpy(p->ground_velocity + 6 * g, world->colliders.grounds[g].def.velocity, 6 * sizeof(double));
  }
}

ff_status ffi_parameters_create(const ff_world *world, ff_parameters **out, ff_error *error)
{
  ff_parameters plan = {0};
  ffi_block measure = {0};
  ffi_block_take(&measure, 1, sizeof plan);
  lay_out(world, &measure, &plan);
  plan.bytes = ffi_block_bytes(&measure);
  void *memory = calloc(1, plan.bytes + sizeof(void *));
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "parameters", "no memory for %zu bytes", plan.bytes);
  ff_parameters *p = memory; // the struct first, so that free() gets what calloc() gave; its arrays behind it
  ffi_block block = {.base = memory};
  ffi_block_take(&block, 1, sizeof *p);
  lay_out(world, &block, &plan);
  *p = plan;
  fill(world, p);
  const ff_status status = ffi_pair_materials(&world->colliders, p->material, p->materials, error);
  if (status != FF_OK) {
    free(memory);
    return status;
  }
  ffi_parameters_pack(world, p);
  *out = p;
  return FF_OK;
}

void ffi_parameters_pack(const ff_world *world, ff_parameters *p)
{
  ffi_v3_copy(p->model.gravity, p->packed + FFI_PARAMETERS_GRAVITY);
  p->packed[FFI_PARAMETERS_GRAVITY + 3] = ffi_v3_norm(p->model.gravity);
  double *at = p->packed + FFI_PARAMETERS_BODIES;
  for (int i = 0; i < world->model->body_count; ++i, at += FFI_PARAMETERS_OF_BODY) {
    at[0] = p->bodies[i].mass;
    ffi_v3_copy(p->bodies[i].mc, at + 1);
    memcpy(at + 4, p->bodies[i].I, 6 * sizeof *at);
  }
  for (int i = 0; i < world->law_count; ++i, at += FFI_PARAMETERS_OF_ELEMENT) {
    at[0] = p->elements[i].def.stiffness;
    at[1] = p->elements[i].def.damping;
    at[2] = p->elements[i].def.effort;
  }
  for (int i = 0; i < world->colliders.pair_count; ++i, at += FFI_PARAMETERS_OF_PAIR) {
    at[0] = p->materials[i].stiffness;
    at[1] = p->materials[i].damping;
    at[2] = p->materials[i].friction;
  }
}

void ffi_parameters_free(ff_parameters *p)
{
  free(p);
}

void ffi_parameters_copy(const ff_parameters *from, ff_parameters *to)
{
  const size_t head = (size_t)((const char *)from->packed - (const char *)from);
  memcpy((char *)to + head, (const char *)from + head, from->bytes - FFI_BLOCK_ALIGN - head);
  ffi_v3_copy(from->model.gravity, to->model.gravity);
  to->version = from->version;
}

void ffi_parameters_sum_body(ff_parameters *p, int body)
{
  const ff_model *model = &p->model;
  ffi_inertia_moments sum = {0};
  double lift[4] = {0};
  for (int i = 0; i < model->size.links; ++i) {
    const ffi_frame *frame = &model->frames[model->links[i].frame];
    if (frame->body != body)
      continue;
    const ffi_inertia_moments own = ffi_inertia_moments_place(frame->p, frame->R, &p->inertia[i]);
    ffi_inertia_moments_add(&own, &sum);
    ffi_inertia_moments_lift(frame->p, frame->R, &p->inertia[i], model->links[i].gravity_compensation, lift);
  }
  if (p->lift)
    memcpy(p->lift + 4 * body, lift, sizeof lift);
  ffi_body *b = &p->bodies[body];
  const double half_trace = (sum.I[0] + sum.I[3] + sum.I[5]) / 2;
  b->mass = sum.mass;
  ffi_v3_copy(sum.mc, b->mc);
  for (int k = 0; k < 6; ++k) {
    b->I[k] = sum.I[k];
    b->Sigma[k] = (k == 0 || k == 3 || k == 5 ? half_trace : 0) - sum.I[k];
  }
}
