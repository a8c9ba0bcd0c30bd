// The summary of a run as JSON. docs/guide/run.md describes the fields.
#include "cli/memory.h"
#include "cli/text/json.h"
#include "run/run.h"

#include <footfall/version.h>

#include <math.h>
#include <stdlib.h>

// A count: exact in a double up to 2^53, far beyond what is ever counted.
static void put_count(ffi_json *json, const char *key, long long value)
{
  ffi_json_put_number(json, key, (double)value);
}

static void put_scene(ffi_json *json, const ffi_run_request *r, const ffi_run_scene *scene)
{
  const ffi_run_motors *m = &scene->motors;
  ffi_json_put_text(json, "posture", scene->posture);
  ffi_json_key(json, "ground");
  if (scene->has_plane) {
    ffi_json_open(json, '{', 0);
    ffi_json_put_number(json, "slope", r->slope);
    ffi_json_put_number(json, "stiffness", r->stiffness);
    ffi_json_put_number(json, "damping", r->damping);
    ffi_json_put_number(json, "friction", r->friction);
    ffi_json_close(json, '}');
  } else {
    ffi_json_text(json, NULL);
  }
  ffi_json_put_number(json, "gap", scene->gap);
  ffi_json_put_number(json, "lift", scene->lift);
  ffi_json_put_open(json, "motors", '{');
  put_count(json, "held", m->count);
  put_count(json, "held_by_model", m->model_count);
  ffi_json_put_numbers(json, "kp", m->kp, m->count > 0 ? 2 : 0);
  ffi_json_put_numbers(json, "kd", m->kd, m->count > 0 ? 2 : 0);
  ffi_json_close(json, '}');
}

static void put_time(ffi_json *json, const ffi_run_scene *scene, const ffi_run_result *result)
{
  const double time = ff_sim_time(scene->sim);
  put_count(json, "steps", result->steps);
  ffi_json_put_number(json, "time", time);
  ffi_json_put_number(json, "wall", result->wall);
  ffi_json_put_number(json, "stepping", result->stepping);
  ffi_json_put_number(json, "real_time_factor",
                      result->steps > 0 ? (time - result->began) / result->stepping : (double)NAN);
}

