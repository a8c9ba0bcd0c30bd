// Many runs of a scene: creation, waves of runs, access. See scene_batch.h.
#include "scene/scene_batch.h"

#include "base/def.h"
#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  WAVE = 1024
}; // runs under way at once, at least so many for each of 64 threads' groups; bounds memory

static const ff_scene_batch_def defaults = {.runs = 1, .seed = 1};
static const ffi_def_kind kind = {"ff_scene_batch_def", sizeof defaults, &defaults};

void ff_scene_batch_def_init(ff_scene_batch_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

// ---- Creation -------------------------------------------------------------------------------------------------------

static ff_status no_memory(ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_scene_batch_create", "no memory for so many runs");
}

static ff_status check(const ff_scene *scene, const ff_scene_batch_def *def, ff_error *error)
{
  const char *name = "ff_scene_batch_create";
  if (def->runs < 1 || def->runs > FF_BATCH_MOST_ROBOTS)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name, "runs is %d; it must be 1 to %d", def->runs,
                    (int)FF_BATCH_MOST_ROBOTS);
  if (def->first < 0 || def->seed < 0 || def->vary_count < 0 || (def->vary_count > 0 && !def->vary))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, name,
                    "first, seed and vary_count must be 0 or more, and vary a list");
  if (scene->cut)
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "coordinates",
                    "many runs at once need minimal coordinates");
  return FF_OK;
}

// The place of a field among those that vary, -1: it does not.
static int find_varied(const ff_scene_batch *b, const ffi_scene_vary_field *field)
{
  for (int i = 0; i < b->varied_count; ++i)
    if (b->varied[i].field == field)
      return i;
  return -1;
}

// What the def says.
static ff_status read_own(ff_scene_batch *b, const char *const *vary, ff_error *error)
{
  for (int i = 0; i < b->def.vary_count; ++i) {
    ffi_scene_varied *v = &b->varied[b->varied_count];
    ff_status status = ffi_scene_vary_read(vary[i], v, error);
    if (status == FF_OK && find_varied(b, v->field) >= 0)
      status = ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, v->field->about.name, "is given twice");
    if (status == FF_OK)
      status = ffi_scene_vary_apply_check(b->scene, v, error);
    if (status != FF_OK)
      return status;
    ++b->varied_count;
  }
  return FF_OK;
}

// What the scene says of other fields.
static ff_status read_scene(ff_scene_batch *b, ff_error *error)
{
  const ff_scene_def *def = b->scene->def;
  const int own = b->varied_count;
  for (int i = 0; i < def->vary_count; ++i) {
    ffi_scene_varied *v = &b->varied[b->varied_count];
    ff_error why;
    char path[32];
    ff_status status = ffi_scene_vary_read_field(def->vary[i].name, def->vary[i].range, v, &why);
    const int found = status == FF_OK ? find_varied(b, v->field) : -1;
    if (found >= 0 && found < own)
      continue;
    if (found >= own)
      status = ffi_fail(&why, FF_ERROR_ARGUMENT, NULL, 0, v->field->about.name, "is given twice");
    if (status == FF_OK)
      status = ffi_scene_vary_apply_check(b->scene, v, &why);
    snprintf(path, sizeof path, "vary[%d]", i);
    if (status != FF_OK)
      return ffi_scene_fail(b->scene, status, path, error, "%s", why.message);
    ++b->varied_count;
  }
  return FF_OK;
}

static ff_status read_varied(ff_scene_batch *b, const char *const *vary, ff_error *error)
{
  b->varied = calloc((size_t)b->def.vary_count + (size_t)b->scene->def->vary_count + 1, sizeof *b->varied);
  if (!b->varied)
    return no_memory(error);
  const ff_status status = read_own(b, vary, error);
  return status == FF_OK ? read_scene(b, error) : status;
}

static int varies_material(const ff_scene_batch *b)
{
  for (int i = 0; i < b->varied_count; ++i)
    if (b->varied[i].field->kind == FFI_SCENE_VARY_MATERIAL)
      return 1;
  return 0;
}

static ff_status make_world(ff_scene_batch *b, ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(b->scene);
  ff_ground_def *ground = NULL;
  def.watch_passing = !isnan(b->scene->def->expect.passed);
  if (varies_material(b)) {
    ground = ffi_scene_vary_apply_ground(b->scene, error);
    if (!ground)
      return error ? error->status : FF_ERROR_ARGUMENT;
    def.ground = ground;
  }
  ff_status status = ff_world_create(b->scene->model, &def, &b->world, error);
  free(ground);
  if (status == FF_OK)
    status = ff_parameters_create(b->world, &b->nominal, error);
  if (status == FF_OK)
    status = ff_parameters_create(b->world, &b->own, error);
  return status;
}

