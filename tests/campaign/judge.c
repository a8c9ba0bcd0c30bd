// Runs a scene step by step, and judges each step by what the library promises.
#include "campaign/judge.h"

#include "campaign/change.h"
#include "campaign/tally.h"

#include <footfall/world.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// One run.
typedef struct run {
  const ffi_recipe *recipe;
  ffi_recipe_made made;
  ff_sim *sim, *twin; ///< twin: continues from a restored state
  ff_dynamics *dynamics;
  int state_size;
  double *before, *after, *tau, *times;
  int is_twin_on;
  int contacts; ///< after the last step
  double energy, lowest, with_flags,
      largest;    ///< total, its least since the last flag and ever, largest T + V_e
  double elastic; ///< of the total
  double used;    ///< processor time of all steps [s]
  const ffi_judge_way *way;
  int is_unlimited; ///< max_speed is out of reach
  int bound_step;   ///< the one that failed at a bound of work, -1: none
  ffi_judge_result *out;
} run;

const char *ffi_judge_fault_name(ffi_judge_fault fault)
{
  static const char *const names[] = {"gain", "absurd", "lost", "bits", "unnamed", "slow", "crash", "hang"};
  return names[fault];
}

// A step that says that it has gained energy.
static int is_flagged(const ff_step_info *info)
{
  return info->gained;
}

static void blame(run *r, ffi_judge_fault fault, const char *format, ...)
{
  ffi_judge_result *out = r->out;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!(out->faults >> fault & 1)) {
    const size_t length = strlen(out->message);
    snprintf(out->message + length, sizeof out->message - length, "%s%s at step %d: %s", length ? "; " : "",
             ffi_judge_fault_name(fault), out->steps, text);
  }
  out->faults |= 1u << fault;
}

// ---- Finite -------------------------------------------------------------------------------------------------

static int all_finite(const double *x, int count)
{
  for (int i = 0; i < count; ++i)
    if (!isfinite(x[i]))
      return 0;
  return 1;
}

static int is_contact_finite(const ff_contact *c)
{
  return all_finite(c->point, 3) && all_finite(c->normal, 3) && all_finite(c->anchor, 3) &&
         all_finite(c->force, 3) && all_finite(c->mean_force, 3) && isfinite(c->penetration) &&
         all_finite(c->slip, 2) && all_finite(c->tangent[0], 6);
}

static void check_finite(run *r, const ff_energy *e)
{
  const ff_model_size size = ff_model_get_size(r->made.model);
  int count;
  const ff_contact *contacts = ff_sim_contacts(r->sim, &count);
  if (!all_finite(ff_sim_q(r->sim), size.nq) || !all_finite(ff_sim_v(r->sim), size.nv))
    blame(r, FFI_JUDGE_ABSURD, "q or v is not finite");
  for (int i = 0; i < count; ++i)
    if (!is_contact_finite(&contacts[i]))
      blame(r, FFI_JUDGE_ABSURD, "contact %d is not finite", i);
  if (!isfinite(e->kinetic) || !isfinite(e->potential) || !isfinite(e->elastic))
    blame(r, FFI_JUDGE_ABSURD, "energies are %g, %g, %g J", e->kinetic, e->potential, e->elastic);
}

// ---- Energy -------------------------------------------------------------------------------------------------

// The sim's energies are those of an independent sum. The tolerance is far above rounding, far below anything wrong.
static void check_sum(run *r, const ff_energy *e, const ffi_tally *sum)
{
  const double tolerance = 1e-7 * sum->size + 1e-12;
  if (fabs(e->kinetic - sum->kinetic) > tolerance)
    blame(r, FFI_JUDGE_ABSURD, "kinetic energy %.9g J, by its sum %.9g J", e->kinetic, sum->kinetic);
  if (fabs(e->potential - sum->potential) > tolerance)
    blame(r, FFI_JUDGE_ABSURD, "potential energy %.9g J, by its sum %.9g J", e->potential, sum->potential);
  // A spring that begins at first touch may be pressed deeper than the shapes overlap.
  const double most =
      r->made.def.normal_anchor == FF_ANCHOR_SURFACE ? sum->elements + sum->pushers : (double)INFINITY;
  if (!(e->elastic >= sum->elements - tolerance && e->elastic <= most + tolerance))
    blame(r, FFI_JUDGE_ABSURD,
          "elastic energy %.9g J, by its sum %.9g J and up to %.9g J in contacts and stops", e->elastic,
          sum->elements, sum->pushers);
}

