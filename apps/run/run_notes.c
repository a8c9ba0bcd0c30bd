// What the user should know about a run beyond its figures: one sentence each.
#include "run/run.h"

#include <math.h>
#include <stdarg.h>

static const double notable_gap = 1e-3; // [m] nearer to the ground than this is on it

typedef struct notes {
  char (*text)[FFI_RUN_NOTE_SIZE];
  int count;
} notes;

static void add(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(notes *n, const char *format, ...)
{
  va_list list;
  if (n->count == FFI_RUN_NOTES)
    return;
  va_start(list, format);
  vsnprintf(n->text[n->count++], FFI_RUN_NOTE_SIZE, format, list);
  va_end(list);
}

static void about_start(const ffi_run_request *r, const ffi_run_scene *scene, notes *n)
{
  if (scene->lift != 0 && isnan(r->drop))
    add(n, "It was lifted by %.4g m, out of the ground: the model has no posture that says where it stands.",
        scene->lift);
  else if (scene->gap > notable_gap && isnan(r->drop) && scene->can_fall)
    add(n, "It starts %.4g m above the ground and falls; --on-ground puts it down.", scene->gap);
  else if (scene->gap < -notable_gap && isnan(r->drop))
    add(n, "It starts %.4g m deep in the ground and is pushed out%s.", -scene->gap,
        scene->can_fall ? "; --on-ground lifts it" : "");
  if (scene->has_plane && scene->can_fall && isnan(scene->gap))
    add(n, "The model has nothing that could touch the ground.");
}

static void about_motion(const ffi_run_scene *scene, const ffi_run_result *result, notes *n)
{
  if (ffi_run_has_fallen(scene, result))
    add(n, "It fell: its base is %.4g m %s the ground, tilted by %.0f degrees.", fabs(result->height_end),
        result->height_end < 0 ? "below" : "above", result->tilt * 57.29577951308232);
  else if (scene->base >= 0 && result->contacts_most == 0 && ff_sim_get_totals(scene->sim).touchdowns == 0 &&
           !isnan(scene->gap) && result->steps > 0)
    add(n, "Nothing ever touched the ground.");
}

// Sweeps come nearer with more of them, and `exact` solves most of what they do not; for what `exact` leaves no option is known to help.
static const char *unsolved_advice(const ffi_run_request *r)
{
  return r->sim.moreau.solver == FF_HARD_EXACT ? "they were taken with the impulses that it had"
                                               : "more iterations help, and solver 'exact' more";
}

static void about_accuracy(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                           notes *n)
{
  const ff_sim_totals totals = ff_sim_get_totals(scene->sim);
  const int is_hard = ff_stepper_is_hard(ff_sim_stepper(scene->sim));
  if (totals.unconverged > 0)
    add(n, "In %lld of %lld steps %s did not reach its tolerance; %s.", totals.unconverged, result->steps,
        is_hard ? "the contact solver" : "Newton's method",
        is_hard ? unsolved_advice(r) : "a smaller --dt helps");
  if (totals.capped > result->events_capped)
    add(n,
        "In %lld of %lld steps the exponential would have needed more sub-steps than it may take; a smaller --dt helps.",
        totals.capped - result->events_capped, result->steps);
  if (totals.inaccurate > 0)
    add(n, "%lld of the %lld steps inside steps missed the accuracy and could not be shorter.",
        totals.inaccurate, totals.integrator_steps);
  if (result->events_capped > 0)
    add(n,
        "In %lld of %lld steps there were more contact events than a step is cut at; a smaller --dt helps.",
        result->events_capped, result->steps);
  const double end = (double)(r->first + ffi_run_steps(r)) * r->sim.dt;
  if (result->outcome == FFI_RUN_FINISHED && end - r->duration > 1e-9 * r->duration)
    add(n, "%g s is no whole number of steps; the last one ends at %g s.", r->duration, end);
}

int ffi_run_notes(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                  char text[FFI_RUN_NOTES][FFI_RUN_NOTE_SIZE])
{
  notes n = {.text = text};
  const int warnings = ff_model_get_size(scene->model).warnings;
  if (!scene->file) // a scene says where it starts
    about_start(r, scene, &n);
  about_motion(scene, result, &n);
  about_accuracy(r, scene, result, &n);
  if (warnings > 0)
    add(&n, "The model has %d warning%s; 'footfall info %.200s' shows %s.", warnings,
        warnings == 1 ? "" : "s", scene->file ? ff_scene_model_file(scene->file) : r->path,
        warnings == 1 ? "it" : "them");
  return n.count;
}
