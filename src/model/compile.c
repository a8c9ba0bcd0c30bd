// From a builder to a model: runs the stages of compile.h.
#include "model/compile.h"

#include "base/block.h"
#include "base/fail.h"
#include "math/quaternion.h"
#include "model/check.h"

#include <stdlib.h>

ff_status ffi_compile_no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "", "there is not enough memory to compile the model");
}

// The model in a block of its own; NULL without memory.
static ff_model *allocate(const ffi_compile_plan *plan)
{
  ff_model scratch;
  ffi_block measure = {0};
  ffi_compile_place(plan, &measure, &scratch);
  // A cache line more than needed, so that the model can start on one.
  size_t bytes = (measure.used + FFI_BLOCK_ALIGN - 1) / FFI_BLOCK_ALIGN * FFI_BLOCK_ALIGN;
  ffi_block memory = {.base = aligned_alloc(FFI_BLOCK_ALIGN, bytes)};
  if (!memory.base)
    return NULL;
  memset(memory.base, 0, bytes);
  ff_model *model = ffi_compile_place(plan, &memory, NULL);
  model->bytes = bytes;
  return model;
}

// The stages that find the bodies.
static ff_status find_bodies(ffi_compile_plan *plan, ff_error *error)
{
  ff_status status = ffi_builder_check_postures(plan->builder, plan->builder->posture_count, error);
  if (status == FF_OK)
    status = ffi_compile_order(plan, error);
  if (status != FF_OK)
    return status;
  ffi_compile_frames(plan);
  return ffi_compile_tables(plan, error);
}

ff_status ff_builder_fill_massless(ff_builder *builder, int *count, ff_error *error)
{
  int filled = 0;
  if (count)
    *count = 0;
  if (!builder)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_fill_massless", "the builder is NULL");
  if (builder->link_count == 0)
    return FF_OK;
  ffi_compile_plan plan = {.builder = builder};
  ff_status status = find_bodies(&plan, error);
  if (status == FF_OK)
    status = ffi_compile_massless_fill(&plan, builder, &filled, error);
  ffi_arena_free(&plan.arena);
  if (count)
    *count = filled;
  return status;
}

ff_status ff_builder_finish(const ff_builder *builder, ff_model **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!builder || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_finish", "an argument is NULL");
  if (builder->link_count == 0)
    return ffi_fail(error, FF_ERROR_MODEL, builder->source.file, 0, "model", "it has no links");

  ffi_compile_plan plan = {.builder = builder};
  ff_status status = find_bodies(&plan, error);
  if (status != FF_OK)
    goto done;
  plan.size.frames = 1 + plan.size.links + builder->frame_count;
  plan.size.shapes = builder->shape_count;
  plan.size.actuators = builder->actuator_count;
  plan.size.elements = builder->element_count;
  plan.size.tendons = builder->tendon_count;
  plan.size.postures = builder->posture_count;
  plan.size.warnings = builder->warning_count;
  status = ffi_compile_names(&plan, error);
  if (status == FF_OK)
    status = ffi_compile_massless(&plan, error);
  if (status == FF_OK)
    status = ffi_compile_collisions(&plan, error);
  if (status != FF_OK)
    goto done;

  *out = allocate(&plan);
  if (!*out)
    status = ffi_compile_no_memory(error);
done:
  ffi_arena_free(&plan.arena);
  return status;
}

void ff_model_destroy(ff_model *model)
{
  free(model);
}
