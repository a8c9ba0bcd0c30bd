#include "io/urdf/urdf_reader.h"

#include "math/quaternion.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ffi_urdf_at(ffi_urdf *u, const xmlNode *node)
{
  ff_builder_set_source(u->builder, u->xml->file, ffi_xml_line(node));
}

ff_status ffi_urdf_take(ffi_urdf *u, ff_status status)
{
  if (u->xml->status == FF_OK)
    u->xml->status = status;
  return u->xml->status;
}

ff_status ffi_urdf_no_memory(ffi_urdf *u)
{
  return ffi_xml_fail(u->xml, FF_ERROR_MEMORY, NULL, "there is not enough memory");
}

void ffi_urdf_warn(ffi_urdf *u, const xmlNode *node, const char *format, ...)
{
  char text[600];
  if (u->xml->status != FF_OK)
    return;
  ffi_xml_describe(node, text, 128);
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, sizeof text - used, ": ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - used, format, arguments);
  va_end(arguments);
  ffi_urdf_at(u, node);
  ffi_urdf_take(u, ff_builder_add_warning(u->builder, text, u->xml->error));
}

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
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "has rpy and %s; only one of them can be meant", attribute);
  if (has_quaternion && !ffi_quat_normalize(quaternion, pose.quaternion))
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the quaternion is zero, so it has no direction");
  return pose;
}