static void put_contacts(ffi_json *json, const ffi_run_scene *scene)
{
  static const char *const modes[] = {
      [FF_CONTACT_RELEASED] = "released", [FF_CONTACT_STICK] = "stick", [FF_CONTACT_SLIP] = "slip"};
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene->scene, &count);
  ffi_json_put_open(json, "contacts", '[');
  for (int i = 0; i < count; ++i) {
    const ff_contact *c = &contacts[i];
    ff_shape_info shape;
    ff_link_info a, b;
    ffi_json_open(json, '{', 1);
    ffi_json_put_text(json, "link", ff_model_link(scene->model, c->link_a, &a) == FF_OK ? a.name : NULL);
    ffi_json_put_text(json, "shape",
                      ff_model_shape(scene->model, c->shape_a, &shape) == FF_OK ? shape.def.name : NULL);
    ffi_json_put_text(json, "on", ff_model_link(scene->model, c->link_b, &b) == FF_OK ? b.name : NULL);
    ffi_json_put_numbers(json, "point", c->point, 3);
    ffi_json_put_numbers(json, "normal", c->normal, 3);
    ffi_json_put_numbers(json, "force", c->force, 3);
    ffi_json_put_number(json, "penetration", c->penetration);
    ffi_json_put_text(json, "mode", modes[c->mode]);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

static void put_base(ffi_json *json, const ffi_run_scene *scene, const ffi_run_result *r, int which)
{
  const ffi_run_base *base = &r->bases[which];
  ff_joint_info joint;
  ff_link_info link;
  ff_model_joint(scene->model, scene->bases[which], &joint);
  ffi_json_open(json, '{', 0);
  ffi_json_put_text(json, "link", ff_model_link(scene->model, joint.link, &link) == FF_OK ? link.name : NULL);
  ffi_json_put_numbers(json, "start", base->start, 3);
  ffi_json_put_numbers(json, "end", base->end, 3);
  ffi_json_put_number(json, "height_start", base->height_start);
  ffi_json_put_number(json, "height_end", base->height_end);
  ffi_json_put_number(json, "tilt", base->tilt);
  ffi_json_put_boolean(json, "has_fallen", ffi_run_statistics_has_fallen(scene, r, which));
  ffi_json_close(json, '}');
}

static void put_motion(ffi_json *json, const ffi_run_scene *scene, const ffi_run_result *r)
{
  ffi_json_key(json, "base");
  if (scene->base >= 0)
    put_base(json, scene, r, 0);
  else
    ffi_json_text(json, NULL);
  ffi_json_put_open(json, "bases", '[');
  for (int i = 0; i < scene->base_count; ++i)
    put_base(json, scene, r, i);
  ffi_json_close(json, ']');
  put_contacts(json, scene);
  put_count(json, "contacts_most", r->contacts_most);
  ffi_json_put_number(json, "penetration", r->penetration);
  ffi_json_put_number(json, "slip", r->slip);
  ffi_json_put_open(json, "energy", '{');
  ffi_json_put_number(json, "start", r->energy_start);
  ffi_json_put_number(json, "end", r->energy_end);
  ffi_json_put_number(json, "most", r->energy_most);
  ffi_json_put_number(json, "control_work", r->work);
  ffi_json_close(json, '}');
}

// null without a scene
static void put_task(ffi_json *json, const ffi_run_scene *scene, const ffi_run_result *result)
{
  const ff_scene_result *t = &result->task;
  ffi_json_key(json, "task");
  if (!scene->has_task) {
    ffi_json_text(json, NULL);
    return;
  }
  ffi_json_open(json, '{', 0);
  ffi_json_put_boolean(json, "is_met", t->missed == 0 && result->outcome == FFI_RUN_FINISHED);
  put_count(json, "expected", t->expected);
  put_count(json, "missed", t->missed);
  ffi_json_put_text(json, "misses", t->misses);
  ffi_json_put_number(json, "com_error", t->com_error);
  put_count(json, "steps_taken", t->steps);
  ffi_json_put_number(json, "flight", t->flight);
  ffi_json_put_number(json, "advance", t->advance);
  ffi_json_put_number(json, "speed", t->speed);
  ffi_json_put_number(json, "final_speed", t->final_speed);
  ffi_json_put_number(json, "tilt_most", t->tilt_most);
  ffi_json_put_boolean(json, "is_upright", t->is_upright);
  ffi_json_put_number(json, "settled_penetration", t->penetration);
  ffi_json_put_number(json, "drift", t->drift);
  ffi_json_put_number(json, "unconverged", t->unconverged);
  put_count(json, "contacts", t->contacts);
  put_count(json, "fallen", t->fallen);
  ffi_json_put_number(json, "moved", t->moved);
  ffi_json_put_number(json, "rise", t->rise);
  ffi_json_put_text(json, "coordinates", ff_cut_set_name(ff_scene_get_def(scene->scene)->coordinates.type));
  ffi_json_put_text(json, "controller", ff_controller_name(ff_scene_get_def(scene->scene)->controller.type));
  ffi_json_put_number(json, "period", ff_scene_period(scene->scene));
  ffi_json_put_number(json, "controlling", result->control);
  ffi_json_close(json, '}');
}

// The first tunnelling; null: none
static void put_passing(ffi_json *json, const ffi_run_scene *scene)
{
  const ff_sim_totals t = ff_sim_get_totals(scene->sim);
  char text[FF_PASSING_TEXT];
  ffi_json_key(json, "passing");
  if (t.passed == 0) {
    ffi_json_text(json, NULL);
    return;
  }
  ff_sim_describe_passing(scene->sim, text);
  ffi_json_open(json, '{', 0);
  ffi_json_put_number(json, "time", t.first_passing.time);
  ffi_json_put_text(json, "what", text);
  ffi_json_close(json, '}');
}

static void put_totals(ffi_json *json, const ffi_run_scene *scene, const ffi_run_result *result)
{
  const ff_sim_totals t = ff_sim_get_totals(scene->sim);
  ffi_json_put_open(json, "totals", '{');
  put_count(json, "pieces", t.pieces);
  put_count(json, "touchdowns", t.touchdowns);
  put_count(json, "liftoffs", t.liftoffs);
  put_count(json, "slips", t.slips);
  put_count(json, "sticks", t.sticks);
  put_count(json, "integrator_steps", t.integrator_steps);
  put_count(json, "rejected", t.rejected);
  put_count(json, "forced", t.tries[FF_C2A_FORCED]);
  ffi_json_put_number(json, "shortest", t.shortest);
  ffi_json_put_number(json, "longest", t.longest);
  put_count(json, "inaccurate", t.inaccurate);
  put_count(json, "projections", t.projections);
  put_count(json, "located", t.located);
  put_count(json, "unconverged", t.unconverged);
  put_count(json, "capped", t.capped);
  put_count(json, "gained", t.gained);
  put_count(json, "iterations", result->iterations);
  put_count(json, "iterations_most", result->iterations_most);
  put_count(json, "fallbacks", result->fallbacks);
  ffi_json_put_number(json, "drift", t.worst_drift);
  put_count(json, "passed", t.passed);
  ffi_json_close(json, '}');
}

static void put_notes(ffi_json *json, const ffi_run_request *request, const ffi_run_scene *scene,
                      const ffi_run_result *result)
{
  char(*text)[FFI_RUN_NOTE_SIZE] = ffi_memory_need(NULL, FFI_RUN_NOTES * sizeof *text);
  const int count = ffi_run_notes(request, scene, result, text);
  ffi_json_put_open(json, "notes", '[');
  for (int i = 0; i < count; ++i)
    ffi_json_text(json, text[i]);
  ffi_json_close(json, ']');
  free(text);
}

void ffi_run_summary_json(const ffi_run_request *request, const ffi_run_scene *scene,
                          const ffi_run_result *result, FILE *out)
{
  static const char *const outcomes[] = {[FFI_RUN_FINISHED] = "finished",
                                         [FFI_RUN_FAILED] = "failed",
                                         [FFI_RUN_INTERRUPTED] = "interrupted",
                                         [FFI_RUN_UNWRITTEN] = "unwritten"};
  ffi_json json;
  ffi_json_begin(&json, out);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "footfall", ff_version());
  ffi_json_put_text(&json, "file", request->path);
  ffi_json_put_text(&json, "name", ff_model_name(scene->model));
  ffi_json_put_text(&json, "outcome", outcomes[result->outcome]);
  ffi_json_put_text(&json, "error", result->outcome == FFI_RUN_FAILED ? result->error.message : NULL);
  ffi_json_put_text(&json, "stepper", ff_stepper_name(ff_sim_stepper(scene->sim)));
  ffi_json_put_number(&json, "dt", ff_sim_dt(scene->sim));
  ffi_json_put_number(&json, "duration", request->duration);
  put_time(&json, scene, result);
  put_scene(&json, request, scene);
  put_motion(&json, scene, result);
  put_task(&json, scene, result);
  put_totals(&json, scene, result);
  put_passing(&json, scene);
  ffi_json_put_text(&json, "log", request->log);
  put_count(&json, "rows", result->rows);
  put_notes(&json, request, scene, result);
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}
