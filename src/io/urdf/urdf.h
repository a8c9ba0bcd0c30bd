/// urdf.h: robots in URDF.
///
/// A document is read in passes, because its elements come in any order:
///
///     urdf_xacro.c     refuses files that still contain xacro
///     urdf_tree.c      lists links and joints, connects them by name, finds the root, orders links
///     urdf_material.c  lists the colours that have names
///     urdf_joint.c     one <joint> to an ff_joint_def
///     urdf_link.c      one <link> to inertia and shapes, with urdf_geometry.c for the shapes' sizes
///     urdf_footfall.c  our own element <footfall>: points, frames, postures, gravity, actuators
///     urdf_element.c   and in it <element>: springs, stops, closed loops, welds
///     urdf_collision.c and in it <exclude>, <pair>, <filter>, <parents>: who collides
///     urdf_srdf.c      the SRDF beside it
///     urdf.c           calls these in order
///
/// Functions record failures in the document's ffi_xml (the first one counts) and return its status, or nothing where
/// the caller checks the status later. Strings point into the document.
#ifndef FFI_IO_URDF_H
#define FFI_IO_URDF_H

#include "base/arena.h"
#include "base/names.h"
#include "io/mesh/mesh_excess.h"
#include "io/xml/xml.h"

#include <footfall/builder.h>
#include <footfall/load.h>

typedef struct ffi_urdf_link {
  const char *name;
  const xmlNode *node;
  int joint;           ///< that carries it, -1 for the root
  int id;              ///< the builder's, FF_WORLD for a root called "world"
  int is_anchored;     ///< does not move in the world
  ff_inertia inertia;  ///< as in the file
  int has_weight;      ///< it or something that it carries has mass or moments of inertia
  ff_material contact; ///< of its collision shapes; known once its shapes are
} ffi_urdf_link;

typedef struct ffi_urdf_joint {
  const char *name;
  const xmlNode *node;
  ff_joint_type type;   ///< as it is built: a mimic joint may have become fixed
  int parent, child;    ///< links
  int is_mimic, leader; ///< leader: the joint that it mimics
  int is_fixed_by_caller;
  double multiplier, offset;
  int has_limits;
  double lower, upper; ///< [rad] or [m]
} ffi_urdf_joint;

typedef struct ffi_urdf_color {
  double rgba[4];
} ffi_urdf_color;

/// What is known of a shape in the builder.
typedef struct ffi_urdf_shape {
  int link; ///< the builder's
  int is_collision;
} ffi_urdf_shape;

typedef struct ffi_urdf {
  ffi_xml *xml;
  const xmlNode *robot;
  const ff_load_def *def;
  ff_builder *builder;
  ffi_arena arena;

  ffi_urdf_link *links;
  ffi_urdf_joint *joints;
  ffi_urdf_color *colors;
  ffi_urdf_shape *shapes; ///< in the builder's order
  int link_count, joint_count, color_count, shape_count;
  int link_capacity, joint_capacity, color_capacity, shape_capacity;
  int has_filters; ///< a <filter> in <footfall> sets masks
  ffi_names link_names, joint_names, color_names;
  ffi_names tendon_names;  ///< to the builder's ids
  ffi_names posture_names; ///< of <footfall>
  ffi_names frame_links;   ///< frames of <footfall> to their links, which count from 1 here; 0 is the world

  int root;   ///< link
  int *order; ///< [link_count] links, parents before children

  int light_count;            ///< moving links that were given the least inertia
  const ffi_urdf_link *light; ///< the first
  char light_names[200];

  int missing_meshes;
  const xmlNode *first_missing; ///< the first <mesh> of them
  ffi_mesh_excess excess;       ///< meshes whose hulls are larger
} ffi_urdf;

// ---- Passes -----------------------------------------------------------------------------------------------

