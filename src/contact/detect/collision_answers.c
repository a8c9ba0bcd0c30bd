// ff_model_collision() and its relatives: the rules of the description, and what the narrow phase knows.
#include <footfall/collision.h>

#include "geometry/collide.h"
#include "model/collision.h"

const char *ff_collision_name(ff_collision collision)
{
  switch (collision) {
  case FF_COLLISION_YES: return "yes";
  case FF_COLLISION_LISTED: return "listed";
  case FF_COLLISION_DRAWN: return "drawn";
  case FF_COLLISION_ONE_BODY: return "one body";
  case FF_COLLISION_MASKED: return "masked";
  case FF_COLLISION_EXCLUDED: return "excluded";
  case FF_COLLISION_PARENT: return "parent";
  case FF_COLLISION_SELF: return "self";
  case FF_COLLISION_UNSUPPORTED: return "unsupported";
  default: return "?";
  }
}

static int is_collision(const ff_model *model, int shape)
{
  return shape >= 0 && shape < model->size.shapes &&
         (model->shapes[shape].def.purpose & FF_SHAPE_COLLISION) != 0;
}

static int is_supported(const ff_model *model, int shape_a, int shape_b)
{
  ffi_height_field field_a, field_b;
  ffi_solid a, b;
  ffi_solid_set(&model->shapes[shape_a].def, &field_a, &a);
  ffi_solid_set(&model->shapes[shape_b].def, &field_b, &b);
  return ffi_collide_most(&a, &b) > 0 || ffi_collide_most(&b, &a) > 0;
}

static ff_collision answer(const ff_model *model, const ffi_collision_side *a, const ffi_collision_side *b,
                           int self_collision)
{
  const ff_collision said = ffi_collision_decide(model, a, b, self_collision);
  const int is_yes = said == FF_COLLISION_YES || said == FF_COLLISION_LISTED;
  return is_yes && !is_supported(model, a->shape, b->shape) ? FF_COLLISION_UNSUPPORTED : said;
}

ff_collision ff_model_collision(const ff_model *model, int shape_a, int shape_b, int self_collision)
{
  if (!model || !is_collision(model, shape_a) || !is_collision(model, shape_b))
    return FF_COLLISION_DRAWN;
  const ffi_collision_side a = ffi_collision_of_shape(model, shape_a),
                           b = ffi_collision_of_shape(model, shape_b);
  return answer(model, &a, &b, self_collision);
}

void ff_model_collisions(const ff_model *model, int self_collision, long long counts[FF_COLLISION_COUNT])
{
  for (int i = 0; i < FF_COLLISION_COUNT; ++i)
    counts[i] = 0;
  for (int i = 0; model && i < model->size.shapes; ++i) {
    if (!is_collision(model, i))
      continue;
    const ffi_collision_side a = ffi_collision_of_shape(model, i);
    for (int k = i + 1; k < model->size.shapes; ++k) {
      if (!is_collision(model, k))
        continue;
      const ffi_collision_side b = ffi_collision_of_shape(model, k);
      ++counts[answer(model, &a, &b, self_collision)];
    }
  }
}
