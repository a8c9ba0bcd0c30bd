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

/// A claim as its rows give it.
typedef struct bench_all_index_claim {
  const char *id, *says, *rule, *from, *why, *where, *unit;
  const char *verdict; ///< "holds", "fails", "undecided" or "not judged"
  double figure;       ///< that decided; not finite: none
  double low, high;    ///< its interval; not finite: none
  double least, most;  ///< the claim holds between them
  int is_goal;         ///< our goal, not a claim of the paper
} bench_all_index_claim;

/// 0: row `index` states no claim.
int bench_all_index_claim_of(const bench_json_rows *rows, int index, bench_all_index_claim *out);

/// Verdicts of some papers: [0] on their claims, [1] on our goals.
typedef struct bench_all_index_verdicts {
  int holds[2], fails[2], undecided[2], open[2];
} bench_all_index_verdicts;

void bench_all_index_count(const bench_json_rows *rows, bench_all_index_verdicts *add_to);

/// "19 of 26 claims hold, 5 fail, 1 is undecided, 1 is not judged; of our 4 goals 3 hold"
void bench_all_index_headline(const bench_all_index_verdicts *verdicts, char *words, size_t size);

void bench_all_index_write(FILE *file, const bench_all_index_entry *entries, int count, int is_quick);

#endif
