// A run that was not logged: step through it and record it on the way.
#include "cli/complain.h"
#include "cli/interrupt.h"
#include "cli/warn_meshes.h"
#include "run/run.h"
#include "view/view.h"

static ff_status step_once(const ffi_run_scene *scene, ff_error *error)
{
  return scene->file ? ff_scene_step(scene->file, error) : ff_sim_step(scene->sim, NULL, error);
}

static void record_now(const ffi_run_scene *scene, ffi_run_drives *drives, ffi_view_recorder *recorder,
                       int is_last)
{
  ff_record_state state = {.time = ff_sim_time(scene->sim),
                           .q = ffi_run_q(scene),
                           .v = ffi_run_v(scene),
                           .tau = scene->file ? ff_scene_tau(scene->file) : NULL,
                           .motor = ffi_run_drives_force(drives, scene)};
  state.contacts = ffi_run_contacts(scene, &state.contact_count);
  state.energy = ff_sim_energy(scene->sim);
  ffi_view_record_state(recorder, &state, is_last);
}

// Returns 0 with the error of a step that failed; what was before it is recorded.
static int record_all(const ffi_run_request *r, const ffi_run_scene *scene, ffi_view_recorder *recorder,
                      ff_error *error)
{
  const long long steps = ffi_run_steps(r);
  char what[64];
  ffi_run_drives drives;
  ffi_progress progress;
  ffi_run_drives_begin(&drives, scene);
  snprintf(what, sizeof what, "recording, by %s", ff_stepper_name(r->sim.stepper));
  ffi_progress_begin(&progress, !r->is_quiet);
  record_now(scene, &drives, recorder, steps == 0);
  int is_good = 1;
  for (long long k = 1; k <= steps && is_good && !ffi_interrupt_got(); ++k) {
    is_good = step_once(scene, error) == FF_OK;
    if (k == steps || !is_good || ff_record_wants(ffi_view_record_of(recorder)))
      record_now(scene, &drives, recorder, k == steps || !is_good);
    else
      ff_record_skip(ffi_view_record_of(recorder));
    ffi_progress_show(&progress, (double)k / (double)steps, what);
  }
  ffi_progress_end(&progress);
  ffi_run_drives_end(&drives);
  return is_good;
}

static int record_scene(ffi_run_request *r, const ffi_run_scene *scene, size_t most, ffi_view_data *out)
{
  ff_ground_def plane;
  ffi_view_about about = {.model = scene->model,
                          .scene = scene->file,
                          .title = scene->file ? ff_scene_get_def(scene->file)->title : NULL,
                          .file = r->path,
                          .stepper = ff_stepper_name(r->sim.stepper),
                          .dt = ff_sim_dt(scene->sim),
                          .spacing = ff_sim_dt(scene->sim),
                          .duration = r->duration,
                          .most = most};
  about.ground = ffi_run_ground(scene, &plane, &about.ground_count);
  ffi_view_recorder *recorder = ffi_view_record_begin(&about);
  if (!recorder)
    return 0;
  ff_error error = {0};
  char passing[FF_PASSING_TEXT];
  ffi_warn_meshes(scene->model);
  const int is_good = record_all(r, scene, recorder, &error);
  if (!is_good)
    ffi_complain("%s", error.message);
  ff_sim_describe_passing(scene->sim, passing);
  const ffi_view_outcome outcome = {.failure = is_good ? NULL : error.message,
                                    .warning = passing[0] ? passing : NULL};
  ffi_view_record_end(recorder, &outcome, out);
  return 1;
}

int ffi_view_run(int argc, char **argv, size_t most, ffi_view_data *out)
{
  ffi_run_request request;
  ffi_run_scene scene = {0};
  ffi_interrupt_watch();
  const int is_recorded = ffi_run_read(argc, argv, &request) && ffi_run_open(&request, &scene) &&
                          record_scene(&request, &scene, most, out);
  int status = is_recorded ? FFI_EXIT_OK : request.failure;
  if (status == FFI_EXIT_OK && ffi_interrupt_got())
    status = ffi_interrupt_tell();
  ffi_run_close(&scene);
  ffi_run_request_free(&request);
  return status;
}
