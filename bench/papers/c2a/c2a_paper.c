// footfall bench c2a-paper: the experiments of the paper on adaptive integration, on our engine, its numbers beside ours.
#include "papers/c2a/c2a_paper.h"

#include "all.h"
#include "bench.h"
#include "cli/complain.h"
#include "common/request.h"
#include "common/studies.h"

#include <stdio.h>
#include <stdlib.h>

void bench_c2a_row(const bench_c2a *b, const char *which, const char *metric, double value, const char *unit)
{
  if (b->rows)
    bench_rows_add(b->rows, which, metric, value, unit);
}

// The scene that is loaded later is there, and is not what is to be written. Returns 0 after a complaint.
static int look_ahead(const bench_c2a *b, const bench_request *r)
{
  ff_scene *scene;
  ff_error error = {0};
  if (bench_trot_load(b->scenes, 1e-3, 0, &scene, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    return 0;
  }
  const int is_spared = bench_request_spares(r, scene);
  ff_scene_destroy(scene);
  return is_spared;
}

static const struct {
  const char *name;
  double (*work)(const bench_c2a *);
  ff_status (*run)(bench_c2a *, ff_error *);
} studies[] = {{"walker", bench_c2a_walker_work, bench_c2a_walker},
               {"steps to failure", bench_c2a_failure_work, bench_c2a_failure},
               {"local errors", bench_c2a_local_work, bench_c2a_local},
               {"error control", bench_c2a_control_work, bench_c2a_control},
               {"dissipation", bench_c2a_dissipation_work, bench_c2a_dissipation},
               {"accuracy", bench_c2a_equal_work, bench_c2a_equal},
               {"tunnels", bench_c2a_tunnel_work, bench_c2a_tunnel}};

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
static int measure(bench_c2a *b)
{
  const bench_studies all = {sizeof studies / sizeof *studies, name_of, work_of, run_one};
  return bench_studies_run(&all, b, &b->progress);
}

static int write_html(const void *paper, FILE *file)
{
  bench_c2a_html(paper, file);
  return 1;
}

static int perform(const bench_request *r, bench_rows *rows)
{
  bench_late_file html = {0};
  int status = FFI_EXIT_FAILED;
  if (!bench_request_check_html(r, &html))
    return status;
  bench_c2a *b = calloc(1, sizeof *b);
  if (!b) {
    ffi_complain("there is not enough memory");
    return status;
  }
  b->sheet = bench_request_sheet(r, &html);
  b->rows = rows;
  b->scenes = r->scenes;
  b->is_quick = r->is_quick;
  if (look_ahead(b, r) && measure(b)) {
    bench_c2a_judge(b);
    bench_claims_report(b->claims, b->claim_count, &b->sheet, rows);
    status = bench_request_save_html(&html, write_html, b) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
  }
  free(b);
  bench_late_file_forget(&html);
  return status;
}

const bench_command bench_c2a_paper_command = {.name = "c2a-paper", .perform = perform};

int bench_c2a_paper(int argc, char **argv)
{
  return bench_request_run(&bench_c2a_paper_command, argc, argv);
}
