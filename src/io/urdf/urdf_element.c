// <element> inside <footfall> of URDF.
#include "io/urdf/urdf.h"

#include <string.h>

// <element> in <footfall>: a spring, a stop, a closed loop or a weld; see element.h for what each type does.
//
//     <element type="joint_pd" joint stiffness damping? reference? reference_velocity? effort? name?/>
//     <element type="joint_limit" joint stiffness damping? lower? upper? name?/>
//     <element type="joint_friction" joint effort stiffness? damping? name?/>
//     <element type="coupling" joint leader? polynomial name?/>
//     <element type="point" a b? a_xyz? b_xyz? stiffness damping? name?/>
//     <element type="weld" a b? a_xyz? b_xyz? stiffness angular_stiffness damping? angular_damping? name?/>
//
// tendon="t" in place of joint, and leader_tendon in place of leader, take a <tendon>. polynomial has one to five
// numbers: the position is their sum times the powers 0, 1, ... of the leader's. a and b are links or frames, b the
// world if it is absent. An attribute that the type does not have is an error.

static const struct {
  ff_element_type type;
  const char *attributes;
} kinds[] = {
    {FF_ELEMENT_JOINT_PD, " name type stiffness damping joint tendon reference reference_velocity effort "},
    {FF_ELEMENT_JOINT_LIMIT, " name type stiffness damping joint tendon lower upper "},
    {FF_ELEMENT_JOINT_FRICTION, " name type stiffness damping joint tendon effort "},
    {FF_ELEMENT_COUPLING, " name type stiffness damping joint tendon leader leader_tendon polynomial "},
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
    ffi_xml_fail(
        u->xml, FF_ERROR_MODEL, node,
        "unknown type '%.40s'; known are joint_pd, joint_limit, joint_friction, coupling, point, weld", type);
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

// A stiffness has no default.
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

// The joint or the tendon that an element acts on: a name, or the builder's id. 0 if it cannot move: a mimic joint that
// the caller asked to fix.
static int read_line(ffi_urdf *u, const xmlNode *node, const char *joint_attribute,
                     const char *tendon_attribute, const char **name, int *tendon)
{
  *name = NULL;
  if (ffi_xml_get(node, tendon_attribute)) {
    *tendon = ffi_urdf_tendon_find(u, node, tendon_attribute);
    if (ffi_xml_get(node, joint_attribute))
      ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "it has a %s and a %s; keep one of them", joint_attribute,
                   tendon_attribute);
    return 1;
  }
  *name = ffi_urdf_value_name(u, node, joint_attribute);
  const int joint = *name ? ffi_names_find(&u->joint_names, *name) : -1;
  if (*name && joint < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no joint '%.80s'", *name);
  return joint >= 0 && !u->joints[joint].is_fixed_by_caller &&
         !(u->joints[joint].is_mimic && u->joints[joint].type == FF_JOINT_FIXED);
}

static void read_coupling(ffi_urdf *u, const xmlNode *node, ff_element_def *def)
{
  const char *on, *to = NULL;
  int moves = read_line(u, node, "joint", "tendon", &on, &def->tendon);
  if (ffi_xml_get(node, "leader") || ffi_xml_get(node, "leader_tendon"))
    moves &= read_line(u, node, "leader", "leader_tendon", &to, &def->leader_tendon);
  memset(def->polynomial, 0, sizeof def->polynomial);
  if (ffi_xml_require(u->xml, node, "polynomial"))
    ffi_xml_numbers(u->xml, node, "polynomial", 1, 5, def->polynomial);
  if (moves)
    add(u, def, on, to);
}

static void read_on_joint(ffi_urdf *u, const xmlNode *node, ff_element_def *def)
{
  const char *name;
  const int moves = read_line(u, node, "joint", "tendon", &name, &def->tendon);
  ffi_xml_number(u->xml, node, "reference", &def->reference);
  ffi_xml_number(u->xml, node, "reference_velocity", &def->reference_velocity);
  ffi_urdf_value_ceiling(u, node, "effort", &def->effort);
  ffi_xml_bound(u->xml, node, "lower", &def->lower);
  ffi_xml_bound(u->xml, node, "upper", &def->upper);
  if (moves)
    add(u, def, name, NULL);
}

// Does the named link or frame move? Unknown names count as moving, so that they are reported.
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
  // An element between the base and the world has no effect if the caller asked for a fixed base.
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
  if (def.type == FF_ELEMENT_JOINT_FRICTION || def.type == FF_ELEMENT_COUPLING)
    ffi_urdf_value_amount(u, node, "stiffness", &def.stiffness); // 0: the sim chooses it
  else
    read_stiffness(u, node, "stiffness", &def.stiffness);
  ffi_urdf_value_amount(u, node, "damping", &def.damping);
  if (def.type == FF_ELEMENT_COUPLING)
    read_coupling(u, node, &def);
  else if (ff_element_type_is_joint(def.type))
    read_on_joint(u, node, &def);
  else
    read_between(u, node, &def);
}
