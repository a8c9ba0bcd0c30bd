// The summary of a run as text: one line per quantity, then notes.
#include "cli/memory.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "run/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 2048, NAMED_CONTACTS = 8 };

typedef struct page {
  const ffi_run_request *request;
  const ffi_run_scene *scene;
  const ffi_run_result *result;
  const ffi_terminal *terminal;
  FILE *out;
} page;

static void print_line(const page *p, const char *key, ffi_terminal_style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void print_line(const page *p, const char *key, ffi_terminal_style style, const char *format, ...)
{
  char text[LINE_SIZE];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ffi_terminal_line(p->terminal, key, style, text, p->out);
}

static void print_title(const page *p)
{
  char name[LINE_SIZE], file[LINE_SIZE];
  snprintf(name, sizeof name, "%s", ff_model_name(p->scene->model));
  snprintf(file, sizeof file, "%s", p->request->path);
  ffi_text_sanitize(p->terminal, name);
  ffi_text_sanitize(p->terminal, file);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_STRONG, p->out);
  fputs(name, p->out);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  fprintf(p->out, "  %s\n\n", file);
}

static void print_outcome(const page *p)
{
  const double now = ff_sim_time(p->scene->sim), wanted = p->request->duration;
  switch (p->result->outcome) {
  case FFI_RUN_FAILED:
    print_line(p, "outcome", FFI_TERMINAL_WARNING, "failed at %.6g s of %g s", now, wanted);
    break;
  case FFI_RUN_INTERRUPTED:
    print_line(p, "outcome", FFI_TERMINAL_WARNING, "interrupted at %.6g s of %g s", now, wanted);
    break;
  case FFI_RUN_UNWRITTEN:
    print_line(p, "outcome", FFI_TERMINAL_WARNING, "ended at %.6g s of %g s: the log could not be written",
               now, wanted);
    break;
  default: break;
  }
}

// Minus zero is zero.
static double plain(double number)
{
  return number + 0.0;
}

// Less than the size of an atom is rounding.
static double tangible(double metres)
{
  return fabs(metres) < 1e-10 ? 0 : metres;
}

static const char *plural(long long count)
{
  return count == 1 ? "" : "s";
}

// Settings of hard steppers: contact, solver and coordinates of moreau, the impact law of ca and c2a.
static void describe_hard(const page *p, char *out, size_t size)
{
  const ff_scene_def *def = ff_scene_get_def(p->scene->scene);
  const ff_moreau_def *m = &p->request->sim.moreau;
  const char *set = ff_cut_set_name(def->coordinates.type);
  const ff_stepper stepper = ff_sim_stepper(p->scene->sim);
  out[0] = '\0';
  if (stepper == FF_STEPPER_CA || stepper == FF_STEPPER_C2A)
    snprintf(out, size, " (hard contact, impact by %s)", ff_impact_law_name(p->request->sim.c2a.impact.law));
  if (stepper != FF_STEPPER_MOREAU)
    return;
  if (m->contact == FF_HARD_CONTACT_COMPLIANT)
    snprintf(out, size, " (compliant contact, %s coordinates)", set);
  else
    snprintf(out, size, " (hard contact, %s, %s coordinates%s)", ff_hard_solver_name(m->solver), set,
             m->stabilise ? ", stabilised" : "");
}

static void print_times(const page *p)
{
  const ffi_run_result *r = p->result;
  const double dt = ff_sim_dt(p->scene->sim), passed = ff_sim_time(p->scene->sim) - r->began;
  char how[128];
  describe_hard(p, how, sizeof how);
  print_line(p, "stepper", FFI_TERMINAL_PLAIN, "%s%s, %lld step%s of %g ms",
             ff_stepper_name(ff_sim_stepper(p->scene->sim)), how, r->steps, plural(r->steps), 1e3 * dt);
  if (r->steps > 0 && r->stepping > 0)
    print_line(p, "time", FFI_TERMINAL_PLAIN, "%.6g s in %.3g s: %.3g times real time, %.3g %s per step",
               passed, r->stepping, passed / r->stepping, 1e6 * r->stepping / (double)r->steps,
               p->terminal->unicode ? "\u00b5s" : "us");
}

static void print_resumed(const page *p)
{
  if (p->request->is_resumed)
    print_line(p, "resumed", FFI_TERMINAL_PLAIN, "at %.6g s, after %lld step%s, from %s", p->result->began,
               p->request->first, plural(p->request->first), p->request->resume);
}

