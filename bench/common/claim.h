/// claim.h: what a paper claims, and what the data say to it.
///
/// A claim is begun, judged and given its reasons by who knows the data; printing, rows and the page are the same for all papers.
#ifndef BENCH_CLAIM_H
#define BENCH_CLAIM_H

#include "common/rows.h"
#include "common/sheet.h"

typedef struct bench_claim {
  char id[24];     ///< "C1", "C1:expo-paper"
  char claim[160]; ///< in words
  int is_judged;   ///< there were data
  int holds;
  double figure; ///< that decided
  char unit[16];
  char why[400];    ///< what the figure is, and where it was decided
  char where[8000]; ///< in which places it is so, or not, a line each
} bench_claim;

/// Not judged yet.
void bench_claim_make(bench_claim *claim, const char *id, const char *words, const char *unit);

/// `where` is added to what is there.
void bench_claim_because(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bench_claim_where(bench_claim *claim, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *bench_claim_verdict(const bench_claim *claim); ///< "holds", "fails", "not judged"

/// Print them, and add rows of the case "paper": claim:ID, decided:ID, where:ID. `rows` may be NULL.
void bench_claims_report(const bench_claim *claims, int count, const bench_sheet *sheet, bench_rows *rows);

#endif
