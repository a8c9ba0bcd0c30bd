/// verdicts.h: the page with the verdict on every claim, in Markdown, and the rows of the run: docs/verdicts.md is the
/// page of a full run, docs/verdicts.json those of its rows that documents quote.
#ifndef BENCH_VERDICTS_H
#define BENCH_VERDICTS_H

#include "all_index.h"

void bench_verdicts_write(FILE *file, const bench_all_index_entry *entries, int count, int is_quick);

/// How the run was made (case "run"), and all rows of all papers: case "PAPER/CASE".
void bench_verdicts_add_rows(const bench_all_index_entry *entries, int count, int is_quick,
                             bench_json_rows *out);

#endif
