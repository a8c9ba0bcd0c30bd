/// mjcf_reference.h: attributes of MJCF by which one element names another.
#ifndef FFI_IO_MJCF_REFERENCE_H
#define FFI_IO_MJCF_REFERENCE_H

/// What is named.
typedef enum ffi_mjcf_reference_kind {
  FFI_MJCF_REFERENCE_BODY,
  FFI_MJCF_REFERENCE_JOINT,
  FFI_MJCF_REFERENCE_GEOM,
  FFI_MJCF_REFERENCE_SITE,
  FFI_MJCF_REFERENCE_TENDON,
  FFI_MJCF_REFERENCE_KINDS
} ffi_mjcf_reference_kind;

typedef struct ffi_mjcf_reference {
  const char *attribute;
  ffi_mjcf_reference_kind kind;
} ffi_mjcf_reference;

enum { FFI_MJCF_REFERENCES = 20 };
extern const ffi_mjcf_reference ffi_mjcf_reference_list[FFI_MJCF_REFERENCES];

/// The kind of thing that an element of <worldbody> is, FFI_MJCF_REFERENCE_KINDS if it cannot be named.
ffi_mjcf_reference_kind ffi_mjcf_reference_kind_of(const char *element);

#endif
