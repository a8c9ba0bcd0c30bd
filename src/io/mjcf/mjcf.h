/// mjcf.h: robots described in MuJoCo's XML (MJCF).
///
/// docs/guide/mjcf.md says what is read, converted, ignored and refused. In short: the kinematic tree, its inertias,
/// shapes, sites, actuators and keyframes become a model with the same motion as in MuJoCo. Elements that change the
/// motion but have no counterpart here are named in the model's warnings. Elements that make another mechanism are
/// refused.
///
/// The files, in the order of reading:
///
///     mjcf_include.c    included files, walked as if they were one
///     mjcf_compiler.c   <compiler> and <option>: units, angles, limits
///     mjcf_class.c      <default>: classes, the settings that elements start from
///     mjcf_asset.c      <asset>: meshes and materials by name
///     mjcf_mesh.c       what meshes are: hulls, volumes, primitives fitted to them
///     mjcf_body.c       <worldbody>: bodies, frames and their contents, collected in document order
///     mjcf_joint.c, mjcf_geom.c, mjcf_actuator.c, mjcf_keyframe.c    one kind of element each
///     mjcf_inertia.c    inertias from geoms, and the compiler's corrections
///     mjcf_draft.c      masses that springs, servos and contacts depend on
///     mjcf_replicate.c  <replicate>: copies in the document
///     mjcf_friction.c   friction of geoms by MuJoCo's rule
///     mjcf_softness.c   solref and solimp of geoms, mjcf_stand.c what geoms carry: their stiffness and damping
///     mjcf_build.c      all of it to the builder
///     mjcf_contact.c    <contact>: pairs and exclusions
///     mjcf_value.c, mjcf_ignored.c, mjcf_name.c                      attributes, the list of what was ignored, names
///
/// Reading has two halves. First the document is collected into the arrays below, in document order, which is the
/// order of MuJoCo's ids and of its qpos. Then the arrays go to the builder. In between come the
/// steps that need the whole document: missing names, the total mass, references.
///
/// The first failure is kept in m->xml; later reads do no harm, and callers check ffi_mjcf_failed() where going on
/// would be wasted. Quaternions are x y z w as everywhere in Footfall; only attributes are w x y z.
#ifndef FFI_IO_MJCF_H
#define FFI_IO_MJCF_H

#include "base/arena.h"
#include "base/names.h"
#include "io/mesh/mesh_solid.h"
#include "io/xml/xml.h"

#include <footfall/builder.h>
#include <footfall/load.h>

/// Limits for hostile files. Bodies, joints, geoms and sites are limited by FF_MAX_LINKS.
enum {
  FFI_MJCF_MAX_FILES = 256,       ///< included ones and the main one
  FFI_MJCF_MAX_DEPTH = 1000,      ///< nesting through included files
  FFI_MJCF_MAX_CLASSES = 10000,   ///< a class takes about a kilobyte
  FFI_MJCF_MAX_VERTICES = 10000,  ///< of a mesh given by its vertices, ten times that of all; hulls take time
  FFI_MJCF_MAX_COPIES = 10000000, ///< vertices of all geoms that use such meshes
  FFI_MJCF_MAX_PATH = 4096,       ///< bytes of a file's name
  FFI_MJCF_MAX_IGNORED = 200,     ///< kinds of ignored things that are listed
};

/// A keyword that is "false", "true" or "auto".
enum { FFI_MJCF_FALSE, FFI_MJCF_TRUE, FFI_MJCF_AUTO };

typedef enum ffi_mjcf_joint_type {
  FFI_MJCF_FREE,
  FFI_MJCF_BALL,
  FFI_MJCF_SLIDE,
  FFI_MJCF_HINGE,
} ffi_mjcf_joint_type;

typedef enum ffi_mjcf_geom_type {
  FFI_MJCF_PLANE,
  FFI_MJCF_HFIELD,
  FFI_MJCF_SPHERE,
  FFI_MJCF_CAPSULE,
  FFI_MJCF_ELLIPSOID,
  FFI_MJCF_CYLINDER,
  FFI_MJCF_BOX,
  FFI_MJCF_MESH,
  FFI_MJCF_SDF,
} ffi_mjcf_geom_type;

