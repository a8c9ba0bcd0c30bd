/// command.h: a benchmark as a command, and the options that it was called with.
///
/// cli/options/benchmark.c has the options of each benchmark. bench_command_run reads them, checks before a long run
/// that the file of --json can be written, runs the benchmark and saves its rows.
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include "common/json_rows.h"
#include "common/output_file.h"
#include "common/table.h"

#include <footfall/scene.h>

typedef struct bench_command_request {
  const char *json, *models, *chosen; ///< of --json, --models, --case; NULL: not given
  const char *html, *scenes;          ///< of --html, --scenes
  int is_quick, is_count, is_markdown, has_instructions;
  int is_silent; ///< print no tables: --quiet, or the rows go to stdout
  ff_isa isa;
} bench_command_request;

typedef struct bench_command {
  const char *name;                 ///< as in cli/options/benchmark.h: "dynamics"
  int (*is_case)(const char *name); ///< 0 after an error message; NULL: there is no --case

  /// The benchmark. Its figures go to `rows` unless that is NULL. Returns the exit status; rows are saved if all went
  /// well.
  int (*perform)(const void *context, const bench_command_request *request, bench_json_rows *rows);
  const void *context; ///< for `perform`; may be NULL
} bench_command;

/// Check that neither --json nor --html would replace the scene, its model or its trajectory. Returns 0 after a
/// error message.
int bench_command_spares(const bench_command_request *request, const ff_scene *scene);

/// For benchmarks with --html: check before a long run that the file can be written, get the table to print with, and
/// save the report by `write`, which returns 0 if there is no memory. `html` stays empty if no report is wanted. Both
/// check and save return 0 after an error message.
int bench_command_check_html(const bench_command_request *request, bench_output_file *html);
bench_table bench_command_table(const bench_command_request *request, const bench_output_file *html);
int bench_command_save_html(bench_output_file *html, int (*write)(const void *paper, FILE *file),
                            const void *paper);

/// Check that the file of --json can be written, run the benchmark and save `rows`, which the caller owns; NULL only
/// where none are to be saved. Returns the exit status.
int bench_command_perform(const bench_command *command, bench_command_request request, bench_json_rows *rows);

/// All of it, from arguments. Returns the exit status.
int bench_command_run(const bench_command *command, int argc, char **argv);

#endif
