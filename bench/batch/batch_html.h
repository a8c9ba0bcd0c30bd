/// batch_html.h: the page of `footfall bench batch`.
#ifndef BENCH_BATCH_HTML_H
#define BENCH_BATCH_HTML_H

#include "batch/batch_report.h"

#include <stdio.h>

typedef struct bench_batch_page {
  bench_batch_figures *cases;
  int count;
  ff_isa isa;
  const char *counted; ///< the instruction set that instructions were counted with, NULL: not counted
  int is_quick;
} bench_batch_page;

/// For bench_command_save_html(). Returns 0 if there is no memory.
int bench_batch_html(const void *page, FILE *file);

#endif