/// How the mass of a mesh is spread.
typedef enum ffi_mjcf_mass {
  FFI_MJCF_MASS_LEGACY, ///< MuJoCo's default: volume with all tetrahedra positive
  FFI_MJCF_MASS_EXACT,
  FFI_MJCF_MASS_CONVEX, ///< of the hull
  FFI_MJCF_MASS_SHELL,
} ffi_mjcf_mass;

/// How an element or an attribute of the file is treated.
typedef enum ffi_mjcf_fate {
  FFI_MJCF_READ,    ///< used
  FFI_MJCF_QUIET,   ///< without meaning here, and nobody would miss it
  FFI_MJCF_LOOKS,   ///< listed: only changes what one sees or measures
  FFI_MJCF_SETTING, ///< listed: tells a simulator how to work, not what the robot is
  FFI_MJCF_PHYSICS, ///< listed first: the motion differs from MuJoCo's
  FFI_MJCF_UNKNOWN, ///< listed: no word of MJCF that this reader knows
} ffi_mjcf_fate;

/// One attribute that an element may have. Lists end with a NULL name.
typedef struct ffi_mjcf_word {
  const char *name;
  ffi_mjcf_fate fate;
  const char *neutral; ///< a value that is not worth listing, such as condim="3"; may be NULL
} ffi_mjcf_word;

/// One kind of ignored thing.
typedef struct ffi_mjcf_ignored {
  const char *what; ///< "<camera>", "attribute 'solref' of <geom>"
  ffi_mjcf_fate fate;
  const char *file; ///< of the first one
  int line;
  int count;
} ffi_mjcf_ignored;

/// An open file. The main one has no include.
typedef struct ffi_mjcf_file {
  struct ffi_mjcf_file *next;
  ffi_xml xml;
  const xmlNode *include; ///< the element that asked for it, in the file that includes it
  const char *name;       ///< relative to the main file's folder; "" for the main file
  unsigned long long device, inode;
  struct ffi_mjcf_attach_part *part; ///< of an attached model: mjcf_attach.h; else NULL
} ffi_mjcf_file;

/// <compiler>.
typedef struct ffi_mjcf_compiler {
  int degrees;              ///< default 1
  char eulerseq[4];         ///< default "xyz"; lower case about turned axes, upper case about fixed ones
  int autolimits;           ///< default 1
  int inertia_from_geom;    ///< FFI_MJCF_FALSE, TRUE or AUTO (default)
  int inertia_groups[2];    ///< default 0 5
  double bound_mass;        ///< [kg], default 0
  double bound_inertia;     ///< [kg m^2], default 0
  int balance_inertia;      ///< default 0
  double total_mass;        ///< [kg], <= 0 (default): as it comes
  int fit_aabb;             ///< default 0
  int exact_mesh_inertia;   ///< default 0
  const char *mesh_folder;  ///< may be NULL
  const char *asset_folder; ///< may be NULL
  int strip_path;           ///< default 0
} ffi_mjcf_compiler;

/// Where a geom or a site is. A class may hold one too.
typedef struct ffi_mjcf_place {
  ff_pose pose;     ///< in the body
  int has_fromto;   ///< then position and orientation come from it
  double fromto[6]; ///< [m]
} ffi_mjcf_place;

/// <joint> and <freejoint>; in a class, what joints start from.
typedef struct ffi_mjcf_joint {
  const xmlNode *node;
  const char *name; ///< NULL until ffi_mjcf_name_all()
  int body;
  ffi_mjcf_joint_type type;
  double pos[3], axis[3];
  int limited;           ///< false, true, auto; after finishing false or true
  double range[2];       ///< as written; after finishing in radians
  double ref, springref; ///< likewise
  double stiffness, damping, frictionloss, armature;
  double springdamper[2]; ///< [s], [-]; both above 0: they give stiffness and damping
  double inertia;         ///< M at its coordinate in the file's pose, see ffi_mjcf_draft_inertias()
  int force_limited;
  double force_range[2]; ///< actuatorfrcrange
  int link;              ///< builder's id of the link it moves
} ffi_mjcf_joint;

