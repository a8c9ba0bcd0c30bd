// footfall info, who collides: counts by reason for people, the list for programs.
#include "info/info.h"

#include <footfall/collision.h>

enum {
  MOST_LISTED = 100000, // pairs in the list for programs: a few megabytes
  MOST_SHAPES = 2000,   // whose pairs are counted: two million, a second
};

// So many collision shapes that their pairs are not counted?
static int is_large(const ff_model *model)
{
  ff_shape_info shape;
  int count = 0;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    count += (shape.def.purpose & FF_SHAPE_COLLISION) != 0;
  return count > MOST_SHAPES;
}

static size_t put_reason(char *text, size_t room, const char *before, long long count, const char *what)
{
  return count > 0 ? (size_t)snprintf(text, room, "%s%lld %s", before, count, what) : 0;
}

int ffi_info_collisions_text(const ff_model *model, char *text, size_t room)
{
  static const struct {
    ff_collision reason;
    const char *words;
  } reasons[] = {{FF_COLLISION_ONE_BODY, "of one body"},
                 {FF_COLLISION_MASKED, "masked by contype and conaffinity"},
                 {FF_COLLISION_EXCLUDED, "excluded"},
                 {FF_COLLISION_PARENT, "of parent and child"},
                 {FF_COLLISION_UNSUPPORTED, "that touch nothing, such as two points"}};
  long long off[FF_COLLISION_COUNT], on[FF_COLLISION_COUNT];
  if (is_large(model))
    return snprintf(text, room, "not counted, as there are more than %d collision shapes", MOST_SHAPES) > 0;
  ff_model_collisions(model, 0, off);
  ff_model_collisions(model, 1, on);
  const long long may = off[FF_COLLISION_YES] + off[FF_COLLISION_LISTED],
                  with_self = on[FF_COLLISION_YES] + on[FF_COLLISION_LISTED];
  long long all = 0;
  for (int i = 0; i < FF_COLLISION_COUNT; ++i)
    all += on[i];
  if (all ==
      on[FF_COLLISION_ONE_BODY] + on[FF_COLLISION_UNSUPPORTED]) // such as a robot with four contact points
    return 0;
  size_t used = (size_t)snprintf(text, room, "%lld of %lld pairs of shapes may collide", may, all);
  used += put_reason(text + used, room - used, " (", off[FF_COLLISION_LISTED], "listed)");
  if (with_self > may)
    used += (size_t)snprintf(text + used, room - used, ", %lld with self_collision", with_self);
  const char *before = "; not: ";
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
    const size_t added =
        put_reason(text + used, room - used, before, on[reasons[i].reason], reasons[i].words);
    before = added ? ", " : before;
    used += added;
  }
  return 1;
}

// ---- JSON ---------------------------------------------------------------------------------------------------

static const char *link_name(const ff_model *model, int link)
{
  ff_link_info info;
  return ff_model_link(model, link, &info) == FF_OK ? info.name : NULL;
}

static void put_counts(ffi_json *json, const char *key, const ff_model *model, int self_collision)
{
  long long counts[FF_COLLISION_COUNT];
  ff_model_collisions(model, self_collision, counts);
  ffi_json_put_open(json, key, '{');
  for (int i = 0; i < FF_COLLISION_COUNT; ++i)
    if (i != FF_COLLISION_DRAWN)
      ffi_json_put_number(json, ff_collision_name((ff_collision)i), (double)counts[i]);
  ffi_json_close(json, '}');
}

static void put_exclusions(ffi_json *json, const ff_model *model)
{
  int links[2];
  ffi_json_put_open(json, "exclusions", '[');
  for (int i = 0; ff_model_exclusion(model, i, links) == FF_OK; ++i) {
    ffi_json_open(json, '[', 1);
    ffi_json_text(json, link_name(model, links[0]));
    ffi_json_text(json, link_name(model, links[1]));
    ffi_json_close(json, ']');
  }
  ffi_json_close(json, ']');
}

static void put_own(ffi_json *json, const char *key, double value)
{
  if (value != -1)
    ffi_json_put_number(json, key, value);
}

static void put_listed(ffi_json *json, const ff_model *model)
{
  ff_shape_pair pair;
  ffi_json_put_open(json, "listed", '[');
  for (int i = 0; ff_model_pair(model, i, &pair) == FF_OK; ++i) {
    const double shapes[2] = {pair.a, pair.b};
    ffi_json_open(json, '{', 1);
    ffi_json_put_numbers(json, "shapes", shapes, 2);
    put_own(json, "friction", pair.friction);
    put_own(json, "stiffness", pair.stiffness);
    put_own(json, "damping", pair.damping);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

// Every pair that does not collide although its shapes can move against each other has its reason; those that collide
// say "yes" or "listed".
static void put_pairs(ffi_json *json, const ff_model *model)
{
  const int shapes = ff_model_get_size(model).shapes;
  int listed = 0, left_out = 0;
  ffi_json_put_open(json, "pairs", '[');
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      const ff_collision said = ff_model_collision(model, a, b, 0);
      const double pair[2] = {a, b};
      if (said == FF_COLLISION_DRAWN || said == FF_COLLISION_ONE_BODY)
        continue;
      if (listed++ >= MOST_LISTED) {
        left_out = 1;
        continue;
      }
      ffi_json_open(json, '{', 1);
      ffi_json_put_numbers(json, "shapes", pair, 2);
      ffi_json_put_text(json, "collide", ff_collision_name(said));
      ffi_json_close(json, '}');
    }
  ffi_json_close(json, ']');
  if (left_out)
    ffi_json_put_integer(json, "pairs_left_out", listed - MOST_LISTED);
}

void ffi_info_collisions_json(ffi_json *json, const ff_model *model)
{
  static const char *const rules[] = {"never", "fixed", "always"};
  ffi_json_put_open(json, "collisions", '{');
  ffi_json_put_text(json, "parents_collide", rules[ff_model_parent_rule(model)]);
  if (!is_large(model)) {
    put_counts(json, "counts", model, 0);
    put_counts(json, "counts_with_self_collision", model, 1);
    put_pairs(json, model);
  }
  put_exclusions(json, model);
  put_listed(json, model);
  ffi_json_close(json, '}');
}
