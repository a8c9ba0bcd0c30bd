/// request.h: what was asked of a benchmark, read the same way for all of them.
///
/// The options of a benchmark are in cli/bench_options.c; bench_request_run reads them, looks before a long run whether
/// the file of --json can be written, runs it, and saves its rows.
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include "common/late_file.h"
#include "common/rows.h"
#include "common/sheet.h"

#include <footfall/scene.h>

typedef struct bench_request {
  const char *json, *models, *chosen; ///< of --json, --models, --case; NULL: not said
  const char *html, *scenes;          ///< of --html, --scenes
  int is_quick, is_count, is_markdown, has_instructions;
  int is_silent; ///< no tables: by --quiet, or stdout is for the rows
  ff_isa isa;
} bench_request;

typedef struct bench_command {
  const char *name;                 ///< "dynamics", as in cli/bench_options.h, which has its options
  int (*is_case)(const char *name); ///< 0 after a complaint; NULL: there is no --case

  /// The benchmark. Its figures go to `rows` unless that is NULL. Returns the exit status; rows are saved if all went well.
  int (*perform)(const bench_request *request, bench_rows *rows);
} bench_command;

/// A report must not replace what it is made from: neither --json nor --html are the scene, its model or its trajectory. 0 after a complaint.
int bench_request_spares(const bench_request *request, const ff_scene *scene);

/// Of benchmarks with --html: look before a long run whether its file can be written; the sheet for its tables; and write the report by `write`, which
/// returns 0 if there was no memory. `html` is empty and stays so if none was asked for. 0 after a complaint.
int bench_request_check_html(const bench_request *request, bench_late_file *html);
bench_sheet bench_request_sheet(const bench_request *request, const bench_late_file *html);
int bench_request_save_html(bench_late_file *html, int (*write)(const void *paper, FILE *file),
                            const void *paper);

/// Look whether the file of --json can be written, perform, and save the rows, which are the caller's; NULL only where none are to be saved. The exit status.
int bench_request_perform(const bench_command *command, bench_request request, bench_rows *rows);

/// All of it, from arguments. The exit status.
int bench_request_run(const bench_command *command, int argc, char **argv);

#endif
