// A table with a row for each run: what it drew, its outcome, its figures. SI units, numbers as they are.
#include "run/run_batch.h"

#include <math.h>
#include <string.h>

// Nothing where there is no number.
static void put_number(FILE *out, double value)
{
  if (isfinite(value))
    fprintf(out, ",%.17g", value);
  else
    fputc(',', out);
}

static void put_text(FILE *out, const char *text)
{
  fputs(",\"", out);
  for (; *text; ++text)
    fputs(*text == '"' ? "\"\"" : (const char[2]){*text, '\0'}, out);
  fputc('"', out);
}

void ffi_run_batch_csv(const ffi_run_batch *b, FILE *out)
{
  const int varied = ff_scene_batch_varied_count(b->batch);
  fputs("run", out);
  for (int i = 0; i < varied; ++i) {
    double low, high;
    fprintf(out, ",%s", ff_scene_batch_varied(b->batch, i, &low, &high).name);
  }
  fputs(",outcome,time", out);
  for (int k = 0; k < FFI_RUN_BATCH_FIGURES; ++k)
    fprintf(out, ",%s", ffi_run_batch_figure_list[k].key);
  fputs(",why\n", out);
  for (int run = 0; run < b->ended; ++run) {
    const ff_scene_run *r = ff_scene_batch_run(b->batch, run);
    fprintf(out, "%d", run);
    for (int i = 0; i < varied; ++i)
      put_number(out, ff_scene_batch_drawn(b->batch, run, i));
    fprintf(out, ",%s", ff_scene_outcome_name(r->outcome));
    put_number(out, r->time);
    for (int k = 0; k < FFI_RUN_BATCH_FIGURES; ++k)
      put_number(out, ffi_run_batch_figure_of(r, k));
    put_text(out, r->why);
    fputc('\n', out);
  }
}
