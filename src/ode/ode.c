// The public ff_ode: steps of Dormand and Prince that stop where a guard passes zero. ode.md
#include "base/fail.h"
#include "ode/dopri5.h"
#include "ode/roots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ff_ode {
  ffi_dopri5 steps;
  ffi_roots roots;
  ff_ode_guard guard;
  int max_steps;
  int is_started;
  int has_sides;          // do values and sides of the roots belong to the present state?
  signed char *direction; // [guards], or NULL
  double *between;        // [size] a state inside the step
};

ff_ode_def ff_ode_def_default(void)
{
  return (ff_ode_def){.relative_tolerance = 1e-6, .absolute_tolerance = 1e-9, .max_steps = 1000000};
}

// ---- Creation ---------------------------------------------------------------------------------------------

static ff_status wrong(ff_error *error, const char *field, const char *text)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_def", "%s %s", field, text);
}

static ff_status check_lengths(const ff_ode_def *def, ff_error *error)
{
  const struct {
    const char *field;
    double value;
  } lengths[] = {{"relative_tolerance", def->relative_tolerance},
                 {"first_step", def->first_step},
                 {"max_step", def->max_step},
                 {"fixed_step", def->fixed_step}};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    if (!(lengths[i].value >= 0 && lengths[i].value < HUGE_VAL))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_def", "%s is %g; it must be finite and >= 0",
                      lengths[i].field, lengths[i].value);
  if (!(def->absolute_tolerance > 0 && def->absolute_tolerance < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_def",
                    "absolute_tolerance is %g; it must be finite and > 0", def->absolute_tolerance);
  if (def->max_steps < 1)
    return wrong(error, "max_steps", "must be >= 1");
  return FF_OK;
}

static ff_status check(const ff_ode_def *def, ff_error *error)
{
  if (def->size < 1)
    return wrong(error, "size", "must be >= 1");
  if (def->tangent < 0)
    return wrong(error, "tangent", "must be >= 0");
  if (!def->rate)
    return wrong(error, "rate", "is NULL");
  if (def->tangent != 0 && def->tangent != def->size && !def->retract)
    return wrong(error, "retract", "is NULL, and velocities have another size than states");
  if (def->pull && !def->retract)
    return wrong(error, "retract", "is NULL, and pull is not");
  if (def->guards < 0)
    return wrong(error, "guards", "must be >= 0");
  if (def->guards > 0 && !def->guard)
    return wrong(error, "guard", "is NULL, and guards is not 0");
  for (int k = 0; def->direction && k < def->guards; ++k)
    if (def->direction[k] < -1 || def->direction[k] > 1)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_def",
                      "direction[%d] is %d; it must be -1, 0 or +1", k, def->direction[k]);
  return check_lengths(def, error);
}

static ff_ode *place(ff_ode *ode, ffi_block *block)
{
  ff_ode *placed = ffi_block_take(block, 1, sizeof *placed);
  if (placed) {
    *placed = *ode;
    ode = placed;
  }
  ffi_dopri5_layout(&ode->steps, block);
  ffi_roots_layout(&ode->roots, block);
  ode->between = ffi_block_take(block, (size_t)ode->steps.size, sizeof *ode->between);
  ode->direction = ffi_block_take(block, (size_t)ode->roots.guards, sizeof *ode->direction);
  return placed;
}

// The guards inside the last step; before the first, at the start.
static void guards_at(double t, double *value, void *user)
{
  ff_ode *ode = user;
  ffi_dopri5_at(&ode->steps, t, ode->between);
  ode->guard(t, ode->between, value, ode->steps.user);
}

ff_status ff_ode_create(const ff_ode_def *def, ff_ode **out, ff_error *error)
{
  if (!def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_create", "an argument is NULL");
  *out = NULL;
  const ff_status status = check(def, error);
  if (status != FF_OK)
    return status;
  ff_ode plan = {.guard = def->guard, .max_steps = def->max_steps};
  plan.steps = (ffi_dopri5){.size = def->size,
                            .tangent = def->tangent > 0 ? def->tangent : def->size,
                            .rate = def->rate,
                            .retract = def->retract,
                            .pull = def->pull,
                            .user = def->user,
                            .relative_tolerance = def->relative_tolerance,
                            .absolute_tolerance = def->absolute_tolerance,
                            .first_step = def->first_step,
                            .max_step = def->max_step,
                            .fixed_step = def->fixed_step};
  plan.roots = (ffi_roots){.guards = def->guards, .at = guards_at};
  ffi_block measure = {0};
  (void)place(&plan, &measure);
  ffi_block memory = {.base = calloc(1, measure.used)};
  if (!memory.base)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_ode_create", "no memory for a state of %d numbers",
                    def->size);
  ff_ode *ode = place(&plan, &memory);
  ode->roots.user = ode;
  if (def->direction && def->guards > 0) {
    memcpy(ode->direction, def->direction, (size_t)def->guards * sizeof *ode->direction);
    ode->roots.direction = ode->direction;
  }
  *out = ode;
  return FF_OK;
}

