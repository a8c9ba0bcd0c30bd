/// overrides.h: fields of a scene that the command line overrides, the same in every command that takes a scene.
///
///     ffi_overrides overrides = {0};
///     ffi_overrides_add(&overrides, "dt", "--dt", "2ms");                 // an option that stands for a field
///     if (!ffi_overrides_add_field(&overrides, "ground[0].slope=5deg"))   // the value of --set
///       return FFI_EXIT_USAGE;
///     ff_scene_load(path, overrides.list, overrides.count, &scene, &error);
///     ffi_overrides_free(&overrides);
#ifndef FFI_CLI_OVERRIDES_H
#define FFI_CLI_OVERRIDES_H

#include <footfall/scene.h>

typedef struct ffi_overrides {
  ff_scene_override *list; ///< [count], owned, with path and said; values belong to the command line
  int count;
} ffi_overrides;

/// An option overrides a field; `value` NULL is true.
void ffi_overrides_add(ffi_overrides *overrides, const char *path, const char *option, const char *value);
int ffi_overrides_add_field(ffi_overrides *overrides,
                            const char *text); ///< field=value; 0 after an error message

/// The exit status after ff_scene_load() failed: FFI_EXIT_USAGE if an override was wrong, FFI_EXIT_FAILED if a file
/// was.
int ffi_overrides_exit_status(const ffi_overrides *overrides, const ff_error *error);

/// Does the stepper have all options that were overridden? 0 after an error message, which names the steppers that do.
int ffi_overrides_check(const ffi_overrides *overrides, ff_stepper stepper);

/// Of a model, which has no other fields: options that --set overrides. 0 after an error message.
int ffi_overrides_apply(const ffi_overrides *overrides, const char *model, ff_sim_def *def);

/// Print the warnings of a scene, such as deprecated keys.
void ffi_overrides_print_warnings(const ff_scene *scene);
void ffi_overrides_free(ffi_overrides *overrides);

#endif
