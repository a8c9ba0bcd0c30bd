// Two layouts of the same tables: columns for a terminal, and Markdown.
#include "micro/step_report.h"

#include "micro/step_published.h"
#include "peers/mujoco_release.h"

#include <stdio.h>
#include <string.h>

typedef struct table {
  const bench_step_run *run;
  int is_markdown;
  int first_width, width; // of columns
} table;

// ---- Cells ------------------------------------------------------------------------------------------------

static void begin_row(const table *s, const char *name)
{
  if (s->is_markdown)
    printf(*name ? "| `%s` |" : "| %s |", name);
  else
    printf("%-*s", s->first_width, name);
}

static void put_text(const table *s, const char *text)
{
  if (s->is_markdown)
    printf(" %s |", text);
  else
    printf("%*s", s->width, text);
}

// Three digits; blank for 0.
static void put_number(const table *s, double value, const char *mark)
{
  char text[32] = "";
  if (value > 0)
    snprintf(text, sizeof text, "%.*f%s", value < 10 ? 2 : value < 100 ? 1 : 0, value, mark);
  put_text(s, text);
}

static void end_row(const table *s, const char *remark)
{
  if (s->is_markdown)
    printf(" %s |\n", remark);
  else
    printf("  %s\n", remark);
}

static void put_titles(const table *s, const char *const *titles, int count)
{
  begin_row(s, "");
  for (int i = 0; i < count; ++i)
    put_text(s, titles[i]);
  end_row(s, "");
  if (!s->is_markdown)
    return;
  for (int i = 0; i < count + 2; ++i)
    printf("|---");
  printf("|\n");
}

// ---- One robot --------------------------------------------------------------------------------------------

// The last column, if there is one.
static void put_instructions(const table *s, int task)
{
  if (s->run->counted)
    put_number(s, task >= 0 ? s->run->tasks[task].instructions : 0, "");
}

static void put_way(const table *s, int i, int w)
{
  const bench_step_run_set *set = &s->run->sets[i];
  const double us = bench_step_run_us(s->run, i, w), mujoco = bench_step_run_mujoco_us(s->run, i, 0);
  const double euler = bench_step_run_us(s->run, i, bench_step_variant_find("euler"));
  begin_row(s, bench_step_variants[w].name);
  put_number(s, 1e3 * bench_step_variants[w].dt, "");
  put_number(s, us, "");
  put_number(s, euler > 0 ? us / euler : 0, "");
  put_number(s, mujoco > 0 ? us / mujoco : 0, "");
  put_number(s, bench_step_published_consim(set->c.name, bench_step_variants[w].name), "*");
  put_instructions(s, set->task[w]);
  end_row(s, us > 0 ? bench_step_variants[w].what : set->sweeps[w].why);
}

static void put_mujoco(const table *s, int i, int k)
{
  const bench_step_run_set *set = &s->run->sets[i];
  const bench_step_mujoco_setting *setting = &bench_step_mujoco_settings[k];
  const double us = bench_step_run_mujoco_us(s->run, i, k), first = bench_step_run_mujoco_us(s->run, i, 0),
               euler = bench_step_run_us(s->run, i, bench_step_variant_find("euler"));
  char remark[400];
  if (set->mujoco[k])
    snprintf(remark, sizeof remark, "%s; %.2g contacts", setting->what,
             bench_step_mujoco_contacts(set->mujoco[k]));
  else
    snprintf(remark, sizeof remark, "not measured: %s", set->mujoco_why[k]);
  begin_row(s, setting->name);
  put_number(s, 1e3 * setting->options.dt, "");
  put_number(s, us, "");
  put_number(s, euler > 0 ? us / euler : 0, "");
  put_number(s, first > 0 ? us / first : 0, "");
  put_number(s, 0, "");
  put_instructions(s, set->mujoco_task[k]);
  end_row(s, remark);
}

