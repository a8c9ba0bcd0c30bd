// What meshes of MJCF are: hulls that touch, volumes that weigh, and primitives fitted to them.
#include "io/mjcf/mjcf.h"
#include "io/mjcf/mjcf_attach.h"

#include "io/mesh/mesh.h"
#include "io/mesh/mesh_excess.h"
#include "math/quaternion.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Hulls ------------------------------------------------------------------------------------------------------

static const ff_files *files_of(const ffi_mjcf *m)
{
  return m->def ? m->def->from : NULL;
}

static int is_known_format(const ffi_mjcf_mesh *mesh)
{
  return ffi_mesh_kind_of(mesh->file) != FFI_MESH_UNKNOWN;
}

static ffi_mesh_solid_rule rule_of(const ffi_mjcf *m, const ffi_mjcf_mesh *mesh, int is_shell)
{
  if (is_shell)
    return FFI_MESH_SOLID_SHELL;
  const int is_exact = mesh->mass == FFI_MJCF_MASS_EXACT ||
                       (mesh->mass < 0 && ffi_mjcf_attach_compiler(m, mesh->node)->exact_mesh_inertia);
  return is_exact ? FFI_MESH_SOLID_EXACT : FFI_MESH_SOLID_LEGACY;
}

// Both solids, of triangles that are at hand.
static void keep_solids(const ffi_mjcf *m, const ffi_mesh_solid_triangles *triangles, ffi_mjcf_mesh *mesh)
{
  for (int shell = 0; shell < 2; ++shell) {
    if (triangles->count < 1 || (!shell && mesh->mass == FFI_MJCF_MASS_CONVEX))
      continue;
    mesh->solid[shell] = ffi_mesh_solid(triangles, rule_of(m, mesh, shell));
    mesh->has_solid[shell] = 1;
  }
}

static void warn_of_plate(ffi_mjcf *m, const ffi_mjcf_mesh *mesh)
{
  char text[300];
  snprintf(text, sizeof text, "the points of mesh '%.100s' lie in a plane: it touches as a thin plate",
           mesh->name);
  ffi_mjcf_ignored_warn_at(m, ffi_mjcf_file_of(mesh->node), ffi_xml_line(mesh->node), text);
}

void ffi_mjcf_mesh_make_hull(ffi_mjcf *m, ffi_mjcf_mesh *mesh)
{
  if (!mesh->is_found || mesh->is_read || ffi_mjcf_failed(m))
    return;
  mesh->is_read = 1;
  if (!is_known_format(mesh)) {
    ffi_mjcf_ignored_add(m, mesh->node, FFI_MJCF_PHYSICS, "meshes that are not .stl, .obj or .dae");
    return;
  }
  ffi_mesh_points points = {.file = mesh->file, .error = m->xml->error};
  ffi_mesh_hull hull = {0};
  ff_status status = ffi_mesh_read(files_of(m), mesh->scale, &points);
  if (status == FF_OK)
    status = ffi_mesh_hull_of(&m->arena, &points, &hull);
  if (status != FF_OK) {
    m->xml->status = status;
  } else {
    const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(&points);
    keep_solids(m, &triangles, mesh);
  }
  ffi_mesh_free(&points);
  mesh->hull = hull.corners;
  mesh->hull_count = hull.count;
  mesh->excess = hull.excess;
  if (status == FF_OK && hull.count == 0)
    ffi_mjcf_ignored_add(m, mesh->node, FFI_MJCF_PHYSICS, "meshes whose points lie on a line");
  else if (status == FF_OK && hull.is_flat)
    warn_of_plate(m, mesh);
}

void ffi_mjcf_mesh_warn(ffi_mjcf *m)
{
  ffi_mesh_excess worst = {0};
  char text[512];
  for (int i = 0; i < m->mesh_count; ++i)
    ffi_mesh_excess_note(&worst, m->meshes[i].excess, m->meshes[i].name, &m->meshes[i]);
  const ffi_mjcf_mesh *first = worst.where[0];
  if (!first || !ffi_mesh_excess_text(&worst, text, sizeof text))
    return;
  const xmlNode *node = first->node;
  ffi_mjcf_ignored_warn_at(m, ffi_mjcf_file_of(node), ffi_xml_line(node), text);
}

// ---- Volumes ----------------------------------------------------------------------------------------------------

