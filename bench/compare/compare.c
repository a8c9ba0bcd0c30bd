// footfall compare SCENE: local errors of all steppers on a motion, over speed and over step length.
#include "bench.h"
#include "cli/error_message.h"
#include "cli/files/overwrite.h"
#include "cli/options/args.h"
#include "cli/options/choices.h"
#include "cli/options/compare_options.h"
#include "cli/options/help.h"
#include "cli/options/option.h"
#include "cli/options/option_value.h"
#include "cli/options/overrides.h"
#include "cli/options/suggest.h"
#include "cli/program.h"
#include "cli/warn_meshes.h"
#include "common/progress.h"
#include "common/scene_trial.h"
#include "compare/comparison_report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const fields[FFI_COMPARE_OPTIONS] = {
    [FFI_COMPARE_DURATION] = "duration",
    [FFI_COMPARE_POSTURE] = "start.posture",
    [FFI_COMPARE_STIFFNESS] = "material.stiffness",
    [FFI_COMPARE_DAMPING] = "material.damping",
    [FFI_COMPARE_FRICTION] = "material.friction",
    [FFI_COMPARE_KP] = "controller.kp",
    [FFI_COMPARE_KD] = "controller.kd",
    [FFI_COMPARE_FIXED_BASE] = "load.fixed_base",
    [FFI_COMPARE_MIMIC] = "load.mimic",
};

typedef struct request {
  const char *scene, *json, *svg;
  int is_quick, is_markdown, is_quiet;
  const ffi_option *options;
  ffi_overrides changes;
  ff_comparison_def def;
  ff_scheme schemes[BENCH_COMPARISON_SCHEMES_MOST];
  int substeps[BENCH_COMPARISON_SUBSTEPS_MOST];
} request;

// ---- Lists -------------------------------------------------------------------------------------------------

// Copy the next of several comma-separated words to word [64]; 0 at the end. A word that is too long is cut, and then
// reported as unknown.
static int next_word(const char **text, char word[64])
{
  if (!*text)
    return 0;
  const char *comma = strchr(*text, ',');
  const size_t length = comma ? (size_t)(comma - *text) : strlen(*text);
  snprintf(word, 64, "%.*s", (int)(length < 63 ? length : 63), *text);
  *text = comma ? comma + 1 : NULL;
  return 1;
}

static int unknown_scheme(const char *word)
{
  const char *known[32];
  int count = 0;
  for (; count < 32 && ffi_choices_scheme(count); ++count)
    known[count] = ffi_choices_scheme(count);
  const char *meant = ffi_suggest(word, known, count);
  if (meant)
    ffi_error_message("'--steppers': '%s' is not known; did you mean '%s'?", word, meant);
  else
    ffi_error_message("'--steppers': '%s' is not known; 'footfall compare --help' lists the names", word);
  return 0;
}

static int read_schemes(const char *text, request *r)
{
  ff_comparison_def *def = &r->def;
  char word[64];
  def->schemes = r->schemes;
  def->scheme_count = 0;
  while (next_word(&text, word)) {
    ff_scheme scheme;
    if (!ff_scheme_find(word, &scheme))
      return unknown_scheme(word);
    if (ff_stepper_is_hard(scheme.stepper)) {
      ffi_error_message(
          "'--steppers': '%s' has rigid contacts and the reference solution has compliant ones, so they "
          "cannot be compared",
          word);
      return 0;
    }
    for (int i = 0; i < def->scheme_count; ++i)
      if (strcmp(r->schemes[i].name, scheme.name) == 0) {
        ffi_error_message("'--steppers' has '%s' twice", word);
        return 0;
      }
    if (def->scheme_count == BENCH_COMPARISON_SCHEMES_MOST) {
      ffi_error_message("'--steppers' takes at most %d", BENCH_COMPARISON_SCHEMES_MOST);
      return 0;
    }
    r->schemes[def->scheme_count++] = scheme;
  }
  return 1;
}

enum { SUBSTEPS_MOST = 1 << 20 };

