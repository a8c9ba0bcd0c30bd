// Ranges and ticks of axes.
#include "common/plot_scale.h"

#include <math.h>

int bench_plot_scale_has(const bench_plot_scale *s, double value)
{
  return isfinite(value) && (!s->is_log || value > 0);
}

double bench_plot_scale_at(const bench_plot_scale *s, double value)
{
  const double x = s->is_log ? log10(value) : value;
  return s->start + s->length * (x - s->from) / (s->to - s->from);
}

// 1, 2 or 5 times a power of ten, at least `least`.
static double round_step(double least)
{
  const double decade = pow(10, floor(log10(least)));
  const double part = least / decade;
  return decade * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

bench_plot_scale bench_plot_scale_for(int is_log, double lowest, double highest)
{
  bench_plot_scale s = {.is_log = is_log, .from = 0, .to = 1};
  if (!(lowest <= highest))
    return s;
  if (is_log) {
    // A small margin, then the next whole decade if that is near, so that no curve lies on the frame.
    const double low = log10(lowest) - 0.08, high = log10(highest) + 0.08;
    s.from = low - floor(low) < 0.45 ? floor(low) : low;
    s.to = ceil(high) - high < 0.45 ? ceil(high) : high;
    if (s.to - s.from < 1) {
      const double middle = 0.5 * (s.from + s.to);
      s.from = middle - 0.5;
      s.to = middle + 0.5;
    }
    return s;
  }
  const double span = highest > lowest ? highest - lowest : fmax(fabs(highest), 1);
  const double step = round_step(span / 5);
  s.from = step * floor((lowest - 0.02 * span) / step);
  s.to = step * ceil((highest + 0.02 * span) / step);
  if (lowest >= 0 && lowest < 0.5 * highest) // an axis that starts at 0 shows relative size
    s.from = 0;
  return s;
}

static int add(bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS], int count, double value, int is_major)
{
  if (count < BENCH_PLOT_SCALE_TICKS) {
    ticks[count].value = value;
    ticks[count].is_major = is_major;
    ticks[count].label[0] = '\0';
    return count + 1;
  }
  return count;
}

// Few decades near 1 are written out, 0.01, 0.1, 1; others as powers.
static void label_power(bench_plot_scale_tick *t, int exponent, int is_plain)
{
  if (is_plain)
    snprintf(t->label, sizeof t->label, "%g", pow(10, exponent));
  else
    snprintf(t->label, sizeof t->label, "10<tspan dy=\"-5\" font-size=\"9\">%s%d</tspan>",
             exponent < 0 ? "\u2212" : "", exponent < 0 ? -exponent : exponent);
}

static int log_ticks(const bench_plot_scale *s, int room, bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS])
{
  const int first = (int)floor(s->from), last = (int)ceil(s->to);
  const int every = (last - first) / (room > 0 ? room : 1) + 1, is_plain = first >= -3 && last <= 5;
  const int has_few = s->to - s->from < 1.6; // decades: 2 and 5 get a label too
  int count = 0;
  for (int e = first; e <= last; ++e)
    for (int digit = 1; digit < 10; ++digit) {
      const double at = e + log10(digit);
      if (at < s->from - 1e-9 || at > s->to + 1e-9 || (digit > 1 && every > 2))
        continue;
      const int before = count;
      count = add(ticks, count, digit * pow(10, e), digit == 1);
      if (count > before && digit == 1 && e % every == 0)
        label_power(&ticks[count - 1], e, is_plain);
      else if (count > before && has_few && (digit == 2 || digit == 5))
        snprintf(ticks[count - 1].label, sizeof ticks[count - 1].label, "%g", digit * pow(10, e));
    }
  return count;
}

int bench_plot_scale_ticks(const bench_plot_scale *s, int room,
                           bench_plot_scale_tick ticks[BENCH_PLOT_SCALE_TICKS])
{
  if (s->is_log)
    return log_ticks(s, room, ticks);
  const double step = round_step((s->to - s->from) / (room > 0 ? room : 1));
  int count = 0;
  for (double k = ceil(s->from / step - 1e-9);
       k * step <= s->to + 1e-9 * step && count < BENCH_PLOT_SCALE_TICKS; ++k) {
    count = add(ticks, count, k * step, 1);
    snprintf(ticks[count - 1].label, sizeof ticks[count - 1].label, "%.6g", k == 0 ? 0 : k * step);
  }
  return count;
}
