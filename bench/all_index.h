/// all_index.h: the page that links to the reports of all papers, and the verdicts it lists.
#ifndef BENCH_ALL_INDEX_H
#define BENCH_ALL_INDEX_H

#include "common/json_rows.h"

typedef struct bench_all_index_entry {
  const char *name, *title;
  const bench_json_rows *rows; ///< of the paper
  int is_done;                 ///< 0: it failed, and there is no report
  double seconds;
} bench_all_index_entry;

/// Verdicts of one paper.
typedef struct bench_all_index_verdicts {
  int holds, fails, open;
} bench_all_index_verdicts;

bench_all_index_verdicts bench_all_index_count(const bench_json_rows *rows);

/// A claim as its rows give it.
typedef struct bench_all_index_claim {
  const char *id, *says, *verdict, *unit; ///< verdict: "holds", "fails" or "not judged"
  double figure;                          ///< that decided; not finite: none
} bench_all_index_claim;

/// 0: row `index` states no claim.
int bench_all_index_claim_of(const bench_json_rows *rows, int index, bench_all_index_claim *out);

void bench_all_index_write(FILE *file, const bench_all_index_entry *entries, int count, int is_quick);

#endif
