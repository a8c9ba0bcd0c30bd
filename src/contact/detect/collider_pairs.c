// Which pairs may touch, in which order of the two, and with how many features.
#include "contact/detect/collider_pairs.h"

#include "base/fail.h"
#include "geometry/collide.h"

#include <math.h>
#include <stdio.h>

// The number of features if the pair is written a -> b, else 0. A moving collider comes before a fixed one, else the
// lower number first; but if the narrow phase knows the other order only (a plane must be last), that order. Ground is
// never first: there is no pair of a moving plane and a box of ground.
static int features(const ffi_collider *colliders, int a, int b)
{
  const ffi_collider *first = &colliders[a], *second = &colliders[b];
  int most = first->ground < 0 ? ffi_collide_most(&first->solid, &second->solid) : 0;
  if (most == 0)
    return 0;
  int is_natural = first->body == 0 ? 0 : second->body == 0 ? 1 : a < b;
  if (is_natural)
    return most;
  return ffi_collide_most(&second->solid, &first->solid) == 0 ? most : 0;
}

static void fill(const ffi_collider *a, const ffi_collider *b, int first_id, int most, ffi_collider_pair *out)
{
  *out = (ffi_collider_pair){
      .a = a,
      .b = b,
      .body_a = a->body,
      .body_b = b->body,
      .shape_a = a->shape,
      .shape_b = b->shape,
      .ground = b->ground,
      .first_id = first_id,
      .most = most,
      .reach = a->solid.radius + b->solid.radius,
  };
}

// The next collider behind b that may touch a for all that bodies and robots say: b's neighbours of one body, or of one
// robot without self_collision, are alike.
static int behind(const ffi_collider *a, const ffi_collider *b, int b_index, int self_collision)
{
  if (a->body == b->body)
    return b->body_end;
  const int is_self = a->side.robot >= 0 && a->side.robot == b->side.robot;
  return is_self && !self_collision && !a->side.is_paired ? b->robot_end : b_index + 1;
}

static int may_touch(const ff_model *model, const ffi_collider *a, const ffi_collider *b, int self_collision)
{
  const ff_collision said = ffi_collision_decide(model, &a->side, &b->side, self_collision);
  return said == FF_COLLISION_YES || said == FF_COLLISION_LISTED;
}

int ffi_collider_pairs_next(const ff_model *model, const ffi_collider *colliders, int count,
                            int self_collision, ffi_collider_pairs_cursor *at)
{
  int a = at->a, b = at->b + 1;
  const int first_id = at->pair.first_id + at->pair.most;
  for (; a < count; ++a, b = 0)
    for (; b < count; b = behind(&colliders[a], &colliders[b], b, self_collision)) {
      int most =
          may_touch(model, &colliders[a], &colliders[b], self_collision) ? features(colliders, a, b) : 0;
      if (most > 0) {
        fill(&colliders[a], &colliders[b], first_id, most, &at->pair);
        at->a = a;
        at->b = b;
        return 1;
      }
    }
  return 0;
}

ff_status ffi_collider_pairs_count(const ff_model *model, const ffi_collider *colliders, int count,
                                   int self_collision, ffi_collider_pairs_totals *out, ff_error *error)
{
  ffi_collider_pairs_cursor at = {.b = -1};
  ffi_collider_pairs_totals totals = {0};
  while (ffi_collider_pairs_next(model, colliders, count, self_collision, &at)) {
    if (at.pair.most > FFI_MAX_IDS - at.pair.first_id)
      return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, NULL,
                      "the shapes can touch at more than %d points in all; take simpler shapes or fewer",
                      FFI_MAX_IDS);
    ++totals.pairs;
    totals.ids += at.pair.most;
    totals.most = at.pair.most > totals.most ? at.pair.most : totals.most;
  }
  *out = totals;
  return FF_OK;
}
