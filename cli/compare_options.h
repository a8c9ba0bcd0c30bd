/// compare_options.h: the options of `footfall compare`, which the program footfall-bench runs.
///
/// They are here because footfall itself prints and completes them, even where footfall-bench is not built.
#ifndef FFI_CLI_COMPARE_OPTIONS_H
#define FFI_CLI_COMPARE_OPTIONS_H

#include "cli/option.h"

/// Their places in the table.
enum {
  FFI_COMPARE_STEPPERS,
  FFI_COMPARE_SUBSTEPS,
  FFI_COMPARE_TRUTH,
  FFI_COMPARE_JSON,
  FFI_COMPARE_SVG,
  FFI_COMPARE_SET,
  FFI_COMPARE_QUICK,
  FFI_COMPARE_MARKDOWN,
  FFI_COMPARE_QUIET,
  FFI_COMPARE_OVERRIDES, ///< from here on: options that stand for a field of the scene
  FFI_COMPARE_DURATION = FFI_COMPARE_OVERRIDES,
  FFI_COMPARE_POSTURE,
  FFI_COMPARE_STIFFNESS,
  FFI_COMPARE_DAMPING,
  FFI_COMPARE_FRICTION,
  FFI_COMPARE_KP,
  FFI_COMPARE_KD,
  FFI_COMPARE_FIXED_BASE,
  FFI_COMPARE_MIMIC,
  FFI_COMPARE_OPTIONS
};

const ffi_option *ffi_compare_options(int *count);

extern const char ffi_compare_options_usage[], ffi_compare_options_about[], ffi_compare_options_examples[];

#endif
