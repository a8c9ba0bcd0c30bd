/// html.h: parts of a report: one self-contained page of HTML with inline figures, for light and dark themes, without
/// scripts.
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include "common/claim.h"
#include "common/plot.h"

#include <stdio.h>

void bench_html_begin(FILE *file, const char *title); ///< the head, up to and including <main>
void bench_html_end(FILE *file);

/// Write a page with a table of contents before its first section: links to the sections, which get names.
void bench_html_add_contents(FILE *file, const char *page);

/// The beginning of a report on a paper. `source` is HTML: authors, title and journal. `quick`, if not NULL, says what
/// a quick run leaves out.
void bench_html_paper(FILE *file, const char *title, const char *source, const char *quick);

void bench_html_number(FILE *file, double value); ///< a cell; empty if it is not finite

/// <tag>words</tag>; `tag` may have attributes: "td class=\"text\"".
void bench_html_text(FILE *file, const char *tag, const char *words);

void bench_html_draw(FILE *file, const bench_plot_figure *figure);

/// The section of claims: headline, and for each its verdict, rule and details. `words` is HTML, placed before it.
void bench_html_claims(FILE *file, const char *words, const bench_claim *claims, int count);

#endif
