// Runs every paper, writes a page and a JSON file for each, the index page and the page of verdicts.
#define _POSIX_C_SOURCE 200809L
#include "all.h"

#include "all_index.h"
#include "bench.h"
#include "cli/error_message.h"
#include "cli/options/option_value.h"
#include "cli/program.h"
#include "common/timer.h"
#include "verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, PAPERS_MOST = 8 };

static const bench_all_paper known[] = {
    {"expo-paper", "Exponential integration of stiff contact", &bench_expo_paper_command},
    {"moreau-paper", "Moreau's time-stepping of hard contact", &bench_moreau_paper_command},
    {"ess-paper", "Many events at once", &bench_ess_paper_command},
    {"c2a-paper", "Adaptive steps that miss no contact", &bench_c2a_paper_command},
};

enum { KNOWN = sizeof known / sizeof *known };

// ---- Files --------------------------------------------------------------------------------------------------------

// Make the folder and those above it. Returns 0 with errno set.
static int make_folders(const char *folder)
{
  char path[PATH_SIZE];
  struct stat about;
  if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  for (char *c = path + 1; *path && *c; ++c)
    if (*c == '/') {
      *c = '\0';
      if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return 0;
      *c = '/';
    }
  if (mkdir(path, 0777) == 0)
    return 1;
  if (errno == EEXIST && stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
    errno = ENOTDIR;
  else if (errno == EEXIST)
    return 1;
  return 0;
}

// Returns 0 after an error message.
static int name_file(char path[PATH_SIZE], const char *folder, const char *name, const char *ending)
{
  if (snprintf(path, PATH_SIZE, "%s/%s.%s", folder, name, ending) < PATH_SIZE)
    return 1;
  ffi_error_message("%s: the name of this folder is too long", folder);
  return 0;
}

// ---- One paper after the other ------------------------------------------------------------------------------------

typedef struct all {
  const bench_command_request *request;
  const char *folder;
  bench_json_rows *rows; // verdicts of all papers; NULL: not wanted
  bench_table table;
  bench_all_index_entry entries[PAPERS_MOST];
  bench_json_rows *own[PAPERS_MOST]; // of each paper
  int count;
} all;

static void print_paper(const all *a, const bench_all_index_entry *e)
{
  bench_all_index_verdicts v = {0};
  bench_all_index_count(e->rows, &v);
  const int counts[] = {v.holds[BENCH_ALL_INDEX_PAPER] + v.holds[BENCH_ALL_INDEX_OURS],
                        v.fails[BENCH_ALL_INDEX_PAPER] + v.fails[BENCH_ALL_INDEX_OURS],
                        v.undecided[BENCH_ALL_INDEX_PAPER] + v.undecided[BENCH_ALL_INDEX_OURS],
                        v.open[BENCH_ALL_INDEX_PAPER] + v.open[BENCH_ALL_INDEX_OURS], (int)ceil(e->seconds)};
  char words[16];
  bench_table_row(&a->table, e->name);
  if (!e->is_done)
    bench_table_text(&a->table, "failed");
  for (size_t i = 0; e->is_done && i < sizeof counts / sizeof *counts; ++i) {
    snprintf(words, sizeof words, "%d", counts[i]);
    bench_table_text(&a->table, words);
  }
  bench_table_end(&a->table);
}

static void add_verdicts(const all *a, const bench_all_index_entry *e)
{
  bench_all_index_claim claim;
  char metric[112];
  for (int i = 0; a->rows && i < bench_json_rows_count(e->rows); ++i) {
    if (!bench_all_index_claim_of(e->rows, i, &claim))
      continue;
    snprintf(metric, sizeof metric, "claim:%s", claim.id);
    bench_json_rows_add_word(a->rows, e->name, metric, claim.verdict);
    snprintf(metric, sizeof metric, "decided:%s", claim.id);
    if (isfinite(claim.figure))
      bench_json_rows_add(a->rows, e->name, metric, claim.figure, claim.unit);
  }
}

// Returns the exit status of this paper.
static int do_paper(all *a, const bench_all_paper *paper)
{
  char html[PATH_SIZE], json[PATH_SIZE];
  bench_json_rows *rows = bench_json_rows_create();
  if (!rows) {
    ffi_error_message("there is not enough memory");
    return FFI_EXIT_FAILED;
  }
  bench_all_index_entry *e = &a->entries[a->count];
  a->own[a->count++] = rows;
  *e = (bench_all_index_entry){.name = paper->name, .title = paper->title, .rows = rows};
  if (!name_file(html, a->folder, paper->name, "html") || !name_file(json, a->folder, paper->name, "json"))
    return FFI_EXIT_FAILED;
  bench_command_request request = *a->request;
  request.html = html;
  request.json = json;
  request.chosen = NULL;
  request.is_silent = 1;
  const double start = bench_timer_seconds();
  const int status = bench_command_perform(paper->command, request, rows);
  e->seconds = bench_timer_seconds() - start;
  e->is_done = status == FFI_EXIT_OK;
  if (e->is_done)
    add_verdicts(a, e);
  print_paper(a, e);
  return status;
}

static int write_index(const void *of, FILE *file)
{
  const all *a = of;
  bench_all_index_write(file, a->entries, a->count, a->request->is_quick);
  return 1;
}

static int write_verdicts(const void *of, FILE *file)
{
  const all *a = of;
  bench_verdicts_write(file, a->entries, a->count, a->request->is_quick);
  return 1;
}

// All rows of all papers, in one file. Returns 0 after an error message.
static int save_rows(const all *a)
{
  char path[PATH_SIZE];
  bench_output_file file = {0};
  bench_json_rows *rows = bench_json_rows_create();
  bench_command_request request = {.html = path};
  int done =
      rows && name_file(path, a->folder, "verdicts", "json") && bench_command_check_html(&request, &file);
  if (done) {
    bench_verdicts_add_rows(a->entries, a->count, a->request->is_quick, rows);
    done = bench_json_rows_save(rows, &file);
    if (!done)
      ffi_error_message("%s: cannot be written", path);
  }
  bench_output_file_forget(&file);
  bench_json_rows_destroy(rows);
  return done;
}

static int do_papers(all *a, const bench_all_paper *papers, int count)
{
  char path[PATH_SIZE], page[PATH_SIZE],
      titles[5][24] = {"hold", "fail", "undecided", "not judged", "seconds"};
  bench_output_file index = {0}, verdicts = {0};
  int status = FFI_EXIT_OK;
  if (!name_file(path, a->folder, "index", "html") || !name_file(page, a->folder, "verdicts", "md"))
    return FFI_EXIT_FAILED;
  bench_command_request request = *a->request;
  request.html = path;
  if (!bench_command_check_html(&request, &index))
    return FFI_EXIT_FAILED;
  request.html = page;
  if (!bench_command_check_html(&request, &verdicts)) {
    bench_output_file_forget(&index);
    return FFI_EXIT_FAILED;
  }
  bench_table_titles(&a->table, "claims of", 5, titles);
  for (int i = 0; i < count && a->count < PAPERS_MOST; ++i) {
    if (a->request->chosen && strcmp(a->request->chosen, papers[i].name) != 0)
      continue;
    const int one = do_paper(a, &papers[i]);
    status = status == FFI_EXIT_OK ? one : status;
  }
  if (!bench_command_save_html(&index, write_index, a) ||
      !bench_command_save_html(&verdicts, write_verdicts, a) || !save_rows(a))
    status = FFI_EXIT_FAILED;
  else
    bench_table_say(&a->table, "Open %s; %s has the verdicts", path, page);
  bench_output_file_forget(&index);
  bench_output_file_forget(&verdicts);
  return status;
}

int bench_all_perform(const bench_all_paper *papers, int count, const bench_command_request *r,
                      bench_json_rows *rows)
{
  const bench_output_file no_page = {0};
  all *a = calloc(1, sizeof *a);
  if (!a) {
    ffi_error_message("there is not enough memory");
    return FFI_EXIT_FAILED;
  }
  a->request = r;
  a->folder = r->html ? r->html : "out/bench";
  a->rows = rows;
  a->table = bench_command_table(r, &no_page);
  int status = FFI_EXIT_FAILED;
  if (make_folders(a->folder))
    status = do_papers(a, papers, count);
  else
    ffi_error_message("%s: the folder cannot be made: %s", a->folder, strerror(errno));
  for (int i = 0; i < a->count; ++i)
    bench_json_rows_destroy(a->own[i]);
  free(a);
  return status;
}

// ---- The command --------------------------------------------------------------------------------------------------

static int is_case(const char *name)
{
  const char *names[KNOWN];
  int index;
  for (int i = 0; i < KNOWN; ++i)
    names[i] = known[i].name;
  return ffi_option_value_word("--case", name, names, KNOWN, &index);
}

static int perform(const void *context, const bench_command_request *request, bench_json_rows *rows)
{
  (void)context;
  return bench_all_perform(known, KNOWN, request, rows);
}

const bench_command bench_all_command = {.name = "all", .is_case = is_case, .perform = perform};
