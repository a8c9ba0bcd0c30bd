/// layering.h: which room may include what, and a reader of #include lines that holds every file to it.
///
/// The tables in layering.c are the allow-list: a room, the rooms whose headers it may include, and the
/// outside headers it may use besides those of the C library. An include that the tables do not allow is a
/// violation, also one that nobody thought of. To open a new room, or to let one room see another, add it there.
#ifndef FFI_TESTS_LAYERING_H
#define FFI_TESTS_LAYERING_H

#include <stddef.h>

/// Is this line of this file allowed? `path` starts at the root of the repository: "src/math/pose.c".
/// 1 if it is, or if it is no #include; 0 if not, with the reason in `why`.
int ffi_layering_line(const char *path, const char *line, char *why, size_t size);

typedef struct ffi_layering_report {
  int files, includes, violations;
  char first[8][512]; ///< the first violations, "file:line: reason"
} ffi_layering_report;

/// Read every C and C++ file below root/folder. 0 if the folder could be read, -1 if not.
int ffi_layering_folder(const char *root, const char *folder, ffi_layering_report *report);

#endif
