/// mjcf_value.h: attributes of MJCF as values. The end of mjcf.h, which includes it.
#ifndef FFI_IO_MJCF_VALUE_H
#define FFI_IO_MJCF_VALUE_H

#include "io/mjcf/mjcf.h"

/// The document with its file's name set to that of a node.
ffi_xml *ffi_mjcf_at(ffi_mjcf *m, const xmlNode *node);
const char *ffi_mjcf_file_of(const xmlNode *node);
int ffi_mjcf_failed(const ffi_mjcf *m);

/// Fail at a node, with text as printf.
#define ffi_mjcf_fail(m, status, node, ...)                                                                  \
  ffi_xml_fail(ffi_mjcf_at((m), (node)), (status), (node), __VA_ARGS__)

/// All of these leave `out` alone and return 0 if the attribute is absent or wrong; else the count read.
int ffi_mjcf_value_numbers(ffi_mjcf *m, const xmlNode *node, const char *attribute, int least, int count,
                           double *out);
int ffi_mjcf_value_number(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *out);
int ffi_mjcf_value_nonnegative(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *out);
int ffi_mjcf_value_integer(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out);
int ffi_mjcf_value_keyword(ffi_mjcf *m, const xmlNode *node, const char *attribute, const char *const *words,
                           int *out);
int ffi_mjcf_value_flag(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out);  ///< false, true
int ffi_mjcf_value_limit(ffi_mjcf *m, const xmlNode *node, const char *attribute, int *out); ///< or auto

/// A colour; an empty attribute counts as absent.
void ffi_mjcf_value_rgba(ffi_mjcf *m, const xmlNode *node, double rgba[4]);

/// A name or reference; NULL if absent or empty.
const char *ffi_mjcf_value_text(const xmlNode *node, const char *attribute);

/// Any one of quat, axisangle, xyaxes, zaxis, euler. Returns 1 if there was one.
int ffi_mjcf_value_orientation(ffi_mjcf *m, const xmlNode *node, double quaternion[4]);

/// pos and orientation; absent attributes leave theirs unchanged.
void ffi_mjcf_value_pose(ffi_mjcf *m, const xmlNode *node, ff_pose *pose);

/// Center a place between its two points, half_length from each. 0 if they coincide.
int ffi_mjcf_value_fromto(ffi_mjcf_place *place, double *half_length);

/// Does a range apply? `limited` is false, true or auto. Fails for a range that makes no sense.
int ffi_mjcf_value_limited(ffi_mjcf *m, const xmlNode *node, const char *attribute, int limited,
                           const double range[2]);

#endif
