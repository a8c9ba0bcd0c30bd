// Attributes of MJCF as values: numbers, keywords, orientations, poses, ranges.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"

#include "math/quaternion.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- Plain attributes ---------------------------------------------------------------------------------------

const char *ffi_mjcf_value_text(const xmlNode *node, const char *attribute)
{
  const char *text = ffi_xml_get(node, attribute);
  return text && *text ? text : NULL;
}

int ffi_mjcf_value_numbers(ffi_mjcf *m, const xmlNode *node, const char *attribute, int least, int count,
                           double *out)
{
  return ffi_xml_numbers(ffi_mjcf_at(m, node), node, attribute, least, count, out);
}

int ffi_mjcf_value_number(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *out)
{
  return ffi_mjcf_value_numbers(m, node, attribute, 1, 1, out);
}

int ffi_mjcf_value_nonnegative(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *out)
{
  double value;
  if (!ffi_mjcf_value_number(m, node, attribute, &value))
    return 0;
  if (value < 0) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute '%s' is negative (%g)", attribute, value);
    return 0;
  }
  *out = value;
  return 1;
}

int ffi_mjcf_value_integer(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out)
{
  double value;
  if (!ffi_mjcf_value_number(m, node, attribute, &value))
    return 0;
  if (value != floor(value) || value < INT_MIN || value > INT_MAX) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "attribute '%s' must be a whole number, not %g", attribute, value);
    return 0;
  }
  *out = (int)value;
  return 1;
}

int ffi_mjcf_value_keyword(ffi_mjcf *m, const xmlNode *node, const char *attribute, const char *const *words,
                           int *out)
{
  const char *text = ffi_xml_get(node, attribute);
  char list[200] = "";
  if (!text)
    return 0;
  for (int i = 0; words[i]; ++i) {
    if (strcmp(text, words[i]) == 0) {
      *out = i;
      return 1;
    }
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
  }
  ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "attribute '%s' is '%.60s', not one of: %s", attribute, text, list);
  return 0;
}

int ffi_mjcf_value_flag(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out)
{
  static const char *const words[] = {"false", "true", NULL};
  return ffi_mjcf_value_keyword(m, node, attribute, words, out);
}

void ffi_mjcf_value_rgba(ffi_mjcf *m, const xmlNode *node, double rgba[4])
{
  if (ffi_mjcf_value_text(node, "rgba"))
    ffi_mjcf_value_numbers(m, node, "rgba", 4, 4, rgba);
}

int ffi_mjcf_value_limit(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out)
{
  static const char *const words[] = {"false", "true", "auto", NULL};
  return ffi_mjcf_value_keyword(m, node, attribute, words, out);
}

// ---- Orientations -------------------------------------------------------------------------------------------

static double radians(const ffi_mjcf *m, const xmlNode *node, double angle)
{
  return ffi_mjcf_attach_compiler(m, node)->degrees ? angle * (pi / 180) : angle;
}

static void about_axis(const double unit_axis[3], double angle, double out[4])
{
  ffi_v3_scale(sin(angle / 2), unit_axis, out);
  out[3] = cos(angle / 2);
}

static void read_quat(ffi_mjcf *m, const xmlNode *node, double out[4])
{
  double w[4]; // w x y z
  if (!ffi_mjcf_value_numbers(m, node, "quat", 4, 4, w))
    return;
  const double q[4] = {w[1], w[2], w[3], w[0]};
  if (!ffi_quat_normalize(q, out))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'quat' is zero: it gives no direction");
}

static void read_axisangle(ffi_mjcf *m, const xmlNode *node, double out[4])
{
  double a[4];
  if (!ffi_mjcf_value_numbers(m, node, "axisangle", 4, 4, a))
    return;
  const double length = ffi_v3_norm(a);
  if (!(length > 0)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'axisangle' has a zero axis");
    return;
  }
  const double axis[3] = {a[0] / length, a[1] / length, a[2] / length};
  about_axis(axis, radians(m, node, a[3]), out);
}