ff_status ffi_urdf_xacro_refuse(ffi_urdf *u);
ff_status ffi_urdf_tree_read(ffi_urdf *u);
ff_status ffi_urdf_material_read(ffi_urdf *u);
/// The tendons in <footfall>.
void ffi_urdf_tendon_read_all(ffi_urdf *u);
/// The builder's id of the tendon that an attribute names; -1 after a failure.
int ffi_urdf_tendon_find(ffi_urdf *u, const xmlNode *node, const char *attribute);
/// Couplings of mimic joints, if the caller wants them.
void ffi_urdf_tendon_couple_mimics(ffi_urdf *u);
ff_status ffi_urdf_joint_read(ffi_urdf *u, ffi_urdf_joint *joint, ff_joint_def *out);
/// The inertias of all links.
ff_status ffi_urdf_link_inertias(ffi_urdf *u);
/// What a moving link has that neither has nor carries any mass: 1 g in a ball of 5 cm, 1e-6 kg m^2.
ff_inertia ffi_urdf_link_least_inertia(void);
ff_status ffi_urdf_link_shapes(ffi_urdf *u, ffi_urdf_link *link);
ff_status ffi_urdf_footfall_read(ffi_urdf *u);
/// What <footfall> says of collisions, when all shapes are in the builder.
void ffi_urdf_collision_read(ffi_urdf *u);
int ffi_urdf_collision_is_part(const xmlNode *node);
/// A shape to the builder, with the masks that a <filter> gives it. `link` is the builder's.
void ffi_urdf_collision_add_shape(ffi_urdf *u, int link, const char *link_name, ff_shape_def *shape);
/// The SRDF that `def` names, or the one beside the file.
void ffi_urdf_srdf_read(ffi_urdf *u);
/// urdf_ignored.c: warnings about what is not used.
void ffi_urdf_ignored_warn(ffi_urdf *u);

// ---- Parts ------------------------------------------------------------------------------------------------

/// The colour of a <visual>'s <material>; default grey.
void ffi_urdf_material_color(ffi_urdf *u, const xmlNode *visual, double rgba[4]);

/// The shape in a <geometry>. Returns 0, with a warning or a failure, if there is none that can be kept.
int ffi_urdf_geometry_read(ffi_urdf *u, const xmlNode *holder, ff_shape_def *out);

/// One <element>, when all links and frames are in the builder.
void ffi_urdf_element_read(ffi_urdf *u, const xmlNode *node);

// ---- Values -----------------------------------------------------------------------------------------------

/// Keep a warning about a node. Lack of memory is a failure.
void ffi_urdf_warn(ffi_urdf *u, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

ff_status ffi_urdf_no_memory(ffi_urdf *u);

/// Errors of the builder are about this node from here on.
void ffi_urdf_at(ffi_urdf *u, const xmlNode *node);

/// Take over a status that the builder returned; it has filled the error.
ff_status ffi_urdf_take(ffi_urdf *u, ff_status status);

/// An attribute that names something: present, not empty, not longer than FF_MAX_NAME.
const char *ffi_urdf_value_name(ffi_urdf *u, const xmlNode *node, const char *attribute);
int ffi_urdf_value_coordinates(ff_joint_type type); ///< how many numbers a joint has in a posture

/// The only child of that name, NULL if there is none; of several the first, with a warning.
const xmlNode *ffi_urdf_value_only(ffi_urdf *u, const xmlNode *node, const char *name);

/// A number that must not be negative. Absent: untouched, 0 is returned.
int ffi_urdf_value_amount(ffi_urdf *u, const xmlNode *node, const char *attribute, double *out);

/// The same, where "inf" is a value too and means "no ceiling".
int ffi_urdf_value_ceiling(ffi_urdf *u, const xmlNode *node, const char *attribute, double *out);

/// The pose in attributes xyz and rpy of a node, or xyz and a quaternion x y z w (`quat_xyzw`, as newer URDF
/// has it, or `quaternion`). Identity where they are absent or the node is NULL.
ff_pose ffi_urdf_value_pose(ffi_urdf *u, const xmlNode *node);

// ---- The whole --------------------------------------------------------------------------------------------

/// Build the model of an open document whose root element is <robot>. `def` is not NULL. Fills `error` on
/// failure, which must be the one the document was opened with; `*out` is then untouched.
ff_status ffi_urdf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error);

#endif
