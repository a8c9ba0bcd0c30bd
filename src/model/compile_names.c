// Tables of joints and frames in the order of their names, for the searches of query.c.
#include "model/compile.h"

#include <stdlib.h>
#include <string.h>

static int compare_named(const void *a, const void *b)
{
  const ffi_compile_name *x = a, *y = b;
  int order = strcmp(x->name, y->name); // bytes as unsigned char, whatever the locale
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

void ffi_compile_names_sort(ffi_compile_name *items, int count)
{
  if (count > 1)
    qsort(items, (size_t)count, sizeof *items, compare_named);
}

// The indices of sorted items.
static int *sorted_indices(ffi_compile_plan *plan, ffi_compile_name *items, int count)
{
  int *out = ffi_arena_take(&plan->arena, (size_t)count, sizeof *out);
  ffi_compile_names_sort(items, count);
  for (int i = 0; out && i < count; ++i)
    out[i] = items[i].index;
  return out;
}

ff_status ffi_compile_names(ffi_compile_plan *plan, ff_error *error)
{
  const ff_builder *b = plan->builder;
  const ff_model_size *size = &plan->size;
  ffi_compile_name *joints = ffi_arena_take(&plan->arena, (size_t)size->joints, sizeof *joints);
  ffi_compile_name *frames = ffi_arena_take(&plan->arena, (size_t)size->frames, sizeof *frames);
  if (!joints || !frames)
    return ffi_compile_no_memory(error);
  for (int i = 0; i < size->joints; ++i)
    joints[i] = (ffi_compile_name){ffi_compile_source(plan, plan->body_link[i + 1])->def.joint.name, i};
  frames[0] = (ffi_compile_name){"world", 0};
  for (int i = 0; i < size->links; ++i)
    frames[i + 1] = (ffi_compile_name){ffi_compile_source(plan, i)->def.name, i + 1};
  for (int i = 0, at = size->links + 1; i < b->frame_count; ++i, ++at)
    frames[at] = (ffi_compile_name){b->frames[i].name, at};
  plan->joints_by_name = sorted_indices(plan, joints, size->joints);
  plan->frames_by_name = sorted_indices(plan, frames, size->frames);
  return plan->joints_by_name && plan->frames_by_name ? FF_OK : ffi_compile_no_memory(error);
}
