/// bench_options.h: what the program footfall-bench takes: the benchmarks there are, and the options of each and of `footfall compare`.
///
/// It is here because footfall itself tells of them and completes them, also where footfall-bench is not built; that program reads its
/// arguments by the same tables.
#ifndef FFI_APPS_BENCH_OPTIONS_H
#define FFI_APPS_BENCH_OPTIONS_H

#include "cli/words.h"

typedef struct ffi_bench {
  const char *name;    ///< "dynamics"
  const char *summary; ///< a few words
  const char *about;   ///< what it measures
  const char *quick;   ///< what --quick brings
  const char *html;    ///< what --html does; NULL: there is none
  const char *cases;   ///< what --case does; NULL: there is none
  ffi_words *words;    ///< names that --case takes
  int has_models, has_scenes, has_isa, has_count, has_instructions;
} ffi_bench;

extern const ffi_bench ffi_benches[];
extern const int ffi_bench_count;

ffi_words ffi_words_of_bench;

const ffi_bench *ffi_bench_find(const char *name); ///< NULL: there is none

/// All options that benchmarks have.
enum {
  FFI_BENCH_JSON,
  FFI_BENCH_HTML,
  FFI_BENCH_CASE,
  FFI_BENCH_QUICK,
  FFI_BENCH_MODELS,
  FFI_BENCH_SCENES,
  FFI_BENCH_ISA,
  FFI_BENCH_MARKDOWN,
  FFI_BENCH_INSTRUCTIONS,
  FFI_BENCH_COUNT,
  FFI_BENCH_QUIET,
  FFI_BENCH_OPTIONS
};

/// Those of one benchmark, and which of the above each is. Returns their number.
int ffi_bench_options(const ffi_bench *bench, ffi_option options[FFI_BENCH_OPTIONS],
                      int which[FFI_BENCH_OPTIONS]);

/// Of footfall compare, in this order.
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
  FFI_COMPARE_CHANGES, ///< from here on: options that stand for a field of the scene
  FFI_COMPARE_DURATION = FFI_COMPARE_CHANGES,
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

const ffi_option *ffi_options_of_compare(int *count);

extern const char ffi_compare_usage[], ffi_compare_about[], ffi_compare_examples[];

#endif
