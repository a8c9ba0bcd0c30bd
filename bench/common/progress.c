// The progress line of benchmarks, on top of the command's.
#include "common/progress.h"

#include "cli/text/progress.h"
#include <math.h>
#include <stdio.h>

static int is_forbidden;

void bench_progress_forbid(void)
{
  is_forbidden = 1;
}

void bench_progress_begin(bench_progress *p, double total)
{
  *p = (bench_progress){.total = total};
  ffi_progress_begin(&p->line, !is_forbidden);
}

static void show(bench_progress *p, double share)
{
  ffi_progress_show(&p->line, fmin(1, (p->before + p->part * share) / p->total), p->what);
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

int bench_progress_call(void *progress, const char *what, double share)
{
  bench_progress *p = progress;
  snprintf(p->what, sizeof p->what, "%s", what);
  show(p, share);
  return 0;
}

void bench_progress_end(bench_progress *p)
{
  (void)p;
  ffi_progress_erase(); // the next part shows it again
}