/// MuJoCo's softness of contacts, solref and solimp.
typedef struct ffi_mjcf_softness {
  double solref[2], solimp[5];
  double solmix;
  int is_stated; ///< the file gives solref or solimp, for the geom or its class
} ffi_mjcf_softness;

/// <geom>; in a class, what geoms start from.
typedef struct ffi_mjcf_geom {
  const xmlNode *node;
  const char *name; ///< may be NULL
  int body;
  ffi_mjcf_geom_type type;
  double size[3]; ///< MuJoCo's: half sizes
  ffi_mjcf_place place;
  int has_mass;
  double mass, density;
  int is_shell;                ///< its mass is on its surface
  double fit_scale;            ///< of a primitive that is fitted to a mesh
  double friction, turning[2]; ///< along the surface [-]; torsional and rolling [m], for condim 4 and 6
  int contype, conaffinity, group, condim, priority;
  ffi_mjcf_softness softness;
  double margin, gap;        ///< [m]
  double stiffness, damping; ///< after finishing [N/m], [N s/m]; NAN: those of ff_material_default()
  double rgba[4];
  const char *material, *mesh, *hfield; ///< references, NULL if none
  int hfield_id;                        ///< after finishing, if it is one
  int mesh_id;                          ///< after finishing, -1 if none
  int is_paired;                        ///< a <pair> names it
  int shape;                            ///< the builder's number; -1: it is no shape
} ffi_mjcf_geom;

/// <site>.
typedef struct ffi_mjcf_site {
  const xmlNode *node;
  const char *name; ///< as given, not NULL
  int body;
  ffi_mjcf_place place;
} ffi_mjcf_site;

/// <body>. Number 0 is the world. Joints and geoms of a body are neighbours in their arrays.
typedef struct ffi_mjcf_body {
  const xmlNode *node;
  const char *name; ///< NULL until ffi_mjcf_name_all()
  int parent;
  int moves;     ///< has a joint between itself and the world
  ff_pose pose;  ///< in the parent body
  ff_pose world; ///< in the world, where all joints are as written
  int has_inertial;
  ff_inertia inertia; ///< in the body's frame
  double gravcomp;    ///< share of its weight that is carried
  int first_joint, joint_count;
  int first_geom, geom_count;
  int link; ///< builder's id
} ffi_mjcf_body;

/// How an actuator makes force from control, as far as it matters here.
enum { FFI_MJCF_DYN_NONE, FFI_MJCF_DYN_FILTER, FFI_MJCF_DYN_OTHER };
enum { FFI_MJCF_GAIN_FIXED, FFI_MJCF_GAIN_OTHER };
enum { FFI_MJCF_BIAS_NONE, FFI_MJCF_BIAS_AFFINE, FFI_MJCF_BIAS_OTHER };

/// An actuator on a joint; in a class, what all actuators start from, whatever their element's name.
typedef struct ffi_mjcf_actuator {
  const xmlNode *node;
  const char *name; ///< may be NULL
  int joint;
  double gear[6]; ///< on a site: force and torque; elsewhere the first counts
  int dyn, gain, bias;
  double gainprm[3], biasprm[3]; ///< force = gainprm[0] control + biasprm . (1, length, velocity)
  double position_kv, damping_ratio, time_constant,
      inherit_range; ///< of <position>, kept apart so that classes can give them
  int control_limited, force_limited;
  double control_range[2], force_range[2];
} ffi_mjcf_actuator;

/// What <connect> and <weld> start from in a class.
typedef struct ffi_mjcf_equality {
  int active;
  int is_direct;             ///< solref gives these two
  double stiffness, damping; ///< [N/m], [N s/m]
} ffi_mjcf_equality;

/// What <pair> in <contact> starts from in a class.
typedef struct ffi_mjcf_pair {
  double friction; ///< sliding; -1: that of the geoms
} ffi_mjcf_pair;

