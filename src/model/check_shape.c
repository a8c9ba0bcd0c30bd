// Checks of shapes: type, sizes, vertices, heights, material, colour.
#include "model/check.h"

#include "base/fail.h"
#include "math/vec3.h"

enum { MAX_VERTICES = 1000000 }; // of one hull; far above any, to keep products in range

// How many of the sizes a type uses; -1: no such type.
static int sizes_used(ff_shape_type type)
{
  switch (type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_PLANE:
  case FF_SHAPE_HULL:
  case FF_SHAPE_MESH: return 0;
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_DISK: return 1;
  case FF_SHAPE_CAPSULE:
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_HEIGHTFIELD: return 2;
  case FF_SHAPE_BOX:
  case FF_SHAPE_ELLIPSOID: return 3;
  }
  return -1;
}

static ff_status check_hull(const ffi_source *at, const char *thing, const ff_shape_def *shape,
                            ff_error *error)
{
  if (!shape->vertices || shape->vertex_count < 4)
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                    "a hull needs at least 4 vertices (it has %d)",
                    shape->vertices ? shape->vertex_count : 0);
  if (shape->vertex_count > MAX_VERTICES)
    return ffi_fail(error, FF_ERROR_LIMIT, at->file, at->line, thing,
                    "a hull of %d vertices is too large, the limit is %d", shape->vertex_count, MAX_VERTICES);
  if (!ffi_all_finite(shape->vertices, 3 * shape->vertex_count))
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing, "a vertex of the hull is not finite");
  return FF_OK;
}

static ff_status check_mesh(const ffi_source *at, const char *thing, const ff_shape_def *shape,
                            ff_error *error)
{
  if (!shape->mesh_file || !shape->mesh_file[0])
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing, "a mesh needs the name of its file");
  for (int i = 0; i < 3; ++i)
    if (!isfinite(shape->scale[i]) || shape->scale[i] == 0)
      return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                      "the scale of a mesh must be finite and not zero (it is %g)", shape->scale[i]);
  return FF_OK;
}

static ff_status check_field(const ffi_source *at, const char *thing, const ff_shape_def *shape,
                             ff_error *error)
{
  if (!shape->heights || shape->rows < 2 || shape->columns < 2)
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                    "a height field needs heights in at least 2 rows and 2 columns (it has %d and %d)",
                    shape->heights ? shape->rows : 0, shape->heights ? shape->columns : 0);
  if (shape->rows > FF_MAX_FIELD || shape->columns > FF_MAX_FIELD)
    return ffi_fail(error, FF_ERROR_LIMIT, at->file, at->line, thing,
                    "a height field of %d rows and %d columns is too large, the limit is %d each",
                    shape->rows, shape->columns, (int)FF_MAX_FIELD);
  if (!ffi_all_finite(shape->heights, shape->rows * shape->columns))
    return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                    "a height of the height field is not finite");
  return FF_OK;
}

ff_status ffi_check_shape_geometry(const ffi_source *at, const char *thing, ff_shape_def *shape,
                                   ff_error *error)
{
  const char *file = at->file;
  int line = at->line;
  int used = sizes_used(shape->type);
  if (used < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no shape type %d",
                    (int)shape->type);
  for (int i = 0; i < used; ++i)
    if (!(shape->size[i] > 0) || isinf(shape->size[i]))
      return ffi_fail(error, FF_ERROR_MODEL, file, line, thing,
                      "size %d of a %s must be finite and > 0 (it is %g)", i, ff_shape_type_name(shape->type),
                      shape->size[i]);
  ff_status status = FF_OK;
  if (shape->type == FF_SHAPE_HULL)
    status = check_hull(at, thing, shape, error);
  else if (shape->type == FF_SHAPE_MESH)
    status = check_mesh(at, thing, shape, error);
  else if (shape->type == FF_SHAPE_HEIGHTFIELD)
    status = check_field(at, thing, shape, error);
  return status == FF_OK ? ffi_check_pose(at, thing, &shape->pose, error) : status;
}

static ff_status check_material(const ffi_source *at, const char *thing, const ff_material *m,
                                ff_error *error)
{
  const char *complaint = NULL;
  double value = 0;
  if (!(m->stiffness > 0) || isinf(m->stiffness))
    complaint = "the stiffness of its material must be finite and > 0", value = m->stiffness;
  else if (!(m->damping >= 0) || isinf(m->damping))
    complaint = "the damping of its material must be finite and >= 0", value = m->damping;
  else if (!(m->friction >= 0) || isinf(m->friction))
    complaint = "the friction of its material must be finite and >= 0", value = m->friction;
  else if (!(m->restitution >= 0 && m->restitution <= 1))
    complaint = "the restitution of its material must lie in 0..1", value = m->restitution;
  else if (!(m->tangential_restitution >= 0 && m->tangential_restitution <= 1))
    complaint = "the tangential restitution of its material must lie in 0..1",
    value = m->tangential_restitution;
  else if (!(m->torsional_friction >= 0) || isinf(m->torsional_friction))
    complaint = "the torsional friction of its material must be finite and >= 0",
    value = m->torsional_friction;
  else if (!(m->rolling_friction >= 0) || isinf(m->rolling_friction))
    complaint = "the rolling friction of its material must be finite and >= 0", value = m->rolling_friction;
  if (!complaint)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing, "%s (it is %g)", complaint, value);
}

ff_status ffi_check_shape(const ffi_source *at, const char *thing, ff_shape_def *shape, ff_error *error)
{
  ff_status status = ffi_check_shape_geometry(at, thing, shape, error);
  if (status == FF_OK)
    status = check_material(at, thing, &shape->material, error);
  if (status != FF_OK)
    return status;
  if (shape->purpose < 1 || shape->purpose > (FF_SHAPE_VISUAL | FF_SHAPE_COLLISION))
    return ffi_fail(error, FF_ERROR_ARGUMENT, at->file, at->line, thing, "%d is not a purpose of a shape",
                    shape->purpose);
  for (int i = 0; i < 4; ++i)
    if (!(shape->rgba[i] >= 0 && shape->rgba[i] <= 1))
      return ffi_fail(error, FF_ERROR_MODEL, at->file, at->line, thing,
                      "each part of its colour must lie in 0..1 (part %d is %g)", i, shape->rgba[i]);
  return FF_OK;
}
