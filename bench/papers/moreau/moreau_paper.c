// footfall bench moreau-paper: the evaluation of the Moreau paper on our engine, our numbers beside the paper's.
#include "papers/moreau/moreau_paper.h"

#include "bench.h"
#include "cli/error_message.h"

// The scenes that studies load later must load, and no output file may replace them. Returns 0 after an error message.
static int check_scenes(const bench_moreau_paper *m, const bench_command_request *r)
{
  static const char *const files[] = {"starleth-trot.yaml", "starleth-stand.yaml", "starleth-push.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    ff_scene *scene;
    ff_error error = {0};
    if (bench_moreau_paper_scene(m, &(bench_moreau_paper_scene_def){files[i], FF_CUT_MINIMAL, 50, 0}, &scene,
                                 &error) != FF_OK) {
      ffi_error_message("%s", error.message);
      return 0;
    }
    const int is_spared = bench_command_spares(r, scene);
    ff_scene_destroy(scene);
    if (!is_spared)
      return 0;
  }
  return 1;
}

static ff_status load(bench_moreau_paper *m, ff_error *error)
{
  for (int set = 0; set < BENCH_MOREAU_SETS; ++set) {
    const ff_status status = bench_moreau_paper_scene(
        m, &(bench_moreau_paper_scene_def){"starleth-trot.yaml", (ff_cut_set)set, 50, 0}, &m->trot[set],
        error);
    if (status != FF_OK)
      return status;
  }
  m->period = ff_scene_period(m->trot[0]);
  m->gait = 1 / ff_scene_get_def(m->trot[0])->controller.trot.frequency;
  m->warm_cycles = 2;
  m->cycles = m->run.is_quick ? 2 : 25;
  return FF_OK;
}

static int prepare(void *data, const bench_command_request *request)
{
  ff_error error = {0};
  if (!check_scenes(data, request))
    return 0;
  if (load(data, &error) == FF_OK)
    return 1;
  ffi_error_message("%s", error.message);
  return 0;
}

static void release(void *data)
{
  bench_moreau_paper *m = data;
  for (int set = 0; set < BENCH_MOREAU_SETS; ++set)
    ff_scene_destroy(m->trot[set]);
}

static const bench_paper_study studies[] = {
    {.name = "stability", .work = bench_moreau_paper_stability_work, .run = bench_moreau_paper_stability_run},
    {.name = "alpha", .work = bench_moreau_paper_alpha_work, .run = bench_moreau_paper_alpha_run},
    {.name = "table 1", .work = bench_moreau_paper_table_work, .run = bench_moreau_paper_table_run},
    {.name = "forces", .work = bench_moreau_paper_forces_work, .run = bench_moreau_paper_forces_run},
    {.name = "drift", .work = bench_moreau_paper_drift_work, .run = bench_moreau_paper_drift_run},
    {.name = "pushes", .work = bench_moreau_paper_push_work, .run = bench_moreau_paper_push_run},
    {.name = "ball pit", .work = bench_moreau_paper_ball_pit_work, .run = bench_moreau_paper_ball_pit_run},
    {.name = "stacks", .work = bench_moreau_paper_stall_work, .run = bench_moreau_paper_stall_run},
};

static const bench_paper paper = {
    .size = sizeof(bench_moreau_paper),
    .prepare = prepare,
    .studies = studies,
    .study_count = sizeof studies / sizeof *studies,
    .judge = bench_moreau_paper_claims_judge,
    .html = bench_moreau_paper_html,
    .has_mujoco = 1,
    .release = release,
};

const bench_command bench_moreau_paper_command = {
    .name = "moreau-paper", .perform = bench_paper_perform, .context = &paper};