static void print_range(char *out, size_t size, const double range[2])
{
  if (range[0] == range[1])
    snprintf(out, size, "%.3g", range[0]);
  else
    snprintf(out, size, "%.3g..%.3g", range[0], range[1]);
}

static void print_posture(const page *p)
{
  const ffi_run_motors *m = &p->scene->motors;
  char kp[64], kd[64], held[256] = "no joint is held";
  print_range(kp, sizeof kp, m->kp);
  print_range(kd, sizeof kd, m->kd);
  const int joints = ff_model_get_size(p->scene->model).actuated;
  if (m->count > 0)
    snprintf(held, sizeof held, "%d of %d joint%s held with kp %s, kd %s%s", m->count, joints, plural(joints),
             kp, kd, m->model_count > 0 ? ", others by the model's servos" : "");
  else if (m->model_count > 0)
    snprintf(held, sizeof held, "%d of %d joint%s held by the model's servos", m->model_count, joints,
             plural(joints));
  print_line(p, "posture", FFI_TERMINAL_PLAIN, "%s; %s", p->scene->posture ? p->scene->posture : "neutral",
             held);
}

static void print_task(const page *p)
{
  const ff_scene_result *t = &p->result->task;
  char text[LINE_SIZE] = "";
  size_t used = 0;
  const int has_ended = p->result->outcome == FFI_RUN_FINISHED;
  if (t->expected > 0 && t->missed == 0)
    print_line(p, "task", has_ended ? FFI_TERMINAL_STRONG : FFI_TERMINAL_WARNING,
               has_ended ? "met" : "not met: the run ended early");
  else if (t->expected > 0)
    print_line(p, "task", FFI_TERMINAL_WARNING, "not met: %s", t->misses);
  if (!isnan(t->com_error))
    used += (size_t)snprintf(text, sizeof text, "centre of mass within %.3g mm of its target, ",
                             1e3 * t->com_error);
  used += (size_t)snprintf(text + used, sizeof text - used, "%d step%s taken, %.3g s of flight", t->steps,
                           plural(t->steps), t->flight);
  if (p->scene->base >= 0)
    used += (size_t)snprintf(text + used, sizeof text - used, ", %.3g m ahead", tangible(t->advance));
  if (p->scene->base >= 0 && !isnan(t->speed)) // nothing simulated has none
    used += (size_t)snprintf(text + used, sizeof text - used, ", %.3g m/s", tangible(t->speed));
  if (p->scene->base >= 0)
    snprintf(text + used, sizeof text - used, ", %s", t->is_upright ? "upright" : "not upright");
  print_line(p, "motion", FFI_TERMINAL_PLAIN, "%s", text);
}

static void describe_gains(const page *p, char *text, size_t size)
{
  const ffi_run_motors *m = &p->scene->motors;
  char kp[64], kd[64];
  print_range(kp, sizeof kp, m->kp);
  print_range(kd, sizeof kd, m->kd);
  if (m->count > 0)
    snprintf(text, size, ", kp %s, kd %s, inside the step", kp, kd);
  else if (m->model_count > 0)
    snprintf(text, size, ", by the model's servos");
}

static void print_controller(const page *p)
{
  const ff_scene_def *def = ff_scene_get_def(p->scene->scene);
  const double period = ff_scene_period(p->scene->scene);
  const ff_controller_type type = def->controller.type;
  char text[256] = "";
  if (type == FF_CONTROLLER_POSTURE_PD)
    describe_gains(p, text, sizeof text);
  else if (type != FF_CONTROLLER_NONE)
    snprintf(text, sizeof text, ", every %g ms, %.3g %s each", 1e3 * period,
             1e6 * p->result->control / ceil(fmax(1, (double)p->result->steps * def->sim.dt / period)),
             p->terminal->unicode ? "\u00b5s" : "us");
  print_line(p, "controller", FFI_TERMINAL_PLAIN, "%s%s, from %s", ff_controller_name(type), text,
             p->scene->posture ? p->scene->posture : "neutral");
}

