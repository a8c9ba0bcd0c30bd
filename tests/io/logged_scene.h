/// logged_scene.h: a scene that runs with a log, for tests.
#ifndef FFI_TESTS_LOGGED_SCENE_H
#define FFI_TESTS_LOGGED_SCENE_H

#include <footfall/log.h>
#include <footfall/scene.h>

typedef struct ffi_logged_scene {
  ff_files *files;
  ff_scene *scene;
  ff_log_writer *writer;
} ffi_logged_scene;

/// A folder of this test; ffi_logged_clean() removes it and what is in it.
const char *ffi_logged_path(const char *name);
void ffi_logged_clean(void);
int ffi_logged_tear_down(void **state); ///< the same, at the end of a group of tests

/// A failed test if it cannot be opened.
ff_log *ffi_logged_open(const char *path);

/// Load a scene with changes "path=value" (NULL-terminated list, may be NULL) and begin a log; its first row is
/// written.
void ffi_logged_begin(ffi_logged_scene *run, const char *scene, const char *const *changes, const char *log);

/// A row of the present state.
ff_log_row ffi_logged_row(const ffi_logged_scene *run);

/// Steps, each with its row; stops the test if one fails.
void ffi_logged_steps(ffi_logged_scene *run, int count);

/// Finish the log and free all.
void ffi_logged_end(ffi_logged_scene *run);

/// Go on in a new scene made from nothing but the log, in the state `index` (-1: the last).
ff_scene *ffi_logged_resume(ff_log *log, long long index);

#endif
