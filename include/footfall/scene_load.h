/// scene_load.h: scenes from YAML files. In the library footfall_io.
///
/// Loading checks everything: an error names file, line and field, "squat.yaml:12: ground[0].friction: must not be below
/// 0". docs/guide/scenes.md lists all fields.
///
///     ff_scene *scene;
///     if (ff_scene_load("scenes/solo-squat.yaml", NULL, 0, &scene, &error) != FF_OK) ...
#ifndef FOOTFALL_SCENE_LOAD_H
#define FOOTFALL_SCENE_LOAD_H

#include <footfall/files.h>
#include <footfall/scene_def.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ff_scene;

/// One field, changed by the caller before anything is checked.
typedef struct ff_scene_override {
  const char *path;  ///< "stepper.type", "ground[0].friction"
  const char *value; ///< YAML: rk4, 2ms, [0, 0, 1]
  const char *said;  ///< for messages, in place of file and line: "--dt 2ms"; NULL: made from path and value
} ff_scene_override;

enum { FF_SCENE_FIELD_SIZE = 128 }; ///< bytes of the longest path

/// The fields that there are, in turn: the path of the one with this number to `path`; 0 after the last. Fields inside
/// lists are left out.
int ff_scene_field(int index, char path[FF_SCENE_FIELD_SIZE]);

/// The words that a field may be, in turn; NULL after the last, and for fields that take no words.
const char *ff_scene_field_word(const char *path, int index);

/// Read a scene, the model and the trajectory that it names, check all, and put the sim at the start. overrides
/// [override_count] (may be NULL, 0) change fields first. On failure nothing is left behind, and the error has file, line
/// and field. The caller destroys the scene, ff_scene_destroy().
ff_status ff_scene_load(const char *path, const ff_scene_override *overrides, int override_count,
                        struct ff_scene **out, ff_error *error);

/// The same, and `keep` (may be NULL) takes copies of what is read: the scene with its overrides, the model and the files
/// that these name. With `from` (may be NULL) only files in it are read; `path` is then for messages.
ff_status ff_scene_load_files(const char *path, const ff_scene_override *overrides, int override_count,
                              ff_files *keep, const ff_files *from, struct ff_scene **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