static ff_status make_racers(ff_scene_batch *b, ff_error *error)
{
  const size_t nq = (size_t)b->scene->nq, nv = (size_t)b->scene->nv, most = (size_t)b->wave_most,
               pushes = (size_t)b->scene->def->pushes.list_count;
  const int contacts = ff_world_def(b->world)->max_contacts;
  b->racers = calloc(most, sizeof *b->racers);
  b->numbers = calloc(most * (nq + 2 * nv) + 1, sizeof *b->numbers);
  b->pushes = calloc(most * pushes + 1, sizeof *b->pushes);
  b->written = calloc(pushes + 1, sizeof *b->written);
  b->runs = calloc((size_t)b->def.runs, sizeof *b->runs);
  b->why = calloc((size_t)b->def.runs, sizeof *b->why);
  if (!b->racers || !b->numbers || !b->pushes || !b->written || !b->runs || !b->why)
    return no_memory(error);
  for (size_t i = 0; i < most; ++i) {
    ffi_scene_racer *r = &b->racers[i];
    r->q = b->numbers + i * (nq + 2 * nv);
    r->v = r->q + nq;
    r->tau = r->v + nv;
    r->pushes = b->pushes + i * pushes;
    if (!ffi_scene_watch_share(b->scene, contacts, &r->watch))
      return no_memory(error);
  }
  ff_status status = FF_OK;
  for (size_t i = 0; i < pushes && status == FF_OK; ++i)
    status = ffi_scene_push_written(b->scene, (int)i, &b->written[i], error);
  return status;
}

// What a thread writes to is its own.
static ff_status make_view(const ff_scene_batch *b, ffi_scene_view *view, ff_error *error)
{
  ff_scene *s = &view->scene;
  *s = *b->scene;
  s->controller = NULL;
  s->push_dynamics = NULL;
  s->push_J = NULL;
  s->watch = (ffi_scene_watch){0};
  s->control_seconds = 0;
  ff_status status = ffi_scene_controller_again(b->scene, &s->controller, error);
  if (status == FF_OK && b->scene->push_dynamics)
    status = ffi_scene_push_prepare(s, error);
  return status == FF_OK ? ff_dynamics_create(s->model, NULL, &s->watch.dynamics, error) : status;
}

static ff_status make_views(ff_scene_batch *b, int count, ff_error *error)
{
  ff_status status = FF_OK;
  b->views = calloc((size_t)count, sizeof *b->views);
  if (!b->views)
    return no_memory(error);
  b->view_count = count;
  for (int i = 0; i < count && status == FF_OK; ++i)
    status = make_view(b, &b->views[i], error);
  return status;
}

// ---- A wave ---------------------------------------------------------------------------------------------------------

static ffi_scene_draws draws_of(const ff_scene_batch *b, int run)
{
  return (ffi_scene_draws){.scene = b->scene,
                           .list = b->varied,
                           .count = b->varied_count,
                           .seed = (uint64_t)b->def.seed,
                           .run = (uint64_t)b->def.first + (uint64_t)run};
}

// Robot `racer` of the wave to its start.
static ff_status start_racer(ff_scene_batch *b, int racer, ff_error *error)
{
  const ffi_scene_draws draws = draws_of(b, b->wave + racer);
  ffi_scene_racer *r = &b->racers[racer];
  ff_status status = FF_OK;
  if (ffi_scene_vary_apply_has_parameters(&draws))
    status = ffi_scene_vary_apply_parameters(&draws, b->nominal, b->own, error);
  if (status == FF_OK && ffi_scene_vary_apply_has_parameters(&draws))
    status = ff_batch_set_parameters(b->batch, racer, b->own, error);
  if (status != FF_OK)
    return status;
  ffi_scene_vary_apply_start(&draws, r->q, r->v);
  ffi_scene_vary_apply_pushes(&draws, b->written, r->pushes);
  memset(r->tau, 0, (size_t)b->scene->nv * sizeof *r->tau);
  r->step = -1;
  r->has_ended = 0;
  ff_sim *sim = ff_batch_sim(b->batch, racer);
  status = ff_sim_reset(sim, r->q, r->v, error);
  if (status == FF_OK) {
    ffi_scene_motors_aim(b->scene, sim);
    ffi_scene_controls_aim(b->scene, sim);
  }
  return status;
}

