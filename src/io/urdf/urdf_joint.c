// <joint> of URDF: one joint becomes an ff_joint_def.
#include "io/urdf/urdf.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

static ff_joint_type read_type(ffi_urdf *u, const xmlNode *node)
{
  static const struct {
    const char *name;
    ff_joint_type type;
  } types[] = {{"revolute", FF_JOINT_REVOLUTE},   {"continuous", FF_JOINT_CONTINUOUS},
               {"prismatic", FF_JOINT_PRISMATIC}, {"fixed", FF_JOINT_FIXED},
               {"floating", FF_JOINT_FREE},       {"planar", FF_JOINT_PLANAR},
               {"spherical", FF_JOINT_SPHERICAL}};
  const char *name = ffi_xml_require(u->xml, node, "type");
  if (!name)
    return FF_JOINT_FIXED;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
    if (strcmp(name, types[i].name) == 0)
      return types[i].type;
  }
  ffi_xml_fail(
      u->xml, FF_ERROR_UNSUPPORTED, node,
      "unknown type '%.40s'; known are revolute, continuous, prismatic, fixed, floating, planar, spherical",
      name);
  return FF_JOINT_FIXED;
}

static int is_single(ff_joint_type type)
{
  return type == FF_JOINT_REVOLUTE || type == FF_JOINT_CONTINUOUS || type == FF_JOINT_PRISMATIC;
}

static void read_axis(ffi_urdf *u, const xmlNode *joint, double axis[3])
{
  const xmlNode *node = ffi_urdf_value_only(u, joint, "axis");
  ffi_v3_set(1, 0, 0, axis);
  ffi_xml_numbers(u->xml, node, "xyz", 3, 3, axis);
  if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the axis is zero, so it has no direction");
}

// Effort and speed apply to every joint with one coordinate, the range to those that are not continuous. A
// range that is not there at all means "none", not URDF's "0 to 0", which would lock the joint.
static void read_limit(ffi_urdf *u, const xmlNode *joint, ff_joint_def *out)
{
  const xmlNode *node = ffi_urdf_value_only(u, joint, "limit");
  ffi_urdf_value_ceiling(u, node, "effort", &out->effort);
  ffi_urdf_value_ceiling(u, node, "velocity", &out->velocity);
  if (out->type == FF_JOINT_CONTINUOUS)
    return;
  double lower = 0;
  double upper = 0;
  const int given =
      ffi_xml_bound(u->xml, node, "lower", &lower) + ffi_xml_bound(u->xml, node, "upper", &upper);
  if (given == 0)
    ffi_urdf_warn(u, joint, "has no lower and upper limit, so it moves without limits");
  if (given == 0 || (isinf(lower) && lower < 0 && isinf(upper) && upper > 0))
    return;
  if (lower > upper || (lower == upper && isinf(lower)))
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the lower limit %g and the upper limit %g leave no range",
                 lower, upper);
  if (lower == upper)
    ffi_urdf_warn(u, joint, "its limits leave it no room to move: lower = upper = %g", lower);
  out->has_limits = 1;
  out->lower = lower;
  out->upper = upper;
}

static void read_dynamics(ffi_urdf *u, const xmlNode *joint, ff_joint_def *out)
{
  const xmlNode *node = ffi_urdf_value_only(u, joint, "dynamics");
  ffi_urdf_value_amount(u, joint, "armature", &out->armature);
  ffi_urdf_value_amount(u, node, "damping", &out->damping);
  ffi_urdf_value_amount(u, node, "friction", &out->friction);
  ffi_urdf_value_amount(u, node, "armature", &out->armature);
}

// The joint becomes fixed where it stands at q = offset.
static void fix_at(double offset, ff_joint_def *out)
{
  ff_pose motion = ff_pose_identity();
  const double scale = 1 / ffi_v3_norm(out->axis);
  for (int i = 0; i < 3; ++i) {
    if (out->type == FF_JOINT_PRISMATIC)
      motion.position[i] = offset * scale * out->axis[i];
    else
      motion.quaternion[i] = sin(offset / 2) * scale * out->axis[i];
  }
  if (out->type != FF_JOINT_PRISMATIC)
    motion.quaternion[3] = cos(offset / 2);
  out->pose = ff_pose_compose(&out->pose, &motion);
  out->type = FF_JOINT_FIXED;
  out->has_limits = 0;
}

static void read_mimic(ffi_urdf *u, ffi_urdf_joint *joint, ff_joint_def *out)
{
  const xmlNode *node = ffi_urdf_value_only(u, joint->node, "mimic");
  double multiplier = 1;
  double offset = 0;
  if (!node)
    return;
  joint->is_mimic = 1;
  const char *other = ffi_urdf_value_name(u, node, "joint");
  ffi_xml_number(u->xml, node, "multiplier", &multiplier);
  ffi_xml_number(u->xml, node, "offset", &offset);
  joint->leader = other ? ffi_names_find(&u->joint_names, other) : -1;
  joint->multiplier = multiplier;
  joint->offset = offset;
  if (other && joint->leader < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no joint '%.80s' to mimic", other);
  if (u->xml->status != FF_OK)
    return;
  if (&u->joints[joint->leader] == joint)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "joint '%.80s' cannot mimic itself", other);
  if (u->def->mimic == FF_MIMIC_FREE) {
    ffi_urdf_warn(u, joint->node, "it should mimic joint '%.80s', but moves on its own", other);
  } else if (u->def->mimic == FF_MIMIC_FIX) {
    ffi_urdf_warn(u, joint->node, "it should mimic joint '%.80s', but is fixed at %g", other, offset);
    fix_at(offset, out);
  } else if (u->def->mimic == FF_MIMIC_REFUSE) {
    ffi_xml_fail(u->xml, FF_ERROR_UNSUPPORTED, joint->node,
                 "it mimics joint '%.80s'; load it with mimic 'couple', 'free' or 'fix'", other);
  }
}

ff_status ffi_urdf_joint_read(ffi_urdf *u, ffi_urdf_joint *joint, ff_joint_def *out)
{
  *out = ff_joint_def_default();
  out->name = joint->name;
  out->type = read_type(u, joint->node);
  out->pose = ffi_urdf_value_pose(u, ffi_urdf_value_only(u, joint->node, "origin"));
  if (out->type != FF_JOINT_FIXED)
    read_dynamics(u, joint->node, out);
  if (is_single(out->type) || out->type == FF_JOINT_PLANAR)
    read_axis(u, joint->node, out->axis);
  if (is_single(out->type)) {
    read_limit(u, joint->node, out);
    read_mimic(u, joint, out);
  }
  joint->type = out->type;
  joint->has_limits = out->has_limits;
  joint->lower = out->lower, joint->upper = out->upper;
  return u->xml->status;
}
