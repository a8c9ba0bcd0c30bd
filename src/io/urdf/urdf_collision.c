// Who collides, in <footfall> of URDF: exclusions, listed pairs, bit masks, parents.
#include "io/urdf/urdf.h"

#include "base/grow.h"

#include <string.h>

// They are read when all shapes are in the builder:
//
//     <exclude link1 link2/>                                  the shapes of these links do not collide
//     <pair link1 collision1? link2 collision2? friction? stiffness? damping?/>   these two do, whatever else is said
//     <filter link collision? contype? conaffinity?/>         bit masks of a shape; without `collision` of all
//     <parents collide="never"/>                              or "fixed", "always": ff_parent_rule
//
// `collision` counts the collision shapes of a link from 0, points after the others. A link may be the world. Masks are
// read before the shapes, when links are known.

static int find_link(ffi_urdf *u, const xmlNode *node, const char *attribute, int *is_found)
{
  const char *name = ffi_urdf_value_name(u, node, attribute);
  const int index = name ? ffi_names_find(&u->link_names, name) : -1;
  *is_found = index >= 0 || (name && strcmp(name, "world") == 0);
  if (name && !*is_found)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no link '%.80s'", name);
  return index >= 0 ? u->links[index].id : FF_WORLD;
}

// A whole number >= `least`; `out` is left alone if it is absent.
static int read_integer(ffi_urdf *u, const xmlNode *node, const char *attribute, double least, int *out)
{
  double value;
  if (!ffi_xml_number(u->xml, node, attribute, &value))
    return 0;
  if (value < least || value > 2147483647 || value != (int)value) {
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "attribute '%s' must be a whole number from %.0f on, not %g",
                 attribute, least, value);
    return 0;
  }
  *out = (int)value;
  return 1;
}

// ---- Masks --------------------------------------------------------------------------------------------------

// The masks of collision shape `number` of a link, from every <filter> that means it.
static void read_masks(ffi_urdf *u, const char *link, int number, ff_shape_def *shape)
{
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall"))
    for (const xmlNode *node = ffi_xml_child(top, "filter"); node; node = ffi_xml_next(node, "filter")) {
      const char *name = ffi_xml_get(node, "link");
      int meant = number;
      if (!name || strcmp(name, link) != 0)
        continue;
      read_integer(u, node, "collision", 0, &meant);
      if (meant != number)
        continue;
      read_integer(u, node, "contype", -2147483648.0, &shape->contype);
      read_integer(u, node, "conaffinity", -2147483648.0, &shape->conaffinity);
    }
}

// ---- Exclusions and pairs -----------------------------------------------------------------------------------

static void read_exclude(ffi_urdf *u, const xmlNode *node)
{
  int has_one, has_two;
  const int one = find_link(u, node, "link1", &has_one), two = find_link(u, node, "link2", &has_two);
  if (has_one && has_two && u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_exclude(u->builder, one, two, u->xml->error));
}

// The builder's number of a link's collision shape; -1 after a failure.
static int find_shape(ffi_urdf *u, const xmlNode *node, const char *link, const char *collision)
{
  int is_found, number = 0;
  const int id = find_link(u, node, link, &is_found);
  read_integer(u, node, collision, 0, &number);
  if (!is_found || u->xml->status != FF_OK)
    return -1;
  int left = number;
  for (int i = 0; i < u->shape_count; ++i)
    if (u->shapes[i].link == id && u->shapes[i].is_collision && left-- == 0)
      return i;
  ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "link '%.80s' has no collision shape %d; they count from 0",
               ffi_xml_get(node, link), number);
  return -1;
}

static void read_pair(ffi_urdf *u, const xmlNode *node)
{
  ff_shape_pair pair = ff_shape_pair_default();
  pair.a = find_shape(u, node, "link1", "collision1");
  pair.b = find_shape(u, node, "link2", "collision2");
  ffi_urdf_value_amount(u, node, "friction", &pair.friction);
  ffi_urdf_value_amount(u, node, "stiffness", &pair.stiffness);
  ffi_urdf_value_amount(u, node, "damping", &pair.damping);
  if (u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_add_pair(u->builder, &pair, u->xml->error));
}

static void read_parents(ffi_urdf *u, const xmlNode *node)
{
  static const char *const words[] = {"never", "fixed", "always"};
  const char *word = ffi_xml_require(u->xml, node, "collide");
  for (int i = 0; word && i < 3; ++i)
    if (strcmp(word, words[i]) == 0) {
      ffi_urdf_take(u, ff_builder_set_parent_rule(u->builder, (ff_parent_rule)i, u->xml->error));
      return;
    }
  if (word)
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, node,
                 "attribute 'collide' must be 'never', 'fixed' or 'always', not '%.40s'", word);
}

// A mask of a link that does not exist has not been noticed yet.
static void check_filter(ffi_urdf *u, const xmlNode *node)
{
  int is_found;
  if (ffi_xml_get(node, "collision"))
    find_shape(u, node, "link", "collision");
  else
    find_link(u, node, "link", &is_found);
}

int ffi_urdf_collision_is_part(const xmlNode *node)
{
  return ffi_xml_is(node, "exclude") || ffi_xml_is(node, "pair") || ffi_xml_is(node, "filter") ||
         ffi_xml_is(node, "parents");
}

void ffi_urdf_collision_read(ffi_urdf *u)
{
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall")) {
    const xmlNode *node = ffi_xml_child(top, NULL);
    for (; node && u->xml->status == FF_OK; node = ffi_xml_next(node, NULL)) {
      if (!ffi_urdf_collision_is_part(node))
        continue;
      ffi_urdf_at(u, node);
      if (ffi_xml_is(node, "exclude"))
        read_exclude(u, node);
      else if (ffi_xml_is(node, "pair"))
        read_pair(u, node);
      else if (ffi_xml_is(node, "parents"))
        read_parents(u, node);
      else
        check_filter(u, node);
    }
  }
}

// ---- Shapes -------------------------------------------------------------------------------------------------

void ffi_urdf_collision_add_shape(ffi_urdf *u, int link, const char *link_name, ff_shape_def *shape)
{
  const int is_collision = (shape->purpose & FF_SHAPE_COLLISION) != 0;
  int number = 0;
  for (int i = 0; is_collision && u->has_filters && i < u->shape_count; ++i)
    number += u->shapes[i].link == link && u->shapes[i].is_collision;
  if (is_collision && u->has_filters)
    read_masks(u, link_name, number, shape);
  ffi_urdf_shape *grown = ffi_grow(u->shapes, u->shape_count, &u->shape_capacity, sizeof *grown);
  if (!grown) {
    ffi_urdf_no_memory(u);
    return;
  }
  u->shapes = grown;
  if (u->xml->status == FF_OK &&
      ffi_urdf_take(u, ff_builder_add_shape(u->builder, link, shape, u->xml->error)) == FF_OK)
    u->shapes[u->shape_count++] = (ffi_urdf_shape){link, is_collision};
}
