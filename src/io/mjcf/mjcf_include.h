/// mjcf_include.h: several files of MJCF as one. The end of mjcf.h, which includes it.
#ifndef FFI_IO_MJCF_INCLUDE_H
#define FFI_IO_MJCF_INCLUDE_H

#include "io/mjcf/mjcf.h"

/// Open all included files, and theirs.
void ffi_mjcf_include_open(ffi_mjcf *m);
void ffi_mjcf_include_close(ffi_mjcf *m);

/// Open the file that a node names, with what it includes; the first on the way to it is the node's own. NULL after a
/// failure.
ffi_mjcf_file *ffi_mjcf_include_open_file(ffi_mjcf *m, const xmlNode *node);
/// Put a file at the end of the list.
void ffi_mjcf_include_append(ffi_mjcf *m, ffi_mjcf_file *file);
/// The file of a document.
ffi_mjcf_file *ffi_mjcf_include_file(const xmlNode *node);
/// The element around one, also through <include>; NULL: none.
const xmlNode *ffi_mjcf_include_parent(const xmlNode *node);

/// The first child element and the next sibling, looking through <include>.
const xmlNode *ffi_mjcf_include_child(const ffi_mjcf *m, const xmlNode *node);
const xmlNode *ffi_mjcf_include_next(const ffi_mjcf *m, const xmlNode *node);

/// Go one level down or up; going too deep is a failure. Each enter has its leave.
int ffi_mjcf_include_enter(ffi_mjcf *m, const xmlNode *node);
void ffi_mjcf_include_leave(ffi_mjcf *m);

#endif
