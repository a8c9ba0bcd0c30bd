/// changes.h: fields of a scene that a command line changes, the same in every command that takes a scene.
///
///     ffi_changes changes = {0};
///     ffi_change(&changes, "dt", "--dt", "2ms");              // an option that stands for a field
///     if (!ffi_change_field(&changes, "ground[0].slope=5deg"))   // what follows --set
///       return FFI_EXIT_USAGE;
///     ff_scene_load(path, changes.list, changes.count, &scene, &error);
///     ffi_changes_free(&changes);
#ifndef FFI_APPS_CHANGES_H
#define FFI_APPS_CHANGES_H

#include <footfall/scene.h>

typedef struct ffi_changes {
  ff_scene_override *list; ///< [count], owned, with path and said; values belong to the command line
  int count;
} ffi_changes;

/// An option changes a field; `value` NULL is true.
void ffi_change(ffi_changes *changes, const char *path, const char *option, const char *value);
int ffi_change_field(ffi_changes *changes, const char *text); ///< field=value; 0 after a complaint
/// The exit status after a scene could not be loaded: was it for a word of the command line, or for a file?
int ffi_changes_status(const ffi_changes *changes, const ff_error *error);
/// Has the stepper all options that were changed? 0 after a complaint, which names the steppers that have it.
int ffi_changes_check(const ffi_changes *changes, ff_stepper stepper);
/// Of a model, which has no other fields: options that --set changes. 0 after a complaint.
int ffi_changes_apply(const ffi_changes *changes, const char *model, ff_sim_def *def);
/// Tell what a scene warns of, such as keys that are old ones.
void ffi_changes_warn(const ff_scene *scene);
void ffi_changes_free(ffi_changes *changes);

#endif
