/// save.h: robots as files, URDF or MJCF. In the library footfall_io.
///
///     ff_saved saved;
///     if (ff_model_save_text(model, FF_MODEL_MJCF, "robot.xml", &saved, &error) == FF_OK)
///       fwrite(saved.text, 1, saved.length, file);
///     ff_saved_free(&saved);
///
/// What is read back moves alike: the same coordinates in the same order, links, inertias, joints, limits, postures, actuators. Each format lacks
/// something that a model may have; what was left out or written as something else is told in notes. URDF has an element `footfall` for what only
/// Footfall reads (contact points, frames, postures, gravity, actuators, closed loops), which other programs skip.
#ifndef FOOTFALL_SAVE_H
#define FOOTFALL_SAVE_H

#include <footfall/model.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which kind of file.
typedef enum ff_model_format {
  FF_MODEL_URDF, ///< of ROS; an element `footfall` has what URDF lacks
  FF_MODEL_MJCF, ///< of MuJoCo
} ff_model_format;

/// A file that the robot's own names, to be written beside it: a hull that was in no file, as Wavefront OBJ.
typedef struct ff_saved_mesh {
  char *path;    ///< where it belongs
  char *text;    ///< the file
  size_t length; ///< bytes of it
} ff_saved_mesh;

/// Start from zeros; ff_saved_free() frees what is in it.
typedef struct ff_saved {
  char *text;            ///< the file
  size_t length;         ///< bytes of it
  char *notes;           ///< what the format cannot say, a line each; "" if there is nothing
  int note_count;        ///< lines of them
  ff_saved_mesh *meshes; ///< [mesh_count] files that must be written too
  int mesh_count;        ///< URDF only; 0 unless there are hulls that are in no file
} ff_saved;

/// `path` is where the file will lie: meshes are named from there, see ff_path_between(). After a failure `out` is empty.
ff_status ff_model_save_text(const ff_model *model, ff_model_format format, const char *path, ff_saved *out,
                             ff_error *error);
void ff_saved_free(ff_saved *saved); ///< NULL is fine

#ifdef __cplusplus
}
#endif
#endif