/// <fixed> or <spatial> in <tendon>; in a class, what tendons start from.
typedef struct ffi_mjcf_tendon {
  const char *name;
  int id; ///< builder's; -1: it has none, like a spatial one
  int is_spatial;
  int count;                  ///< joints
  const int *links;           ///< [count] builder's
  const double *coefficients; ///< [count]
  int limited;                ///< false, true, auto
  double range[2];
  double stiffness, damping, frictionloss;
  double springlength[2];  ///< -1: the length at the joints' springref
  double reference, slack; ///< its length as written, and at springref
} ffi_mjcf_tendon;

/// <mesh> in <asset>.
typedef struct ffi_mjcf_mesh {
  const xmlNode *node;
  const char *name;
  const char *file; ///< the path found, or as written; NULL for one given by its vertices
  double scale[3];
  ff_pose pose;     ///< of the file's frame in the geom's, after scaling
  double *vertices; ///< [vertex_count x 3], scaled; NULL with a file
  int vertex_count;
  int *faces; ///< [face_count x 3] numbers of vertices; NULL if there are none, or with a file
  int face_count;
  int mass;     ///< ffi_mjcf_mass, -1: as <compiler> says
  int is_found; ///< is there such a file?
  int is_read;  ///< was its hull asked for?
  const double *
      hull; ///< [hull_count x 3] corners of the file's hull, scaled; NULL if none were asked for, or it is a line
  int hull_count;
  double excess;               ///< volume of the hull over that of the mesh, less 1
  int has_solid[2];            ///< of the volume, of the surface
  ffi_hull_integrals solid[2]; ///< in the file's frame, scaled
} ffi_mjcf_mesh;

/// <material> in <asset>.
typedef struct ffi_mjcf_material {
  const char *name;
  double rgba[4];
} ffi_mjcf_material;

/// A class of <default>.
typedef struct ffi_mjcf_class {
  const char *name;
  ffi_mjcf_joint joint;
  ffi_mjcf_geom geom;
  ffi_mjcf_place site;
  ffi_mjcf_actuator actuator;
  ffi_mjcf_equality equality;
  ffi_mjcf_tendon tendon;
  ffi_mjcf_pair pair;
  double mesh_scale[3];
  int mesh_mass;
  double material_rgba[4];
} ffi_mjcf_class;

/// The whole reading.
typedef struct ffi_mjcf {
  ffi_xml *xml; ///< the main document; its `file` is switched to that of the element at hand
  const ff_load_def *def;
  const char *folder; ///< of the main file, with its final '/', or ""
  ff_builder *builder;
  ffi_arena arena;
  ffi_mjcf_file main_file; ///< its xml is a copy for the record
  int file_count;
  int depth; ///< of nesting, while walking

  ffi_mjcf_compiler compiler;
  double gravity[3];
  int has_gravity;      ///< <flag gravity>
  int is_draft;         ///< the builder is a draft\'s
  int has_inertias;     ///< of joints
  int is_elliptic;      ///< cone="elliptic"
  double impratio;      ///< of <option>, default 1
  double least_time;    ///< [s] of solref, twice the timestep
  int has_refsafe;      ///< <flag refsafe>: least_time counts
  int has_equality;     ///< <flag equality>
  int has_filterparent; ///< <flag filterparent>
  int shape_count;      ///< the builder's

  ffi_mjcf_class *classes; ///< [0] is "main"
  ffi_mjcf_mesh *meshes;
  ffi_mjcf_material *materials;
  struct ffi_mjcf_hfield *hfields;
  int hfield_count, hfield_capacity, height_count; ///< heights of all fields
  ffi_mjcf_body *bodies;                           ///< [0] is the world
  ffi_mjcf_joint *joints;
  ffi_mjcf_geom *geoms;
  ffi_mjcf_site *sites;
  ffi_mjcf_tendon *tendons;
  ffi_mjcf_ignored *ignored;
  int class_count, mesh_count, material_count, body_count, joint_count, geom_count, site_count, tendon_count,
      ignored_count;
  int class_capacity, mesh_capacity, material_capacity, body_capacity, joint_capacity, geom_capacity,
      site_capacity, tendon_capacity, ignored_capacity;
  long copies;      ///< elements that <replicate> has made
  int nq;           ///< MuJoCo's number of coordinates
  int key_count;    ///< keyframes read so far
  int vertex_count; ///< of all meshes given by their vertices

  const xmlNode *lost_mesh; ///< the first mesh whose file was not found
  int lost_mesh_count;

  ffi_names class_names, mesh_names, material_names, body_names, joint_names, geom_names, site_names,
      actuator_names, key_names, tendon_names, hfield_names;
  ffi_names frame_names;      ///< what links and frames are called in the model
  ffi_names link_joint_names; ///< what joints are called in the model, fixed ones too
} ffi_mjcf;