// The scale of a gain: the largest kinetic and elastic energy so far; at least what gravity gives in one step from
// rest, as a body that rests on rigid ground has neither.
static double gain_scale(const run *r)
{
  const double *g = r->recipe->gravity,
               speed2 = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * r->recipe->dt * r->recipe->dt;
  return fmax(r->largest, 0.5 * ff_model_mass(r->made.model) * speed2) + 1e-9;
}

// `is_first`: of the start. A flagged step may gain; what comes after is measured from there.
static void check_energy(run *r, int is_first, int flagged)
{
  ffi_judge_result *out = r->out;
  const ff_energy e = ff_sim_energy(r->sim);
  check_finite(r, &e);
  if (out->faults >> FFI_JUDGE_ABSURD & 1)
    return;
  const ffi_tally sum = ffi_tally_energy(r->recipe, &r->made, r->dynamics, r->sim);
  check_sum(r, &e, &sum);
  r->energy = sum.kinetic + sum.potential + e.elastic;
  r->elastic = e.elastic;
  r->largest = is_first ? sum.kinetic + e.elastic : fmax(r->largest, sum.kinetic + e.elastic);
  if (r->way->is_loud) {
    int count;
    ff_sim_contacts(r->sim, &count);
    printf("%4d  E %-13.7g T %-12.6g V %-12.6g el %-12.6g contacts %d%s\n", out->steps, r->energy,
           sum.kinetic, sum.potential, e.elastic, count, flagged ? " flagged" : "");
  }
  if (is_first || flagged)
    r->lowest = r->energy;
  if (is_first)
    r->with_flags = r->energy;
  const double rounding = 1e-9 * sum.size, scale = gain_scale(r);
  const double gain = (r->energy - r->lowest - rounding) / scale;
  out->flagged_gain = fmax(out->flagged_gain, (r->energy - r->with_flags - rounding) / scale);
  if (gain > out->gain) {
    if (out->gain <= FFI_JUDGE_GAIN_LIMIT)
      out->gain_step = out->steps;
    out->gain = gain;
  }
  if (r->recipe->is_passive && gain > FFI_JUDGE_GAIN_LIMIT)
    blame(r, FFI_JUDGE_GAIN, "%.3g of %.4g J from nothing", gain, scale);
  r->lowest = fmin(r->lowest, r->energy);
  r->with_flags = fmin(r->with_flags, r->energy);
}

// ---- Failure ------------------------------------------------------------------------------------------------

// "nan" or "inf" as a word.
static int has_no_number(const char *text)
{
  for (const char *at = text; *at; ++at)
    if ((strncmp(at, "nan", 3) == 0 || strncmp(at, "inf", 3) == 0) && !isalpha((unsigned char)at[3]) &&
        (at == text || !isalpha((unsigned char)at[-1])))
      return 1;
  return 0;
}

static void check_failure(run *r, const ff_error *error)
{
  ff_sim_get_state(r->sim, r->after);
  if (memcmp(r->before, r->after, (size_t)r->state_size * sizeof *r->before) != 0)
    blame(r, FFI_JUDGE_LOST, "the failed step changed the state");
  // Too many contacts for max_contacts are no body's fault; the message names the option.
  const int is_named = strstr(error->message, "link '") || strstr(error->message, "joint '") ||
                       (error->status == FF_ERROR_LIMIT && strstr(error->message, "max_contacts")) ||
                       error->status == FF_ERROR_INTERRUPTED;
  if (!is_named || has_no_number(error->message))
    blame(r, FFI_JUDGE_UNNAMED, "%s", error->message);
  snprintf(r->out->failure, sizeof r->out->failure, "%.310s", error->message);
}

// A passive scene has none at all.
static const double *torques(const run *r)
{
  return r->recipe->is_passive ? NULL : r->tau;
}

// ---- Bits ---------------------------------------------------------------------------------------------------