// The next runs, after those that have ended.
static ff_status begin_wave(ff_scene_batch *b, ff_error *error)
{
  const int left = b->def.runs - b->ended;
  ff_batch_def def = ff_batch_def_default();
  b->wave = b->ended;
  b->wave_size = left < b->wave_most ? left : b->wave_most;
  b->wave_steps = 0;
  def.robots = b->wave_size;
  def.threads = b->def.threads;
  ff_status status = ff_batch_create(b->world, &def, &b->batch, error);
  if (status == FF_OK && !b->views)
    status = make_views(b, ff_batch_threads(b->batch), error);
  for (int i = 0; i < b->wave_size && status == FF_OK; ++i)
    status = start_racer(b, i, error);
  return status;
}

static void add_counts(ff_batch_counts *to, const ff_batch_counts *more)
{
  to->steps += more->steps;
  to->in_lanes += more->in_lanes;
  to->lanes += more->lanes;
  to->useful += more->useful;
  to->why = more->why;
}

// Runs whose step failed are at their last good state.
static void end_wave(ff_scene_batch *b)
{
  for (int i = 0; i < b->wave_size; ++i) {
    ff_error error = {0};
    if (b->racers[i].has_ended)
      continue;
    const ff_status status = ff_batch_error(b->batch, i, &error);
    const char *text = strstr(error.message, ": "); // after "robot 17"
    ffi_scene_batch_run_enter(b, &b->views[0], i, ff_batch_sim(b->batch, i));
    ffi_scene_batch_run_end(b, &b->views[0], i, status, text ? text + 2 : error.message);
    ffi_scene_batch_run_leave(b, &b->views[0], i);
  }
  const ff_batch_counts counts = ff_batch_get_counts(b->batch);
  add_counts(&b->counts, &counts);
  b->ended += b->wave_size;
}

static ff_status fill(ff_scene_batch *b, const char *const *vary, ff_error *error)
{
  b->wave_most = b->def.runs < WAVE ? b->def.runs : WAVE;
  ff_status status = read_varied(b, vary, error);
  if (status == FF_OK)
    status = make_world(b, error);
  if (status == FF_OK)
    status = make_racers(b, error);
  return status == FF_OK ? begin_wave(b, error) : status;
}