// ---- mjcf_ignored.c: what was not used ----------------------------------------------------------------------

/// Put a thing on the list; text as printf.
void ffi_mjcf_ignored_add(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_fate fate, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// List every attribute of an element that is not read.
void ffi_mjcf_ignored_check(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_word *words);

/// The list as warnings of the model, worst first.
void ffi_mjcf_ignored_warn(ffi_mjcf *m);

/// mjcf_consequence.c: what it means for the motion, and how bad that is: 0 is worst.
const char *ffi_mjcf_consequence_of(const ffi_mjcf_ignored *ignored, int *rank);

/// A warning of the model at a line; control characters in it become '?'.
void ffi_mjcf_ignored_warn_at(ffi_mjcf *m, const char *file, int line, char *text);

// ---- mjcf_name.c --------------------------------------------------------------------------------------------

/// Remember a name; refuse a second one of its kind. NULL names are fine and not remembered.
void ffi_mjcf_name_remember(ffi_mjcf *m, ffi_names *table, const xmlNode *node, const char *name, int value);

/// A name that is not in the table: the text, or if that is taken the text with a number behind. It is now taken.
const char *ffi_mjcf_name_unique(ffi_mjcf *m, ffi_names *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Give every body and joint its name.
void ffi_mjcf_name_all(ffi_mjcf *m);

/// Memory has run out.
void ffi_mjcf_no_memory(ffi_mjcf *m);

// ---- The sections, in the order they are read ---------------------------------------------------------------

void ffi_mjcf_compiler_read(ffi_mjcf *m, const xmlNode *section);
void ffi_mjcf_compiler_read_option(ffi_mjcf *m, const xmlNode *section);

void ffi_mjcf_class_start(ffi_mjcf *m); ///< "main" with MuJoCo's own defaults
void ffi_mjcf_class_read(ffi_mjcf *m, const xmlNode *section);

/// The class an element starts from: its own `attribute` ("class", "childclass"), else `inherited`.
int ffi_mjcf_class_of(ffi_mjcf *m, const xmlNode *node, const char *attribute, int inherited);

void ffi_mjcf_asset_read(ffi_mjcf *m, const xmlNode *section);
void ffi_mjcf_asset_mesh(ffi_mjcf *m, const xmlNode *node, double scale[3], int *mass);
void ffi_mjcf_asset_material(ffi_mjcf *m, const xmlNode *node, double rgba[4]);

/// Read the file of a mesh that is to touch, once, and make its hull.
void ffi_mjcf_mesh_make_hull(ffi_mjcf *m, ffi_mjcf_mesh *mesh);

/// The inertia of a geom's mesh at density 1, in the body's frame; fails if there is none.
ff_inertia ffi_mjcf_mesh_inertia(ffi_mjcf *m, const ffi_mjcf_geom *geom);

/// Give a primitive with a mesh its place and size. The geom has no mesh then.
void ffi_mjcf_mesh_fit(ffi_mjcf *m, ffi_mjcf_geom *geom);

/// Warn of hulls that are much larger than their meshes.
void ffi_mjcf_mesh_warn(ffi_mjcf *m);

/// The path of a file of assets; as written if it is nowhere.
const char *ffi_mjcf_asset_find(ffi_mjcf *m, const xmlNode *node, const char *written, int *is_found);
/// What an asset without a name is called: its file, without folders and ending.
const char *ffi_mjcf_asset_name_of_file(ffi_mjcf *m, const char *file);

void ffi_mjcf_replicate_expand(ffi_mjcf *m); ///< every <replicate> becomes what it stands for

void ffi_mjcf_body_read_world(ffi_mjcf *m, const xmlNode *section);

void ffi_mjcf_joint_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_joint *joint);
void ffi_mjcf_joint_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id);

