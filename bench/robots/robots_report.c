// A row for each robot, and where our steps spend their time.
#include "robots/robots_report.h"

#include "common/html.h"
#include "peers/mujoco_release.h"

#include <footfall/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_less(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_robots_summary bench_robots_report_summary(const bench_robots_result *r)
{
  bench_robots_summary s = {.median = NAN, .least = NAN};
  double *ratios = malloc(((size_t)r->count + 1) * sizeof *ratios);
  for (int i = 0; i < r->count && ratios; ++i) {
    const double ratio = bench_robots_pair_ratio(&r->pairs[i]);
    if (ratio <= 0)
      continue;
    ratios[s.measured++] = ratio;
    s.below_one += ratio < 1;
    s.below_half += ratio < 0.5;
  }
  if (s.measured > 0) {
    qsort(ratios, (size_t)s.measured, sizeof *ratios, is_less);
    s.least = ratios[0];
    s.median = 0.5 * (ratios[(s.measured - 1) / 2] + ratios[s.measured / 2]);
  }
  free(ratios);
  return s;
}

// ---- Tables -----------------------------------------------------------------------------------------------

void bench_robots_report_titles(const bench_table *t)
{
  char titles[9][24] = {"speed /MuJoCo", "us",      "MuJoCo us", "contacts", "MuJoCo's",
                        "pieces",        "factor.", "events",    "apart"};
  bench_table_titles(t, "robot", 9, titles);
}

void bench_robots_report_pair(const bench_robots_pair *p, const bench_table *t)
{
  if (p->why[0])
    return;
  bench_table_row(t, p->name);
  bench_table_number(t, bench_robots_pair_ratio(p));
  bench_table_number(t, p->us);
  bench_table_number(t, p->mujoco_us);
  bench_table_number(t, p->contacts);
  bench_table_number(t, p->mujoco_contacts);
  bench_table_number(t, p->pieces);
  bench_table_number(t, p->factorisations);
  bench_table_number(t, p->events);
  bench_table_error(t, p->apart);
  bench_table_end(t);
}

// Shares of the phases: "contact 12 %, prepare 8 %".
static void describe_phases(const bench_robots_pair *p, char *text, size_t size)
{
  double sum = 0;
  size_t used = 0;
  for (int i = 0; i < FF_PHASE_COUNT; ++i)
    sum += p->phase[i];
  text[0] = '\0';
  for (int i = 0; i < FF_PHASE_COUNT && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%", i ? ", " : "",
                             ff_phase_name((ff_phase)i), sum > 0 ? 100 * p->phase[i] / sum : 0);
}

static void print_spending(const bench_robots_result *r, const bench_table *t)
{
  char phases[200];
  for (int i = 0; i < r->count; ++i) {
    const bench_robots_pair *p = &r->pairs[i];
    const double ratio = bench_robots_pair_ratio(p);
    if (ratio <= 0 || ratio >= 1)
      continue;
    describe_phases(p, phases, sizeof phases);
    bench_table_say(t,
                    "%s: %.2f of MuJoCo's speed (%s); a step has %.2f contacts, %.2f pieces, %.2f "
                    "factorisations, up to %.2f subintervals, %.3f events; %s",
                    p->name, ratio, p->setting, p->contacts, p->pieces, p->factorisations, p->substeps,
                    p->events, phases);
  }
}

void bench_robots_report_print(const bench_robots_result *r, const bench_table *t)
{
  const bench_robots_summary s = bench_robots_report_summary(r);
  print_spending(r, t);
  for (int i = 0; i < r->count; ++i)
    if (r->pairs[i].why[0])
      bench_table_say(t, "%s was not measured: %s", r->pairs[i].name, r->pairs[i].why);
  bench_table_say(t,
                  "expo with %s beside %s, 1 ms steps: of %d robots (%d measured) the median has %.2f times "
                  "MuJoCo's speed, the least %.2f; %d are below 1, %d below 0.5",
                  ff_isa_name(r->isa), bench_mujoco_release_found().name, r->count, s.measured, s.median,
                  s.least, s.below_one, s.below_half);
}

// ---- Rows -------------------------------------------------------------------------------------------------

