/// load_points.h: contact points that the caller adds to what a file describes.
#ifndef FFI_IO_LOAD_POINTS_H
#define FFI_IO_LOAD_POINTS_H

#include <footfall/builder.h>
#include <footfall/load.h>

/// The builder's id of a link by its name; `is_found` is 0 if there is none.
typedef int (*ffi_load_points_find)(const void *reader, const char *name, int *is_found);

/// Add the points of `def`, when all links are in the builder. An error's thing is the field, "contact_points[0].link".
ff_status ffi_load_points(ff_builder *builder, const ff_load_def *def, const char *file,
                          ffi_load_points_find find, const void *reader, ff_error *error);

#endif
