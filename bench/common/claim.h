/// claim.h: a claim of a paper, the rule by which it is judged, and the verdict.
///
/// A rule is written before the run: how its one figure is measured, and between which bounds the claim holds. Judging
/// finds the figure and nothing else; the verdict follows from the rule. A figure that comes from timing has an
/// interval, or one that depends on something the paper does not state; a bound within it leaves the claim undecided.
/// The interval of a time is at least that by which times change from run to run.
///
/// Each paper lists its rules; printing, rows and the HTML page are the same for all papers.
#ifndef BENCH_CLAIM_H
#define BENCH_CLAIM_H

#include "common/json_rows.h"
#include "common/table.h"

typedef struct bench_claim_rule {
  const char *id;    ///< "C1", "C1:expo-paper"
  const char *claim; ///< in words
  const char *rule;  ///< what the figure is
  const char *unit;
  double least,
      most;         ///< the claim holds from least to most, bounds included; -INFINITY or INFINITY: no bound
  const char *from; ///< where the bounds come from: "the paper's", "ours"
  const char *spread; ///< what the figure's interval is over; NULL: repeated timings, and runs
  const char *about;  ///< our own stepper, on which the paper's claim is judged; NULL: the paper's method
  int is_goal;        ///< our goal, not a claim of the paper
  int needs_full;     ///< a quick run measures too little to judge it
} bench_claim_rule;

typedef struct bench_claim {
  const bench_claim_rule *rule;
  int is_judged;    ///< there were data to judge by
  double figure;    ///< that decided
  double low, high; ///< its interval; both are the figure if it is exact
  char why[400];    ///< which data decided; of a claim that is not judged: why not
  char where[8000]; ///< details, a line each: words, a tab, words, ...; an empty line begins another table
} bench_claim;

/// The other end of a time's interval: the second shortest one, and at least a tenth more than the shortest. By a tenth
/// times change from run to run (docs/performance.md), which repetitions within a run do not show. Both in one unit.
double bench_claim_slower(double shortest, double second);

/// A claim that is not judged yet.
void bench_claim_make(bench_claim *claim, const bench_claim_rule *rule);

/// Judge it by a figure, or by one that lies between low and high. NAN leaves the claim
/// unjudged; an infinite figure is beyond all bounds.
void bench_claim_decide(bench_claim *claim, double figure);
void bench_claim_decide_between(bench_claim *claim, double low, double figure, double high);

/// Judge it by the smallest of several figures: call once for each. The interval's ends are the smallest ones too, as
/// another figure than the smallest may lie below the bound. Returns whether this figure is the smallest so far.
int bench_claim_decide_least(bench_claim *claim, double low, double figure, double high);

/// Set `why`; append to `where` (a line break before it if there is something).
void bench_claim_because(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bench_claim_detail(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef enum bench_claim_verdict {
  BENCH_CLAIM_OPEN, ///< not judged
  BENCH_CLAIM_HOLDS,
  BENCH_CLAIM_FAILS,
  BENCH_CLAIM_UNDECIDED,
  BENCH_CLAIM_VERDICTS
} bench_claim_verdict;

bench_claim_verdict bench_claim_judge(const bench_claim *claim);
const char *
bench_claim_verdict_word(bench_claim_verdict verdict); ///< "holds", "fails", "undecided", "not judged"

/// The bounds in words: "at least 2", "at most 10", "from 2 to 3", "below 1".
void bench_claim_bounds(const bench_claim_rule *rule, char *words, size_t size);

const char *bench_claim_spread(const bench_claim_rule *rule); ///< never NULL

/// Print the claims and add rows of the case "paper": says:ID, rule:ID, claim:ID (the verdict), decided:ID, its
/// interval low:ID and high:ID if it was timed, least:ID, most:ID, why:ID, where:ID, goal:ID for ours. `rows` may be
/// NULL. And about:ID, if it is judged on a stepper of ours.
void bench_claim_report(const bench_claim *claims, int count, const bench_table *table,
                        bench_json_rows *rows);

#endif
