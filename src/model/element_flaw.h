/// element_flaw.h: are the numbers of an element ones that it can have?
#ifndef FFI_MODEL_ELEMENT_FLAW_H
#define FFI_MODEL_ELEMENT_FLAW_H

#include <footfall/element.h>

/// What is wrong with gains, references, limits or offsets, in words; `text` is empty if nothing is. What the element is fixed to is not looked at.
/// Longest delay of a motor [s].
#define FFI_MAX_DELAY 10.0

typedef struct ffi_element_flaw {
  char text[256];
} ffi_element_flaw;

ffi_element_flaw ffi_element_flaw_find(const ff_element_def *def);

#endif