static int add_substeps(request *r, long long value)
{
  ff_comparison_def *def = &r->def;
  if (def->substeps_count == BENCH_COMPARISON_SUBSTEPS_MOST) {
    ffi_error_message("'--substeps' takes at most %d numbers", BENCH_COMPARISON_SUBSTEPS_MOST);
    return 0;
  }
  if (def->substeps_count > 0 && value <= r->substeps[def->substeps_count - 1]) {
    ffi_error_message("'--substeps': numbers must grow, %lld does not", value);
    return 0;
  }
  r->substeps[def->substeps_count++] = (int)value;
  return 1;
}

static int read_substeps(const char *text, request *r)
{
  char word[64];
  r->def.substeps = r->substeps;
  r->def.substeps_count = 0;
  while (next_word(&text, word)) {
    long long first, last;
    char *dots = strstr(word, "..");
    if (dots)
      *dots = '\0';
    if (!ffi_option_value_whole("--substeps", word, 1, SUBSTEPS_MOST, &first))
      return 0;
    last = first;
    if (dots && !ffi_option_value_whole("--substeps", dots + 2, first, SUBSTEPS_MOST, &last))
      return 0;
    for (; first <= last; first *= 2)
      if (!add_substeps(r, first))
        return 0;
  }
  return 1;
}

// ---- Options -----------------------------------------------------------------------------------------------

static int read_truth(const char *text, ff_comparison_def *def)
{
  int index;
  if (!ffi_option_value_choice("--truth", text, ffi_choices_truth, &index))
    return 0;
  def->has_common = index != 1;
  def->has_own = index != 0;
  return 1;
}

static int read_operand(const char *word, void *user)
{
  request *r = user;
  if (r->scene) {
    ffi_error_message("unexpected argument '%s': 'compare' takes one scene", word);
    return 0;
  }
  r->scene = word;
  return 1;
}

static int read_option(int option, const char *value, void *user)
{
  request *r = user;
  switch (option) {
  case FFI_COMPARE_STEPPERS: return read_schemes(value, r);
  case FFI_COMPARE_SUBSTEPS: return read_substeps(value, r);
  case FFI_COMPARE_TRUTH: return read_truth(value, &r->def);
  case FFI_COMPARE_JSON: r->json = value; return 1;
  case FFI_COMPARE_SVG: r->svg = value; return 1;
  case FFI_COMPARE_QUICK: r->is_quick = 1; return 1;
  case FFI_COMPARE_MARKDOWN: r->is_markdown = 1; return 1;
  case FFI_COMPARE_SET: return ffi_overrides_add_field(&r->changes, value);
  case FFI_COMPARE_QUIET: r->is_quiet = 1, bench_progress_forbid(); return 1;
  default: ffi_overrides_add(&r->changes, fields[option], r->options[option].name, value); return 1;
  }
}

static int read_request(int argc, char **argv, request *r)
{
  ffi_args args = {.argc = argc, .argv = argv, .command = "compare"};
  r->options = args.options = ffi_compare_options(&args.option_count);
  r->def = ff_comparison_def_default();
  if (!ffi_args_read(&args, read_operand, read_option, r))
    return 0;
  if (!r->scene)
    ffi_error_message("'compare' needs a scene: footfall compare SCENE.yaml");
  else if (r->json && r->svg && strcmp(r->json, "-") == 0 && strcmp(r->svg, "-") == 0)
    ffi_error_message("'--json' and '--svg' cannot both be the standard output");
  else if (r->json && r->svg && ffi_overwrite_is_same_file(r->json, r->svg))
    ffi_error_message("'--json' and '--svg' cannot both be '%s'", r->svg);
  else
    return 1;
  return 0;
}

// ---- The comparison ----------------------------------------------------------------------------------------

// Some dozens of periods, spread over the whole motion.
static void hasten(request *r, ff_trial *trial)
{
  enum { JUDGED = 50 };
  r->def.finest = 1e-3 / 16;
  r->def.rounds = 1;
  r->def.check_refinements = 1;
  ff_trial_spread(trial, JUDGED);
}

static int save(const request *r, const ff_comparison *c, bench_json_rows *rows, bench_output_file *json,
                bench_output_file *svg)
{
  const char *bad = NULL;
  if (rows)
    bench_comparison_report_rows(c, rows);
  if (r->json && !bench_json_rows_save(rows, json))
    bad = r->json;
  if (r->svg && !bad) {
    FILE *file = bench_output_file_begin(svg);
    const int is_drawn = file && bench_comparison_report_draw(c, file);
    if (!file || !bench_output_file_end(svg) || !is_drawn)
      bad = r->svg;
  }
  if (bad)
    ffi_error_message("%s: could not be written: %s", bad, strerror(errno));
  return bad ? FFI_EXIT_FAILED : FFI_EXIT_OK;
}

