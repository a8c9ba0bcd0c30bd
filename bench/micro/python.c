// footfall bench python: what a step costs from Python, beside C and MuJoCo. Python itself measures, since both ways
// must run in one process: python/footfall/measure.py prints rows, which are shown and saved here.
#define _POSIX_C_SOURCE 200809L // popen
#include "bench.h"
#include "cli/error_message.h"
#include "cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 };

// The interpreter whose package is measured: that of FOOTFALL_PYTHON, or python3.
static int command_line(char *out, size_t size, int is_quick)
{
  const char *python = getenv("FOOTFALL_PYTHON");
  if (!python || !python[0])
    python = "python3";
  if (strchr(python, '\''))
    return 0;
  const int length = snprintf(out, size, "'%s' -m footfall.measure%s", python, is_quick ? " --quick" : "");
  return length > 0 && (size_t)length < size;
}

// A row of measure.py: case, metric, value, unit, with tabs between. Returns 0 if it is none.
static int read_row(char *line, bench_json_rows_row *row)
{
  char *at = line, *end;
  const char *parts[4];
  for (int i = 0; i < 4; ++i) {
    parts[i] = at;
    at += strcspn(at, i < 3 ? "\t" : "\n");
    if (!*at)
      return 0;
    *at++ = 0;
  }
  *row = (bench_json_rows_row){.which = parts[0], .metric = parts[1], .unit = parts[3]};
  row->value = strtod(parts[2], &end);
  return end != parts[2] && *end == 0;
}

static int read_rows(FILE *from, const bench_table *table, bench_json_rows *rows)
{
  char line[LINE], cell[LINE];
  int count = 0;
  while (fgets(line, sizeof line, from)) {
    bench_json_rows_row row;
    if (!read_row(line, &row))
      continue;
    ++count;
    bench_table_row(table, row.metric);
    bench_table_number(table, row.value);
    snprintf(cell, sizeof cell, "%.20s", row.unit);
    bench_table_text(table, cell);
    bench_table_end(table);
    if (rows)
      bench_json_rows_add(rows, row.which, row.metric, row.value, row.unit);
  }
  return count;
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  char command[4096], titles[2][24] = {"", "unit"};
  const bench_table table = {
      .is_silent = r->is_silent, .is_markdown = r->is_markdown, .first_width = 24, .width = 12};
  (void)context;
  if (!command_line(command, sizeof command, r->is_quick)) {
    ffi_error_message("FOOTFALL_PYTHON: it is no path of an interpreter");
    return FFI_EXIT_USAGE;
  }
  FILE *from = popen(command, "r");
  if (!from) {
    ffi_error_message("%s: it cannot be started", command);
    return FFI_EXIT_FAILED;
  }
  bench_table_titles(&table, "from Python", 2, titles);
  const int count = read_rows(from, &table, rows);
  if (pclose(from) == 0 && count > 0)
    return FFI_EXIT_OK;
  ffi_error_message(
      "%s failed: './dev python' installs the package in build/venv, and FOOTFALL_PYTHON names the "
      "interpreter that has it",
      command);
  return FFI_EXIT_FAILED;
}

const bench_command bench_python_command = {.name = "python", .perform = perform};
