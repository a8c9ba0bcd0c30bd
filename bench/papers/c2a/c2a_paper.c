// footfall bench c2a-paper: the experiments of the paper on adaptive integration, our numbers beside the paper's.
#include "papers/c2a/c2a_paper.h"

#include "bench.h"
#include "cli/error_message.h"

// The scene must load, and no output file may replace it. Returns 0 after an error message.
static int prepare(void *data, const bench_command_request *request)
{
  const bench_c2a_paper *b = data;
  ff_scene *scene;
  ff_error error = {0};
  if (bench_c2a_trot_load(&(bench_c2a_trot_scene_def){.scenes = b->run.scenes, .period = 1e-3}, &scene,
                          &error) != FF_OK) {
    ffi_error_message("%s", error.message);
    return 0;
  }
  const int is_spared = bench_command_spares(request, scene);
  ff_scene_destroy(scene);
  return is_spared;
}

static const bench_paper_study studies[] = {
    {.name = "walker", .work = bench_c2a_paper_walker_work, .run = bench_c2a_paper_walker_run},
    {.name = "steps to failure", .work = bench_c2a_paper_failure_work, .run = bench_c2a_paper_failure_run},
    {.name = "local errors",
     .work = bench_c2a_paper_local_error_work,
     .run = bench_c2a_paper_local_error_run},
    {.name = "error control",
     .work = bench_c2a_paper_error_control_work,
     .run = bench_c2a_paper_error_control_run},
    {.name = "dissipation",
     .work = bench_c2a_paper_failure_dissipation_work,
     .run = bench_c2a_paper_failure_dissipation_run},
    {.name = "accuracy",
     .work = bench_c2a_paper_work_precision_work,
     .run = bench_c2a_paper_work_precision_run},
    {.name = "tunnels", .work = bench_c2a_paper_tunnelling_work, .run = bench_c2a_paper_tunnelling_run},
};

static const bench_paper paper = {
    .size = sizeof(bench_c2a_paper),
    .prepare = prepare,
    .studies = studies,
    .study_count = sizeof studies / sizeof *studies,
    .judge = bench_c2a_paper_claims_judge,
    .html = bench_c2a_paper_html,
    .has_mujoco = 1,
};

const bench_command bench_c2a_paper_command = {
    .name = "c2a-paper", .perform = bench_paper_perform, .context = &paper};