static int run(request *r, bench_scene_trial *t, bench_output_file *json, bench_output_file *svg)
{
  bench_progress progress;
  ff_comparison *c = NULL;
  ff_error error = {0};
  if (r->is_quick)
    hasten(r, &t->trial);
  const double work = ff_comparison_work(&t->trial, &r->def);
  r->def.progress = (ff_progress){bench_progress_call, &progress};
  bench_progress_begin(&progress, work);
  bench_progress_part(&progress, work, "");
  const ff_status status = ff_comparison_run(&t->trial, &r->def, &c, &error);
  bench_progress_end(&progress);
  if (status != FF_OK) {
    ffi_error_message("%s: %s", r->scene, error.message[0] ? error.message : "no memory");
    return status == FF_ERROR_NUMERIC ? FFI_EXIT_DIVERGED : FFI_EXIT_FAILED;
  }
  const bench_table table = {.first_width = 20,
                             .width = 12,
                             .is_markdown = r->is_markdown,
                             .is_silent = r->is_quiet || json->file == stdout || svg->file == stdout};
  bench_json_rows *rows = r->json ? bench_json_rows_create() : NULL;
  bench_comparison_report_print(c, &table);
  const int saved = save(r, c, rows, json, svg);
  bench_json_rows_destroy(rows);
  ff_comparison_destroy(c);
  return saved;
}

// Before anything is loaded: whether the file can be written. Returns 0 after an error message.
static int check(bench_output_file *file, const char *option, const char *path, const char *scene)
{
  if (path && !*path) {
    ffi_error_message("'%s' names no file", option);
    return 0;
  }
  if (!ffi_overwrite_spares_file(path, "scene", scene, "the result"))
    return 0;
  if (!path || bench_output_file_check(file, path))
    return 1;
  ffi_error_message("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}

// There is no reference solution for a scene with rigid contacts.
static int is_compliant(const ff_scene *scene, const char *path)
{
  const ff_scene_def *def = ff_scene_get_def(scene);
  if (!ff_stepper_is_hard(def->sim.stepper))
    return 1;
  ffi_error_message(
      "%s: stepper.type: '%s' has rigid contacts, and the reference solution has compliant ones; add "
      "'--set stepper.type=expo'",
      path, ff_stepper_name(def->sim.stepper));
  return 0;
}

// Once the files of the scene are known.
static int spares(const ff_scene *scene, const char *path)
{
  return ffi_overwrite_spares_model(path, ff_scene_model_file(scene), "the result") &&
         ffi_overwrite_spares_file(path, "trajectory", ff_scene_trajectory_file(scene), "the result");
}

int bench_compare(int argc, char **argv)
{
  request r = {0};
  bench_output_file json = {0}, svg = {0};
  bench_scene_trial trial;
  ff_error error = {0};
  int status = FFI_EXIT_FAILED;
  if (ffi_args_has_help(argc, argv)) {
    ffi_help_compare(stdout);
    return FFI_EXIT_OK;
  }
  if (!read_request(argc, argv, &r)) {
    ffi_overrides_free(&r.changes);
    return FFI_EXIT_USAGE;
  }
  if (check(&json, "--json", r.json, r.scene) && check(&svg, "--svg", r.svg, r.scene)) {
    if (bench_scene_trial_load(r.scene, r.changes.list, r.changes.count, &trial, &error) != FF_OK) {
      ffi_error_message_of_file(r.scene, &error);
      status = ffi_overrides_exit_status(&r.changes, &error);
    } else if (is_compliant(trial.scene, r.scene) && spares(trial.scene, r.json) &&
               spares(trial.scene, r.svg)) {
      ffi_warn_meshes(ff_scene_model(trial.scene), 1);
      ffi_overrides_print_warnings(trial.scene);
      status = run(&r, &trial, &json, &svg);
    }
    bench_scene_trial_free(&trial);
  }
  bench_output_file_forget(&json);
  bench_output_file_forget(&svg);
  ffi_overrides_free(&r.changes);
  return status;
}
