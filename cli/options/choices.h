/// choices.h: the words that an option's value can be. Values are checked, and completed in shells, by the same lists.
///
/// A list is a function from an index to a word: ffi_choices_mimic(0) is "refuse". It returns NULL behind the last
/// word.
#ifndef FFI_CLI_CHOICES_H
#define FFI_CLI_CHOICES_H

#include <footfall/dynamics.h>

#include <stddef.h>

typedef const char *ffi_choices(int index);

/// Defines the list `name` of these strings.
#define FFI_CHOICES_LIST(name, ...)                                                                          \
  const char *name(int index)                                                                                \
  {                                                                                                          \
    static const char *const list[] = {__VA_ARGS__};                                                         \
    const int count = (int)(sizeof list / sizeof list[0]);                                                   \
    return index >= 0 && index < count ? list[index] : NULL;                                                 \
  }

enum { FFI_CHOICES_ISA_COUNT = 4 };
extern const ff_isa ffi_choices_isas[FFI_CHOICES_ISA_COUNT];

ffi_choices ffi_choices_stepper, ffi_choices_motion; ///< in the order of their enumerators
ffi_choices ffi_choices_isa;                         ///< in the order of ffi_choices_isas
ffi_choices ffi_choices_softness; ///< stated, mujoco, footfall: in the order of ff_contact_parameters
ffi_choices ffi_choices_massless; ///< least-inertia, fix, refuse: in the order of ff_massless_policy
ffi_choices ffi_choices_mimic;    ///< refuse, free, fix, couple: in the order of ff_mimic_policy
ffi_choices ffi_choices_switch;   ///< off, on
ffi_choices ffi_choices_order;    ///< 1, 2
ffi_choices ffi_choices_format;   ///< urdf, mjcf: in the order of ff_model_format
ffi_choices ffi_choices_truth;    ///< common, own, both
ffi_choices ffi_choices_scheme;   ///< of footfall compare: a stepper, some with a variant behind a colon
ffi_choices ffi_choices_shell;    ///< bash, zsh, man

#endif
