/// all.h: `footfall bench all`: every paper, one after the other, a page each, and a page that leads to them with every verdict.
#ifndef BENCH_ALL_H
#define BENCH_ALL_H

#include "common/request.h"

/// A paper that is done again. Its rows hold a verdict for each of its claims (claim.h).
typedef struct bench_all_paper {
  const char *name;  ///< of its files: "expo-paper"
  const char *title; ///< of its section, in words
  const bench_command *command;
} bench_all_paper;

extern const bench_command bench_expo_paper_command, bench_moreau_paper_command, bench_ess_paper_command,
    bench_c2a_paper_command;

/// Into the folder `request->html`, which is made: NAME.html and NAME.json for each paper, and index.html. `request->chosen`: only that one.
/// Verdicts also go to `rows`, unless that is NULL, with the paper's name as their case. A paper that fails does not keep others from being done; the index
/// says so. The exit status: that of the first failure.
int bench_all_perform(const bench_all_paper *papers, int count, const bench_request *request,
                      bench_rows *rows);

#endif
