/// model.h: a compiled model inside.
///
/// Bodies are numbered in kernel order: body 0 is the world, then depth first, so that a parent comes before
/// its children and a subtree is the contiguous range [i, subtree_end). Moving joint i carries body i + 1.
///
/// Each body has an *internal frame*. Its origin is the joint's origin. For free, planar and spherical joints
/// its axes are those of the joint (planar: turned so that the normal is z). For revolute and prismatic
/// joints the axes are chosen so that the kernels have little to do:
///   - if the joint's axis, at q = 0, is exactly +x, +y or +z of the parent's internal frame, the internal
///     frame is parallel to the parent's at q = 0 (kinds *_X, *_Y, *_Z: no constant rotation at all);
///   - otherwise it is the joint's frame turned so that the axis is its z (kinds *_G, with the constant rotation `R0`),
///     by a permutation of its axes where that does it.
/// So a joint's rotation is R0 Rz(q), Rx(q), Ry(q) or Rz(q), and its motion subspace is always one component.
/// Links and frames carry the constant pose from the internal frame to their own.
#ifndef FFI_MODEL_MODEL_H
#define FFI_MODEL_MODEL_H

#include <footfall/builder.h>
#include <footfall/model.h>

#include <stddef.h>

/// The joint of a body, as the kernels see it. Rotation of the body in its parent: E = R0 * (joint rotation).
typedef enum ffi_kind {
  FFI_KIND_WORLD, ///< body 0
  FFI_KIND_REVOLUTE_X,
  FFI_KIND_REVOLUTE_Y,
  FFI_KIND_REVOLUTE_Z,
  FFI_KIND_REVOLUTE_G, ///< about z, after R0
  FFI_KIND_PRISMATIC_X,
  FFI_KIND_PRISMATIC_Y,
  FFI_KIND_PRISMATIC_Z,
  FFI_KIND_PRISMATIC_G, ///< along z, after R0
  FFI_KIND_PLANAR,      ///< in xy, about z, after R0
  FFI_KIND_SPHERICAL,   ///< after R0
  FFI_KIND_FREE,        ///< parent is the world, R0 = identity, p = 0 (a root's placement is part of q alone)
} ffi_kind;

/// Constants of one body, all in its internal frame unless said otherwise.
typedef struct ffi_body {
  int kind;        ///< ffi_kind
  int parent;      ///< body, < own index; -1 for the world
  int level;       ///< 0 for the world, else the parent's + 1
  int subtree_end; ///< one past the last body of the subtree
  int q, nq;       ///< slice of q
  int v, nv;       ///< slice of v
  int depth;       ///< number of velocities on the path from the root to this body, own ones included
  int v_end;       ///< one past the last velocity of the subtree, which are the contiguous [v, v_end)
  double p[3];     ///< joint origin at q = 0, in the parent's internal frame [m]
  double R0[9];    ///< constant rotation, body at q = 0 to parent, row-major; identity for X, Y, Z and free
  double mass;     ///< [kg]
  double mc[3];    ///< mass times centre of mass [kg m]
  double I[6];     ///< rotational inertia about the origin, xx xy xz yy yz zz [kg m^2]
  double Sigma[6]; ///< integral of r r' dm about the origin, xx xy xz yy yz zz; = tr(I)/2 1 - I
} ffi_body;

/// One frame: constant pose in a body's internal frame.
typedef struct ffi_frame {
  const char *name;
  int body; ///< 0: the world
  int link; ///< -1: the world
  double p[3];
  double R[9]; ///< frame to body, row-major
} ffi_frame;

typedef struct ffi_posture {
  const char *name;
  const double *q; ///< [nq]
} ffi_posture;

struct ff_model {
  const char *name;
  ff_model_size size;
  size_t bytes; ///< of the whole block, see pack.c
  double mass;
  double gravity[3];
  int body_count; ///< size.joints + 1
  int max_level;  ///< deepest level, >= 0
  int max_depth;  ///< longest path in velocities

  const ffi_body *bodies; ///< [body_count]
  const double
      *lift; ///< [body_count][4] mass and first moment whose weight is carried; NULL: none of any body

  // By velocity. The mass matrix and its factor are stored as rows of ancestors: row i holds the entries of
  // (i, j) for the velocities j on the path from the root to i, root first, i last; entry (i, i) is the last.
  const int *dof_body;   ///< [nv] body that velocity i moves
  const int *dof_parent; ///< [nv] velocity before it on its path, -1 for the first of a root
  const int *dof_depth;  ///< [nv] number of velocities before it on its path; row i has dof_depth + 1 entries
  const int *dof_row;    ///< [nv + 1] where row i starts; dof_row[nv] is the number of stored entries
  const double *dof_armature; ///< [nv]
  const double *dof_damping;  ///< [nv]

  const ff_joint_info *joints; ///< [size.joints]
  const ff_link_info *links;
  const int *link_carrier; ///< [size.links] parent, or the link that it was cut from (cut.h); -1: the world
  const int *
      body_holder; ///< [body_count] for collisions: the body that carries it, past massless ones without shapes
  const int (*exclusions)[2]; ///< [size.exclusions] sorted, see ff_model_exclusion()
  const ff_shape_pair *pairs; ///< [size.pairs] sorted, see ff_model_pair()
  const int *shape_is_paired; ///< [size.shapes]
  ff_parent_rule parent_rule;
  const ffi_frame *frames; ///< frame 0 is the world
  const ff_shape_info *shapes;
  const ff_actuator_info *actuators;
  const ff_element_def *elements; ///< [size.elements]
  const ff_tendon_info *tendons;  ///< [size.tendons]
  const ffi_posture *postures;
  const char *const *warnings;

  const int *joints_by_name; ///< [size.joints] in byte order of their names
  const int *frames_by_name; ///< [size.frames]
};

#endif
