// Finding things by name: tables of indices in the order of the names, made once, searched by halving.
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

int ff_model_find_joint(const ff_model *model, const char *name)
{
  for (int low = 0, high = model->size.joints; name && low < high;) {
    const int middle = low + (high - low) / 2, joint = model->joints_by_name[middle];
    const int order = strcmp(model->joints[joint].name, name);
    if (order == 0)
      return joint;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int ff_model_find_frame(const ff_model *model, const char *name)
{
  for (int low = 0, high = model->size.frames; name && low < high;) {
    const int middle = low + (high - low) / 2, frame = model->frames_by_name[middle];
    const int order = strcmp(model->frames[frame].name, name);
    if (order == 0)
      return frame;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int ff_model_find_link(const ff_model *model, const char *name)
{
  const int frame = ff_model_find_frame(model, name); // link i is frame i + 1
  return frame >= 1 && frame <= model->size.links ? frame - 1 : -1;
}
