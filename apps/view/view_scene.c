// Simulates a model or a scene and records it.
#include "cli/error_message.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/warn_meshes.h"
#include "run/run.h"
#include "view/view.h"

static void record_now(const ffi_run_scene *scene, ffi_run_motor_forces *forces, ffi_view_recorder *recorder,
                       int is_last)
{
  ff_record_state state = {.time = ff_sim_time(scene->sim),
                           .q = ff_scene_now_q(scene->scene),
                           .v = ff_scene_now_v(scene->scene),
                           .tau = ffi_run_scene_tau(scene),
                           .motor = ffi_run_motor_forces_get(forces, scene->scene)};
  state.contacts = ff_scene_contacts(scene->scene, &state.contact_count);
  state.energy = ff_sim_energy(scene->sim);
  ffi_view_record_state(recorder, &state, is_last);
}

// Returns 0 with the error of a failed step; the states before it are recorded.
static int record_all(const ffi_run_request *r, ffi_run_scene *scene, ffi_view_recorder *recorder,
                      ff_error *error)
{
  const long long steps = ffi_run_options_steps(r);
  char what[64];
  ffi_run_motor_forces motor_forces;
  ffi_progress progress;
  ffi_run_motor_forces_begin(&motor_forces, scene->scene);
  snprintf(what, sizeof what, "recording, by %s", ff_stepper_name(r->sim.stepper));
  ffi_progress_begin(&progress, !r->is_quiet);
  record_now(scene, &motor_forces, recorder, steps == 0);
  int is_good = 1;
  for (long long k = 1; k <= steps && is_good && !ffi_interrupt_signal(); ++k) {
    is_good = ffi_run_scene_step(scene, error) == FF_OK;
    if (k == steps || !is_good || ff_record_wants(ffi_view_record_of(recorder)))
      record_now(scene, &motor_forces, recorder, k == steps || !is_good);
    else
      ff_record_skip(ffi_view_record_of(recorder));
    ffi_progress_show(&progress, (double)k / (double)steps, what);
  }
  ffi_progress_end(&progress);
  ffi_run_motor_forces_end(&motor_forces);
  return is_good;
}

static int record_scene(ffi_run_request *r, ffi_run_scene *scene, size_t most, ffi_view_recording *out)
{
  ff_ground_def plane;
  ffi_view_about about = {.model = scene->model,
                          .scene = scene->has_task ? scene->scene : NULL,
                          .title = ff_scene_get_def(scene->scene)->title,
                          .file = r->path,
                          .stepper = ff_stepper_name(r->sim.stepper),
                          .dt = ff_sim_dt(scene->sim),
                          .spacing = ff_sim_dt(scene->sim),
                          .duration = r->duration,
                          .most = most};
  about.ground = ffi_run_scene_ground(scene, &plane, &about.ground_count);
  ffi_view_recorder *recorder = ffi_view_record_begin(&about);
  if (!recorder)
    return 0;
  ff_error error = {0};
  char passing[FF_PASSING_TEXT];
  ffi_warn_meshes(scene->model, scene->has_task);
  const int is_good = record_all(r, scene, recorder, &error);
  if (!is_good)
    ffi_error_message("%s", error.message);
  ff_sim_describe_passing(scene->sim, passing);
  const ffi_view_outcome outcome = {.failure = is_good ? NULL : error.message,
                                    .warning = passing[0] ? passing : NULL};
  ffi_view_record_end(recorder, &outcome, out);
  return 1;
}

int ffi_view_scene_run(int argc, char **argv, size_t most, ffi_view_recording *out)
{
  ffi_run_request request;
  ffi_run_scene scene = {0};
  ffi_interrupt_catch();
  const int is_recorded = ffi_run_options_read(argc, argv, &request) &&
                          ffi_run_scene_open(&request, &scene) && record_scene(&request, &scene, most, out);
  int status = is_recorded ? FFI_EXIT_OK : request.failure;
  if (status == FFI_EXIT_OK && ffi_interrupt_signal())
    status = ffi_interrupt_report();
  ffi_run_scene_close(&scene);
  ffi_run_options_free(&request);
  return status;
}