// A state that a step left is one that ff_sim_set_state() takes; from the middle on the twin goes on from it.
static void check_restore(run *r)
{
  const ffi_recipe *recipe = r->recipe;
  const int taken = r->out->steps, is_middle = taken == recipe->steps / 2;
  ff_error error;
  if (r->way->is_energy_only || r->is_twin_on || (!is_middle && taken % 8 != 0 && taken != recipe->steps))
    return;
  ff_sim_get_state(r->sim, r->after);
  if (ff_sim_set_state(r->twin, r->after, &error) != FF_OK)
    blame(r, FFI_JUDGE_ABSURD, "the state cannot be set: %s", error.message);
  else
    r->is_twin_on = is_middle;
}

static void check_twin(run *r, ff_status status)
{
  if (!r->is_twin_on)
    return;
  ff_error error;
  const ff_status other = ff_sim_step(r->twin, torques(r), &error);
  if (other == FF_ERROR_INTERRUPTED ||
      status == FF_ERROR_INTERRUPTED) { // by the clock: no bits to compare from here
    r->is_twin_on = 0;
    return;
  }
  if (other != status) {
    blame(r, FFI_JUDGE_BITS, "the twin's status is %d, not %d", other, status);
    return;
  }
  ff_sim_get_state(r->twin, r->before);
  ff_sim_get_state(r->sim, r->after);
  if (memcmp(r->before, r->after, (size_t)r->state_size * sizeof *r->before) != 0)
    blame(r, FFI_JUDGE_BITS, "the twin's state differs");
}

// ---- Steps --------------------------------------------------------------------------------------------------

static double thread_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_torques(run *r)
{
  const int nv = ff_model_get_size(r->made.model).nv, period = r->recipe->torque_period;
  for (int i = 0; i < nv; ++i)
    r->tau[i] = ((r->out->steps / period + i) % 2 ? -1 : 1) * r->made.tau[i];
}

// References and ground, in the twin too. What this changes of the energy is the user's work, and no gain.
static void make_changes(run *r)
{
  if (r->is_twin_on)
    ffi_change_make(r->recipe, r->out->steps, r->twin);
  if (!ffi_change_make(r->recipe, r->out->steps, r->sim))
    return;
  const ff_energy e = ff_sim_energy(r->sim);
  const double put_in = e.elastic - r->elastic; // nothing else has changed
  r->elastic = e.elastic;
  r->energy += put_in;
  r->lowest += put_in;
  r->with_flags += put_in;
  r->largest = fmax(r->largest, e.kinetic + e.elastic);
}

// At the start everything that touches begins to.
static void count_impact(run *r)
{
  const int contacts = ff_sim_info(r->sim)->contacts;
  r->out->impacts += contacts > r->contacts;
  r->contacts = contacts;
}

