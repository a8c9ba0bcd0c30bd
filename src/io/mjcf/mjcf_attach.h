/// mjcf_attach.h: <attach> of MJCF: bodies of other models, under names with a prefix.
///
/// The models that <model> in <asset> names are *sources*: open files that are not walked. For each <attach> the
/// bodies, and what refers to them, are copied to documents of their own, as if they were included where they belong.
#ifndef FFI_IO_MJCF_ATTACH_H
#define FFI_IO_MJCF_ATTACH_H

#include "io/mjcf/mjcf.h"

/// What a file of an attached model has besides.
typedef struct ffi_mjcf_attach_part {
  const xmlNode *asked;       ///< of a source: the <model>
  ffi_mjcf_compiler compiler; ///< units, limits and folders of the model
} ffi_mjcf_attach_part;

/// Replace every <attach>. After includes are open, before anything is read.
void ffi_mjcf_attach_expand(ffi_mjcf *m);

int ffi_mjcf_attach_is_source(const ffi_mjcf_file *file);

/// Is this of an attached model?
int ffi_mjcf_attach_is_part(const xmlNode *node);

/// The <compiler> that counts for an element.
const ffi_mjcf_compiler *ffi_mjcf_attach_compiler(const ffi_mjcf *m, const xmlNode *node);

#endif