static void print_base(const page *p)
{
  for (int i = 0; i < p->scene->base_count; ++i) {
    const ffi_run_base *r = &p->result->bases[i];
    const double *a = r->start, *b = r->end;
    const char *name = ffi_run_scene_base_name(p->scene, i);
    print_line(p, i == 0 ? "base" : "", FFI_TERMINAL_PLAIN,
               "%.60s%s%.4g m %s %s, was %.4g m; moved by %.3g m, tilted by %.3g degrees", name ? name : "",
               name ? ": " : "", fabs(r->height_end), r->height_end < 0 ? "below" : "above",
               p->scene->has_plane ? "the ground" : "z = 0", plain(r->height_start),
               hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]), r->tilt * 57.29577951308232);
  }
}

// The name of the shape in contact, or of its link if it has none.
static const char *contact_name(const ff_model *model, const ff_contact *c)
{
  ff_shape_info shape;
  ff_link_info link;
  if (ff_model_shape(model, c->shape_a, &shape) == FF_OK && shape.def.name && *shape.def.name)
    return shape.def.name;
  return ff_model_link(model, c->link_a, &link) == FF_OK ? link.name : "?";
}

static void print_length(const page *p, const char *key, double length, const char *rest)
{
  const int is_long = length >= 1;
  print_line(p, key, FFI_TERMINAL_PLAIN, "%.3g %s%s", is_long ? length : 1e3 * length, is_long ? "m" : "mm",
             rest);
}

static void print_contacts(const page *p)
{
  char text[LINE_SIZE];
  int count;
  const ff_contact *contacts = ff_scene_contacts(p->scene->scene, &count);
  size_t used = (size_t)snprintf(text, sizeof text, "%d at the end, %d at most%s", count,
                                 p->result->contacts_most, count > 0 ? ":" : "");
  for (int i = 0; i < count && i < NAMED_CONTACTS && used < sizeof text; ++i) {
    const ff_contact *c = &contacts[i];
    const double normal =
        c->force[0] * c->normal[0] + c->force[1] * c->normal[1] + c->force[2] * c->normal[2];
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %.100s %.3g N%s", i > 0 ? "," : "",
                             contact_name(p->scene->model, c), plain(normal),
                             c->mode == FF_CONTACT_SLIP ? " (slips)" : "");
  }
  if (count > NAMED_CONTACTS && used < sizeof text)
    snprintf(text + used, sizeof text - used, ", and %d more", count - NAMED_CONTACTS);
  print_line(p, "contacts", FFI_TERMINAL_PLAIN, "%s", text);
  print_length(p, "deepest", p->result->penetration, "");
  print_length(p, "slip", p->result->slip, ", all contacts together");
}

// Tunnelling: shapes that passed through each other within a step.
static void print_passing(const page *p)
{
  const long long passed = ff_sim_get_totals(p->scene->sim).passed;
  char text[FF_PASSING_TEXT];
  if (passed == 0)
    return;
  ff_sim_describe_passing(p->scene->sim, text);
  print_line(p, "tunnelling", FFI_TERMINAL_WARNING, "%s (%lld time%s)", text, passed, plural(passed));
}

static void print_energy(const page *p)
{
  const ffi_run_result *r = p->result;
  print_line(p, "energy", FFI_TERMINAL_PLAIN, "%.5g J, was %.5g J, at most %.5g J", plain(r->energy_end),
             plain(r->energy_start), plain(r->energy_most));
}

// Substeps of expo with an error tolerance.
static void print_accuracy(const page *p)
{
  const ff_sim_totals t = ff_sim_get_totals(p->scene->sim);
  if (ff_sim_stepper(p->scene->sim) != FF_STEPPER_EXPO || t.integrator_steps == 0)
    return;
  print_line(p, "accuracy", FFI_TERMINAL_PLAIN,
             "%lld step%s of %.3g to %.3g ms, %.3g ms in the mean; %lld rejected", t.integrator_steps,
             plural(t.integrator_steps), 1e3 * t.shortest, 1e3 * t.longest,
             1e3 * ff_sim_dt(p->scene->sim) * (double)t.steps / (double)t.integrator_steps, t.rejected);
}