ff_status ff_scene_batch_create(ff_scene *scene, const ff_scene_batch_def *def, ff_scene_batch **out,
                                ff_error *error)
{
  ff_scene_batch_def wanted;
  ff_error own;
  if (out)
    *out = NULL;
  if (!scene || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_batch_create", "an argument is NULL");
  ff_status status = ffi_def_take(def, &kind, &wanted, error);
  if (status == FF_OK)
    status = check(scene, &wanted, error);
  if (status != FF_OK)
    return status;
  ff_scene_batch *b = calloc(1, sizeof *b);
  if (!b)
    return no_memory(error);
  b->scene = scene;
  b->def = wanted;
  b->def.vary = NULL;
  status = fill(b, wanted.vary, error ? error : &own);
  if (status != FF_OK)
    ff_scene_batch_destroy(b);
  else
    *out = b;
  return status;
}

void ff_scene_batch_destroy(ff_scene_batch *b)
{
  if (!b)
    return;
  ff_batch_destroy(b->batch);
  for (int i = 0; i < b->view_count; ++i) {
    ff_controller_destroy(b->views[i].scene.controller);
    ff_dynamics_destroy(b->views[i].scene.push_dynamics);
    ff_dynamics_destroy(b->views[i].scene.watch.dynamics);
    free(b->views[i].scene.push_J);
  }
  for (int i = 0; b->racers && i < b->wave_most; ++i)
    ffi_scene_watch_unshare(&b->racers[i].watch);
  for (int i = 0; b->why && i < b->def.runs; ++i)
    free(b->why[i]);
  ff_parameters_destroy(b->nominal);
  ff_parameters_destroy(b->own);
  ff_world_destroy(b->world);
  free(b->views);
  free(b->racers);
  free(b->numbers);
  free(b->pushes);
  free(b->written);
  free(b->varied);
  free(b->runs);
  free(b->why);
  free(b);
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// One call of the controller more than there are steps: the last one observes the end.
ff_status ff_scene_batch_advance(ff_scene_batch *b, int steps, ff_error *error)
{
  const ff_batch_inputs inputs = {.control = ffi_scene_batch_run_control, .user = b};
  if (!b || steps < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_batch_advance",
                    b ? "steps must be 0 or more" : "the batch is NULL");
  if (ff_scene_batch_is_done(b))
    return FF_OK;
  const long long all = ff_scene_steps(b->scene), left = all - b->wave_steps;
  const int is_last = left <= steps, calls = is_last ? (int)left + 1 : steps;
  ff_status status = ff_batch_step_many(b->batch, calls, &inputs, error);
  b->wave_steps += is_last ? left : steps;
  if (status != FF_OK || !is_last)
    return status;
  end_wave(b);
  if (ff_scene_batch_is_done(b)) // the batch stays for those who look at it
    return FF_OK;
  ff_batch_destroy(b->batch);
  b->batch = NULL;
  return begin_wave(b, error);
}

int ff_scene_batch_is_done(const ff_scene_batch *b)
{
  return b->ended == b->def.runs;
}

double ff_scene_batch_progress(const ff_scene_batch *b)
{
  const long long all = ff_scene_steps(b->scene);
  const double part = all > 0 ? (double)b->wave_steps / (double)all : 0;
  return ff_scene_batch_is_done(b) ? 1 : (b->ended + part * b->wave_size) / b->def.runs;
}

// ---- Access ---------------------------------------------------------------------------------------------------------

int ff_scene_batch_ended(const ff_scene_batch *b)
{
  return b->ended;
}

ff_batch_counts ff_scene_batch_get_counts(ff_scene_batch *b)
{
  ff_batch_counts counts = b->counts;
  if (!ff_scene_batch_is_done(b)) {
    const ff_batch_counts now = ff_batch_get_counts(b->batch);
    add_counts(&counts, &now);
  }
  return counts;
}

int ff_scene_batch_threads(const ff_scene_batch *b)
{
  return b->view_count;
}

int ff_scene_batch_varied_count(const ff_scene_batch *b)
{
  return b->varied_count;
}

ff_scene_variable ff_scene_batch_varied(const ff_scene_batch *b, int index, double *low, double *high)
{
  *low = b->varied[index].low;
  *high = b->varied[index].high;
  return b->varied[index].field->about;
}

double ff_scene_batch_drawn(const ff_scene_batch *b, int run, int index)
{
  const ffi_scene_draws draws = draws_of(b, run);
  const int count = ffi_scene_vary_apply_numbers(b->scene, &b->varied[index]);
  double square = 0;
  if (count == 1)
    return ffi_scene_vary_draw(&b->varied[index], draws.seed, draws.run, 0);
  for (int i = 0; i < count; ++i) {
    const double x = ffi_scene_vary_draw(&b->varied[index], draws.seed, draws.run, (uint32_t)i);
    square += x * x;
  }
  return sqrt(square / count);
}

const char *ff_scene_outcome_name(ff_scene_outcome outcome)
{
  static const char *const names[FF_SCENE_OUTCOME_COUNT] = {"finished", "missed", "fell", "failed"};
  return (unsigned)outcome < FF_SCENE_OUTCOME_COUNT ? names[outcome] : "unknown";
}

const ff_scene_run *ff_scene_batch_run(const ff_scene_batch *b, int run)
{
  return run >= 0 && run < b->ended ? &b->runs[run] : NULL;
}

ff_scene *ff_scene_batch_scene(ff_scene_batch *b, int run)
{
  const int racer = run - b->wave;
  if (!b->batch || racer < 0 || racer >= b->wave_size)
    return NULL;
  ffi_scene_batch_run_enter(b, &b->views[0], racer, ff_batch_sim(b->batch, racer));
  if (!b->racers[racer].has_ended) // the last step is not observed yet
    b->views[0].scene.step = b->wave_steps;
  return &b->views[0].scene;
}

ff_status ff_scene_batch_error(ff_scene_batch *b, int run, ff_error *error)
{
  const int racer = run - b->wave;
  if (!b->batch || racer < 0 || racer >= b->wave_size)
    return FF_OK;
  if (b->racers[racer].has_ended && b->runs[run].status != FF_OK) // also of its controller
    return ffi_fail(error, b->runs[run].status, NULL, 0, NULL, "%s", b->runs[run].why);
  return ff_batch_error(b->batch, racer, error);
}
