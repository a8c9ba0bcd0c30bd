/// element_flaw.h: are the numbers of an element valid?
#ifndef FFI_MODEL_ELEMENT_FLAW_H
#define FFI_MODEL_ELEMENT_FLAW_H

#include <footfall/element.h>

/// Longest delay of a motor [s].
#define FFI_MAX_DELAY 10.0

/// What is wrong with gains, references, limits or offsets, in words; `text` is empty if nothing is. Joints and frames
/// are not checked.
typedef struct ffi_element_flaw {
  char text[256];
} ffi_element_flaw;

ffi_element_flaw ffi_element_flaw_find(const ff_element_def *def);

#endif