// The points of a mesh and its triangles: its file's, which are read for it, or its own. Free them if the mesh has a
// file.
static int open_points(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_mesh *mesh, ffi_mesh_points *out)
{
  *out = (ffi_mesh_points){.file = mesh->file, .error = m->xml->error};
  if (mesh->file && !mesh->is_found) {
    ffi_mjcf_fail(
        m, FF_ERROR_FILE, node,
        "its mesh '%.100s' was not found: put the file there, or give the body an <inertial>, or the geom "
        "mass=\"0\" and a size",
        mesh->file);
  } else if (mesh->file && !is_known_format(mesh)) {
    ffi_mjcf_fail(
        m, FF_ERROR_UNSUPPORTED, node,
        "its mesh '%.100s' is not .stl, .obj or .dae: convert it, or give the body an <inertial>, or the "
        "geom mass=\"0\" and a size",
        mesh->file);
  } else if (mesh->file) {
    const ff_status status = ffi_mesh_read(files_of(m), mesh->scale, out);
    if (status != FF_OK && !ffi_mjcf_failed(m))
      m->xml->status = status;
  } else {
    out->xyz = mesh->vertices;
    out->count = mesh->vertex_count;
    out->corner = mesh->faces;
    out->triangle_count = mesh->face_count;
  }
  return !ffi_mjcf_failed(m);
}

static void close_points(const ffi_mjcf_mesh *mesh, ffi_mesh_points *points)
{
  if (mesh->file)
    ffi_mesh_free(points);
}

static void make_hull_solid(ffi_mjcf *m, const xmlNode *node, const ffi_mesh_points *points,
                            ffi_mjcf_mesh *mesh)
{
  if (ffi_hull_solid(points->count, points->xyz, &mesh->solid[0]) == FFI_HULL_NO_MEMORY)
    ffi_mjcf_no_memory(m);
  else if (!(mesh->solid[0].volume > 0))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the vertices of its mesh span no volume, so it has no inertia");
  mesh->has_solid[0] = 1;
}

// A mesh without triangles weighs as the hull of its points.
static const ffi_hull_integrals *solid_of(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_mesh *mesh, int is_shell)
{
  const int shell = is_shell || mesh->mass == FFI_MJCF_MASS_SHELL;
  ffi_mesh_points points;
  if (mesh->has_solid[shell] || !open_points(m, node, mesh, &points))
    return &mesh->solid[shell];
  const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(&points);
  keep_solids(m, &triangles, mesh);
  if (!mesh->has_solid[shell] && !shell)
    make_hull_solid(m, node, &points, mesh);
  else if (!mesh->has_solid[shell])
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "its mesh '%.100s' has no triangles, so it has no surface",
                  mesh->name);
  close_points(mesh, &points);
  return &mesh->solid[shell];
}

// A mesh whose volume is rounding: below 1e-12 of a cube's with its area. MuJoCo has no such meshes either.
static int has_volume(const ffi_mjcf_mesh *mesh, const ffi_hull_integrals *solid, int is_shell)
{
  const double area = mesh->solid[1].volume;
  return solid->volume > 0 && (is_shell || !mesh->has_solid[1] || solid->volume > 1e-12 * area * sqrt(area));
}

// In the mesh's frame, at density 1: tr(S) 1 - S.
static ff_inertia inertia_of(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_mesh *mesh, int is_shell)
{
  const ffi_hull_integrals *solid = solid_of(m, node, mesh, is_shell);
  ff_inertia out = {.mass = solid->volume};
  const double *S = solid->moments, trace = S[0] + S[3] + S[5];
  if (!ffi_mjcf_failed(m) && !has_volume(mesh, solid, is_shell))
    ffi_mjcf_fail(
        m, FF_ERROR_MODEL, node,
        "its mesh '%.100s' encloses no volume: give the body an <inertial>, or the mesh inertia=\"shell\"",
        mesh->name);
  ffi_v3_copy(solid->centre, out.com);
  for (int i = 0; i < 6; ++i)
    out.matrix[i] = (i == 0 || i == 3 || i == 5 ? trace : 0) - S[i];
  return out;
}

ff_inertia ffi_mjcf_mesh_inertia(ffi_mjcf *m, const ffi_mjcf_geom *geom)
{
  ffi_mjcf_mesh *mesh = &m->meshes[geom->mesh_id];
  const ff_pose pose = ff_pose_compose(&geom->place.pose, &mesh->pose);
  const ff_inertia own = inertia_of(m, geom->node, mesh, geom->is_shell);
  return ff_inertia_transform(&pose, &own);
}

// ---- Fitted primitives --------------------------------------------------------------------------------------------

// Principal axes with the largest moment first: x y z of the frame in which MuJoCo fits. z is the long one.
static void principal_frame(const ff_inertia *inertia, double moments[3], ff_pose *frame)
{
  double values[3], V[9], R[9];
  int order[3] = {0, 1, 2};
  ffi_mjcf_inertia_principal(inertia->matrix, values, V);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2 - i; ++k)
      if (values[order[k]] < values[order[k + 1]]) {
        const int swap = order[k];
        order[k] = order[k + 1];
        order[k + 1] = swap;
      }
  for (int k = 0; k < 3; ++k) {
    moments[k] = values[order[k]];
    for (int i = 0; i < 3; ++i)
      R[3 * i + k] = V[3 * i + order[k]];
  }
  const double x[3] = {R[0], R[3], R[6]}, y[3] = {R[1], R[4], R[7]};
  double z[3];
  ffi_v3_cross(x, y, z); // right-handed
  for (int i = 0; i < 3; ++i)
    R[3 * i + 2] = z[i];
  ffi_quat_from_matrix(R, frame->quaternion);
  ffi_v3_copy(inertia->com, frame->position);
}

