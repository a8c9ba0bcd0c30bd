// <contact> of MJCF: pairs of geoms that touch whatever else is said, and bodies whose geoms do not touch.
#include "io/mjcf/mjcf.h"

#include <string.h>

static const ffi_mjcf_word pair_words[] = {
    {"name", FFI_MJCF_QUIET, NULL},     {"class", FFI_MJCF_READ, NULL},
    {"geom1", FFI_MJCF_READ, NULL},     {"geom2", FFI_MJCF_READ, NULL},
    {"friction", FFI_MJCF_READ, NULL},  {"condim", FFI_MJCF_PHYSICS, "3"},
    {"solref", FFI_MJCF_PHYSICS, NULL}, {"solreffriction", FFI_MJCF_PHYSICS, NULL},
    {"solimp", FFI_MJCF_PHYSICS, NULL}, {"margin", FFI_MJCF_PHYSICS, "0"},
    {"gap", FFI_MJCF_PHYSICS, "0"},     {NULL, FFI_MJCF_READ, NULL},
};

static const ffi_mjcf_word exclude_words[] = {
    {"name", FFI_MJCF_QUIET, NULL},
    {"body1", FFI_MJCF_READ, NULL},
    {"body2", FFI_MJCF_READ, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

void ffi_mjcf_contact_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_pair *pair)
{
  double friction[5]; // sliding in two directions, turning, rolling in two
  ffi_mjcf_ignored_check(m, node, pair_words);
  const int count = ffi_mjcf_value_numbers(m, node, "friction", 1, 5, friction);
  for (int i = 0; i < count; ++i) {
    if (friction[i] < 0)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'friction' is negative (%g)", friction[i]);
  }
  if (count >= 2 && friction[1] != friction[0])
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS,
                         "that the sliding friction of <pair> depends on the direction");
  if (count)
    pair->friction = friction[0];
}

// The geom that an attribute names; -1 after a failure.
static int find_geom(ffi_mjcf *m, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  const int id = name ? ffi_names_find(&m->geom_names, name) : -1;
  if (!name)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no geom '%.100s'", name);
  return id;
}

// The builder's link of the body that an attribute names.
static int find_link(ffi_mjcf *m, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_mjcf_value_text(node, attribute);
  if (name && strcmp(name, "world") == 0)
    return FF_WORLD;
  const int id = name ? ffi_names_find(&m->body_names, name) : -1;
  if (!name)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no body '%.100s'", name);
  return id < 0 ? FF_WORLD : m->bodies[id].link;
}

// ---- Before geoms become shapes -----------------------------------------------------------------------------

// A geom that is only drawn becomes a collision shape if a pair names it.
static void remember_geom(ffi_mjcf *m, const xmlNode *node, const char *attribute)
{
  const int id = find_geom(m, node, attribute);
  if (id < 0)
    return;
  ffi_mjcf_geom *geom = &m->geoms[id];
  geom->is_paired = 1;
  if (geom->type == FFI_MJCF_MESH && geom->mesh_id >= 0)
    ffi_mjcf_mesh_make_hull(m, &m->meshes[geom->mesh_id]);
}

void ffi_mjcf_contact_remember(ffi_mjcf *m, const xmlNode *section)
{
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
    if (ffi_xml_is(node, "pair")) {
      remember_geom(m, node, "geom1");
      remember_geom(m, node, "geom2");
    } else if (!ffi_xml_is(node, "exclude")) {
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <contact>");
    }
  }
}

// ---- To the builder -----------------------------------------------------------------------------------------

static void read_pair(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_pair settings = m->classes[ffi_mjcf_class_of(m, node, "class", 0)].pair;
  ffi_mjcf_contact_attributes(m, node, &settings);
  const int one = find_geom(m, node, "geom1"), two = find_geom(m, node, "geom2");
  if (ffi_mjcf_failed(m))
    return;
  ff_shape_pair pair = ff_shape_pair_default();
  pair.a = m->geoms[one].shape;
  pair.b = m->geoms[two].shape;
  pair.friction = settings.friction;
  if (pair.a < 0 || pair.b < 0) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<pair> of a geom that is no shape here");
    return;
  }
  ffi_mjcf_build_source(m, node);
  m->xml->status = ff_builder_add_pair(m->builder, &pair, m->xml->error);
}

static void read_exclude(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_ignored_check(m, node, exclude_words);
  const int one = find_link(m, node, "body1"), two = find_link(m, node, "body2");
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_build_source(m, node);
  m->xml->status = ff_builder_exclude(m->builder, one, two, m->xml->error);
}

void ffi_mjcf_contact_read(ffi_mjcf *m, const xmlNode *section)
{
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
    if (ffi_xml_is(node, "pair"))
      read_pair(m, node);
    else
      read_exclude(m, node);
  }
}

void ffi_mjcf_contact_set_parents(ffi_mjcf *m)
{
  m->xml->status = ff_builder_set_parent_rule(
      m->builder, m->has_filterparent ? FF_PARENT_FIXED : FF_PARENT_COLLIDES, m->xml->error);
}
