#include "io/urdf/urdf_reader.h"

#include <string.h>

// <element> in <footfall>: a spring, a stop, a closed loop or a weld; see element.h for what each type does.
//
//     <element type="joint_pd" joint stiffness damping? reference? reference_velocity? effort? name?/>
//     <element type="joint_limit" joint stiffness damping? lower? upper? name?/>
//     <element type="point" a b? a_xyz? b_xyz? stiffness damping? name?/>
//     <element type="weld" a b? a_xyz? b_xyz? stiffness angular_stiffness damping? angular_damping? name?/>
//
// a and b are links or frames, b the world if it is absent. An attribute that the type does not have is an error.

static const struct {
  ff_element_type type;
  const char *attributes;
} kinds[] = {
    {FF_ELEMENT_JOINT_PD, " name type stiffness damping joint reference reference_velocity effort "},
    {FF_ELEMENT_JOINT_LIMIT, " name type stiffness damping joint lower upper "},
    {FF_ELEMENT_POINT, " name type stiffness damping a b a_xyz b_xyz "},
    {FF_ELEMENT_WELD, " name type stiffness damping a b a_xyz b_xyz angular_stiffness angular_damping "},
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static int find_kind(ffi_urdf *u, const xmlNode *node)
{
  const char *type = ffi_xml_require(u->xml, node, "type");
  for (int i = 0; type && i < KIND_COUNT; ++i)
    if (strcmp(type, ff_element_type_name(kinds[i].type)) == 0)
      return i;
  if (type)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node,
                 "unknown type '%.40s'; known are joint_pd, joint_limit, point, weld", type);
  return -1;
}

static void check_attributes(ffi_urdf *u, const xmlNode *node, int kind)
{
  for (const xmlAttr *a = node->properties; a; a = a->next) {
    const char *name = (const char *)a->name;
    const size_t length = strlen(name);
    const char *at = kinds[kind].attributes;
    while ((at = strstr(at, name)) && !(at[-1] == ' ' && at[length] == ' '))
      at += length;
    if (!at)
      ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "a %s has no attribute '%.40s'; it may have%s",
                   ff_element_type_name(kinds[kind].type), name, kinds[kind].attributes);
  }
}

// A stiffness is not left to chance.
static void read_stiffness(ffi_urdf *u, const xmlNode *node, const char *attribute, double *out)
{
  if (ffi_xml_require(u->xml, node, attribute))
    ffi_urdf_value_amount(u, node, attribute, out);
}

static void add(ffi_urdf *u, const ff_element_def *def, const char *on, const char *to)
{
  if (u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_add_element(u->builder, def, on, to, u->xml->error));
}

static void read_on_joint(ffi_urdf *u, const xmlNode *node, ff_element_def *def)
{
  const char *name = ffi_urdf_value_name(u, node, "joint");
  const int joint = name ? ffi_names_find(&u->joint_names, name) : -1;
  ffi_xml_number(u->xml, node, "reference", &def->reference);
  ffi_xml_number(u->xml, node, "reference_velocity", &def->reference_velocity);
  ffi_urdf_value_ceiling(u, node, "effort", &def->effort);
  ffi_xml_bound(u->xml, node, "lower", &def->lower);
  ffi_xml_bound(u->xml, node, "upper", &def->upper);
  if (name && joint < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no joint '%.80s'", name);
  // A mimic joint that was fixed by the caller's wish may stay in the file.
  if (joint >= 0 && !(u->joints[joint].is_mimic && u->joints[joint].type == FF_JOINT_FIXED))
    add(u, def, name, NULL);
}

// Does what it names move? Unknown names do, so that they are looked at.
static int moves(const ffi_urdf *u, const char *name)
{
  int link = ffi_names_find(&u->link_names, name);
  if (link < 0 && ffi_names_find(&u->frame_links, name) >= 0)
    link = ffi_names_find(&u->frame_links, name) - 1; // -1: the world
  else if (link < 0)
    return strcmp(name, "world") != 0;
  return link >= 0 && !u->links[link].is_anchored;
}

static void read_between(ffi_urdf *u, const xmlNode *node, ff_element_def *def)
{
  const char *a = ffi_urdf_value_name(u, node, "a");
  const char *b = ffi_xml_get(node, "b") ? ffi_urdf_value_name(u, node, "b") : "world";
  ffi_xml_numbers(u->xml, node, "a_xyz", 3, 3, def->a.offset);
  ffi_xml_numbers(u->xml, node, "b_xyz", 3, 3, def->b.offset);
  if (def->type == FF_ELEMENT_WELD)
    read_stiffness(u, node, "angular_stiffness", &def->angular_stiffness);
  ffi_urdf_value_amount(u, node, "angular_damping", &def->angular_damping);
  if (!a || !b)
    return;
  // What holds the floating base is without work once the base is fixed by the caller's wish.
  if (!u->def->fixed_base || moves(u, a) || moves(u, b))
    add(u, def, a, b);
}

void ffi_urdf_element_read(ffi_urdf *u, const xmlNode *node)
{
  ff_element_def def = ff_element_def_default();
  const int kind = find_kind(u, node);
  if (kind < 0)
    return;
  check_attributes(u, node, kind);
  def.type = kinds[kind].type;
  def.name = ffi_xml_get(node, "name") ? ffi_urdf_value_name(u, node, "name") : NULL;
  read_stiffness(u, node, "stiffness", &def.stiffness);
  ffi_urdf_value_amount(u, node, "damping", &def.damping);
  if (def.type == FF_ELEMENT_JOINT_PD || def.type == FF_ELEMENT_JOINT_LIMIT)
    read_on_joint(u, node, &def);
  else
    read_between(u, node, &def);
}