static void add_pair(const bench_robots_pair *p, bench_json_rows *rows)
{
  char metric[64];
  if (p->why[0]) {
    bench_json_rows_add_word(rows, p->name, "why_not", p->why);
    return;
  }
  bench_json_rows_add_word(rows, p->name, "scene", p->scene);
  bench_json_rows_add(rows, p->name, "speed_over_mujoco", bench_robots_pair_ratio(p), "ratio");
  bench_json_rows_add(rows, p->name, "step:expo", p->us, "us");
  bench_json_rows_add(rows, p->name, "mujoco:step", p->mujoco_us, "us");
  bench_json_rows_add_word(rows, p->name, "mujoco:setting", p->setting);
  bench_json_rows_add(rows, p->name, "velocities", p->nv, "1");
  bench_json_rows_add(rows, p->name, "steps", p->steps, "steps");
  bench_json_rows_add(rows, p->name, "contacts", p->contacts, "contacts");
  bench_json_rows_add(rows, p->name, "mujoco:contacts", p->mujoco_contacts, "contacts");
  bench_json_rows_add(rows, p->name, "apart", p->apart, "m or rad");
  bench_json_rows_add(rows, p->name, "pieces", p->pieces, "per step");
  bench_json_rows_add(rows, p->name, "factorisations", p->factorisations, "per step");
  bench_json_rows_add(rows, p->name, "substeps", p->substeps, "per step");
  bench_json_rows_add(rows, p->name, "events", p->events, "per step");
  bench_json_rows_add(rows, p->name, "capped", p->capped, "per step");
  for (int i = 0; i < FF_PHASE_COUNT; ++i) {
    snprintf(metric, sizeof metric, "phase:%s", ff_phase_name((ff_phase)i));
    bench_json_rows_add(rows, p->name, metric, p->phase[i], "us");
  }
}

void bench_robots_report_rows(const bench_robots_result *r, bench_json_rows *rows)
{
  const bench_robots_summary s = bench_robots_report_summary(r);
  bench_mujoco_release_row(rows);
  bench_json_rows_add_word(rows, "run", "instructions", ff_isa_name(r->isa));
  bench_json_rows_add(rows, "robots", "count", r->count, "robots");
  bench_json_rows_add(rows, "robots", "measured", s.measured, "robots");
  bench_json_rows_add(rows, "robots", "median", s.median, "ratio");
  bench_json_rows_add(rows, "robots", "least", s.least, "ratio");
  bench_json_rows_add(rows, "robots", "below_one", s.below_one, "robots");
  bench_json_rows_add(rows, "robots", "below_half", s.below_half, "robots");
  for (int i = 0; i < r->count; ++i)
    add_pair(&r->pairs[i], rows);
}

// ---- The page ---------------------------------------------------------------------------------------------

static void write_pair(FILE *f, const bench_robots_pair *p)
{
  char phases[200];
  const double ratio = bench_robots_pair_ratio(p);
  const double numbers[] = {p->us,     p->mujoco_us,      p->contacts, p->mujoco_contacts,
                            p->pieces, p->factorisations, p->events,   p->apart};
  fputs("<tr>", f);
  bench_html_text(f, "td", p->name);
  if (p->why[0]) {
    fputs("<td colspan=\"10\" class=\"text\">not measured: ", f);
    bench_plot_escape(f, p->why);
    fputs("</td></tr>\n", f);
    return;
  }
  fprintf(f, "<td class=\"%s\">%.2f</td>", ratio < 1 ? "bad" : "good", ratio);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    bench_html_number(f, numbers[i]);
  describe_phases(p, phases, sizeof phases);
  bench_html_text(f, "td class=\"text\"", phases);
  fputs("</tr>\n", f);
}

int bench_robots_report_html(const void *result, FILE *f)
{
  const bench_robots_result *r = result;
  const bench_robots_summary s = bench_robots_report_summary(r);
  bench_mujoco_release_page(f, "Robots in expo and in MuJoCo", r->is_quick ? "every sixth robot" : NULL,
                            r->isa);
  fprintf(
      f,
      "<p>Of %d robots %d were measured. In the median our steps have %.2f times the speed of MuJoCo's, at "
      "least %.2f times; %d robots are below 1, %d below 0.5.</p>\n",
      r->count, s.measured, s.median, s.least, s.below_one, s.below_half);
  fputs(
      "<p>Each robot is in the scene that <code>footfall new</code> proposes, with its motors, for 2 s in steps of "
      "1 ms. MuJoCo has the same model, ground and motors, and its own contact model; its integrator is "
      "implicitfast, since motors are stiff; of round cones, round cones with islands and pyramids the fastest "
      "counts. Controllers are not timed. <i>Apart</i>: the largest difference of a coordinate between both ends "
      "[m or rad]. <i>Pieces</i>, <i>factorisations</i> and <i>events</i> are ours, per step.</p>\n"
      "<table><tr><th>robot</th><th>speed over MuJoCo's</th><th>us</th><th>MuJoCo us</th><th>contacts</th>"
      "<th>MuJoCo's</th><th>pieces</th><th>factor.</th><th>events</th><th>apart</th>"
      "<th class=\"text\">our time</th></tr>\n",
      f);
  for (int i = 0; i < r->count; ++i)
    write_pair(f, &r->pairs[i]);
  fputs("</table>\n", f);
  bench_html_end(f);
  return 1;
}
