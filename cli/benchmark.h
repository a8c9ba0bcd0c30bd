/// benchmark.h: the benchmarks of the program footfall-bench, and the options of each.
///
/// They are here because footfall itself prints and completes them, even where footfall-bench is not built. That
/// program reads its arguments by the same tables.
#ifndef FFI_CLI_BENCHMARK_H
#define FFI_CLI_BENCHMARK_H

#include "cli/choices.h"
#include "cli/option.h"

typedef struct ffi_benchmark {
  const char *name;    ///< "dynamics"
  const char *summary; ///< a few words
  const char *about;   ///< what it measures
  const char *quick;   ///< what --quick does
  const char *html;    ///< what --html does; NULL: there is none
  const char *cases;   ///< what --case does; NULL: there is none
  ffi_choices *words;  ///< names that --case takes
  int has_models, has_scenes, has_isa, has_count, has_instructions;
} ffi_benchmark;

extern const ffi_benchmark ffi_benchmark_list[];
extern const int ffi_benchmark_count;

ffi_choices ffi_benchmark_names;

const ffi_benchmark *ffi_benchmark_find(const char *name); ///< NULL: there is none

/// All options that benchmarks have.
enum {
  FFI_BENCHMARK_JSON,
  FFI_BENCHMARK_HTML,
  FFI_BENCHMARK_CASE,
  FFI_BENCHMARK_QUICK,
  FFI_BENCHMARK_MODELS,
  FFI_BENCHMARK_SCENES,
  FFI_BENCHMARK_ISA,
  FFI_BENCHMARK_MARKDOWN,
  FFI_BENCHMARK_INSTRUCTIONS,
  FFI_BENCHMARK_COUNT,
  FFI_BENCHMARK_QUIET,
  FFI_BENCHMARK_OPTIONS
};

/// Those of one benchmark, and which of the above each is. Returns their number.
int ffi_benchmark_options(const ffi_benchmark *bench, ffi_option options[FFI_BENCHMARK_OPTIONS],
                          int which[FFI_BENCHMARK_OPTIONS]);

#endif