void ff_ode_destroy(ff_ode *ode)
{
  free(ode);
}

// ---- Motion -----------------------------------------------------------------------------------------------

ff_status ff_ode_start(ff_ode *ode, double t, const double *x, ff_error *error)
{
  if (!ode || !x)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_start", "an argument is NULL");
  if (!isfinite(t))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_start", "t is %g", t);
  for (int i = 0; i < ode->steps.size; ++i)
    if (!isfinite(x[i]))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_ode_start", "x[%d] is %g", i, x[i]);
  ffi_dopri5_begin(&ode->steps, t, x);
  ode->roots.evaluations = 0;
  ode->is_started = 1;
  ode->has_sides = 0;
  return FF_OK;
}

static ff_status check_motion(const ff_ode *ode, double t_end, const char *function, ff_error *error)
{
  if (!ode)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, function, "an argument is NULL");
  if (!ode->is_started)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, function,
                    "there is no state yet; call ff_ode_start() first");
  if (!isfinite(t_end))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, function, "t_end is %g", t_end);
  return FF_OK;
}

ff_status ff_ode_step(ff_ode *ode, double t_end, ff_error *error)
{
  const ff_status status = check_motion(ode, t_end, "ff_ode_step", error);
  if (status != FF_OK)
    return status;
  ode->has_sides = 0;
  return ffi_dopri5_step(&ode->steps, t_end, error);
}

// A guard is not a number: back to the beginning of the step, where it was.
static ff_status lost_guard(ff_ode *ode, int guard, ff_error *error)
{
  ffi_dopri5 *steps = &ode->steps;
  const double t = steps->t;
  ffi_dopri5_go_on(steps, steps->from, steps->x_from);
  ode->has_sides = 0;
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode", "guard %d is not a number at t = %g", guard, t);
}

// The signs of guards at the present state.
static ff_status set_sides(ff_ode *ode, ff_error *error)
{
  ffi_dopri5 *steps = &ode->steps;
  ++ode->roots.evaluations;
  ode->guard(steps->t, steps->x, ode->roots.value, steps->user);
  ffi_roots_begin(&ode->roots);
  const int lost = ffi_roots_lost(&ode->roots);
  if (lost >= 0)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode", "guard %d is not a number at t = %g", lost,
                    steps->t);
  ode->has_sides = 1;
  return FF_OK;
}

// Has a guard passed in the last step? Then the step is cut there, and *guard is its number.
static ff_status search_step(ff_ode *ode, int *guard, ff_error *error)
{
  ffi_dopri5 *steps = &ode->steps;
  double t;
  const int has_passed = ffi_roots_find(&ode->roots, steps->from, steps->to, &t);
  const int lost = ffi_roots_lost(&ode->roots);
  if (lost >= 0)
    return lost_guard(ode, lost, error);
  if (!has_passed)
    return FF_OK;
  if (t != steps->to)
    ffi_dopri5_cut(steps, t);
  *guard = ffi_roots_take(&ode->roots);
  return FF_OK;
}

static ff_status advance(ff_ode *ode, double t_end, int *guard, ff_error *error)
{
  ffi_dopri5 *steps = &ode->steps;
  ff_status status = FF_OK;
  if (ode->roots.guards > 0 && !ode->has_sides)
    status = set_sides(ode, error);
  else if (ode->roots.guards > 0)
    *guard = ffi_roots_take(&ode->roots);
  const long long before = steps->info.steps + steps->info.rejected;
  while (status == FF_OK && *guard < 0 && steps->t != t_end) {
    if (steps->info.steps + steps->info.rejected - before >= ode->max_steps)
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode",
                      "the limit of %d steps (max_steps) was reached at t = %g", ode->max_steps, steps->t);
    status = ffi_dopri5_step(steps, t_end, error);
    if (status == FF_OK && ode->roots.guards > 0)
      status = search_step(ode, guard, error);
  }
  return status;
}

ff_status ff_ode_advance(ff_ode *ode, double t_end, int *guard, ff_error *error)
{
  if (guard)
    *guard = -1;
  ff_status status = check_motion(ode, t_end, "ff_ode_advance", error);
  if (status != FF_OK)
    return status;
  int passed = -1;
  status = advance(ode, t_end, &passed, error);
  ode->steps.info.events += passed >= 0;
  if (guard)
    *guard = passed;
  return status;
}

// ---- Queries ----------------------------------------------------------------------------------------

double ff_ode_time(const ff_ode *ode)
{
  return ode->steps.t;
}

const double *ff_ode_state(const ff_ode *ode)
{
  return ode->steps.x;
}

void ff_ode_at(const ff_ode *ode, double t, double *x)
{
  ffi_dopri5_at(&ode->steps, t, x);
}

void ff_ode_last_step(const ff_ode *ode, double *from, double *to)
{
  *from = ode->steps.from;
  *to = ode->steps.t;
}

ff_ode_info ff_ode_get_info(const ff_ode *ode)
{
  ff_ode_info info = ode->steps.info;
  info.guard_evaluations = ode->roots.evaluations;
  return info;
}
