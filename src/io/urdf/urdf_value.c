// Attributes of URDF as values: names, amounts, limits, poses.
#include "io/urdf/urdf.h"

#include "math/quaternion.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ffi_urdf_value_name(ffi_urdf *u, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_xml_require(u->xml, node, attribute);
  if (!name)
    return NULL;
  if (strlen(name) > FF_MAX_NAME) {
    ffi_xml_fail(u->xml, FF_ERROR_LIMIT, node, "attribute '%s' is longer than %d bytes", attribute,
                 FF_MAX_NAME);
    return NULL;
  }
  for (const char *c = name; *c; ++c) {
    if ((unsigned char)*c < ' ' || *c == 127) {
      ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "attribute '%s' contains a control character", attribute);
      return NULL;
    }
  }
  return name;
}

const xmlNode *ffi_urdf_value_only(ffi_urdf *u, const xmlNode *node, const char *name)
{
  const xmlNode *first = ffi_xml_child(node, name);
  const xmlNode *second = ffi_xml_next(first, name);
  if (second)
    ffi_urdf_warn(u, node, "has more than one <%s>; the first is taken, that of line %d is ignored", name,
                  ffi_xml_line(second));
  return first;
}

static int is_amount(ffi_urdf *u, const xmlNode *node, const char *attribute, double value)
{
  if (value < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "attribute '%s' is negative: %g", attribute, value);
  return value >= 0;
}

int ffi_urdf_value_amount(ffi_urdf *u, const xmlNode *node, const char *attribute, double *out)
{
  double value;
  if (!ffi_xml_number(u->xml, node, attribute, &value))
    return 0;
  if (!is_amount(u, node, attribute, value))
    return 0;
  *out = value;
  return 1;
}

int ffi_urdf_value_ceiling(ffi_urdf *u, const xmlNode *node, const char *attribute, double *out)
{
  double value;
  if (!ffi_xml_bound(u->xml, node, attribute, &value) || !is_amount(u, node, attribute, value))
    return 0;
  *out = value;
  return 1;
}

ff_pose ffi_urdf_value_pose(ffi_urdf *u, const xmlNode *node)
{
  double xyz[3] = {0};
  double rpy[3] = {0};
  double quaternion[4];
  const char *attribute = ffi_xml_get(node, "quaternion") ? "quaternion" : "quat_xyzw";
  ffi_xml_numbers(u->xml, node, "xyz", 3, 3, xyz);
  const int has_rpy = ffi_xml_numbers(u->xml, node, "rpy", 3, 3, rpy);
  const int has_quaternion = ffi_xml_numbers(u->xml, node, attribute, 4, 4, quaternion);
  ff_pose pose = ff_pose_from_rpy(xyz, rpy);
  if (has_rpy && has_quaternion)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "has rpy and %s; keep one of them", attribute);
  if (has_quaternion && !ffi_quat_normalize(quaternion, pose.quaternion))
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the quaternion is zero, so it has no direction");
  return pose;
}

int ffi_urdf_value_coordinates(ff_joint_type type)
{
  switch (type) {
  case FF_JOINT_FIXED: return 0;
  case FF_JOINT_FREE: return 7;
  case FF_JOINT_PLANAR: return 3;
  case FF_JOINT_SPHERICAL: return 4;
  default: return 1;
  }
}