static void put_robot(const table *s, int i)
{
  static const char *const titles[] = {"dt [ms]", "us", "/euler", "/MuJoCo", "consim", "instr."};
  const bench_step_case *c = &s->run->sets[i].c;
  printf(s->is_markdown ? "\n**%s**, %.2g contacts%s, %d velocities\n\n"
                        : "\n%s: %.2g contacts%s, %d velocities. Per step:\n",
         c->name, bench_step_run_contacts(s->run, i), c->scene ? " in the mean" : "",
         ff_model_get_size(c->model).nv);
  put_titles(s, titles, (int)(sizeof titles / sizeof *titles) - !s->run->counted);
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w)
    if (!c->scene || bench_step_variants[w].on_motion)
      put_way(s, i, w);
  for (int k = 0; k < BENCH_STEP_MUJOCO_SETTINGS; ++k)
    put_mujoco(s, i, k);
}

// ---- Phases -----------------------------------------------------------------------------------------------

static void put_paper(const table *s, const char *name, int is_standard)
{
  begin_row(s, name);
  for (int p = 0; p < FF_PHASE_COUNT; ++p)
    put_number(s, bench_step_published_expo_paper(p, is_standard), "*");
  put_number(s, bench_step_published_expo_paper(-1, is_standard), "*");
  end_row(s, "the paper's table 3");
}

static void put_phases(const table *s, int i)
{
  const bench_step_run_set *set = &s->run->sets[i];
  const char *titles[FF_PHASE_COUNT + 1];
  for (int p = 0; p < FF_PHASE_COUNT; ++p)
    titles[p] = ff_phase_name((ff_phase)p);
  titles[FF_PHASE_COUNT] = "step";
  printf(s->is_markdown ? "\nPhases of a step, us:\n\n"
                        : "\n%s: phases of a step, us, measured separately:\n",
         set->c.name);
  put_titles(s, titles, FF_PHASE_COUNT + 1);
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w) {
    if (set->task[w] < 0)
      continue;
    begin_row(s, bench_step_variants[w].name);
    for (int p = 0; p < FF_PHASE_COUNT; ++p)
      put_number(s, set->phase[w][p], "");
    put_number(s, bench_step_run_us(s->run, i, w), "");
    end_row(s, "");
  }
  if (strcmp(set->c.name, "solo12-stand4") == 0) {
    put_paper(s, "paper, fast", 0);
    put_paper(s, "paper, standard", 1);
  }
}

// ---- Boxes ------------------------------------------------------------------------------------------------

static void put_boxes(const table *s)
{
  const char *titles[BENCH_STEP_VARIANTS + 1];
  int variants[BENCH_STEP_VARIANTS], count = 0, is_begun = 0;
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w)
    if (bench_step_variants[w].on_boxes) {
      titles[count] = bench_step_variants[w].name;
      variants[count++] = w;
    }
  titles[count] = "MuJoCo";
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    const bench_step_run_set *set = &s->run->sets[i];
    if (!set->is_open || !set->c.is_box)
      continue;
    if (!is_begun++) {
      printf(s->is_markdown ? "\n**A box on 1 to 100 contact points**, us per step\n\n"
                            : "\nA box on 1 to 100 contact points, us per step:\n");
      put_titles(s, titles, count + 1);
    }
    const char *why = "";
    begin_row(s, set->c.name);
    for (int k = 0; k < count; ++k) {
      put_number(s, bench_step_run_us(s->run, i, variants[k]), "");
      why = set->sweeps[variants[k]].why[0] ? set->sweeps[variants[k]].why : why;
    }
    put_number(s, bench_step_run_mujoco_us(s->run, i, 0), "");
    end_row(s, why);
  }
}

// ---- The whole --------------------------------------------------------------------------------------------

static void put_counter(const bench_step_run *run)
{
  if (run->counted)
    printf("Instructions: per step, counted by %s with %s.\n", run->counted, ff_isa_name(run->counted_isa));
  else
    printf("Instructions were not counted: %s.\n", run->counted_why);
}

