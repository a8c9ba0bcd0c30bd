/// find_model.h: where the shipped models and scenes are.
#ifndef BENCH_FIND_MODEL_H
#define BENCH_FIND_MODEL_H

#include <stddef.h>

/// Path of models/`file`: in `folder` if it is not NULL; else beside the build folder, in the installation that this
/// program belongs to, or in the source it was built from. 0 if it is nowhere; `path` then holds the first place tried.
int bench_find_model(const char *folder, const char *file, char *path, size_t size);

/// The same for scenes/.
int bench_find_scene(const char *folder, const char *file, char *path, size_t size);

#endif
