// Tendons in the builder: checks, and the call that adds one.
#include "base/fail.h"
#include "base/grow.h"
#include "model/check.h"
#include "model/joint_type.h"

#include <math.h>
#include <string.h>

// Joint number k of a tendon: one coordinate, named once, a coefficient that is a number.
static ff_status check_joint(const ff_builder *b, const char *thing, const int *links,
                             const double *coefficients, int k, ff_error *error)
{
  const char *file = b->source.file;
  const int line = b->source.line;
  if (links[k] < 0 || links[k] >= b->link_count)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no link %d", links[k]);
  const ff_joint_def *joint = &b->links[links[k]].def.joint;
  if (ffi_joint_type_nq(joint->type) != 1)
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "joint '%.200s' is %s; only joints with one coordinate can be part of a tendon",
                    joint->name, ff_joint_type_name(joint->type));
  for (int i = 0; i < k; ++i)
    if (links[i] == links[k])
      return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "joint '%.200s' is listed twice",
                      joint->name);
  if (!isfinite(coefficients[k]) || coefficients[k] == 0)
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                    "the coefficient of joint '%.200s' is %g; it must be finite and not 0", joint->name,
                    coefficients[k]);
  return FF_OK;
}

static ff_status check_tendon(const ff_builder *b, const char *name, const ffi_build_tendon *tendon,
                              ff_error *error)
{
  const ffi_check_label thing = ffi_check_make_label("tendon", name);
  ff_status status = ffi_check_name(b, "tendon", name, error);
  if (status != FF_OK)
    return status;
  if (ffi_names_find(&b->tendon_names, name) >= 0)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text,
                    "there is already a tendon of this name");
  if (tendon->count < 1)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text, "it has no joints");
  if (tendon->count > FF_MAX_TENDON_JOINTS || b->tendon_count >= FF_MAX_LINKS)
    return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, thing.text,
                    "it has more than %d joints, or there are more than %d tendons",
                    (int)FF_MAX_TENDON_JOINTS, (int)FF_MAX_LINKS);
  for (int k = 0; k < tendon->count && status == FF_OK; ++k)
    status = check_joint(b, thing.text, tendon->links, tendon->coefficients, k, error);
  return status;
}

// Room for one more, and copies of its name and lists.
static int reserve(ff_builder *b, ffi_build_tendon *tendon)
{
  const size_t count = (size_t)tendon->count;
  void *items = ffi_grow(b->tendons, b->tendon_count, &b->tendon_capacity, sizeof *b->tendons);
  if (items)
    b->tendons = items;
  if (!items || !ffi_names_reserve(&b->tendon_names))
    return 0;
  int *links = ffi_arena_take(&b->arena, count, sizeof *links);
  double *coefficients = ffi_arena_take(&b->arena, count, sizeof *coefficients);
  tendon->name = ffi_arena_string(&b->arena, tendon->name);
  if (!links || !coefficients || !tendon->name)
    return 0;
  tendon->links = memcpy(links, tendon->links, count * sizeof *links);
  tendon->coefficients = memcpy(coefficients, tendon->coefficients, count * sizeof *coefficients);
  return 1;
}

ff_status ff_builder_add_tendon(ff_builder *builder, const char *name, int count, const int *links,
                                const double *coefficients, int *id, ff_error *error)
{
  if (!builder || !name || !links || !coefficients)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_add_tendon", "an argument is NULL");
  ff_builder *b = builder;
  ffi_build_tendon tendon = {.name = name, .count = count, .links = links, .coefficients = coefficients};
  const ff_status status = check_tendon(b, name, &tendon, error);
  if (status != FF_OK)
    return status;
  if (!reserve(b, &tendon))
    return ffi_fail(error, FF_ERROR_MEMORY, b->source.file, b->source.line, "", "there is not enough memory");
  ffi_names_put(&b->tendon_names, tendon.name, b->tendon_count);
  if (id)
    *id = b->tendon_count;
  b->tendons[b->tendon_count++] = tendon;
  return FF_OK;
}
