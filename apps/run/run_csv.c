// The columns of a log in CSV: time, q, v, energies, contacts, and the force of all contacts on each link that can touch.
#include "cli/complain.h"
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void title(ffi_csv_log *log, const char *kind, const char *name, const char *part, const char *unit)
{
  char text[1200]; // names have at most 1024 bytes
  snprintf(text, sizeof text, "%s.%.1100s%s%s [%s]", kind, name, *part ? "." : "", part, unit);
  ffi_csv_title(log, text);
}

static void write_titles(ffi_run_csv *log, const ff_model *model)
{
  static const char *const others[] = {
      "kinetic [J]",  "potential [J]", "elastic [J]",     "energy [J]",       "control_work [J]",
      "contacts [1]", "slipping [1]",  "penetration [m]", "normal_force [N]",
  };
  static const char *const axes[] = {"x", "y", "z"};
  const ff_model_size size = ff_model_get_size(model);
  ffi_csv_title(&log->file, "time [s]");
  for (int is_velocity = 0; is_velocity < 2; ++is_velocity)
    for (int i = 0; i < (is_velocity ? size.nv : size.nq); ++i) {
      char name[1100]; // names have at most 1024 bytes
      const char *unit;
      ff_log_column(model, is_velocity, i, name, sizeof name, &unit);
      title(&log->file, is_velocity ? "v" : "q", name, "", unit);
    }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_title(&log->file, others[i]);
  for (int i = 0; i < log->touch.link_count; ++i) {
    ff_link_info link;
    ff_model_link(model, log->touch.links[i], &link);
    for (int k = 0; k < 3; ++k)
      title(&log->file, "force", link.name, axes[k], "N");
  }
  ffi_csv_end_row(&log->file);
}

int ffi_run_csv_open(ffi_run_csv *log, const char *path, const ff_model *model)
{
  *log = (ffi_run_csv){0};
  if (!ffi_csv_open(&log->file, path)) {
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    return 0;
  }
  ffi_run_touch_begin(&log->touch, model);
  write_titles(log, model);
  return 1;
}

// A remark in one line. Of a run that came to its end there is none, as not every reader of CSV knows remarks.
static void write_end(ffi_csv_log *file, const ffi_run_end *end)
{
  char text[sizeof end->reason + 100];
  snprintf(text, sizeof text, "# %s at %.9g s%s%s", end->outcome, end->time, end->reason[0] ? ": " : "",
           end->reason);
  for (char *c = text; *c; ++c)
    if (*c == '\n' || *c == '\r')
      *c = ' ';
  ffi_csv_remark(file, text);
}

int ffi_run_csv_close(ffi_run_csv *log, const ffi_run_end *end, long long *rows)
{
  const int has_remark = strcmp(end->outcome, "finished") != 0 && !log->file.failed;
  if (has_remark)
    write_end(&log->file, end);
  const int is_written = ffi_csv_close(&log->file);
  *rows = log->file.rows > 0 ? log->file.rows - 1 : 0;
  *rows -= has_remark && is_written;
  if (!is_written && log->file.rows == 0) // what was there before still is
    ffi_complain("%s: could not be written: %s", log->file.path, strerror(errno));
  else if (!is_written)
    ffi_complain("%s: could not be written: %s; it ends after %lld whole row%s", log->file.path,
                 strerror(errno), *rows, *rows == 1 ? "" : "s");
  ffi_run_touch_end(&log->touch);
  *log = (ffi_run_csv){0};
  return is_written;
}

int ffi_run_csv_row(ffi_run_csv *log, const ffi_run_scene *scene)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  const ff_energy energy = ff_sim_energy(scene->sim);
  const ffi_run_touch *sum = &log->touch;
  ffi_run_touch_sum(&log->touch, scene);
  const double *q = ffi_run_q(scene), *v = ffi_run_v(scene);
  const double others[] = {energy.kinetic, energy.potential,    energy.elastic,
                           energy.total,   energy.control_work, sum->count,
                           sum->slipping,  sum->penetration,    sum->normal_force};
  ffi_csv_figure(&log->file, ff_sim_time(scene->sim)); // a sum of steps: its last digits mean nothing
  for (int i = 0; i < size.nq; ++i)
    ffi_csv_number(&log->file, q[i]);
  for (int i = 0; i < size.nv; ++i)
    ffi_csv_number(&log->file, v[i]);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_figure(&log->file, others[i]);
  for (int i = 0; i < log->touch.link_count; ++i)
    for (int k = 0; k < 3; ++k)
      ffi_csv_figure(&log->file, sum->forces[3 * log->touch.links[i] + k]);
  return ffi_csv_end_row(&log->file);
}
