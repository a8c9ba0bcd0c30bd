// <geometry> of URDF: boxes, spheres, cylinders, capsules, meshes and our own shapes.
#include "io/mesh/mesh.h"
#include "io/mesh/mesh_path.h"
#include "io/urdf/urdf.h"

#include <math.h>

// Sizes of a primitive: must be there and not be negative. Zero ones, which some programs write for "nothing
// to see", are left out with a warning.
static int keep_if_solid(ffi_urdf *u, const xmlNode *node, const double *size, int count)
{
  for (int i = 0; i < count; ++i) {
    if (size[i] < 0)
      ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "a size is negative: %g", size[i]);
  }
  if (u->xml->status != FF_OK)
    return 0;
  for (int i = 0; i < count; ++i) {
    if (size[i] == 0) {
      ffi_urdf_warn(u, node, "a size is zero; the shape is left out");
      return 0;
    }
  }
  return 1;
}

static int read_box(ffi_urdf *u, const xmlNode *node, ff_shape_def *out)
{
  out->type = FF_SHAPE_BOX;
  if (ffi_xml_require(u->xml, node, "size"))
    ffi_xml_numbers(u->xml, node, "size", 3, 3, out->size);
  return keep_if_solid(u, node, out->size, 3);
}

static int read_ellipsoid(ffi_urdf *u, const xmlNode *node, ff_shape_def *out)
{
  out->type = FF_SHAPE_ELLIPSOID;
  if (ffi_xml_require(u->xml, node, "radii"))
    ffi_xml_numbers(u->xml, node, "radii", 3, 3, out->size);
  return keep_if_solid(u, node, out->size, 3);
}

// Sphere and disk have a radius, cylinder and capsule also a length.
static int read_round(ffi_urdf *u, const xmlNode *node, ff_shape_type type, ff_shape_def *out)
{
  out->type = type;
  if (ffi_xml_require(u->xml, node, "radius"))
    ffi_xml_number(u->xml, node, "radius", &out->size[0]);
  if (type == FF_SHAPE_SPHERE || type == FF_SHAPE_DISK)
    return keep_if_solid(u, node, out->size, 1);
  if (ffi_xml_require(u->xml, node, "length"))
    ffi_xml_number(u->xml, node, "length", &out->size[1]);
  return keep_if_solid(u, node, out->size, 2);
}

// Bullet's <plane normal="0 0 1"/>: the smallest rotation from z to the normal.
static int read_plane(ffi_urdf *u, const xmlNode *node, ff_shape_def *out)
{
  double n[3] = {0, 0, 1};
  ffi_xml_numbers(u->xml, node, "normal", 3, 3, n);
  if (n[0] == 0 && n[1] == 0 && n[2] == 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the normal is zero, so it has no direction");
  if (u->xml->status != FF_OK)
    return 0;
  const double across = hypot(n[0], n[1]);
  const double half = atan2(across, n[2]) / 2;
  ff_pose turn = ff_pose_identity();
  turn.quaternion[0] = across > 0 ? -n[1] / across * sin(half) : sin(half);
  turn.quaternion[1] = across > 0 ? n[0] / across * sin(half) : 0;
  turn.quaternion[3] = cos(half);
  out->type = FF_SHAPE_PLANE;
  out->pose = ff_pose_compose(&out->pose, &turn);
  return 1;
}

// A collision mesh becomes its convex hull; a visual one is kept by name.
static void make_hull(ffi_urdf *u, const xmlNode *node, ff_shape_def *out)
{
  ffi_mesh_hull hull;
  if (ffi_mesh_kind_of(out->mesh_file) == FFI_MESH_UNKNOWN) {
    ffi_urdf_warn(u, node,
                  "meshes are read from .stl, .obj and .dae: this one is kept by name and touches nothing");
    return;
  }
  if (ffi_urdf_take(u, ffi_mesh_corners(u->def->from, &u->arena, out->mesh_file, out->scale, &hull,
                                        u->xml->error)) != FF_OK)
    return;
  if (hull.count == 0) {
    ffi_urdf_warn(u, node, "the points of its mesh lie on a line: it is kept by name and touches nothing");
    return;
  }
  if (hull.is_flat)
    ffi_urdf_warn(u, node, "the points of its mesh lie in a plane: it touches as a thin plate");
  ffi_mesh_excess_note(&u->excess, hull.excess, out->mesh_file, node);
  out->type = FF_SHAPE_HULL;
  out->vertices = hull.corners;
  out->vertex_count = hull.count;
}

static int read_mesh(ffi_urdf *u, const xmlNode *node, ff_shape_def *out)
{
  const char *reference = ffi_xml_require(u->xml, node, "filename");
  out->type = FF_SHAPE_MESH;
  if (ffi_xml_numbers(u->xml, node, "scale", 1, 3, out->scale) == 1)
    out->scale[1] = out->scale[2] = out->scale[0];
  else if (ffi_xml_get(node, "scale"))
    ffi_xml_numbers(u->xml, node, "scale", 3, 3, out->scale);
  if (out->scale[0] == 0 || out->scale[1] == 0 || out->scale[2] == 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the scale is zero in one direction");
  if (u->xml->status != FF_OK)
    return 0;
  const char *file = u->xml->is_memory ? NULL : u->xml->file;
  if (ffi_mesh_path_find_for(u->def, &u->arena, file, reference, &out->mesh_file) != FF_OK)
    ffi_urdf_no_memory(u);
  if (!out->mesh_file) {
    out->mesh_file = reference;
    if (u->missing_meshes++ == 0)
      u->first_missing = node;
  } else if (out->purpose & FF_SHAPE_COLLISION) {
    make_hull(u, node, out);
  }
  return u->xml->status == FF_OK;
}

int ffi_urdf_geometry_read(ffi_urdf *u, const xmlNode *holder, ff_shape_def *out)
{
  const xmlNode *geometry = ffi_urdf_value_only(u, holder, "geometry");
  const xmlNode *node = ffi_xml_child(geometry, NULL);
  if (!geometry)
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, holder, "has no <geometry>");
  else if (!node)
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, geometry, "is empty");
  if (u->xml->status != FF_OK || !node)
    return 0;
  if (ffi_xml_is(node, "box"))
    return read_box(u, node, out);
  if (ffi_xml_is(node, "sphere"))
    return read_round(u, node, FF_SHAPE_SPHERE, out);
  if (ffi_xml_is(node, "cylinder"))
    return read_round(u, node, FF_SHAPE_CYLINDER, out);
  if (ffi_xml_is(node, "capsule"))
    return read_round(u, node, FF_SHAPE_CAPSULE, out);
  if (ffi_xml_is(node, "mesh"))
    return read_mesh(u, node, out);
  if (ffi_xml_is(node, "disk")) // ours
    return read_round(u, node, FF_SHAPE_DISK, out);
  if (ffi_xml_is(node, "ellipsoid")) // ours
    return read_ellipsoid(u, node, out);
  if (ffi_xml_is(node, "plane"))
    return read_plane(u, node, out);
  ffi_urdf_warn(u, holder, "a shape of unknown kind <%.40s> is left out", (const char *)node->name);
  return 0;
}
