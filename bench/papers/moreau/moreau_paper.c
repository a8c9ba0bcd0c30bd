// footfall bench moreau-paper: the evaluation of the Moreau paper on our engine, its numbers beside ours.
#include "papers/moreau/moreau_paper.h"
#include "all.h"
#include "bench.h"
#include "cli/complain.h"
#include "common/request.h"
#include "common/studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Scenes that are loaded later are there, and are not what is to be written. Returns 0 after a complaint.
static int look_ahead(const bench_moreau *m, const bench_request *r)
{
  static const char *const files[] = {"starleth-trot.yaml", "starleth-stand.yaml", "starleth-push.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    ff_scene *scene;
    ff_error error = {0};
    if (bench_moreau_scene(m, files[i], FF_CUT_MINIMAL, 50, 0, &scene, &error) != FF_OK) {
      ffi_complain("%s", error.message);
      return 0;
    }
    const int is_spared = bench_request_spares(r, scene);
    ff_scene_destroy(scene);
    if (!is_spared)
      return 0;
  }
  return 1;
}

static ff_status load(bench_moreau *m, ff_error *error)
{
  for (int set = 0; set < BENCH_SETS; ++set) {
    const ff_status status =
        bench_moreau_scene(m, "starleth-trot.yaml", (ff_cut_set)set, 50, 0, &m->trot[set], error);
    if (status != FF_OK)
      return status;
  }
  m->period = ff_scene_period(m->trot[0]);
  m->gait = 1 / ff_scene_get_def(m->trot[0])->controller.trot.frequency;
  m->warm_cycles = 2;
  m->cycles = m->is_quick ? 2 : 25;
  return FF_OK;
}

static const struct {
  const char *name;
  double (*work)(const bench_moreau *);
  ff_status (*run)(bench_moreau *, ff_error *);
} studies[] = {{"stability", bench_moreau_stability_work, bench_moreau_stability},
               {"alpha", bench_moreau_alpha_work, bench_moreau_alpha},
               {"table 1", bench_moreau_table_work, bench_moreau_table},
               {"forces", bench_moreau_forces_work, bench_moreau_forces},
               {"drift", bench_moreau_drift_work, bench_moreau_drift},
               {"pushes", bench_moreau_push_work, bench_moreau_push},
               {"ball pit", bench_moreau_pit_work, bench_moreau_pit},
               {"stacks", bench_moreau_stall_work, bench_moreau_stall}};

static const char *name_of(int study)
{
  return studies[study].name;
}

static double work_of(const void *paper, int study)
{
  return studies[study].work(paper);
}

static ff_status run_one(void *paper, int study, ff_error *error)
{
  return studies[study].run(paper, error);
}

// Returns 0 after a complaint.
static int measure(bench_moreau *m)
{
  const bench_studies all = {sizeof studies / sizeof *studies, name_of, work_of, run_one};
  ff_error error = {0};
  if (load(m, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    return 0;
  }
  return bench_studies_run(&all, m, &m->progress);
}

static int write_html(const void *paper, FILE *file)
{
  bench_moreau_html(paper, file);
  return 1;
}

static int perform(const bench_request *r, bench_rows *rows)
{
  bench_late_file html = {0};
  int status = FFI_EXIT_FAILED;
  if (!bench_request_check_html(r, &html))
    return status;
  bench_moreau *m = calloc(1, sizeof *m);
  if (!m) {
    ffi_complain("there is not enough memory");
    return status;
  }
  m->sheet = bench_request_sheet(r, &html);
  m->rows = rows;
  m->scenes = r->scenes;
  m->is_quick = r->is_quick;
  if (look_ahead(m, r) && measure(m)) {
    bench_moreau_judge(m);
    bench_claims_report(m->claims, m->claim_count, &m->sheet, rows);
    status = bench_request_save_html(&html, write_html, m) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
  }
  for (int set = 0; set < BENCH_SETS; ++set)
    ff_scene_destroy(m->trot[set]);
  free(m);
  bench_late_file_forget(&html);
  return status;
}

const bench_command bench_moreau_paper_command = {.name = "moreau-paper", .perform = perform};

int bench_moreau_paper(int argc, char **argv)
{
  return bench_request_run(&bench_moreau_paper_command, argc, argv);
}
