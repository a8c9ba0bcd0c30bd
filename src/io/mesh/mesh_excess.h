/// mesh_excess.h: one warning of all hulls that are much larger than their meshes.
///
/// Contact takes the hull of a mesh, which fills its hollows: contact begins where there is nothing. Below a tenth
/// nothing is said: screw holes, fillets and pockets of a housing stay below, and so does what few corners cut off a
/// round mesh (1 %). An L-shaped bracket has 17 %, a U-shaped one 30 % and more.
#ifndef FFI_IO_MESH_EXCESS_H
#define FFI_IO_MESH_EXCESS_H

#include <stddef.h>

#define FFI_MESH_EXCESS_LEAST 0.1

enum { FFI_MESH_EXCESS_NAMED = 5 };

/// The worst ones, in order. Start from {0}.
typedef struct ffi_mesh_excess {
  double excess[FFI_MESH_EXCESS_NAMED];
  const char *name[FFI_MESH_EXCESS_NAMED];
  const void *where[FFI_MESH_EXCESS_NAMED]; ///< of the caller
  int count;                                ///< of all
} ffi_mesh_excess;

/// Of several with one name and excess the first counts.
void ffi_mesh_excess_note(ffi_mesh_excess *list, double excess, const char *name, const void *where);

/// The warning; 0 if there is nothing to say.
int ffi_mesh_excess_text(const ffi_mesh_excess *list, char *out, size_t size);

#endif