static void put_all(const table *s)
{
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    if (!s->run->sets[i].is_open || s->run->sets[i].c.is_box)
      continue;
    put_robot(s, i);
    put_phases(s, i);
  }
  put_boxes(s);
}

void bench_step_report_print(const bench_step_run *run)
{
  const table s = {run, 0, 20, 11};
  const double noise = bench_step_run_noise(run);
  printf("%s beside Footfall with %s.\n", bench_mujoco_release_found().name, ff_isa_name(run->isa));
  printf("Minimum of %d sweeps, all variants in turn. On average a sweep took %.2f times the minimum: %s.\n",
         run->task_count > 0 ? run->tasks[0].sweeps : 0, noise,
         noise < 1.15 ? "an idle machine" : "a busy machine");
  put_all(&s);
  printf("\n* published: measured once, elsewhere, not in this run (bench/micro/step_published.h).\n");
  put_counter(run);
}

void bench_step_report_markdown(const bench_step_run *run)
{
  const table s = {run, 1, 0, 0};
  put_all(&s);
  printf(
      "\n%s beside Footfall with %s; minimum of %d sweeps. \\* published: measured elsewhere, not in this run.\n",
      bench_mujoco_release_found().name, ff_isa_name(run->isa),
      run->task_count > 0 ? run->tasks[0].sweeps : 0);
  put_counter(run);
}

// ---- Rows -------------------------------------------------------------------------------------------------

static void add_task(const bench_step_run *run, const char *which, const char *name, int task,
                     bench_json_rows *rows)
{
  char metric[96];
  if (task < 0)
    return;
  bench_json_rows_add(rows, which, name, 1e-3 * run->tasks[task].least, "us");
  if (run->tasks[task].instructions > 0) {
    snprintf(metric, sizeof metric, "%s_instructions", name);
    bench_json_rows_add(rows, which, metric, run->tasks[task].instructions, "instructions");
  }
}

static void add_set(const bench_step_run *run, int i, bench_json_rows *rows)
{
  static const int bits[] = {[FF_ISA_BASE] = 128, [FF_ISA_AVX2] = 256, [FF_ISA_AVX512] = 512};
  const bench_step_run_set *set = &run->sets[i];
  char metric[64];
  snprintf(metric, sizeof metric, "isa:%s", ff_isa_name(run->isa));
  bench_json_rows_add(rows, set->c.name, metric, bits[run->isa], "bits");
  if (run->counted) {
    snprintf(metric, sizeof metric, "instructions:%s:%s", run->counted, ff_isa_name(run->counted_isa));
    bench_json_rows_add(rows, set->c.name, metric, bits[run->counted_isa], "bits");
  }
  bench_json_rows_add(rows, set->c.name, "contacts", bench_step_run_contacts(run, i), "contacts");
  bench_json_rows_add(rows, set->c.name, "noise", bench_step_run_noise(run), "ratio");
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w) {
    snprintf(metric, sizeof metric, "step:%s", bench_step_variants[w].name);
    add_task(run, set->c.name, metric, set->task[w], rows);
    for (int p = 0; p < FF_PHASE_COUNT && set->task[w] >= 0 && !set->c.is_box; ++p) {
      snprintf(metric, sizeof metric, "phase:%s:%s", bench_step_variants[w].name, ff_phase_name((ff_phase)p));
      bench_json_rows_add(rows, set->c.name, metric, set->phase[w][p], "us");
    }
  }
  for (int k = 0; k < BENCH_STEP_MUJOCO_SETTINGS; ++k)
    add_task(run, set->c.name, bench_step_mujoco_settings[k].metric, set->mujoco_task[k], rows);
}

void bench_step_report_rows(const bench_step_run *run, bench_json_rows *rows)
{
  bench_mujoco_release_row(rows);
  for (int i = 0; i < BENCH_STEP_CASES; ++i)
    if (run->sets[i].is_open)
      add_set(run, i, rows);
}
