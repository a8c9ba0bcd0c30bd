/// mjcf_hfield.h: height fields of MJCF.
#ifndef FFI_IO_MJCF_HFIELD_H
#define FFI_IO_MJCF_HFIELD_H

#include "io/mjcf/mjcf.h"

/// <hfield> in <asset>.
typedef struct ffi_mjcf_hfield {
  const char *name;
  const char *file; ///< the path; NULL: heights are in the model's file
  double size[4];   ///< half widths along x and y, height, depth [m]
  int rows, columns;
  double *heights; ///< [rows x columns], from the smallest y, 0 to size[2] [m]
} ffi_mjcf_hfield;

void ffi_mjcf_hfield_read(ffi_mjcf *m, const xmlNode *node);
/// The field that a geom names; a failure if it is none.
void ffi_mjcf_hfield_find(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom);
void ffi_mjcf_hfield_shape(const ffi_mjcf_hfield *field, ff_shape_def *shape);

#endif
