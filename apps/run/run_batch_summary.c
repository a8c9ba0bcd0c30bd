// The summary of many runs as text: outcomes, distributions, and the first runs that went wrong.
#include "run/run_batch.h"

#include "cli/text/table.h"
#include "cli/text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 2048, LISTED = 10 };

typedef struct page {
  const ffi_run_batch *b;
  const ffi_terminal *terminal;
  FILE *out;
} page;

static void print_line(const page *p, const char *key, ffi_terminal_style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void print_line(const page *p, const char *key, ffi_terminal_style style, const char *format, ...)
{
  char text[LINE_SIZE];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ffi_terminal_line(p->terminal, key, style, text, p->out);
}

static void print_title(const page *p)
{
  const char *title = ff_scene_get_def(p->b->scene->scene)->title;
  char name[LINE_SIZE], file[LINE_SIZE];
  snprintf(name, sizeof name, "%s", title ? title : ff_model_name(p->b->scene->model));
  snprintf(file, sizeof file, "%s", p->b->request->path);
  ffi_text_sanitize(p->terminal, name);
  ffi_text_sanitize(p->terminal, file);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_STRONG, p->out);
  fputs(name, p->out);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  fprintf(p->out, "  %s\n\n", file);
}

static void print_runs(const page *p)
{
  const ffi_run_request *r = p->b->request;
  const ff_scene *scene = p->b->scene->scene;
  print_line(p, "runs", FFI_TERMINAL_PLAIN, "%d%s, seed %lld; %s, %lld steps of %g ms each", p->b->ended,
             p->b->is_interrupted ? " ended before the interruption" : "", r->many.seed,
             ff_stepper_name(p->b->scene->sim ? ff_sim_stepper(p->b->scene->sim) : r->sim.stepper),
             ff_scene_steps(scene), 1e3 * ff_scene_get_def(scene)->sim.dt);
  for (int i = 0; i < ff_scene_batch_varied_count(p->b->batch); ++i) {
    double low, high;
    const char *unit;
    const ff_scene_variable v = ff_scene_batch_varied(p->b->batch, i, &low, &high);
    low = ffi_run_batch_shown(&v, low, &unit);
    high = ffi_run_batch_shown(&v, high, &unit);
    print_line(p, i == 0 ? "varied" : "", FFI_TERMINAL_PLAIN, "%s from %.4g to %.4g%s%s", v.name, low, high,
               *unit ? " " : "", unit);
  }
}

static void print_nothing_varies(const page *p)
{
  const ff_scene_pushes *pushes = &ff_scene_get_def(p->b->scene->scene)->pushes;
  int varied = ff_scene_batch_varied_count(p->b->batch);
  for (int i = 0; i < pushes->list_count; ++i) {
    const ff_scene_vary *v = &pushes->list[i].vary;
    varied += v->magnitude > 0 || v->angle > 0 || v->tilt > 0 || v->place > 0 || v->time > 0;
  }
  if (varied == 0)
    print_line(p, "varied", FFI_TERMINAL_WARNING,
               "nothing, so all runs are alike; '--vary' makes them differ ('footfall help vary')");
  else if (ff_scene_batch_varied_count(p->b->batch) == 0)
    print_line(p, "varied", FFI_TERMINAL_PLAIN, "pushes, by the scene");
}

static void print_outcomes(const page *p)
{
  char text[LINE_SIZE] = "";
  size_t used = 0;
  int bad = 0;
  for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k) {
    const int count = p->b->counts[k];
    bad += k == FF_SCENE_FINISHED ? 0 : count;
    if (count > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%d %s (%.3g %%)", used > 0 ? ", " : "",
                               count, ff_scene_outcome_name((ff_scene_outcome)k), 1e2 * count / p->b->ended);
  }
  print_line(p, "outcomes", bad > 0 ? FFI_TERMINAL_WARNING : FFI_TERMINAL_STRONG, "%s",
             used > 0 ? text : "none");
}

