#include "progress.h"

#include "timer.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { BAR = 24 };

void bench_progress_begin(bench_progress *p, double total)
{
  *p = (bench_progress){.total = total, .start = bench_seconds(), .is_shown = isatty(STDERR_FILENO)};
}

static void show(bench_progress *p, double share)
{
  const double now = bench_seconds(), passed = now - p->start;
  if (!p->is_shown || now - p->shown < 0.2)
    return;
  p->shown = now;
  const double done = fmin(1, (p->before + p->part * share) / p->total);
  char bar[BAR + 1], left[32] = "";
  for (int i = 0; i < BAR; ++i)
    bar[i] = i < (int)(done * BAR) ? '#' : '.';
  bar[BAR] = '\0';
  if (done > 0.01 && passed > 1) {
    const double seconds = passed * (1 - done) / done;
    if (seconds < 90)
      snprintf(left, sizeof left, "%.0f s left", seconds);
    else
      snprintf(left, sizeof left, "%.0f min left", ceil(seconds / 60));
  }
  fprintf(stderr, "\r[%s] %3.0f %%  %-12s %-40.40s", bar, 100 * done, left, p->what);
  fflush(stderr);
}

void bench_progress_part(bench_progress *p, double size, const char *what)
{
  p->before += p->part;
  p->part = size;
  snprintf(p->what, sizeof p->what, "%s", what);
  show(p, 0);
}

void bench_progress_share(void *progress, double share)
{
  show(progress, share);
}

void bench_progress_end(bench_progress *p)
{
  if (p->is_shown && p->shown > 0)
    fprintf(stderr, "\r%*s\r", BAR + 66, "");
}