void ffi_mjcf_geom_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom);
void ffi_mjcf_geom_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id, const ff_pose *frame);

/// A geom as a shape; 0 if there is no such shape (hfield).
int ffi_mjcf_geom_shape(const ffi_mjcf *m, const ffi_mjcf_geom *geom, ff_shape_def *shape);

void ffi_mjcf_site_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_place *place);
void ffi_mjcf_site_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id, const ff_pose *frame);

void ffi_mjcf_inertia_read(ffi_mjcf *m, const xmlNode *node, int body);

/// S = V diag(values) V', values in no order.
void ffi_mjcf_inertia_principal(const double S[6], double values[3], double V[9]);

/// All bodies' inertias as MuJoCo's compiler would make them.
void ffi_mjcf_inertia_finish(ffi_mjcf *m);

/// Bodies, joints, shapes and sites to the builder.
void ffi_mjcf_build(ffi_mjcf *m);
void ffi_mjcf_build_bodies(ffi_mjcf *m); ///< of these bodies and joints

/// Errors of the builder are about this node from here on.
void ffi_mjcf_build_source(ffi_mjcf *m, const xmlNode *node);

void ffi_mjcf_actuator_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_actuator *actuator);
int ffi_mjcf_actuator_is_known(const xmlNode *node); ///< one that can be represented, if on a joint
void ffi_mjcf_actuator_read(ffi_mjcf *m, const xmlNode *section);

void ffi_mjcf_equality_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_equality *equality);
void ffi_mjcf_equality_read(ffi_mjcf *m, const xmlNode *section);

// ---- mjcf_coupling.c, mjcf_tendon.c ---------------------------------------------------------------------------

/// <joint> or <tendon> in <equality>.
void ffi_mjcf_coupling_read(ffi_mjcf *m, const xmlNode *node);

void ffi_mjcf_tendon_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_tendon *tendon);
void ffi_mjcf_tendon_read(ffi_mjcf *m, const xmlNode *section);
/// The joint that an attribute names, with one coordinate; -1 after a failure.
int ffi_mjcf_tendon_joint(ffi_mjcf *m, const xmlNode *node, const char *attribute);
/// The number in m->tendons of the one that an attribute names; -1 after a failure.
int ffi_mjcf_tendon_find(ffi_mjcf *m, const xmlNode *node, const char *attribute);

/// Where the model stands at first: the first <key>, else the pose of the file. MuJoCo's coordinates, [nq].
void ffi_mjcf_keyframe_first(ffi_mjcf *m, double *qpos);

/// MuJoCo's coordinates of one joint, quaternion w x y z, as the model's; returns their number.
int ffi_mjcf_keyframe_convert(const ffi_mjcf_joint *joint, const double *qpos, double q[7]);

/// MuJoCo's qpos0 [nq].
void ffi_mjcf_keyframe_reference(const ffi_mjcf *m, double *qpos);

void ffi_mjcf_keyframe_remember(ffi_mjcf *m, const xmlNode *section);
void ffi_mjcf_keyframe_read(ffi_mjcf *m, const xmlNode *section);
/// If some joint's ref is not zero, MuJoCo's qpos0 as a posture of that name.
void ffi_mjcf_keyframe_add_reference(ffi_mjcf *m);

// ---- mjcf.c -----------------------------------------------------------------------------------------------

/// Make a model of an open document whose root is <mujoco>. `def` may be NULL; `*out` is set on success only.
/// `xml` stays open and the caller's; its `status` is that of the result.
ff_status ffi_mjcf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error);

#include "io/mjcf/mjcf_contact.h"
#include "io/mjcf/mjcf_include.h"
#include "io/mjcf/mjcf_value.h"

#endif
