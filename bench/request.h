/// request.h: what was asked of a benchmark, read the same way for all of them.
///
/// A benchmark says which options it takes and what to do with them; bench_request_run reads them, looks before a long run whether
/// the file of --json can be written, and runs it.
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include "rows.h"

#include <footfall/dynamics.h>

typedef struct bench_request {
  const char *json, *models, *chosen; ///< of --json, --models, --case; NULL: not said
  int is_quick, is_count, is_markdown, has_instructions;
  ff_isa isa;
} bench_request;

/// All take --json, --quick, --models and --markdown.
typedef struct bench_command {
  const char *name; ///< for messages: "bench dynamics"
  const char *help;
  int (*is_case)(const char *name); ///< 0 after a complaint; NULL: there is no --case
  int has_isa, has_count, has_instructions;

  /// The benchmark. `json` is checked if one was asked for, and forgotten afterwards. Returns the exit status.
  int (*perform)(const bench_request *request, bench_late_file *json);
} bench_command;

/// The exit status.
int bench_request_run(const bench_command *command, int argc, char **argv);

/// Saves the rows of a run (NULL: there was no memory). The exit status, after a complaint if they were not written.
int bench_request_save(const bench_rows *rows, bench_late_file *json);

#endif
