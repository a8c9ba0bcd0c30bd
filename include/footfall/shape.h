/// shape.h: shapes that bodies carry, and the inertia of bodies.
///
/// A shape is a primitive in its own frame; ff_shape_def.pose places it in a link. The fields of each type are:
///
///     FF_SHAPE_POINT        none
///     FF_SHAPE_SPHERE       size[0] radius
///     FF_SHAPE_CAPSULE      size[0] radius, size[1] length of the cylindrical part, along z, centred
///     FF_SHAPE_BOX          size[0..2] full edge lengths along x, y, z, centred
///     FF_SHAPE_CYLINDER     size[0] radius, size[1] full length along z, centred
///     FF_SHAPE_DISK         size[0] radius; infinitely thin, normal along z
///     FF_SHAPE_PLANE        none; the half space below its xy plane is solid, z is the outward normal
///     FF_SHAPE_HULL         vertices [vertex_count x 3]: the convex hull of these points
///     FF_SHAPE_MESH         mesh_file and scale; visual only. ff_model_load() makes hulls of collision meshes
///     FF_SHAPE_HEIGHTFIELD  size[0..1] full extents along x and y, centred; heights [rows x columns] on a regular grid
///                           over them, solid below. Column c is at x = (c / (columns - 1) - 1/2) size[0], row r at
///                           y = (r / (rows - 1) - 1/2) size[1]; heights are along z. Empty outside the grid.
///     FF_SHAPE_ELLIPSOID    size[0..2] half lengths along x, y, z, centred
#ifndef FOOTFALL_SHAPE_H
#define FOOTFALL_SHAPE_H

#include <footfall/contact.h>
#include <footfall/pose.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Type of a shape; the table above lists its fields.
typedef enum ff_shape_type {
  FF_SHAPE_POINT,       ///< a contact point
  FF_SHAPE_SPHERE,      ///< a ball
  FF_SHAPE_CAPSULE,     ///< a cylinder with round ends
  FF_SHAPE_BOX,         ///< a cuboid
  FF_SHAPE_CYLINDER,    ///< a cylinder with flat ends
  FF_SHAPE_DISK,        ///< an infinitely thin disk
  FF_SHAPE_PLANE,       ///< a half space
  FF_SHAPE_HULL,        ///< the convex hull of points
  FF_SHAPE_MESH,        ///< a triangle mesh, visual only
  FF_SHAPE_HEIGHTFIELD, ///< terrain over a grid
  FF_SHAPE_ELLIPSOID,   ///< a ball stretched along its axes
} ff_shape_type;

/// Name of a shape type: "sphere", "box", ... Never NULL.
const char *ff_shape_type_name(ff_shape_type type);

/// Purpose of a shape, a bit mask.
enum {
  FF_SHAPE_VISUAL = 1,    ///< it is drawn
  FF_SHAPE_COLLISION = 2, ///< it collides
};

enum { FF_MAX_FIELD = 4096 }; ///< most rows, and most columns, of a height field

/// A shape. Start from ff_shape_def_default(). The builder copies everything, names, vertices and heights included.
typedef struct ff_shape_def {
  const char *name;       ///< may be NULL; need not be unique
  ff_shape_type type;     ///< default FF_SHAPE_SPHERE
  double size[3];         ///< [m], see above; finite and > 0 where used
  ff_pose pose;           ///< the shape's frame in its link's frame, default identity
  int purpose;            ///< FF_SHAPE_VISUAL | FF_SHAPE_COLLISION, default both
  ff_material material;   ///< default ff_material_default()
  double rgba[4];         ///< colour, each 0..1, default 0.7 0.7 0.7 1
  const double *vertices; ///< hull only, [vertex_count x 3], in the shape's frame [m]
  int vertex_count;       ///< hull only, >= 4
  /// Mesh: path of the file if it was found, else the reference in the model's file; hull: source of its vertices,
  /// may be NULL
  const char *mesh_file;
  double scale[3];       ///< of the mesh file, default 1 1 1
  const double *heights; ///< height field only, [rows x columns], row-major, in the shape's frame [m]
  int rows;              ///< height field only, along y, 2..FF_MAX_FIELD
  int columns;           ///< height field only, along x, 2..FF_MAX_FIELD
  /// Bit masks, default 1 and 1. Two shapes may collide if a bit of one's contype is among the other's conaffinity, in
  /// either direction; collision.h has all rules. The ground of a sim collides with every shape that has a bit set
  int contype, conaffinity;
} ff_shape_def;

/// A grey sphere of the default material, for drawing and collision. The caller must set its radius.
ff_shape_def ff_shape_def_default(void);

/// Mass distribution of one rigid body.
typedef struct ff_inertia {
  double mass;      ///< [kg], >= 0
  double com[3];    ///< centre of mass in the link's frame [m]
  double matrix[6]; ///< about the centre of mass, axes of the link's frame: xx xy xz yy yz zz [kg m^2]
} ff_inertia;

/// All zero.
ff_inertia ff_inertia_zero(void);

/// Inertia of a solid shape of the given density [kg/m^3], in the link's frame (the shape's pose applied). Points and
/// planes have none; a disk's density is per area [kg/m^2]. FF_ERROR_UNSUPPORTED for a mesh and for a height field.
ff_status ff_inertia_from_shape(const ff_shape_def *shape, double density, ff_inertia *out, ff_error *error);

/// Inertia of two bodies joined rigidly, both given in the same frame.
ff_inertia ff_inertia_add(const ff_inertia *a, const ff_inertia *b);

/// Express an inertia in another frame: `pose` places the frame of `inertia` in the frame of the result.
ff_inertia ff_inertia_transform(const ff_pose *pose, const ff_inertia *inertia);

#ifdef __cplusplus
}
#endif
#endif
