/// run_batch_options.h: the options of footfall run for many runs of a scene, a part of its table as load_options.h is.
#ifndef FFI_APPS_RUN_BATCH_OPTIONS_H
#define FFI_APPS_RUN_BATCH_OPTIONS_H

#include "cli/options/file_endings.h"
#include "cli/options/option.h"

#include <stddef.h>

enum {
  FFI_RUN_BATCH_OPTIONS_BATCH,
  FFI_RUN_BATCH_OPTIONS_VARY,
  FFI_RUN_BATCH_OPTIONS_SEED,
  FFI_RUN_BATCH_OPTIONS_ONLY,
  FFI_RUN_BATCH_OPTIONS_THREADS,
  FFI_RUN_BATCH_OPTIONS_CSV,
  FFI_RUN_BATCH_OPTIONS_HTML,
  FFI_RUN_BATCH_OPTIONS_COUNT
};

// clang-format off
#define FFI_RUN_BATCH_OPTIONS                                                                                 \
  {"--batch", "N", .help = "take N runs, each with its own start and parameters, and summarise them"},        \
  {"--vary", "FIELD=RANGE", .help = "what differs from run to run: material.friction=0.3..1.0, mass=0.9,1,1.1 or " \
   "start.joints=2deg; may be given several times ('footfall help vary' lists the fields)", FFI_OPTION_WORD,  \
   ffi_run_batch_options_fields},                                                                             \
  {"--seed", "N", .help = "draw other numbers for '--vary', default 1"},                                      \
  {"--only", "RUN", .help = "take one run of a batch, with its own summary and log; 0 is the first"},         \
  {"--threads", "N", .help = "with --batch: number of threads, default one for each processor; results do not " \
   "depend on it"},                                                                                           \
  {"--csv", "FILE", .help = "with --batch: write a table with a row for each run", FFI_OPTION_FILE},          \
  {"--html", "FILE", .help = "with --batch: write a page with distributions and outcomes", FFI_OPTION_FILE,   \
   ffi_file_endings_page}
// clang-format on

/// What the command line asks for.
typedef struct ffi_run_many {
  long long runs;    ///< 0: one run, as usual
  long long only;    ///< one run of a batch, -1: none
  long long seed;    ///< default 1
  long long threads; ///< 0: one for each processor
  const char **vary; ///< [vary_count] owned; the strings are the command line's
  int vary_count;
  const char *csv, *html; ///< files, NULL: none
  char *command;          ///< options that a repeated run has too, owned; NULL: none
} ffi_run_many;

/// Take an option; 0 after an error message.
int ffi_run_batch_options_take(ffi_run_many *many, int which, const char *value);

/// Keep an option for the command that repeats a run. value NULL: it has none.
void ffi_run_batch_options_keep(ffi_run_many *many, const char *option, const char *value);

/// Add a word to a command line for the shell, quoted if need be; `text` is owned by the caller.
char *ffi_run_batch_options_quote(char *text, const char *word);

void ffi_run_batch_options_free(ffi_run_many *many);

/// Words for completion: "material.friction=", ...
ffi_choices ffi_run_batch_options_fields;

#endif
