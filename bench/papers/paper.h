/// paper.h: a benchmark that reproduces the experiments of a paper.
///
/// A paper is a descriptor: the studies that reproduce its experiments, the function that judges its claims, and its
/// report.
/// bench_paper_perform does what all papers have in common: it loads, runs the studies with progress, judges, prints
/// the claims, writes the report and cleans up. Studies keep what they measure in the paper's own data, a struct whose
/// first member is a bench_paper_run; the claims and the report read it from there.
#ifndef BENCH_PAPER_H
#define BENCH_PAPER_H

#include "common/claim.h"
#include "common/command.h"
#include "common/progress.h"

enum { BENCH_PAPER_CLAIMS_MOST = 24 };

/// The first member of every paper's data, set before `prepare`.
typedef struct bench_paper_run {
  bench_table table;
  bench_json_rows *rows; ///< NULL: not wanted
  const char *scenes;    ///< folder; NULL: the shipped one
  int is_quick;
  bench_progress progress;
  bench_claim claims[BENCH_PAPER_CLAIMS_MOST];
  int claim_count;
} bench_paper_run;

/// One experiment. `data` is the paper's own struct.
typedef struct bench_paper_study {
  const char *name;
  double (*work)(const void *data);              ///< estimate, in the same unit for all studies of a paper
  ff_status (*run)(void *data, ff_error *error); ///< measure, print tables, add rows
  int has_parts;                                 ///< it calls bench_progress_part itself
} bench_paper_study;

typedef struct bench_paper {
  size_t size; ///< of its data, zeroed at the start
  /// Load; 0 after an error message; may be NULL.
  int (*prepare)(void *data, const bench_command_request *request);
  const bench_paper_study *studies;
  int study_count;
  void (*judge)(void *data);                 ///< fill run.claims
  int (*html)(const void *data, FILE *file); ///< the report; 0 if there is no memory
  void (*release)(void *data);               ///< what `prepare` and the studies allocated; may be NULL
  int has_mujoco;                            ///< it measures MuJoCo too, and its rows say which
} bench_paper;

/// For bench_command.perform, whose context is a bench_paper. Returns the exit status.
int bench_paper_perform(const void *paper, const bench_command_request *request, bench_json_rows *rows);

/// A new claim at the end of run->claims, by the rule of this id, not judged yet.
bench_claim *bench_paper_claim(bench_paper_run *run, const bench_claim_rule *rules, int count,
                               const char *id);

/// Add a row if rows are wanted.
void bench_paper_row(const bench_paper_run *run, const char *which, const char *metric, double value,
                     const char *unit);

#endif
