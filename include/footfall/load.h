/// load.h: read robots from files. In the library footfall_io.
///
/// ff_model_load() recognises the format by the root element, not by the file name: `robot` is URDF, `mujoco` is
/// MJCF. Every error names file, line and element. A failure leaks nothing.
#ifndef FOOTFALL_LOAD_H
#define FOOTFALL_LOAD_H

#include <footfall/files.h>
#include <footfall/model.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Treatment of a URDF mimic joint.
typedef enum ff_mimic_policy {
  FF_MIMIC_REFUSE, ///< an error that names the joint
  FF_MIMIC_FREE,   ///< an ordinary, independent joint, with a warning
  FF_MIMIC_FIX,    ///< fixed at its offset, with a warning
  FF_MIMIC_COUPLE, ///< follows the other joint: a FF_ELEMENT_COUPLING, 'joint_mimic' (default)
} ff_mimic_policy;

/// Which collision shapes of an MJCF have the softness that MuJoCo's solref and solimp describe, as stiffness and
/// damping; the others have those of ff_material_default(). docs/guide/mjcf.md has the rule.
typedef enum ff_contact_parameters {
  FF_CONTACT_PARAMETERS_STATED,   ///< those for which the file states solref or solimp (default)
  FF_CONTACT_PARAMETERS_MUJOCO,   ///< all, with MuJoCo's defaults where the file states none
  FF_CONTACT_PARAMETERS_FOOTFALL, ///< none
} ff_contact_parameters;

/// Treatment of links that move but neither have nor carry any mass: their acceleration would be undefined.
typedef enum ff_massless_policy {
  FF_MASSLESS_LEAST,  ///< 1 g and 1e-6 kg m^2 about each axis, with a warning that names them (default)
  FF_MASSLESS_FIX,    ///< URDF: fixed to their parents, with a warning; else refused
  FF_MASSLESS_REFUSE, ///< an error that names the joint
} ff_massless_policy;

/// A contact point to add to the model of a file.
typedef struct ff_load_point {
  const char *link; ///< link that carries it
  const char *name; ///< may be NULL
  double at[3];     ///< in the link's frame [m]
} ff_load_point;

/// Options of ff_model_load(). Start from ff_load_def_default(), or pass NULL for it.
typedef struct ff_load_def {
  size_t size; ///< of this struct as the program was compiled; ff_load_def_init() sets it
  /// URDF: 1: fix the root to the world; default 0: the root floats, unless the root link is called "world"
  int fixed_base;
  ff_mimic_policy mimic; ///< URDF, default FF_MIMIC_COUPLE
  /// NULL-terminated list of folders with meshes, searched after the file's own folder and ROS_PACKAGE_PATH; default
  /// NULL. package://name/rest is searched as DIR/name/rest and DIR/rest
  const char *const *mesh_paths;
  /// [contact_point_count] added to those of the file, with the default material; default NULL
  const ff_load_point *contact_points;
  int contact_point_count;                  ///< default 0
  ff_contact_parameters contact_parameters; ///< MJCF, default FF_CONTACT_PARAMETERS_STATED
  ff_files *keep;       ///< takes a copy of every file that is read, visual meshes included; default NULL
  const ff_files *from; ///< read only these files; the path is then for messages. Default NULL: the disk
  /// URDF: its SRDF file, with links that do not collide and postures. Default NULL: NAME.srdf beside NAME.urdf, if
  /// there is one; "": none
  const char *srdf;
  ff_massless_policy massless; ///< default FF_MASSLESS_LEAST
  int unused;                  ///< 0
} ff_load_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_load_def_default() is shorter.
void ff_load_def_init(ff_load_def *def, size_t size);

/// The root floats, mimic joints follow, files are read from the disk and not kept.
static inline ff_load_def ff_load_def_default(void)
{
  ff_load_def def;
  ff_load_def_init(&def, sizeof def);
  return def;
}

/// Read a robot. `def` may be NULL for the default. The caller owns the model and calls ff_model_destroy().
/// FF_ERROR_FILE: the file does not exist or cannot be read; FF_ERROR_PARSE: not XML, or a malformed value;
/// FF_ERROR_MODEL: not a valid robot. ff_model_warning() lists what is suspicious but readable.
ff_status ff_model_load(const char *path, const ff_load_def *def, ff_model **out, ff_error *error);

/// Read a robot from memory. `name` stands for the file in messages; relative paths start at the working folder.
ff_status ff_model_load_memory(const char *text, size_t length, const char *name, const ff_load_def *def,
                               ff_model **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
