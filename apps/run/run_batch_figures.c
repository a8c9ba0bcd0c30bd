// Figures of the runs of a batch: what each has, and how they are spread.
#include "run/run_batch.h"

#include "cli/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ffi_run_batch_figure ffi_run_batch_figure_list[FFI_RUN_BATCH_FIGURES] = {
    {"x", "x at the end", "m", 1},
    {"y", "y at the end", "m", 1},
    {"z", "height at the end", "m", 1},
    {"tilt", "largest tilt", "deg", 57.29577951308232},
    {"speed", "mean speed along x", "m/s", 1},
    {"final_speed", "speed at the end", "m/s", 1},
    {"energy", "energy at the end", "J", 1},
    {"penetration", "penetration", "mm", 1e3},
};

double ffi_run_batch_figure_of(const ff_scene_run *run, int figure)
{
  const double figures[FFI_RUN_BATCH_FIGURES] = {run->position[0], run->position[1], run->position[2],
                                                 run->tilt,        run->speed,       run->final_speed,
                                                 run->energy,      run->penetration};
  return figures[figure];
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double part)
{
  const double at = part * (count - 1);
  const int below = (int)at, above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

ffi_run_batch_distribution ffi_run_batch_figures_spread(const ffi_run_batch *b, int figure)
{
  ffi_run_batch_distribution d = {0, NAN, NAN, NAN, NAN, NAN};
  double *values = ffi_memory_need(NULL, ((size_t)b->ended + 1) * sizeof *values);
  for (int i = 0; i < b->ended; ++i) {
    const ff_scene_run *run = ff_scene_batch_run(b->batch, i);
    const double value = ffi_run_batch_figure_of(run, figure);
    if (run->outcome != FF_SCENE_FAILED && isfinite(value))
      values[d.count++] = value;
  }
  if (d.count > 0) {
    qsort(values, (size_t)d.count, sizeof *values, compare);
    d.least = values[0];
    d.low = quantile(values, d.count, 0.05);
    d.median = quantile(values, d.count, 0.5);
    d.high = quantile(values, d.count, 0.95);
    d.most = values[d.count - 1];
  }
  free(values);
  return d;
}

double ffi_run_batch_shown(const ff_scene_variable *variable, double value, const char **unit)
{
  const int is_angle = variable->quantity == FF_QUANTITY_ANGLE;
  *unit = is_angle ? "deg" : variable->how == FF_SCENE_VARY_SCALES ? "times" : variable->unit;
  return is_angle ? value * 57.29577951308232 : value;
}

void ffi_run_batch_drawn(const ffi_run_batch *b, int run, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < ff_scene_batch_varied_count(b->batch) && used < size; ++i) {
    double low, high;
    const char *unit;
    const ff_scene_variable v = ff_scene_batch_varied(b->batch, i, &low, &high);
    const double value = ffi_run_batch_shown(&v, ff_scene_batch_drawn(b->batch, run, i), &unit);
    used += (size_t)snprintf(text + used, size - used, "%s%s %.4g%s%s", i > 0 ? ", " : "", v.name, value,
                             *unit ? " " : "", unit);
  }
}

char *ffi_run_batch_repeat(const ffi_run_batch *b)
{
  const ffi_run_many *m = &b->request->many;
  char *line = ffi_run_batch_options_quote(NULL, "footfall");
  line = ffi_run_batch_options_quote(line, "run");
  const char *path = b->request->path, *options = m->command ? m->command : "";
  const size_t used = strlen(line);
  line = ffi_memory_need(line, used + strlen(options) + 2);
  sprintf(line + used, "%s%s", *options ? " " : "", options);
  char *place = ffi_memory_need(NULL, strlen(path) + 3); // a path may begin with a dash
  sprintf(place, "%s%s", path[0] == '-' ? "./" : "", path);
  line = ffi_run_batch_options_quote(line, place);
  free(place);
  const size_t length = strlen(line);
  line = ffi_memory_need(line, length + sizeof " --only ");
  strcpy(line + length, " --only ");
  return line;
}
