/// all_index.h: the page that leads to the reports of all papers.
#ifndef BENCH_ALL_INDEX_H
#define BENCH_ALL_INDEX_H

#include "common/rows.h"

typedef struct bench_index_entry {
  const char *name, *title;
  const bench_rows *rows; ///< of the paper
  int is_done;            ///< else it failed, and there is no report
  double seconds;
} bench_index_entry;

/// Verdicts of one paper.
typedef struct bench_verdicts {
  int holds, fails, open;
} bench_verdicts;

bench_verdicts bench_index_count(const bench_rows *rows);

/// The id of a claim if row `index` says one, with its verdict ("holds", "fails" or "not judged") and figure, not finite if there is none; else NULL.
typedef struct bench_index_claim {
  const char *id, *says, *verdict, *unit;
  double figure;
} bench_index_claim;

int bench_index_claim_of(const bench_rows *rows, int index, bench_index_claim *out); ///< 0: it says none

void bench_index_write(FILE *file, const bench_index_entry *entries, int count, int is_quick);

#endif
