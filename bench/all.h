/// all.h: `footfall bench all`: runs every paper and writes a page for each, and an index page with all verdicts.
#ifndef BENCH_ALL_H
#define BENCH_ALL_H

#include "common/command.h"

/// A paper to run. Its rows hold a verdict for each of its claims (claim.h).
typedef struct bench_all_paper {
  const char *name;  ///< of its files: "expo-paper"
  const char *title; ///< of its section, in words
  const bench_command *command;
} bench_all_paper;

/// Creates the folder `request->html` and writes NAME.html and NAME.json for each paper, and index.html.
/// `request->chosen`: only that paper. Unless `rows` is NULL, verdicts are added to it with the paper's name as case.
/// When a paper fails, the others still run and the index reports the failure. Returns the exit status of the first
/// failure.
int bench_all_perform(const bench_all_paper *papers, int count, const bench_command_request *request,
                      bench_json_rows *rows);

#endif
