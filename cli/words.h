/// words.h: the words that options take. By one list they are read, and completed in shells.
#ifndef FFI_APPS_WORDS_H
#define FFI_APPS_WORDS_H

#include "cli/options.h"

#include <footfall/dynamics.h>

enum { FFI_ISA_COUNT = 4 };
extern const ff_isa ffi_isas[FFI_ISA_COUNT];

ffi_words ffi_words_of_stepper, ffi_words_of_motion; ///< as their enumerators
ffi_words ffi_words_of_isa;                          ///< as ffi_isas
ffi_words ffi_words_of_mimic;                        ///< refuse, free, fix, as ff_mimic_policy
ffi_words ffi_words_of_switch;                       ///< off, on
ffi_words ffi_words_of_order;                        ///< 1, 2
ffi_words ffi_words_of_format;                       ///< urdf, mjcf, as ff_model_format
ffi_words ffi_words_of_truth;                        ///< common, own, both
ffi_words
    ffi_words_of_scheme; ///< of footfall compare: steppers, and some of them with a choice behind a colon
ffi_words ffi_words_of_shell; ///< bash, zsh, man

// How names of files end.
ffi_words ffi_endings_of_model, ffi_endings_of_info, ffi_endings_of_scene, ffi_endings_of_model_or_scene,
    ffi_endings_of_log, ffi_endings_of_new_log, ffi_endings_of_view, ffi_endings_of_page, ffi_endings_of_svg,
    ffi_endings_of_json, ffi_endings_of_trajectory;

int ffi_words_count(ffi_words *words);

/// The value of an option is one of these words; its index. 0 after a complaint, which suggests the nearest or lists them all.
int ffi_words_read(const char *option, const char *text, ffi_words *words, int *index);

#endif
