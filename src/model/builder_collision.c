// Who collides, in the builder: exclusions of links, listed pairs of shapes, parents.
#include "base/fail.h"
#include "base/grow.h"
#include "model/check.h"

#include <math.h>

static ff_status no_memory(const ff_builder *b, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, b->source.file, b->source.line, "", "there is not enough memory");
}

static ff_status refuse(const ff_builder *b, const char *thing, const char *what, int number, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, b->source.file, b->source.line, thing, "there is no %s %d", what,
                  number);
}

static ff_status too_many(const ff_builder *b, const char *what, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, "", "there are more than %d %s",
                  (int)FF_MAX_EXCLUSIONS, what);
}

static int is_link(const ff_builder *b, int link)
{
  return link == FF_WORLD || (link >= 0 && link < b->link_count);
}

ff_status ff_builder_exclude(ff_builder *builder, int link_a, int link_b, ff_error *error)
{
  if (!builder)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_exclude", "an argument is NULL");
  ff_builder *b = builder;
  if (!is_link(b, link_a) || !is_link(b, link_b))
    return refuse(b, "exclusion", "link", is_link(b, link_a) ? link_b : link_a, error);
  if (b->exclusion_count >= FF_MAX_EXCLUSIONS)
    return too_many(b, "exclusions", error);
  void *items = ffi_grow(b->exclusions, b->exclusion_count, &b->exclusion_capacity, sizeof *b->exclusions);
  if (!items)
    return no_memory(b, error);
  b->exclusions = items;
  b->exclusions[b->exclusion_count++] = (ffi_build_exclusion){link_a, link_b};
  return FF_OK;
}

// A value of a pair's own; -1 is none.
static ff_status check_own(const ff_builder *b, const char *what, double value, int may_be_zero,
                           ff_error *error)
{
  if (value == -1 || (isfinite(value) && (value > 0 || (value == 0 && may_be_zero))))
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, "pair",
                  "its %s must be finite and %s 0 (it is %g)", what, may_be_zero ? ">=" : ">", value);
}

ff_status ff_builder_add_pair(ff_builder *builder, const ff_shape_pair *pair, ff_error *error)
{
  if (!builder || !pair)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_add_pair", "an argument is NULL");
  ff_builder *b = builder;
  for (int k = 0; k < 2; ++k) {
    const int shape = k ? pair->b : pair->a;
    if (shape < 0 || shape >= b->shape_count)
      return refuse(b, "pair", "shape", shape, error);
  }
  if (pair->a == pair->b)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, "pair",
                    "a shape cannot collide with itself");
  ff_status status = check_own(b, "friction", pair->friction, 1, error);
  if (status == FF_OK)
    status = check_own(b, "stiffness", pair->stiffness, 0, error);
  if (status == FF_OK)
    status = check_own(b, "damping", pair->damping, 1, error);
  if (status != FF_OK)
    return status;
  if (b->pair_count >= FF_MAX_EXCLUSIONS)
    return too_many(b, "listed pairs", error);
  void *items = ffi_grow(b->pairs, b->pair_count, &b->pair_capacity, sizeof *b->pairs);
  if (!items)
    return no_memory(b, error);
  b->pairs = items;
  b->pairs[b->pair_count++] = *pair;
  return FF_OK;
}

ff_status ff_builder_set_parent_rule(ff_builder *builder, ff_parent_rule rule, ff_error *error)
{
  if (!builder)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_set_parent_rule", "an argument is NULL");
  if (rule < FF_PARENT_SPARED || rule > FF_PARENT_COLLIDES)
    return ffi_fail(error, FF_ERROR_ARGUMENT, builder->source.file, builder->source.line, "",
                    "there is no rule %d for parents", (int)rule);
  builder->parent_rule = rule;
  return FF_OK;
}
