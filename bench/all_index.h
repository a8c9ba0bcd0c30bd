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
  const char *about;   ///< a stepper of ours that it is judged on; NULL: the paper's method
  int is_goal;         ///< our goal, not a claim of the paper
} bench_all_index_claim;

/// 0: row `index` states no claim.
int bench_all_index_claim_of(const bench_json_rows *rows, int index, bench_all_index_claim *out);

/// What a verdict is about.
typedef enum bench_all_index_kind {
  BENCH_ALL_INDEX_PAPER, ///< a paper's claim about its own methods
  BENCH_ALL_INDEX_OURS,  ///< the same claim, judged on our own stepper
  BENCH_ALL_INDEX_GOAL,  ///< a goal of our own
  BENCH_ALL_INDEX_KINDS
} bench_all_index_kind;

/// Verdicts of some papers.
typedef struct bench_all_index_verdicts {
  int holds[BENCH_ALL_INDEX_KINDS], fails[BENCH_ALL_INDEX_KINDS], undecided[BENCH_ALL_INDEX_KINDS],
      open[BENCH_ALL_INDEX_KINDS];
} bench_all_index_verdicts;

void bench_all_index_count(const bench_json_rows *rows, bench_all_index_verdicts *add_to);

/// "Of 26 claims about the papers' methods 19 hold, 5 fail, 1 undecided, 1 not judged; of 5 about our own stepper expo
/// 3 hold, 2 fail, 0 undecided, 0 not judged; of 4 goals of our own 3 hold"
void bench_all_index_headline(const bench_all_index_verdicts *verdicts, char *words, size_t size);

void bench_all_index_write(FILE *file, const bench_all_index_entry *entries, int count, int is_quick);

#endif
