// The columns of a log in CSV: time, q, v, energies, contacts, and the contact force on each link.
#include "cli/error_message.h"
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void title(ffi_csv_log *log, const char *kind, const char *name, const char *part, const char *unit)
{
  char text[1200]; // names have at most 1024 bytes
  snprintf(text, sizeof text, "%s.%.1100s%s%s [%s]", kind, name, *part ? "." : "", part, unit);
  ffi_csv_log_title(log, text);
}

static void write_titles(ffi_run_csv *log, const ff_model *model)
{
  static const char *const others[] = {
      "kinetic [J]",  "potential [J]", "elastic [J]",     "energy [J]",       "control_work [J]",
      "contacts [1]", "slipping [1]",  "penetration [m]", "normal_force [N]",
  };
  static const char *const axes[] = {"x", "y", "z"};
  const ff_model_size size = ff_model_get_size(model);
  ffi_csv_log_title(&log->file, "time [s]");
  for (int is_velocity = 0; is_velocity < 2; ++is_velocity)
    for (int i = 0; i < (is_velocity ? size.nv : size.nq); ++i) {
      char name[1100]; // names have at most 1024 bytes
      const char *unit;
      ff_log_column(model, is_velocity, i, name, sizeof name, &unit);
      title(&log->file, is_velocity ? "v" : "q", name, "", unit);
    }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_log_title(&log->file, others[i]);
  for (int i = 0; i < log->contact_sums.link_count; ++i) {
    ff_link_info link;
    ff_model_link(model, log->contact_sums.links[i], &link);
    for (int k = 0; k < 3; ++k)
      title(&log->file, "force", link.name, axes[k], "N");
  }
  ffi_csv_log_end_row(&log->file);
}

int ffi_run_csv_open(ffi_run_csv *log, const char *path, const ff_model *model)
{
  *log = (ffi_run_csv){0};
  if (!ffi_csv_log_open(&log->file, path)) {
    ffi_error_message("%s: cannot be written: %s", path, ffi_growing_file_reason(errno));
    return 0;
  }
  ffi_run_contact_sums_begin(&log->contact_sums, model);
  write_titles(log, model);
  return 1;
}

// A remark on one line. A run that came to its end has none, as not every reader of CSV skips remarks.
static void write_end(ffi_csv_log *file, const ffi_run_end *end)
{
  char text[sizeof end->reason + 100];
  snprintf(text, sizeof text, "# %s at %.9g s%s%s", end->outcome, end->time, end->reason[0] ? ": " : "",
           end->reason);
  for (char *c = text; *c; ++c)
    if (*c == '\n' || *c == '\r')
      *c = ' ';
  ffi_csv_log_remark(file, text);
}

int ffi_run_csv_close(ffi_run_csv *log, const ffi_run_end *end, long long *rows)
{
  const int has_remark = strcmp(end->outcome, "finished") != 0 && !log->file.failed;
  if (has_remark)
    write_end(&log->file, end);
  const int is_written = ffi_csv_log_close(&log->file);
  *rows = log->file.rows > 0 ? log->file.rows - 1 : 0;
  *rows -= has_remark && is_written;
  const char *reason = ffi_growing_file_reason(errno);
  if (!is_written &&
      (log->file.rows == 0 || errno == ESTALE)) // what was there before still is, or nothing is
    ffi_error_message("%s: could not be written: %s", log->file.path, reason);
  else if (!is_written)
    ffi_error_message("%s: could not be written: %s; it ends after %lld whole row%s%s%s", log->file.path,
                      reason, *rows, *rows == 1 ? "" : "s",
                      log->file.file.has_kept ? "; the file that was there before is now " : "",
                      log->file.file.has_kept ? log->file.file.kept : "");
  ffi_csv_log_free(&log->file);
  ffi_run_contact_sums_end(&log->contact_sums);
  *log = (ffi_run_csv){0};
  return is_written;
}

int ffi_run_csv_row(ffi_run_csv *log, const ffi_run_scene *scene)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  const ff_energy energy = ff_sim_energy(scene->sim);
  const ffi_run_contact_sums *sum = &log->contact_sums;
  ffi_run_contact_sums_update(&log->contact_sums, scene);
  const double *q = ff_scene_now_q(scene->scene), *v = ff_scene_now_v(scene->scene);
  const double others[] = {energy.kinetic, energy.potential,    energy.elastic,
                           energy.total,   energy.control_work, sum->count,
                           sum->slipping,  sum->penetration,    sum->normal_force};
  ffi_csv_log_figure(&log->file, ff_sim_time(scene->sim)); // a sum of steps: its last digits are rounding
  for (int i = 0; i < size.nq; ++i)
    ffi_csv_log_number(&log->file, q[i]);
  for (int i = 0; i < size.nv; ++i)
    ffi_csv_log_number(&log->file, v[i]);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_log_figure(&log->file, others[i]);
  for (int i = 0; i < log->contact_sums.link_count; ++i)
    for (int k = 0; k < 3; ++k)
      ffi_csv_log_figure(&log->file, sum->forces[3 * log->contact_sums.links[i] + k]);
  return ffi_csv_log_end_row(&log->file);
}