// Substeps of ca and c2a.
static void print_advancement(const page *p)
{
  const ff_sim_totals t = ff_sim_get_totals(p->scene->sim);
  const ff_stepper stepper = ff_sim_stepper(p->scene->sim);
  if ((stepper != FF_STEPPER_CA && stepper != FF_STEPPER_C2A) || t.integrator_steps == 0)
    return;
  print_line(p, "substeps", FFI_TERMINAL_PLAIN,
             "%lld of %.3g to %.3g ms, %.3g ms in the mean; %lld of the shortest length", t.integrator_steps,
             1e3 * t.shortest, 1e3 * t.longest,
             1e3 * ff_sim_dt(p->scene->sim) * (double)t.steps / (double)t.integrator_steps,
             t.tries[FF_C2A_FORCED]);
  if (stepper != FF_STEPPER_C2A)
    return;
  print_line(
      p, "rejected", FFI_TERMINAL_PLAIN,
      "%lld for the energy, %lld at midpoints, %lld for the velocity error, %lld on the path; error of the "
      "kinetic energy at "
      "most %.2g %%",
      t.tries[FF_C2A_ENERGY], t.tries[FF_C2A_HALFWAY], t.tries[FF_C2A_DOUBT], t.tries[FF_C2A_PATH],
      100 * t.energy_share);
}

static void print_events(const page *p)
{
  const ff_sim_totals t = ff_sim_get_totals(p->scene->sim);
  const ff_stepper stepper = ff_sim_stepper(p->scene->sim);
  if (stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_ESS)
    print_line(p, "events", FFI_TERMINAL_PLAIN,
               "%lld touch-down%s, %lld lift-off%s, %lld slip%s, %lld stick%s", t.touchdowns,
               plural(t.touchdowns), t.liftoffs, plural(t.liftoffs), t.slips, plural(t.slips), t.sticks,
               plural(t.sticks));
  if (stepper == FF_STEPPER_ESS)
    print_line(p, "integrator", FFI_TERMINAL_PLAIN,
               "%lld step%s, %lld rejected; %lld event%s by projection, %lld located", t.integrator_steps,
               plural(t.integrator_steps), t.rejected, t.projections, plural(t.projections), t.located);
}

static void print_solver(const page *p)
{
  const ff_sim_totals t = ff_sim_get_totals(p->scene->sim);
  const ffi_run_result *r = p->result;
  if (!ff_stepper_is_hard(ff_sim_stepper(p->scene->sim)) || r->steps == 0)
    return;
  print_line(p, "solver", FFI_TERMINAL_PLAIN,
             "%.3g iterations a step, at most %d; %lld step%s not converged, %lld fallback%s",
             (double)r->iterations / (double)r->steps, r->iterations_most, t.unconverged,
             plural(t.unconverged), r->fallbacks, plural(r->fallbacks));
  if (p->scene->has_task)
    print_length(p, "settled", r->task.penetration, " deep at most, later than 50 ms after touching");
  if (t.worst_drift > 0)
    print_line(p, "drift", FFI_TERMINAL_PLAIN, "joints and loops at most %.3g %s apart", 1e6 * t.worst_drift,
               p->terminal->unicode ? "\u00b5m" : "um");
}

static void print_notes(const page *p)
{
  char(*text)[FFI_RUN_NOTE_SIZE] = ffi_memory_need(NULL, FFI_RUN_NOTES * sizeof *text);
  const int count = ffi_run_notes(p->request, p->scene, p->result, text);
  if (count > 0)
    fputc('\n', p->out);
  for (int i = 0; i < count; ++i) {
    ffi_text_sanitize(p->terminal, text[i]);
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_WARNING, p->out);
    fputs("! ", p->out);
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
    ffi_text_wrap(text[i], 2, 2, p->out);
  }
  free(text);
}

void ffi_run_summary(const ffi_run_request *request, const ffi_run_scene *scene, const ffi_run_result *result,
                     const ffi_terminal *terminal, FILE *out)
{
  const page p = {request, scene, result, terminal, out};
  print_title(&p);
  print_outcome(&p);
  if (scene->has_task)
    print_task(&p);
  print_resumed(&p);
  print_times(&p);
  if (scene->has_task)
    print_controller(&p);
  else
    print_posture(&p);
  print_base(&p);
  print_contacts(&p);
  print_passing(&p);
  print_energy(&p);
  print_events(&p);
  print_accuracy(&p);
  print_advancement(&p);
  print_solver(&p);
  if (request->log)
    print_line(&p, "log", FFI_TERMINAL_PLAIN, "%s, %lld row%s", request->log, result->rows,
               plural(result->rows));
  print_notes(&p);
}
