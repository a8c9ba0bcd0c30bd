/// mjcf_contact.h: who collides in MJCF. The end of mjcf.h, which includes it.
#ifndef FFI_IO_MJCF_CONTACT_H
#define FFI_IO_MJCF_CONTACT_H

#include "io/mjcf/mjcf.h"

/// <contact>: pairs are noted before geoms become shapes, and read with exclusions after that.
void ffi_mjcf_contact_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_pair *pair);
void ffi_mjcf_contact_remember(ffi_mjcf *m, const xmlNode *section);
void ffi_mjcf_contact_read(ffi_mjcf *m, const xmlNode *section);
void ffi_mjcf_contact_set_parents(ffi_mjcf *m);

#endif
