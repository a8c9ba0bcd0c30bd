// The summary of many runs as JSON. docs/guide/batch.md describes the fields.
#include "run/run_batch.h"

#include "cli/text/json.h"

#include <footfall/version.h>

#include <stdlib.h>

static void put_varied(ffi_json *json, const ffi_run_batch *b)
{
  ffi_json_put_open(json, "varied", '[');
  for (int i = 0; i < ff_scene_batch_varied_count(b->batch); ++i) {
    double low, high;
    const ff_scene_variable v = ff_scene_batch_varied(b->batch, i, &low, &high);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "field", v.name);
    ffi_json_put_number(json, "least", low);
    ffi_json_put_number(json, "most", high);
    ffi_json_put_text(json, "unit", v.unit);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_distributions(ffi_json *json, const ffi_run_batch *b)
{
  ffi_json_put_open(json, "distributions", '{');
  for (int i = 0; i < FFI_RUN_BATCH_FIGURES; ++i) {
    const ffi_run_batch_distribution d = ffi_run_batch_figures_spread(b, i);
    ffi_json_key(json, ffi_run_batch_figure_list[i].key);
    ffi_json_open(json, '{', 1);
    ffi_json_put_integer(json, "count", d.count);
    ffi_json_put_number(json, "least", d.least);
    ffi_json_put_number(json, "p5", d.low);
    ffi_json_put_number(json, "median", d.median);
    ffi_json_put_number(json, "p95", d.high);
    ffi_json_put_number(json, "most", d.most);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, '}');
}

static void put_failure(ffi_json *json, const ffi_run_batch *b, int index)
{
  const ff_scene_run *run = ff_scene_batch_run(b->batch, index);
  ffi_json_open(json, '{', 0);
  ffi_json_put_integer(json, "run", index);
  ffi_json_put_text(json, "outcome", ff_scene_outcome_name(run->outcome));
  ffi_json_put_text(json, "why", run->why);
  ffi_json_put_number(json, "time", run->time);
  ffi_json_put_open(json, "drawn", '{');
  for (int i = 0; i < ff_scene_batch_varied_count(b->batch); ++i) {
    double low, high;
    const ff_scene_variable v = ff_scene_batch_varied(b->batch, i, &low, &high);
    ffi_json_put_number(json, v.name, ff_scene_batch_drawn(b->batch, index, i));
  }
  ffi_json_close(json, '}');
  ffi_json_close(json, '}');
}

void ffi_run_batch_json(const ffi_run_batch *b, FILE *out)
{
  const ff_batch_counts counts = ff_scene_batch_get_counts(b->batch);
  char *repeat = ffi_run_batch_repeat(b);
  ffi_json json;
  ffi_json_begin(&json, out);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "footfall", ff_version());
  ffi_json_put_text(&json, "scene", b->request->path);
  ffi_json_put_integer(&json, "runs", (int)b->request->many.runs);
  ffi_json_put_integer(&json, "ended", b->ended);
  ffi_json_put_number(&json, "seed", (double)b->request->many.seed);
  ffi_json_put_number(&json, "duration", ff_scene_get_def(b->scene->scene)->duration);
  ffi_json_put_number(&json, "dt", ff_scene_get_def(b->scene->scene)->sim.dt);
  put_varied(&json, b);
  ffi_json_put_open(&json, "outcomes", '{');
  for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k)
    ffi_json_put_integer(&json, ff_scene_outcome_name((ff_scene_outcome)k), b->counts[k]);
  ffi_json_close(&json, '}');
  put_distributions(&json, b);
  ffi_json_put_number(&json, "wall", b->wall);
  ffi_json_put_integer(&json, "threads", ff_scene_batch_threads(b->batch));
  ffi_json_put_number(&json, "steps", (double)counts.steps);
  ffi_json_put_number(&json, "steps_in_lanes", (double)counts.in_lanes);
  ffi_json_put_number(&json, "steps_per_second", b->wall > 0 ? (double)counts.steps / b->wall : 0);
  ffi_json_put_text(&json, "repeat", repeat);
  ffi_json_put_open(&json, "failures", '[');
  for (int i = 0; i < b->ended; ++i)
    if (ff_scene_batch_run(b->batch, i)->outcome != FF_SCENE_FINISHED)
      put_failure(&json, b, i);
  ffi_json_close(&json, ']');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
  free(repeat);
}
