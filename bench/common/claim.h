/// claim.h: a claim of a paper and the verdict on it.
///
/// Each paper creates and judges its claims; printing, rows and the HTML page are the same for all papers.
#ifndef BENCH_CLAIM_H
#define BENCH_CLAIM_H

#include "common/json_rows.h"
#include "common/table.h"

typedef struct bench_claim {
  char id[24];     ///< "C1", "C1:expo-paper"
  char claim[160]; ///< in words
  int is_judged;   ///< there were data to judge by
  int holds;
  double figure; ///< that decided
  char unit[16];
  char why[400];    ///< what the figure is, and which data decided
  char where[8000]; ///< details for each test, one line each
} bench_claim;

/// A claim that is not judged yet.
void bench_claim_make(bench_claim *claim, const char *id, const char *words, const char *unit);

/// Set `why`; append to `where`.
void bench_claim_because(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bench_claim_where(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *bench_claim_verdict(const bench_claim *claim); ///< "holds", "fails", "not judged"

/// Print the claims and add rows of the case "paper": says:ID, where:ID, claim:ID, decided:ID. `rows` may be NULL.
void bench_claim_report(const bench_claim *claims, int count, const bench_table *table,
                        bench_json_rows *rows);

#endif
