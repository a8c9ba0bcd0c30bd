// Notes on a run: sentences about its start, its end and its errors.
#include "run/run.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const double notable_gap = 1e-3; // [m] less than this is on the ground
static const double thrown =
    3; // weights: ground that pushes harder than a landing from a step throws a robot
static const double deep = 0.02;      // [m] no ground gives way so far under a robot at rest
static const double deep_hard = 5e-3; // [m] of hard contact, which may begin where soft contact came to rest
static const double long_step = 0.1;  // [s] nothing in contact is resolved by longer ones

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
    add(n, "The robot was lifted out of the ground by %.4g m: the model has no posture to start in.",
        scene->lift);
  else if (scene->gap > notable_gap && isnan(r->drop) && scene->can_fall)
    add(n, "The robot starts %.4g m above the ground and falls; --on-ground puts it down.", scene->gap);
  else if (scene->gap < -notable_gap && isnan(r->drop))
    add(n, "The robot starts %.4g m deep in the ground, which %s.", -scene->gap,
        scene->can_fall ? "pushes it out; --on-ground lifts it" : "pushes against its fixed base");
  if (scene->below > 0)
    add(n,
        "There is no ground: the robot is fixed to the world and reaches %.4g m below z = 0, where it would be; "
        "'--slope 0' lays it there.",
        scene->below);
  if (scene->has_plane && scene->can_fall && isnan(scene->gap))
    add(n, "The model has no collision shapes, so nothing can touch the ground.");
}

// Links that start inside each other, and how to exclude them.
static void about_overlaps(const ffi_run_scene *scene, notes *n)
{
  if (scene->overlaps[0])
    add(n,
        "Links of one robot overlap at the start and are pushed apart: %s. For those that need not collide: "
        "'<exclude body1 body2/>' in <contact> of an MJCF, '<disable_collisions link1 link2/>' in the SRDF of a URDF "
        "('--srdf FILE')%s.",
        scene->overlaps,
        strstr(scene->overlaps, "a listed pair") ? "; a listed pair collides until its <pair> is removed"
                                                 : "");
}