static void read_xyaxes(ffi_mjcf *m, const xmlNode *node, double out[4])
{
  double a[6];
  if (!ffi_mjcf_value_numbers(m, node, "xyaxes", 6, 6, a))
    return;
  double *x = a, *y = a + 3, z[3];
  const double nx = ffi_v3_norm(x), ny = ffi_v3_norm(y);
  if (nx > 0 && ny > 0) {
    ffi_v3_set(x[0] / nx, x[1] / nx, x[2] / nx, x);
    ffi_v3_set(y[0] / ny, y[1] / ny, y[2] / ny, y);
    ffi_v3_add_scaled(-ffi_v3_dot(x, y), x, y);
  }
  const double length = ffi_v3_norm(y);
  // Unit vectors within 1e-10 of parallel give a plane that is all rounding error.
  if (!(nx > 0 && ny > 0 && length > 1e-10)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'xyaxes' has axes that are zero or parallel");
    return;
  }
  ffi_v3_set(y[0] / length, y[1] / length, y[2] / length, y);
  ffi_v3_cross(x, y, z);
  const double R[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  ffi_quat_from_matrix(R, out);
}

// The smallest turn that takes z to a direction; half a turn is about x.
static void turn_z_to(const double unit[3], double out[4])
{
  double axis[3] = {-unit[1], unit[0], 0};
  const double s = ffi_v3_norm(axis);
  if (s < 1e-10)
    ffi_v3_set(1, 0, 0, axis);
  else
    ffi_v3_set(axis[0] / s, axis[1] / s, 0, axis);
  about_axis(axis, atan2(s, unit[2]), out);
}

static void read_zaxis(ffi_mjcf *m, const xmlNode *node, double out[4])
{
  double z[3];
  if (!ffi_mjcf_value_numbers(m, node, "zaxis", 3, 3, z))
    return;
  const double length = ffi_v3_norm(z);
  if (!(length > 0)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'zaxis' is zero: it gives no direction");
    return;
  }
  const double unit[3] = {z[0] / length, z[1] / length, z[2] / length};
  turn_z_to(unit, out);
}

// eulerseq: a lower-case letter turns about the axis as turned so far, an upper-case one about the fixed axis.
static void read_euler(ffi_mjcf *m, const xmlNode *node, double out[4])
{
  double angles[3];
  if (!ffi_mjcf_value_numbers(m, node, "euler", 3, 3, angles))
    return;
  ffi_quat_identity(out);
  for (int i = 0; i < 3; ++i) {
    const char letter = ffi_mjcf_attach_compiler(m, node)->eulerseq[i];
    double axis[3] = {0, 0, 0}, turn[4];
    axis[tolower((unsigned char)letter) - 'x'] = 1;
    about_axis(axis, radians(m, node, angles[i]), turn);
    if (islower((unsigned char)letter))
      ffi_quat_mul(out, turn, out);
    else
      ffi_quat_mul(turn, out, out);
  }
}

int ffi_mjcf_value_orientation(ffi_mjcf *m, const xmlNode *node, double quaternion[4])
{
  static const struct {
    const char *name;
    void (*read)(ffi_mjcf *m, const xmlNode *node, double out[4]);
  } ways[] = {{"quat", read_quat},
              {"axisangle", read_axisangle},
              {"xyaxes", read_xyaxes},
              {"zaxis", read_zaxis},
              {"euler", read_euler}};
  const char *first = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    if (!ffi_xml_get(node, ways[i].name))
      continue;
    if (first)
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "both '%s' and '%s' give its orientation: keep one", first,
                    ways[i].name);
    else
      ways[i].read(m, node, quaternion);
    first = ways[i].name;
  }
  return first != NULL;
}

void ffi_mjcf_value_pose(ffi_mjcf *m, const xmlNode *node, ff_pose *pose)
{
  ffi_mjcf_value_numbers(m, node, "pos", 3, 3, pose->position);
  ffi_mjcf_value_orientation(m, node, pose->quaternion);
}

// The middle of the two points, z from the second to the first, as in MuJoCo.
int ffi_mjcf_value_fromto(ffi_mjcf_place *place, double *half_length)
{
  const double *from = place->fromto, *to = place->fromto + 3;
  double z[3];
  ffi_v3_sub(from, to, z);
  const double length = ffi_v3_norm(z);
  *half_length = length / 2;
  for (int i = 0; i < 3; ++i)
    place->pose.position[i] = (from[i] + to[i]) / 2;
  if (!(length > 0) || !isfinite(length))
    return 0;
  ffi_v3_set(z[0] / length, z[1] / length, z[2] / length, z);
  turn_z_to(z, place->pose.quaternion);
  return 1;
}

// ---- Ranges -------------------------------------------------------------------------------------------------

int ffi_mjcf_value_limited(ffi_mjcf *m, const xmlNode *node, const char *attribute, int limited,
                           const double range[2])
{
  const int has_range = range[0] != 0 || range[1] != 0;
  if (limited == FFI_MJCF_FALSE || (limited == FFI_MJCF_AUTO && !has_range))
    return 0;
  if (limited == FFI_MJCF_AUTO && !ffi_mjcf_attach_compiler(m, node)->autolimits)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                  "has a '%s' but does not say whether it is limited, and autolimits is \"false\"",
                  attribute);
  else if (!has_range)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "is limited but has no '%s'", attribute);
  else if (range[0] > range[1] || (range[0] == range[1] && limited == FFI_MJCF_TRUE))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute '%s' must be lower and upper limit, not %g %g",
                  attribute, range[0], range[1]);
  return range[0] < range[1];
}
