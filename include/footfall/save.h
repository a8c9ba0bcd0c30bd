/// save.h: write robots as URDF or MJCF. In the library footfall_io.
///
///     ff_saved saved;
///     if (ff_model_save_text(model, FF_MODEL_MJCF, "robot.xml", &saved, &error) == FF_OK)
///       fwrite(saved.text, 1, saved.length, file);
///     ff_saved_free(&saved);
///
/// A model that is read back moves alike: it has the same coordinates in the same order, links, inertias, joints,
/// limits, postures and actuators. Each format lacks some features of a model; the notes report what was left out or
/// replaced. In URDF an element `footfall` stores what only Footfall reads (contact points, frames, postures,
/// gravity, actuators, closed loops); other programs skip it.
#ifndef FOOTFALL_SAVE_H
#define FOOTFALL_SAVE_H

#include <footfall/model.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// File format.
typedef enum ff_model_format {
  FF_MODEL_URDF, ///< of ROS; an element `footfall` stores what URDF lacks
  FF_MODEL_MJCF, ///< of MuJoCo
} ff_model_format;

/// A mesh file that the robot's file refers to: a hull that came from no file, as Wavefront OBJ.
typedef struct ff_saved_mesh {
  char *path;    ///< where to write it
  char *text;    ///< contents of the file
  size_t length; ///< bytes of `text`
} ff_saved_mesh;

/// A robot as text. Start from zeros; ff_saved_free() frees its contents.
typedef struct ff_saved {
  char *text;            ///< contents of the file
  size_t length;         ///< bytes of `text`
  char *notes;           ///< what the format cannot represent, one line each; "" if nothing
  int note_count;        ///< lines of `notes`
  ff_saved_mesh *meshes; ///< [mesh_count] files to write as well
  int mesh_count;        ///< URDF only; 0 unless there are hulls that came from no file
} ff_saved;

/// Write a model as text. `path` is where the file will be stored; the text names meshes relative to it, see
/// ff_path_between(). After a failure `out` is empty.
ff_status ff_model_save_text(const ff_model *model, ff_model_format format, const char *path, ff_saved *out,
                             ff_error *error);
void ff_saved_free(ff_saved *saved); ///< NULL is fine

#ifdef __cplusplus
}
#endif
#endif
