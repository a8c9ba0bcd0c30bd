// The page of many runs: outcomes, distributions, outcome against each parameter that varied. One file without scripts,
// for light and dark themes.
#include "run/run_batch.h"

#include "cli/memory.h"

#include <footfall/version.h>

#include <math.h>
#include <stdlib.h>

enum { LISTED = 50 };

static const char head[] =
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n"
    ":root { color-scheme: light dark; --text: #1d2330; --faint: #667085; --line: #d5d9e2; --back: #fff;\n"
    "  --finished: #2f7d5b; --missed: #c98a1b; --fell: #b8433f; --failed: #5b3f8c; }\n"
    "@media (prefers-color-scheme: dark) { :root { --text: #e4e7ee; --faint: #98a2b3; --line: #3a4150;\n"
    "  --back: #14171f; --finished: #58b98c; --missed: #e3b04b; --fell: #e27a74; --failed: #a48bdc; } }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);\n"
    "  max-width: 66rem; margin: 2rem auto; padding: 0 1.25rem; }\n"
    "h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }\n"
    "p { margin: .3rem 0; } .faint { color: var(--faint); } code { font-size: .9em; overflow-wrap: anywhere; }\n"
    ".bar { display: flex; height: 1.5rem; border-radius: 4px; overflow: hidden; margin: .8rem 0 .4rem; }\n"
    ".key { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .35em 0 0; }\n"
    ".keys span { margin-right: 1.4em; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .25rem .9rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line); }\n"
    "th { color: var(--faint); font-weight: 500; } th:first-child, td:first-child, .words { text-align: left; }\n"
    ".wide { overflow-x: auto; }\n"
    ".plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1.2rem; }\n"
    "figure { margin: 0; } figcaption { font-size: .92rem; } svg { display: block; width: 100%; height: auto; }\n"
    "svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }\n"
    ".axis { stroke: var(--line); } .finished { fill: var(--finished); background: var(--finished); }\n"
    ".missed { fill: var(--missed); background: var(--missed); }\n"
    ".fell { fill: var(--fell); background: var(--fell); }\n"
    ".failed { fill: var(--failed); background: var(--failed); }\n</style>\n";

static void put_text(FILE *out, const char *text)
{
  for (; *text; ++text) {
    switch (*text) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    default: fputc(*text, out);
    }
  }
}

static void put_head(const ffi_run_batch *b, FILE *out)
{
  const ff_scene *scene = b->scene->scene;
  const char *title = ff_scene_get_def(scene)->title;
  title = title ? title : ff_model_name(b->scene->model);
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", out);
  put_text(out, title);
  fprintf(out, ": %d runs</title>\n%s<h1>", b->ended, head);
  put_text(out, title);
  fputs("</h1>\n<p class=\"faint\">", out);
  put_text(out, b->request->path);
  fprintf(out, ", %d runs%s, seed %lld; %s, %g s in steps of %g ms; footfall %s</p>\n", b->ended,
          b->is_interrupted ? " before an interruption" : "", b->request->many.seed,
          ff_stepper_name(ff_sim_stepper(b->scene->sim)), ff_scene_get_def(scene)->duration,
          1e3 * ff_scene_get_def(scene)->sim.dt, ff_version());
}

static void put_outcomes(const ffi_run_batch *b, FILE *out)
{
  fputs("<div class=\"bar\" role=\"img\" aria-label=\"outcomes\">", out);
  for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k)
    if (b->counts[k] > 0)
      fprintf(out, "<span class=\"%s\" style=\"width:%.4g%%\"></span>",
              ff_scene_outcome_name((ff_scene_outcome)k), 1e2 * b->counts[k] / b->ended);
  fputs("</div>\n<p class=\"keys\">", out);
  for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k) {
    const char *name = ff_scene_outcome_name((ff_scene_outcome)k);
    fprintf(out, "<span><i class=\"key %s\"></i>%d %s (%.3g %%)</span>", name, b->counts[k], name,
            b->ended > 0 ? 1e2 * b->counts[k] / b->ended : 0);
  }
  fputs("</p>\n", out);
}

static void put_table(const ffi_run_batch *b, FILE *out)
{
  fputs("<h2>Distributions</h2>\n<p class=\"faint\">Of runs whose steps did not fail.</p>\n"
        "<div class=\"wide\"><table><tr><th></th><th>least</th><th>5 %</th><th>median</th><th>95 %</th>"
        "<th>most</th><th class=\"words\">unit</th></tr>\n",
        out);
  for (int i = 0; i < FFI_RUN_BATCH_FIGURES; ++i) {
    const ffi_run_batch_figure *f = &ffi_run_batch_figure_list[i];
    const ffi_run_batch_distribution d = ffi_run_batch_figures_spread(b, i);
    const double numbers[] = {d.least, d.low, d.median, d.high, d.most};
    if (d.count == 0)
      continue;
    fprintf(out, "<tr><td>%s</td>", f->title);
    for (int k = 0; k < 5; ++k)
      fprintf(out, "<td>%.4g</td>", f->scale * numbers[k] + 0.0);
    fprintf(out, "<td class=\"words\">%s</td></tr>\n", f->unit);
  }
  fputs("</table></div>\n", out);
}

// Values and outcomes of all runs, for plots.
typedef struct columns {
  double *values;
  char *outcomes;
} columns;

