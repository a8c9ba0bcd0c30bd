// footfall info LOG.h5: what was run, how it ended, which signals the log has, and whether it is damaged.
#include "cli/text/json.h"
#include "cli/text/terminal.h"
#include "command.h"
#include "info/info.h"

#include <footfall/log.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 4096, NAME_SIZE = 1100 };

typedef struct page {
  const ff_log_info *info;
  const ff_model *model;
  ff_log_damage damage;
  const ffi_terminal *terminal;
} page;

static void print_end(const page *p)
{
  const ff_log_info *i = p->info;
  if (!i->is_whole)
    ffi_terminal_print(p->terminal, "ended",
                       "incomplete: the program was killed, could not write any more, or is still running");
  else
    ffi_terminal_print(p->terminal, "ended", "%s at %.6g s%s%s",
                       strcmp(i->outcome, "missed") == 0 ? "task not met" : i->outcome, i->ended,
                       i->reason[0] ? ": " : "", i->reason);
}

// ---- Damage ---------------------------------------------------------------------------------------------------------

static int is_damaged(const page *p)
{
  return p->damage.rows > 0 || p->damage.states > 0 || p->damage.list || p->info->damaged_file[0];
}

// "12 of 1001 rows (rows 512 to 523), 1 of 3 full states and names/q are not as they were written; ..."
static void describe(const page *p, char *text, size_t size)
{
  const ff_log_damage *d = &p->damage;
  const ff_log_info *i = p->info;
  char rows[128] = "", states[64] = "", file[460] = "", left[128] = "";
  if (d->rows > 0 && d->rows == i->rows)
    snprintf(rows, sizeof rows, "all %lld rows, ", i->rows);
  else if (d->rows == 1)
    snprintf(rows, sizeof rows, "row %lld of %lld, ", d->first_row, i->rows);
  else if (d->rows > 0)
    snprintf(rows, sizeof rows, "%lld of %lld rows (from row %lld to row %lld), ", d->rows, i->rows,
             d->first_row, d->last_row);
  if (d->states > 0)
    snprintf(states, sizeof states, "%lld of %lld full states, ", d->states, i->states);
  if (i->damaged_file[0])
    snprintf(file, sizeof file, "the file '%.400s' of the run, ", i->damaged_file);
  if (i->damaged_file[0] || (d->states > 0 && d->last_state < 0))
    snprintf(left, sizeof left, "; it cannot be resumed");
  else if (d->last_state >= 0)
    snprintf(left, sizeof left, "; 'footfall run --resume FILE' continues from %.6g s", d->last_time);
  int length =
      snprintf(text, size, "%s%s%s%s%s", rows, states, file, d->list ? d->list : "", d->list ? ", " : "");
  length = length < (int)size ? length : (int)size - 1;
  snprintf(text + length - 2, size - (size_t)length + 2, " cannot be read as written; the rest can%s", left);
}

static void print_check(const page *p)
{
  char text[1024];
  if (is_damaged(p)) {
    describe(p, text, sizeof text);
    ffi_terminal_print(p->terminal, "damaged", "%s", text);
  } else if (p->info->has_sums) {
    ffi_terminal_print(p->terminal, "checked", "everything in it is as it was written");
  } else {
    ffi_terminal_print(p->terminal, "checked",
                       "it has no checksums, because an older version wrote it: damage may go unnoticed");
  }
}

static void put_check(ffi_json *json, const page *p)
{
  const ff_log_damage *d = &p->damage;
  ffi_json_put_boolean(json, "checksums", p->info->has_sums);
  ffi_json_put_open(json, "damaged", '{');
  ffi_json_put_number(json, "rows", (double)d->rows);
  if (d->rows > 0) {
    ffi_json_put_number(json, "first_row", (double)d->first_row);
    ffi_json_put_number(json, "last_row", (double)d->last_row);
  }
  ffi_json_put_number(json, "states", (double)d->states);
  if (d->list)
    ffi_json_put_text(json, "list", d->list);
  if (p->info->damaged_file[0])
    ffi_json_put_text(json, "file", p->info->damaged_file);
  ffi_json_close(json, '}');
}

// ---- The page -------------------------------------------------------------------------------------------------------