static void print_speed(const page *p)
{
  const ff_batch_counts counts = ff_scene_batch_get_counts(p->b->batch);
  const int threads = ff_scene_batch_threads(p->b->batch);
  char lanes[160];
  if (counts.why)
    snprintf(lanes, sizeof lanes, "none in lanes: %.100s", counts.why);
  else
    snprintf(lanes, sizeof lanes, "%.3g %% in lanes",
             counts.steps > 0 ? 1e2 * (double)counts.in_lanes / (double)counts.steps : 0);
  print_line(p, "time", FFI_TERMINAL_PLAIN, "%.3g s: %.3g steps per second on %d thread%s, %s", p->b->wall,
             p->b->wall > 0 ? (double)counts.steps / p->b->wall : 0, threads, threads == 1 ? "" : "s", lanes);
}

static void print_distributions(const page *p)
{
  static const ffi_table_column columns[] = {{.title = ""},
                                             {.title = "least", .is_right = 1},
                                             {.title = "5 %", .is_right = 1},
                                             {.title = "median", .is_right = 1},
                                             {.title = "95 %", .is_right = 1},
                                             {.title = "most", .is_right = 1},
                                             {.title = ""}};
  ffi_table table;
  int rows = 0;
  ffi_table_begin(&table, p->terminal, columns, 7);
  for (int i = 0; i < FFI_RUN_BATCH_FIGURES; ++i) {
    const ffi_run_batch_figure *f = &ffi_run_batch_figure_list[i];
    const ffi_run_batch_distribution d = ffi_run_batch_figures_spread(p->b, i);
    const double numbers[] = {d.least, d.low, d.median, d.high, d.most};
    if (d.count == 0)
      continue;
    ffi_table_add_row(&table);
    ++rows;
    ffi_table_set(&table, 0, "%s", f->title);
    for (int k = 0; k < 5; ++k)
      ffi_table_set(&table, 1 + k, "%.4g", f->scale * numbers[k] + 0.0); // no minus zero
    ffi_table_set(&table, 6, "%s", f->unit);
  }
  if (rows > 0) {
    fputc('\n', p->out);
    ffi_table_print(&table, p->out);
  }
  ffi_table_end(&table);
}

// The first sentence of what a run says; all of it is in JSON, tables and pages.
static int first_sentence(const char *why)
{
  const char *stop = strstr(why, ". ");
  return stop ? (int)(stop - why) : (int)strlen(why);
}

// The first runs that did not finish well, with the command that repeats one of them.
static void print_failures(const page *p)
{
  int listed = 0, first = -1;
  const int bad = p->b->ended - p->b->counts[FF_SCENE_FINISHED];
  if (bad == 0)
    return;
  fputc('\n', p->out);
  for (int i = 0; i < p->b->ended && listed < LISTED; ++i) {
    const ff_scene_run *run = ff_scene_batch_run(p->b->batch, i);
    char key[32], drawn[LINE_SIZE / 2];
    if (run->outcome == FF_SCENE_FINISHED)
      continue;
    first = first < 0 ? i : first;
    ++listed;
    ffi_run_batch_drawn(p->b, i, drawn, sizeof drawn);
    snprintf(key, sizeof key, "run %d", i);
    print_line(p, key, FFI_TERMINAL_PLAIN, "%s at %.4g s%s%s%s%.*s", ff_scene_outcome_name(run->outcome),
               run->time, *drawn ? ", " : "", drawn, *run->why ? ": " : "", first_sentence(run->why),
               run->why);
  }
  if (bad > listed)
    print_line(p, "", FFI_TERMINAL_FAINT, "and %d more", bad - listed);
  char *repeat = ffi_run_batch_repeat(p->b);
  fprintf(p->out, "\nRepeat run %d, with a log: %s%d\n", first, repeat, first);
  free(repeat);
}

void ffi_run_batch_summary(const ffi_run_batch *b, FILE *out)
{
  ffi_terminal terminal = ffi_terminal_detect();
  if (b->request->is_ascii)
    terminal.unicode = 0;
  const page p = {b, &terminal, out};
  print_title(&p);
  print_runs(&p);
  print_nothing_varies(&p);
  print_outcomes(&p);
  print_speed(&p);
  print_distributions(&p);
  print_failures(&p);
}