// The model's own world is one plane, on which start.on_ground puts a robot.
static int has_own_plane(const ff_model *model)
{
  ff_shape_info shape;
  ff_frame_info frame;
  int count = 0, planes = 0;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i) {
    ff_model_frame(model, shape.frame, &frame);
    if (frame.joint >= 0 || !(shape.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ++count;
    planes += shape.frame == 0 && shape.def.type == FF_SHAPE_PLANE;
  }
  return count == 1 && planes == 1;
}

// What a robot that starts in the ground, or in what its file fixes to the world, needs.
static void find_cure(const ffi_run_scene *scene, char *text, size_t size)
{
  ff_link_info link;
  const int is_linked = ff_model_link(scene->model, scene->deepest, &link) == FF_OK;
  if (!scene->can_fall && scene->is_own && is_linked)
    snprintf(text, size,
             "'<exclude body1=\"world\" body2=\"%.60s\"/>' in <contact> of an MJCF lets them overlap",
             link.name);
  else if (!scene->can_fall)
    snprintf(text, size, "the scene needs no ground there, or a lower one");
  else if (scene->has_plane || (scene->is_own && has_own_plane(scene->model)))
    snprintf(text, size, "'start.on_ground: true' in the scene puts it on top");
  else
    snprintf(text, size, "a higher start.position helps");
}

// A scene's file says where it starts; a robot that stands has contacts that carry it, one that is thrown has deeper
// ones. Hard contact has no force at the start.
static void about_scene_start(const ffi_run_scene *scene, notes *n)
{
  char cure[160];
  const char *what = scene->is_own && !scene->can_fall ? "what is fixed to the world" : "the ground";
  const int is_thrown = scene->push > thrown || scene->depth > (scene->push > 0 ? deep : deep_hard);
  if (!(scene->depth > notable_gap) || !is_thrown)
    return;
  find_cure(scene, cure, sizeof cure);
  if (scene->push > 0)
    add(n, "The start is %.4g m deep in %s, which pushes with %.3g times the robot's weight; %s.",
        scene->depth, what, scene->push, cure);
  else
    add(n, "The start is %.4g m deep in %s; %s.", scene->depth, what, cure);
}

// A URDF does not say whether its root floats. An arm that does falls over, or is thrown out of the ground.
static void about_base(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                       notes *n)
{
  const char *dot = strrchr(r->path, '.');
  int fell = 0;
  for (int i = 0; i < scene->base_count; ++i)
    fell |= ffi_run_statistics_has_fallen(scene, result, i);
  if (scene->base >= 0 && !r->load.def.fixed_base && dot && strcmp(dot, ".urdf") == 0 &&
      (fell || (scene->gap < -notable_gap && isnan(r->drop))))
    add(n, "A URDF does not say whether its root floats; --fixed-base fixes it to the world, as an arm's.");
}

static void about_motion(const ffi_run_scene *scene, const ffi_run_result *result, notes *n)
{
  int fallen = 0;
  for (int i = 0; i < scene->base_count; ++i) {
    const ffi_run_base *base = &result->bases[i];
    const char *name = ffi_run_scene_base_name(scene, i);
    if (!ffi_run_statistics_has_fallen(scene, result, i))
      continue;
    ++fallen;
    add(n, "The robot%s%.60s%s fell: its base is %.4g m %s %s, tilted by %.0f degrees.", name ? " '" : "",
        name ? name : "", name ? "'" : "", fabs(base->height_end), base->height_end < 0 ? "below" : "above",
        scene->has_plane ? "the ground" : "z = 0", base->tilt * 57.29577951308232);
  }
  if (!fallen && scene->base >= 0 && result->contacts_most == 0 &&
      ff_sim_get_totals(scene->sim).touchdowns == 0 && !isnan(scene->gap) && result->steps > 0)
    add(n, "Nothing ever touched the ground.");
}

// More sweeps converge further, and `exact` solves most of the rest. No option helps where `exact` fails.
static const char *unsolved_advice(const ffi_run_request *r)
{
  return r->sim.moreau.solver == FF_HARD_EXACT ? "its last impulses were used"
                                               : "use more iterations, or the solver 'exact'";
}

static void about_accuracy(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                           notes *n)
{
  if (r->sim.dt >= long_step)
    add(n, "dt is %g s; for milliseconds write %gms.", r->sim.dt, r->sim.dt);
  const ff_sim_totals totals = ff_sim_get_totals(scene->sim);
  const int is_hard = ff_stepper_is_hard(ff_sim_stepper(scene->sim));
  if (totals.unconverged > 0)
    add(n, "In %lld of %lld steps %s did not reach its tolerance; %s.", totals.unconverged, result->steps,
        is_hard ? "the contact solver" : "Newton's method",
        is_hard ? unsolved_advice(r) : "a smaller --dt helps");
  if (totals.capped > result->events_capped)
    add(n,
        "In %lld of %lld steps the exponential needed more subintervals than allowed; a smaller --dt helps.",
        totals.capped - result->events_capped, result->steps);
  if (totals.gained > 0)
    add(n, "In %lld of %lld steps the motion gained energy, more than 1 %% in all; a smaller --dt helps.",
        totals.gained, result->steps);
  if (totals.inaccurate > 0)
    add(n, "%lld of the %lld substeps missed the error tolerance at the shortest length.", totals.inaccurate,
        totals.integrator_steps);
  if (result->events_capped > 0)
    add(n,
        "In %lld of %lld steps there were more contact events than substeps allowed; a smaller --dt helps.",
        result->events_capped, result->steps);
  const double end = (double)(r->first + ffi_run_options_steps(r)) * r->sim.dt;
  if (result->outcome == FFI_RUN_FINISHED && end - r->duration > 1e-9 * r->duration)
    add(n, "%g s is not a whole number of steps; the last one ends at %g s.", r->duration, end);
}

int ffi_run_notes(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                  char text[FFI_RUN_NOTES][FFI_RUN_NOTE_SIZE])
{
  notes n = {.text = text};
  const int warnings = ff_model_get_size(scene->model).warnings;
  if (!scene->has_task)
    about_start(r, scene, &n);
  else if (!r->is_resumed)
    about_scene_start(scene, &n);
  if (!r->is_resumed)
    about_overlaps(scene, &n);
  about_motion(scene, result, &n);
  if (!r->is_scene)
    about_base(r, scene, result, &n);
  about_accuracy(r, scene, result, &n);
  if (warnings > 0)
    add(&n, "The model has %d warning%s; 'footfall info %.200s' shows %s.", warnings,
        warnings == 1 ? "" : "s", ff_scene_model_file(scene->scene), warnings == 1 ? "it" : "them");
  return n.count;
}