static void fit_axis(ffi_run_batch_plot *plot)
{
  plot->low = INFINITY, plot->high = -INFINITY;
  for (int i = 0; i < plot->count; ++i) {
    plot->low = fmin(plot->low, plot->values[i]);
    plot->high = fmax(plot->high, plot->values[i]);
  }
}

static void put_parameters(const ffi_run_batch *b, const columns *c, FILE *out)
{
  if (ff_scene_batch_varied_count(b->batch) == 0)
    return;
  fputs("<h2>Outcome against what varied</h2>\n<div class=\"plots\">\n", out);
  for (int i = 0; i < ff_scene_batch_varied_count(b->batch); ++i) {
    ffi_run_batch_plot plot = {
        .values = c->values, .outcomes = c->outcomes, .count = b->ended, .is_share = 1};
    const ff_scene_variable v = ff_scene_batch_varied(b->batch, i, &plot.low, &plot.high);
    for (int run = 0; run < b->ended; ++run)
      c->values[run] = ffi_run_batch_shown(&v, ff_scene_batch_drawn(b->batch, run, i), &plot.unit);
    plot.title = v.name;
    plot.low = ffi_run_batch_shown(&v, plot.low, &plot.unit);
    plot.high = ffi_run_batch_shown(&v, plot.high, &plot.unit);
    if (v.is_several) // root mean squares, which keep away from the bounds
      fit_axis(&plot);
    ffi_run_batch_plot_draw(&plot, out);
  }
  fputs("</div>\n", out);
}

// So wide that most runs fill it: single runs far away do not hide the others.
static void set_axis(ffi_run_batch_plot *plot, const ffi_run_batch_distribution *d, double scale)
{
  const double width = d->high - d->low;
  plot->low = scale * fmax(d->least, d->low - width);
  plot->high = scale * fmin(d->most, d->high + width);
}

static void put_figures(const ffi_run_batch *b, const columns *c, FILE *out)
{
  fputs(
      "<h2>Figures</h2>\n<p class=\"faint\">Number of runs. The outermost bars also hold what lies beyond them.</p>\n"
      "<div class=\"plots\">\n",
      out);
  for (int i = 0; i < FFI_RUN_BATCH_FIGURES; ++i) {
    const ffi_run_batch_figure *f = &ffi_run_batch_figure_list[i];
    const ffi_run_batch_distribution d = ffi_run_batch_figures_spread(b, i);
    if (d.count == 0 || !(d.most > d.least))
      continue;
    for (int run = 0; run < b->ended; ++run)
      c->values[run] = c->outcomes[run] == FF_SCENE_FAILED
                           ? (double)NAN
                           : f->scale * ffi_run_batch_figure_of(ff_scene_batch_run(b->batch, run), i);
    ffi_run_batch_plot plot = {f->title, f->unit, c->values, c->outcomes, b->ended, 0, 0, 0};
    set_axis(&plot, &d, f->scale);
    ffi_run_batch_plot_draw(&plot, out);
  }
  fputs("</div>\n", out);
}

static void put_failures(const ffi_run_batch *b, FILE *out)
{
  const int bad = b->ended - b->counts[FF_SCENE_FINISHED];
  int listed = 0;
  if (bad == 0)
    return;
  char *repeat = ffi_run_batch_repeat(b);
  fprintf(out, "<h2>Runs that did not finish well</h2>\n<p>%s%d of %d. Repeat one: <code>",
          bad > LISTED ? "The first " : "", bad > LISTED ? LISTED : bad, bad);
  put_text(out, repeat);
  fputs(
      "RUN</code></p>\n<div class=\"wide\"><table><tr><th>run</th><th class=\"words\">outcome</th><th>at</th>"
      "<th class=\"words\">drawn</th><th class=\"words\">why</th></tr>\n",
      out);
  for (int i = 0; i < b->ended && listed < LISTED; ++i) {
    const ff_scene_run *run = ff_scene_batch_run(b->batch, i);
    char drawn[1024];
    if (run->outcome == FF_SCENE_FINISHED)
      continue;
    ++listed;
    ffi_run_batch_drawn(b, i, drawn, sizeof drawn);
    fprintf(out, "<tr><td>%d</td><td class=\"words\">%s</td><td>%.4g&nbsp;s</td><td class=\"words\">", i,
            ff_scene_outcome_name(run->outcome), run->time);
    put_text(out, drawn);
    fputs("</td><td class=\"words\">", out);
    put_text(out, run->why);
    fputs("</td></tr>\n", out);
  }
  fputs("</table></div>\n", out);
  free(repeat);
}

void ffi_run_batch_page(const ffi_run_batch *b, FILE *out)
{
  const ff_batch_counts counts = ff_scene_batch_get_counts(b->batch);
  const size_t room = (size_t)b->ended + 1;
  columns c = {ffi_memory_need(NULL, room * sizeof *c.values), ffi_memory_need(NULL, room)};
  for (int i = 0; i < b->ended; ++i)
    c.outcomes[i] = (char)ff_scene_batch_run(b->batch, i)->outcome;
  put_head(b, out);
  put_outcomes(b, out);
  put_parameters(b, &c, out);
  put_table(b, out);
  put_figures(b, &c, out);
  put_failures(b, out);
  fprintf(out, "<p class=\"faint\">%.3g steps in %.3g s on %d threads.</p>\n</html>\n", (double)counts.steps,
          b->wall, ff_scene_batch_threads(b->batch));
  free(c.values);
  free(c.outcomes);
}
