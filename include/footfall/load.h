/// load.h: robots from files. In the library footfall_io.
///
/// ff_model_load() looks at the root element, not at the file's ending: `robot` is URDF, `mujoco` is MJCF.
/// Every error says file, line and element; nothing leaks on any failure.
#ifndef FOOTFALL_LOAD_H
#define FOOTFALL_LOAD_H

#include <footfall/files.h>
#include <footfall/model.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What to do with a URDF mimic joint: Footfall has no coupled coordinates.
typedef enum ff_mimic_policy {
  FF_MIMIC_REFUSE, ///< an error that names the joint (default)
  FF_MIMIC_FREE,   ///< an ordinary, independent joint, with a warning
  FF_MIMIC_FIX,    ///< fixed at its offset, with a warning
} ff_mimic_policy;

/// A contact point that the file does not have.
typedef struct ff_load_point {
  const char *link; ///< that carries it
  const char *name; ///< may be NULL
  double at[3];     ///< in the link's frame [m]
} ff_load_point;

/// Start from ff_load_def_default(), or pass NULL for it.
typedef struct ff_load_def {
  size_t size;           ///< of this struct as the program was compiled; ff_load_def_init() sets it
  int fixed_base;        ///< URDF: fix the root to the world; default 0: it floats, unless the root link is
                         ///< called "world"
  ff_mimic_policy mimic; ///< URDF
  const char *const *mesh_paths; ///< NULL-terminated folders to look for meshes in, after the file's own
                                 ///< and ROS_PACKAGE_PATH; package://name/rest is looked for as
                                 ///< DIR/name/rest and DIR/rest
  const ff_load_point
      *contact_points;     ///< [contact_point_count] added to those of the file, with the default material
  int contact_point_count; ///< default 0
  int unused;              ///< 0
  ff_files *keep;          ///< takes a copy of every file that is read, meshes to be seen too; default NULL
  const ff_files *from;    ///< read these and no others; the path is for messages. Default NULL: the disk's
} ff_load_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_load_def_default() is shorter.
void ff_load_def_init(ff_load_def *def, size_t size);

/// The root floats, mimic joints are refused, files are read from the disk and not kept.
static inline ff_load_def ff_load_def_default(void)
{
  ff_load_def def;
  ff_load_def_init(&def, sizeof def);
  return def;
}

/// Read a robot; `def` NULL: the default. The caller owns the model, ff_model_destroy(). FF_ERROR_FILE: not there or not readable;
/// FF_ERROR_PARSE: no XML, or a value that is none; FF_ERROR_MODEL: no robot. What was odd, but could be read, is in ff_model_warning().
ff_status ff_model_load(const char *path, const ff_load_def *def, ff_model **out, ff_error *error);

/// The same from memory. `name` stands for the file in messages; relative paths are taken from the working folder.
ff_status ff_model_load_memory(const char *text, size_t length, const char *name, const ff_load_def *def,
                               ff_model **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