// 0: the run ends.
static int take_step(run *r)
{
  ff_error error = {.status = FF_OK};
  make_changes(r);
  ff_sim_get_state(r->sim, r->before);
  set_torques(r);
  const double start = thread_seconds();
  const ff_status status = ff_sim_step(r->sim, torques(r), &error);
  const double seconds = thread_seconds() - start;
  r->times[r->out->steps] = seconds;
  r->used += seconds;
  if (seconds > r->out->slowest) {
    r->out->slowest = seconds;
    r->out->slowest_step = r->out->steps;
  }
  if (status != FF_OK) {
    r->out->is_ended = status == FF_ERROR_INTERRUPTED || status == FF_ERROR_LIMIT;
    r->out->is_failed = !r->out->is_ended;
    if (strstr(error.message, "more work"))
      r->bound_step = r->out->steps;
    check_failure(r, &error);
    check_twin(r, status);
    return 0;
  }
  r->out->steps += 1;
  count_impact(r);
  const int flagged = !r->recipe->is_deaf && is_flagged(ff_sim_info(r->sim));
  r->out->flagged += flagged;
  check_energy(r, 0, flagged);
  check_twin(r, status);
  check_restore(r);
  return !(r->out->faults >> FFI_JUDGE_ABSURD & 1) &&
         r->used < (r->way->is_energy_only ? FFI_JUDGE_BRIEF_SECONDS : FFI_JUDGE_LONG_SECONDS);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check_times(run *r, int count)
{
  ffi_judge_result *out = r->out;
  if (count == 0)
    return;
  qsort(r->times, (size_t)count, sizeof *r->times, compare);
  out->median = r->times[count / 2];
  // A bound of work is no multiple of a calm step: 200,000 units take 0.1 to 1 s, whatever calm ones take.
  const int is_at_bound = out->slowest_step == r->bound_step;
  if (is_at_bound
          ? out->slowest > FFI_JUDGE_BOUND_SECONDS
          : out->slowest > FFI_JUDGE_SLOW_SECONDS ||
                (out->slowest > FFI_JUDGE_SLOW_FACTOR * out->median && out->slowest > FFI_JUDGE_SLOW_LEAST))
    blame(r, FFI_JUDGE_SLOW, "step %d took %.3g s, the median %.3g s", out->slowest_step, out->slowest,
          out->median);
}

// ---- A run --------------------------------------------------------------------------------------------------

static ff_status begin(run *r, ff_error *error)
{
  ff_world *world = NULL;
  ff_status status = ffi_recipe_make(r->recipe, &r->made, error);
  if (r->is_unlimited)
    r->made.def.max_speed = 1e12;
  if (r->way->step_limit > 0)
    r->made.def.time_limit = r->way->step_limit;
  if (status == FF_OK)
    status = ff_world_create(r->made.model, &r->made.def, &world, error);
  if (status == FF_OK)
    status = ff_sim_create_in(world, &r->sim, error);
  if (status == FF_OK)
    status = ff_sim_create_in(world, &r->twin, error);
  ff_world_destroy(world);
  if (status == FF_OK)
    status = ff_dynamics_create(r->made.model, NULL, &r->dynamics, error);
  if (status == FF_OK)
    status = ff_sim_reset(r->sim, r->made.q, r->made.v, error);
  if (status != FF_OK)
    return status;
  r->state_size = ff_sim_state_size(r->sim);
  r->before = calloc((size_t)r->state_size, sizeof *r->before);
  r->after = calloc((size_t)r->state_size, sizeof *r->after);
  r->tau = calloc((size_t)ff_model_get_size(r->made.model).nv + 1, sizeof *r->tau);
  r->times = calloc((size_t)r->recipe->steps + 1, sizeof *r->times);
  return r->before && r->after && r->tau && r->times ? FF_OK : FF_ERROR_MEMORY;
}

static void end(run *r)
{
  ff_sim_destroy(r->sim);
  ff_sim_destroy(r->twin);
  ff_dynamics_destroy(r->dynamics);
  ffi_recipe_free(&r->made);
  free(r->before);
  free(r->after);
  free(r->tau);
  free(r->times);
}

static void judge_once(const ffi_recipe *recipe, const ffi_judge_way *way, int is_unlimited,
                       ffi_judge_result *out)
{
  ff_error error = {.status = FF_OK};
  run r = {.recipe = recipe, .way = way, .is_unlimited = is_unlimited, .bound_step = -1, .out = out};
  *out = (ffi_judge_result){.seed = recipe->seed, .stepper = recipe->stepper, .is_wild = recipe->is_wild};
  if (begin(&r, &error) != FF_OK) {
    out->is_refused = 1;
    snprintf(out->failure, sizeof out->failure, "%.310s", error.message);
  } else {
    check_energy(&r, 1, 0);
    while (!(out->faults >> FFI_JUDGE_ABSURD & 1) && out->steps < recipe->steps && take_step(&r)) {}
    check_times(&r, out->steps + (out->is_failed || out->is_ended));
  }
  end(&r);
}

void ffi_judge(const ffi_recipe *recipe, const ffi_judge_way *way, ffi_judge_result *out)
{
  if (way->crash_every && recipe->seed % (uint64_t)way->crash_every == 0)
    abort();
  while (way->hang_every && recipe->seed % (uint64_t)way->hang_every == 0) {}
  judge_once(recipe, way, 0, out);
  if (!out->is_failed || !strstr(out->failure, "max_speed"))
    return;
  // Faster than max_speed. Was it the robot or the stepper? Starts that are pressed far into stiff ground hold enough
  // energy: without the limit these go on to the end, and none of it comes from nowhere.
  ffi_judge_result again;
  judge_once(recipe, way, 1, &again);
  out->is_ended = !again.is_failed && again.faults == 0 && again.flagged == 0;
  out->is_failed = !out->is_ended;
}
