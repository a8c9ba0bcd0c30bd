// Keeps a case's figures; its table and its rows.
#include "batch/batch_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void bench_batch_report_keep(const bench_batch_run *run, bench_batch_figures *out)
{
  *out = (bench_batch_figures){.kind = run->c.kind,
                               .count = run->entry_count,
                               .contacts = run->motion[0].contacts,
                               .solver = ff_hard_solver_name(ff_world_def(run->world[0])->moreau.solver)};
  for (int i = 0; i < run->entry_count; ++i) {
    const bench_batch_entry *e = &run->entries[i];
    bench_batch_figure *f = &out->all[i];
    *f = (bench_batch_figure){.is_ours = e->stepper >= 0,
                              .is_size = e->is_size,
                              .robots = e->robots,
                              .threads = e->threads,
                              .rate = bench_batch_run_rate(run, e),
                              .in_lanes = e->in_lanes,
                              .useful = e->useful,
                              .bytes = e->bytes,
                              .failed = e->failed};
    memcpy(f->alone, e->alone, sizeof f->alone);
    snprintf(f->name, sizeof f->name, "%s", e->metric);
    snprintf(f->why, sizeof f->why, "%s", e->task < 0 ? e->why : "");
    if (!f->is_ours && e->threads == 1)
      out->peer = fmax(out->peer, f->rate);
  }
  memcpy(out->no_lanes, run->no_lanes, sizeof out->no_lanes);
}

void bench_batch_report_count(bench_batch_figures *figures, const char *metric, double instructions)
{
  for (int i = 0; i < figures->count; ++i)
    if (strcmp(figures->all[i].name, metric) == 0)
      figures->all[i].instructions = instructions;
}

// ---- The table --------------------------------------------------------------------------------------------

static void put(const bench_table *t, int is_known, const char *format, double value)
{
  char text[32] = "";
  if (is_known)
    snprintf(text, sizeof text, format, value);
  bench_table_text(t, text);
}

static void print_figure(const bench_batch_figures *all, const bench_batch_figure *f, const bench_table *t)
{
  bench_table_row(t, f->name);
  put(t, 1, "%.0f", f->robots);
  put(t, f->rate > 0, "%.0f", f->rate);
  put(t, f->rate > 0 && all->peer > 0, "%.2f", f->rate / all->peer);
  put(t, f->in_lanes >= 0, "%.1f %%", 100 * f->in_lanes);
  put(t, f->useful >= 0, "%.1f %%", 100 * f->useful);
  put(t, f->bytes > 0, "%.0f", f->bytes);
  put(t, f->instructions > 0, "%.0f", f->instructions);
  bench_table_end(t);
  if (f->why[0])
    bench_table_say(t, "%s was not measured: %s", f->name, f->why);
  if (f->failed > 0)
    bench_table_say(t, "%s: %d robots failed", f->name, f->failed);
}

// Why steps were taken alone: "batch:expo, steps alone: touch 0.5 %, slip 3.1 %".
void bench_batch_report_alone(const bench_batch_figure *f, char *out, size_t size)
{
  size_t length = 0;
  out[0] = 0;
  for (int r = FF_BATCH_ALONE_STATE; r < FF_BATCH_ALONE_COUNT; ++r) {
    if (f->alone[r] <= 0 || f->threads > 1 || f->is_size || length >= size)
      continue;
    length += (size_t)snprintf(out + length, size - length, "%s %s %.2g %%", length > 0 ? "," : ":",
                               ff_batch_alone_name((ff_batch_alone)r), 100 * f->alone[r]);
  }
}

static void print_alone(const bench_batch_figure *f, const bench_table *t)
{
  char reasons[200];
  bench_batch_report_alone(f, reasons, sizeof reasons);
  if (reasons[0])
    bench_table_say(t, "%s, steps alone%s", f->name, reasons);
}

void bench_batch_report_print(const bench_batch_figures *figures, const bench_table *t)
{
  char titles[7][24] = {"robots", "steps/s/core", "/ MuJoCo", "in lanes", "lanes busy", "bytes", "instr."};
  bench_table_say(t, "%s: %.2g contacts in the mean; robot-steps per second and core", figures->kind->name,
                  figures->contacts);
  bench_table_titles(t, "", 7, titles);
  for (int i = 0; i < figures->count; ++i)
    print_figure(figures, &figures->all[i], t);
  for (int i = 0; i < figures->count; ++i)
    print_alone(&figures->all[i], t);
  for (int s = 0; s < BENCH_BATCH_STEPPERS; ++s)
    if (figures->no_lanes[s][0])
      bench_table_say(t, "%s takes no steps in lanes: %s",
                      ff_stepper_name(figures->kind->steppers[s].stepper), figures->no_lanes[s]);
}