// The names of q or v, with their units.
static void print_names(const page *p, const char *key, int is_velocity, int count)
{
  char text[LINE_SIZE] = "", name[NAME_SIZE];
  size_t used = 0;
  for (int i = 0; i < count; ++i) {
    const char *unit;
    ff_log_column(p->model, is_velocity, i, name, sizeof name, &unit);
    if (used + strlen(name) + strlen(unit) + 32 > sizeof text) {
      snprintf(text + used, sizeof text - used, " and %d more", count - i);
      break;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s [%s]", used > 0 ? ", " : "", name, unit);
  }
  if (count > 0)
    ffi_terminal_print(p->terminal, key, "%s", text);
}

static void print_time(const page *p)
{
  const ff_log_info *i = p->info;
  char time[64];
  if (isnan(i->from))
    snprintf(time, sizeof time, "unknown");
  else
    snprintf(time, sizeof time, "%.6g s to %.6g s", i->from, i->to);
  ffi_terminal_print(p->terminal, "time", "%s, %lld row%s, %lld contact%s, %lld full state%s", time, i->rows,
                     i->rows == 1 ? "" : "s", i->contacts, i->contacts == 1 ? "" : "s", i->states,
                     i->states == 1 ? "" : "s");
}

static void print_text(const page *p, const ff_files *files)
{
  const ff_log_info *i = p->info;
  ffi_terminal_print(p->terminal, "log", "%s: %s", i->path, i->title);
  ffi_terminal_print(p->terminal, "of", "%s%swritten by %s", i->file, *i->file ? ", " : "", i->program);
  ffi_terminal_print(p->terminal, "stepper", "%s, steps of %g ms", i->stepper, 1e3 * i->dt);
  print_time(p);
  print_end(p);
  print_check(p);
  print_names(p, "q", 0, p->model ? i->nq : 0);
  print_names(p, "v", 1, p->model ? i->nv : 0);
  ffi_terminal_print(p->terminal, "others",
                     "tau, a force or torque along each of v [N], [N m]; motor, energy, steps, contacts");
  for (int k = 0; k < ff_files_count(files); ++k)
    ffi_terminal_print(p->terminal, k == 0 ? "files" : "", "%s", ff_files_get(files, k)->path);
}

static void put_names(ffi_json *json, const char *key, const ff_model *model, int is_velocity, int count)
{
  ffi_json_put_open(json, key, '[');
  for (int i = 0; model && i < count; ++i) {
    char name[NAME_SIZE];
    const char *unit;
    ff_log_column(model, is_velocity, i, name, sizeof name, &unit);
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "name", name);
    ffi_json_put_text(json, "unit", unit);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void print_json(const page *p, const ff_files *files)
{
  const ff_log_info *i = p->info;
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "log", i->path);
  ffi_json_put_text(&json, "title", i->title);
  ffi_json_put_text(&json, "file", i->file);
  ffi_json_put_text(&json, "program", i->program);
  ffi_json_put_text(&json, "stepper", i->stepper);
  ffi_json_put_number(&json, "dt", i->dt);
  ffi_json_put_number(&json, "from", i->from);
  ffi_json_put_number(&json, "to", i->to);
  ffi_json_put_number(&json, "rows", (double)i->rows);
  ffi_json_put_number(&json, "contacts", (double)i->contacts);
  ffi_json_put_number(&json, "states", (double)i->states);
  ffi_json_put_text(&json, "outcome", i->outcome);
  ffi_json_put_text(&json, "reason", i->reason);
  ffi_json_put_number(&json, "ended", i->ended);
  put_check(&json, p);
  put_names(&json, "q", p->model, 0, i->nq);
  put_names(&json, "v", p->model, 1, i->nv);
  ffi_json_put_open(&json, "files", '[');
  for (int k = 0; k < ff_files_count(files); ++k)
    ffi_json_text(&json, ff_files_get(files, k)->path);
  ffi_json_close(&json, ']');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

int ffi_info_log(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal)
{
  ff_log *log;
  ff_error error;
  if (ff_log_open(path, &log, &error) != FF_OK) {
    ffi_error_message("%s", error.message);
    return FFI_EXIT_FAILED;
  }
  page p = {.info = ff_log_get_info(log), .terminal = terminal};
  char text[1024];
  if (ff_log_model(log, &p.model, NULL) != FF_OK)
    p.model = NULL; // the rest can be printed without it
  if (ff_log_check(log, &p.damage, &error) != FF_OK) {
    ffi_error_message("%s", error.message);
    ff_log_close(log);
    return FFI_EXIT_FAILED;
  }
  if (as_json)
    print_json(&p, ff_log_files(log));
  else if (!is_quiet)
    print_text(&p, ff_log_files(log));
  const int status = is_damaged(&p) ? FFI_EXIT_FAILED : FFI_EXIT_OK;
  if (status == FFI_EXIT_FAILED) {
    fflush(stdout); // before a message that may go to the same terminal
    describe(&p, text, sizeof text);
    ffi_error_message("%s: the log is damaged: %s", path, text);
  }
  ff_log_close(log);
  return status;
}
