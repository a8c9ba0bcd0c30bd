// The rules of who collides, in their order.
#include "model/collision.h"

#include <stddef.h>

ffi_collision_side ffi_collision_of_shape(const ff_model *model, int shape)
{
  const ff_shape_info *info = &model->shapes[shape];
  const int body = model->frames[info->frame].body;
  return (ffi_collision_side){
      .shape = shape,
      .link = info->link,
      .body = body,
      .holder = body > 0 ? model->body_holder[body] : -1,
      .robot = info->link >= 0 ? model->links[info->link].robot : -1,
      .type = (unsigned)info->def.contype,
      .affinity = (unsigned)info->def.conaffinity,
      .is_paired = model->shape_is_paired[shape],
  };
}

ffi_collision_side ffi_collision_of_ground(void)
{
  return (ffi_collision_side){
      .shape = -1, .link = -1, .holder = -1, .robot = -1, .type = ~0u, .affinity = ~0u};
}

const ff_shape_pair *ffi_collision_pair(const ff_model *model, int shape_a, int shape_b)
{
  const int a = shape_a < shape_b ? shape_a : shape_b, b = shape_a < shape_b ? shape_b : shape_a;
  for (int low = 0, high = model->size.pairs; low < high;) {
    const int middle = low + (high - low) / 2;
    const ff_shape_pair *pair = &model->pairs[middle];
    if (pair->a == a && pair->b == b)
      return pair;
    if (pair->a < a || (pair->a == a && pair->b < b))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static int is_excluded(const ff_model *model, int link_a, int link_b)
{
  const int a = link_a < link_b ? link_a : link_b, b = link_a < link_b ? link_b : link_a;
  for (int low = 0, high = model->size.exclusions; low < high;) {
    const int middle = low + (high - low) / 2, *links = model->exclusions[middle];
    if (links[0] == a && links[1] == b)
      return 1;
    if (links[0] < a || (links[0] == a && links[1] < b))
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

// Does one carry the other, as far as the model's rule for parents spares them? What is fixed in the world is a parent
// only of its own robot.
static int is_parent(const ff_model *model, const ffi_collision_side *up, const ffi_collision_side *of)
{
  if (of->body == 0 || of->holder != up->body || model->parent_rule == FF_PARENT_COLLIDES)
    return 0;
  return up->body > 0 || (model->parent_rule == FF_PARENT_SPARED && up->robot >= 0 && up->robot == of->robot);
}

ff_collision ffi_collision_decide(const ff_model *model, const ffi_collision_side *a,
                                  const ffi_collision_side *b, int self_collision)
{
  if (a->body == b->body)
    return FF_COLLISION_ONE_BODY;
  if (a->is_paired && b->is_paired && ffi_collision_pair(model, a->shape, b->shape))
    return FF_COLLISION_LISTED;
  if (!((a->type & b->affinity) || (b->type & a->affinity)))
    return FF_COLLISION_MASKED;
  if (a->shape < 0 || b->shape < 0)
    return FF_COLLISION_YES;
  if (model->size.exclusions > 0 && is_excluded(model, a->link, b->link))
    return FF_COLLISION_EXCLUDED;
  if (is_parent(model, a, b) || is_parent(model, b, a))
    return FF_COLLISION_PARENT;
  return self_collision || a->robot < 0 || a->robot != b->robot ? FF_COLLISION_YES : FF_COLLISION_SELF;
}

int ffi_collision_is_scenery(const ff_model *model, int shape)
{
  const int link = model->shapes[shape].link;
  for (int j = 0; link >= 0 && j < model->size.joints; ++j)
    if (model->links[model->joints[j].link].robot == model->links[link].robot)
      return 0;
  return 1;
}