// ---- Rows -------------------------------------------------------------------------------------------------

// "batch:expo" and "lanes_busy" make "lanes_busy:expo": what follows the way of measuring.
static void add_with(bench_json_rows *rows, const bench_batch_figures *all, const bench_batch_figure *f,
                     const char *what, double value, const char *unit)
{
  char metric[112];
  const char *rest = strchr(f->name, ':');
  if (strncmp(f->name, "batch:", 6) == 0)
    snprintf(metric, sizeof metric, "%s%s", what, rest);
  else
    snprintf(metric, sizeof metric, "%s:%s", what, f->name);
  bench_json_rows_add(rows, all->kind->name, metric, value, unit);
}

static void add_figure(const bench_batch_figures *all, const bench_batch_figure *f, bench_json_rows *rows)
{
  char metric[112];
  if (f->why[0]) {
    snprintf(metric, sizeof metric, "why_not:%s", f->name);
    bench_json_rows_add_word(rows, all->kind->name, metric, f->why);
    return;
  }
  bench_json_rows_add(rows, all->kind->name, f->name, f->rate, "1/s");
  if (all->peer > 0 && f->is_ours && f->threads == 1)
    add_with(rows, all, f, "over_mujoco", f->rate / all->peer, "ratio");
  if (f->in_lanes >= 0)
    add_with(rows, all, f, "scalar_steps", 1 - f->in_lanes, "share");
  for (int r = FF_BATCH_ALONE_STATE; r < FF_BATCH_ALONE_COUNT; ++r)
    if (f->alone[r] > 0 && f->threads == 1 && !f->is_size) {
      snprintf(metric, sizeof metric, "alone_%s", ff_batch_alone_name((ff_batch_alone)r));
      add_with(rows, all, f, metric, f->alone[r], "share");
    }
  if (f->useful >= 0)
    add_with(rows, all, f, "lanes_busy", f->useful, "share");
  if (f->bytes > 0 && f->threads == 1 && !f->is_size)
    add_with(rows, all, f, "bytes_per_robot", f->bytes, "B");
  if (f->instructions > 0)
    add_with(rows, all, f, "instructions", f->instructions, "instructions");
  if (f->is_ours)
    add_with(rows, all, f, "failed", f->failed, "robots");
}

// With two threads over one, per step of the whole batch.
static void add_speedup(const bench_batch_figures *all, const bench_batch_figure *two, bench_json_rows *rows)
{
  for (int i = 0; i < all->count; ++i) {
    const bench_batch_figure *one = &all->all[i];
    const size_t length = strlen(one->name);
    if (one->threads != 1 || strncmp(one->name, two->name, length) != 0 ||
        strcmp(two->name + length, ":2threads") != 0 || one->rate <= 0)
      continue;
    add_with(rows, all, one, "speedup_2threads", 2 * two->rate / one->rate, "ratio");
  }
}

void bench_batch_report_rows(const bench_batch_figures *figures, bench_json_rows *rows)
{
  bench_json_rows_add(rows, figures->kind->name, "contacts", figures->contacts, "contacts");
  for (int i = 0; i < figures->count; ++i) {
    const bench_batch_figure *f = &figures->all[i];
    if (i == 0)
      bench_json_rows_add(rows, figures->kind->name, "robots", f->robots, "robots");
    add_figure(figures, f, rows);
    if (f->threads == 2 && f->rate > 0)
      add_speedup(figures, f, rows);
  }
  for (int s = 0; s < BENCH_BATCH_STEPPERS; ++s) {
    char metric[64];
    const ff_stepper stepper = figures->kind->steppers[s].stepper;
    if (figures->kind->steppers[s].dt <= 0)
      break;
    snprintf(metric, sizeof metric, "dt:%s", ff_stepper_name(stepper));
    bench_json_rows_add(rows, figures->kind->name, metric, 1e3 * figures->kind->steppers[s].dt, "ms");
    snprintf(metric, sizeof metric, "no_lanes:%s", ff_stepper_name(stepper));
    if (stepper == FF_STEPPER_MOREAU)
      bench_json_rows_add_word(rows, figures->kind->name, "solver:moreau", figures->solver);
    if (figures->no_lanes[s][0])
      bench_json_rows_add_word(rows, figures->kind->name, metric, figures->no_lanes[s]);
  }
}