// Half sizes of the box with the mesh's volume and moments.
static void fit_box(const ff_inertia *inertia, const double moments[3], double half[3])
{
  for (int k = 0; k < 3; ++k) {
    const double square = 6 * (moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k]) / inertia->mass;
    half[k] = sqrt(fmax(square, 0)) / 2;
  }
}

static void take_box_sizes(const double half[3], ffi_mjcf_geom *geom)
{
  double *size = geom->size;
  switch (geom->type) {
  case FFI_MJCF_SPHERE: size[0] = (half[0] + half[1] + half[2]) / 3; break;
  case FFI_MJCF_CAPSULE:
    size[0] = (half[0] + half[1]) / 2;
    size[1] = fmax(half[2] - size[0] / 2, 0);
    break;
  case FFI_MJCF_CYLINDER:
    size[0] = (half[0] + half[1]) / 2;
    size[1] = half[2];
    break;
  default: ffi_v3_copy(half, size);
  }
}

// A point of the mesh in the frame that fits.
static void in_frame(const ff_pose *frame, const double x[3], double out[3])
{
  double d[3], back[4];
  ffi_v3_sub(x, frame->position, d);
  ffi_quat_conjugate(frame->quaternion, back);
  ffi_quat_rotate(back, d, out);
}

// The smallest primitive of its kind, centred where the box along the frame's axes is, that holds all points. The
// frame's origin moves there.
static void take_bounds(const ffi_mesh_points *p, ff_pose *frame, ffi_mjcf_geom *geom)
{
  double low[3], high[3], centre[3], half[3], radius = 0, around = 0, *size = geom->size;
  ffi_v3_set((double)INFINITY, (double)INFINITY, (double)INFINITY, low);
  ffi_v3_set(-(double)INFINITY, -(double)INFINITY, -(double)INFINITY, high);
  for (size_t i = 0; i < (size_t)p->count; ++i) {
    double x[3];
    in_frame(frame, p->xyz + 3 * i, x);
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], x[k]);
      high[k] = fmax(high[k], x[k]);
    }
  }
  for (int k = 0; k < 3; ++k) {
    half[k] = (high[k] - low[k]) / 2;
    centre[k] = low[k] + half[k];
  }
  const ff_pose to = {{centre[0], centre[1], centre[2]}, {0, 0, 0, 1}};
  *frame = ff_pose_compose(frame, &to);
  for (size_t i = 0; i < (size_t)p->count; ++i) {
    double x[3];
    in_frame(frame, p->xyz + 3 * i, x);
    radius = fmax(radius, ffi_v3_norm(x));
    around = fmax(around, hypot(x[0], x[1]));
  }
  ffi_v3_copy(half, size);
  if (geom->type == FFI_MJCF_SPHERE)
    size[0] = radius;
  if (geom->type != FFI_MJCF_CAPSULE && geom->type != FFI_MJCF_CYLINDER)
    return;
  size[0] = around;
  size[1] = geom->type == FFI_MJCF_CYLINDER ? half[2] : 0;
  for (size_t i = 0; i < (size_t)p->count && geom->type == FFI_MJCF_CAPSULE; ++i) {
    double x[3];
    in_frame(frame, p->xyz + 3 * i, x);
    const double cap =
        sqrt(fmax(around * around - x[0] * x[0] - x[1] * x[1], 0)); // height of the round end there
    size[1] = fmax(size[1], fabs(x[2]) - cap);
  }
}

void ffi_mjcf_mesh_fit(ffi_mjcf *m, ffi_mjcf_geom *geom)
{
  ffi_mjcf_mesh *mesh = &m->meshes[geom->mesh_id];
  double moments[3], half[3];
  ff_pose frame = ff_pose_identity();
  if (geom->type == FFI_MJCF_PLANE || geom->type == FFI_MJCF_HFIELD) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, geom->node,
                  "a plane or height field cannot be fitted to a mesh: leave out 'mesh'");
    return;
  }
  const ff_inertia inertia = inertia_of(m, geom->node, mesh, geom->is_shell);
  if (ffi_mjcf_failed(m))
    return;
  principal_frame(&inertia, moments, &frame);
  if (ffi_mjcf_attach_compiler(m, geom->node)->fit_aabb) {
    ffi_mesh_points points;
    if (open_points(m, geom->node, mesh, &points))
      take_bounds(&points, &frame, geom);
    close_points(mesh, &points);
  } else {
    fit_box(&inertia, moments, half);
    take_box_sizes(half, geom);
  }
  for (int k = 0; k < 3; ++k)
    geom->size[k] *= geom->fit_scale;
  geom->place.pose = ff_pose_compose(&geom->place.pose, &mesh->pose);
  geom->place.pose = ff_pose_compose(&geom->place.pose, &frame);
  geom->mesh = NULL;
  geom->mesh_id = -1;
}
