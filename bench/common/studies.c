#include "common/studies.h"

#include "cli/complain.h"

int bench_studies_run(const bench_studies *s, void *paper, bench_progress *progress)
{
  double work = 0;
  for (int i = 0; i < s->count; ++i)
    work += s->work(paper, i);
  bench_progress_begin(progress, work);
  for (int i = 0; i < s->count; ++i) {
    ff_error error = {0};
    bench_progress_part(progress, s->work(paper, i), s->name(i));
    const ff_status status = s->run(paper, i, &error);
    bench_progress_end(progress);
    if (status != FF_OK) {
      ffi_complain("%s: %s", s->name(i), error.message[0] ? error.message : "no memory");
      return 0;
    }
  }
  return 1;
}
