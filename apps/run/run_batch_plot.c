// Histograms of a page: bars of bins, stacked by outcome, as counts or as shares.
#include "run/run_batch.h"

#include <math.h>

enum { BINS = 24, WIDTH = 360, HEIGHT = 170, LEFT = 40, RIGHT = 8, TOP = 8, BOTTOM = 30 };

// The bin of a value; those beyond the ends are in the last ones, -1: not a number.
static int bin_of(const ffi_run_batch_plot *p, double value)
{
  if (!isfinite(value))
    return -1;
  const double at = p->high > p->low ? (value - p->low) / (p->high - p->low) * BINS : 0;
  return at < 0 ? 0 : at >= BINS ? BINS - 1 : (int)at;
}

static void count_bins(const ffi_run_batch_plot *p, int bins[BINS][FF_SCENE_OUTCOME_COUNT], int sums[BINS])
{
  for (int i = 0; i < BINS; ++i) {
    sums[i] = 0;
    for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k)
      bins[i][k] = 0;
  }
  for (int i = 0; i < p->count; ++i) {
    const int bin = bin_of(p, p->values[i]);
    if (bin < 0)
      continue;
    ++bins[bin][(int)p->outcomes[i]];
    ++sums[bin];
  }
}

// Digits with which numbers of the axis differ.
static int digits_of(const ffi_run_batch_plot *p)
{
  const double most = fmax(fabs(p->low), fabs(p->high)), width = p->high - p->low;
  const double more = width > 0 ? ceil(log10(most / width)) : 0;
  return more > 8 ? 11 : more > 1 ? 3 + (int)more : 4;
}

static void draw_axes(const ffi_run_batch_plot *p, int most, FILE *out)
{
  const int bottom = HEIGHT - BOTTOM;
  fprintf(out, "<path class=\"axis\" d=\"M%d %d H%d\"/>", LEFT, bottom, WIDTH - RIGHT);
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 5, bottom, "0");
  if (p->is_share)
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">100 %%</text>", LEFT - 5, TOP + 9);
  else
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>", LEFT - 5, TOP + 9, most);
  for (int i = 0; i <= 2; ++i) {
    const double value = p->low + (p->high - p->low) * i / 2;
    const int x = LEFT + (WIDTH - LEFT - RIGHT) * i / 2;
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%.*g%s%s</text>", x, bottom + 16,
            i == 0   ? "start"
            : i == 1 ? "middle"
                     : "end",
            digits_of(p), value + 0.0, *p->unit ? " " : "", p->unit);
  }
}

void ffi_run_batch_plot_draw(const ffi_run_batch_plot *p, FILE *out)
{
  int bins[BINS][FF_SCENE_OUTCOME_COUNT], sums[BINS], most = 1;
  const double width = (double)(WIDTH - LEFT - RIGHT) / BINS, height = HEIGHT - TOP - BOTTOM;
  count_bins(p, bins, sums);
  for (int i = 0; i < BINS; ++i)
    most = sums[i] > most ? sums[i] : most;
  fprintf(out, "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\">", p->title, WIDTH,
          HEIGHT);
  for (int i = 0; i < BINS; ++i) {
    double y = HEIGHT - BOTTOM;
    for (int k = 0; k < FF_SCENE_OUTCOME_COUNT; ++k) {
      const double h = height * bins[i][k] / (p->is_share ? (sums[i] > 0 ? sums[i] : 1) : most);
      if (bins[i][k] == 0)
        continue;
      y -= h;
      fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
              ff_scene_outcome_name((ff_scene_outcome)k), LEFT + width * i + 0.5, y, width - 1, h);
    }
  }
  draw_axes(p, most, out);
  fputs("</svg></figure>\n", out);
}
