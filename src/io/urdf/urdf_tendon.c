// Joints that are tied together: <mimic> of URDF, and <tendon> inside <footfall>.
#include "io/urdf/urdf.h"

#include <math.h>
#include <string.h>

// ---- <tendon> -----------------------------------------------------------------------------------------------

// <tendon name> with <joint name coefficient/> inside: the sum of coefficients times coordinates.
static void read_joint(ffi_urdf *u, const xmlNode *node, int *link, double *coefficient)
{
  const char *name = ffi_urdf_value_name(u, node, "name");
  const int joint = name ? ffi_names_find(&u->joint_names, name) : -1;
  if (!ffi_xml_is(node, "joint"))
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "unknown in <tendon>; known is joint");
  else if (name && joint < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no joint '%.80s'", name);
  else if (ffi_xml_require(u->xml, node, "coefficient"))
    ffi_xml_number(u->xml, node, "coefficient", coefficient);
  if (joint >= 0)
    *link = u->links[u->joints[joint].child].id;
}

static void read_tendon(ffi_urdf *u, const xmlNode *tendon)
{
  const char *name = ffi_urdf_value_name(u, tendon, "name");
  int links[FF_MAX_TENDON_JOINTS], count = 0, id = -1;
  double coefficients[FF_MAX_TENDON_JOINTS];
  if (name && ffi_names_find(&u->tendon_names, name) >= 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, tendon, "there is already a tendon of this name");
  for (const xmlNode *node = ffi_xml_child(tendon, NULL); node && u->xml->status == FF_OK;
       node = ffi_xml_next(node, NULL)) {
    if (count == FF_MAX_TENDON_JOINTS) {
      ffi_xml_fail(u->xml, FF_ERROR_LIMIT, node, "more than %d joints in a tendon",
                   (int)FF_MAX_TENDON_JOINTS);
      return;
    }
    ffi_urdf_at(u, node);
    read_joint(u, node, &links[count], &coefficients[count]);
    ++count;
  }
  ffi_urdf_at(u, tendon);
  if (u->xml->status == FF_OK && !ffi_names_reserve(&u->tendon_names))
    ffi_urdf_no_memory(u);
  if (u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_add_tendon(u->builder, name, count, links, coefficients, &id, u->xml->error));
  if (u->xml->status == FF_OK)
    ffi_names_put(&u->tendon_names, name, id);
}

void ffi_urdf_tendon_read_all(ffi_urdf *u)
{
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall")) {
    const xmlNode *node = ffi_xml_child(top, "tendon");
    for (; node && u->xml->status == FF_OK; node = ffi_xml_next(node, "tendon"))
      read_tendon(u, node);
  }
}

int ffi_urdf_tendon_find(ffi_urdf *u, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_urdf_value_name(u, node, attribute);
  const int id = name ? ffi_names_find(&u->tendon_names, name) : -1;
  if (name && id < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no tendon '%.80s'", name);
  return id;
}

// ---- <mimic> ------------------------------------------------------------------------------------------------

// A part of the range by which what a follower should do may be beyond its limits: rounding of a file's numbers.
static const double rounded = 0.02;

// Do the leader's limits take a follower beyond its own? Its stop then holds both, or springs push from the start.
static void compare_limits(ffi_urdf *u, const ffi_urdf_joint *joint, const ffi_urdf_joint *leader)
{
  if (!joint->has_limits || !leader->has_limits || leader->type == FF_JOINT_FIXED)
    return;
  const double one = joint->offset + joint->multiplier * leader->lower,
               other = joint->offset + joint->multiplier * leader->upper, least = fmin(one, other),
               most = fmax(one, other), slack = rounded * (most - least);
  if (joint->lower - least > slack || most - joint->upper > slack)
    ffi_urdf_warn(
        u, joint->node,
        "it mimics '%.80s', which would take it from %.4g to %.4g, but its own limits are %.4g to %.4g: "
        "its stop holds both; correct the limits, or the multiplier and offset",
        leader->name, least, most, joint->lower, joint->upper);
}

// One that mimics a joint that is fixed stands still itself.
static void couple(ffi_urdf *u, const ffi_urdf_joint *joint)
{
  const ffi_urdf_joint *leader = &u->joints[joint->leader];
  const int stands = leader->type == FF_JOINT_FIXED;
  ff_element_def def = ff_element_def_default();
  char name[FF_MAX_NAME + 16];
  snprintf(name, sizeof name, "%.*s_mimic", (int)FF_MAX_NAME - 16, joint->name);
  def.name = name;
  def.type = FF_ELEMENT_COUPLING;
  def.polynomial[0] = joint->offset;
  def.polynomial[1] = stands ? 0 : joint->multiplier;
  ffi_urdf_at(u, joint->node);
  ffi_urdf_take(
      u, ff_builder_add_element(u->builder, &def, joint->name, stands ? NULL : leader->name, u->xml->error));
}

// A joint that follows itself, by way of others, has no place.
static int is_circular(ffi_urdf *u, int joint)
{
  int at = u->joints[joint].leader;
  for (int k = 0; k < u->joint_count && at != joint && u->joints[at].is_mimic; ++k)
    at = u->joints[at].leader;
  if (at != joint)
    return 0;
  ffi_xml_fail(
      u->xml, FF_ERROR_MODEL, u->joints[joint].node,
      "joint '%.80s' mimics joint '%.80s', which follows it in turn; one of them must move on its own",
      u->joints[joint].name, u->joints[u->joints[joint].leader].name);
  return 1;
}

void ffi_urdf_tendon_couple_mimics(ffi_urdf *u)
{
  for (int i = 0; i < u->joint_count && u->xml->status == FF_OK && u->def->mimic == FF_MIMIC_COUPLE; ++i)
    if (u->joints[i].is_mimic && !is_circular(u, i)) {
      couple(u, &u->joints[i]);
      compare_limits(u, &u->joints[i], &u->joints[u->joints[i].leader]);
    }
}
