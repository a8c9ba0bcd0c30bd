/// shipped_file.h: paths of the shipped models and scenes, and of shared objects that the benchmarks load.
#ifndef BENCH_SHIPPED_FILE_H
#define BENCH_SHIPPED_FILE_H

#include <stddef.h>

/// Path of models/`file`: in `folder` if that is not NULL; else beside the build folder, in the installation of this
/// program, or in the source it was built from. Returns 0 if it is not found; `path` then holds the first place tried.
int bench_shipped_file_model(const char *folder, const char *file, char *path, size_t size);

/// The same for scenes/.
int bench_shipped_file_scene(const char *folder, const char *file, char *path, size_t size);

/// The same for peers/, which is beside this program, in its installation, or in the build folder.
int bench_shipped_file_peer(const char *file, char *path, size_t size);

#endif
