#include "ode/ode_ess_tangent.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- The joint system: user is the ffi_ode_ess_tangent ------------------------------------------------------------

double ffi_ode_ess_tangent_difference(int size, const double *x, int tangent, const double *v)
{
  double most = 1, length = 0;
  for (int i = 0; i < size; ++i)
    most = fmax(most, fabs(x[i]));
  for (int i = 0; i < tangent; ++i)
    length = fmax(length, fabs(v[i]));
  return length > 0 ? 6e-6 * most / length : 1;
}

// out := x moved by s d.
static void moved(ffi_ode_ess_tangent *c, const double *x, const double *d, double s, double *out)
{
  const ff_ess_system *system = &c->base->system;
  double *sum = system->retract ? c->d : out;
  for (int i = 0; i < system->tangent; ++i)
    sum[i] = (system->retract ? 0 : x[i]) + s * d[i];
  if (system->retract)
    system->retract(x, c->d, out, system->user);
}

// The rate of the displacement s delta from x along the field there: f itself, unless it has to be pulled back.
static int displaced_field(ffi_ode_ess_tangent *c, double t, const double *x, const signed char *side,
                           const double *delta, double s, double *out)
{
  const ff_ess_system *system = &c->base->system;
  moved(c, x, delta, s, c->x_at); // and c->d is the displacement
  if (!system->pull)
    return system->field(t, c->x_at, side, out, system->user);
  if (system->field(t, c->x_at, side, c->f, system->user) != 0)
    return 1;
  system->pull(x, c->d, c->f, out, system->user);
  return 0;
}

static int rate_by_differences(ffi_ode_ess_tangent *c, double t, const double *x, const signed char *side,
                               const double *delta, double *rate)
{
  const ff_ess_system *system = &c->base->system;
  const double s = ffi_ode_ess_tangent_difference(system->size, x, system->tangent, delta);
  if (displaced_field(c, t, x, side, delta, -s, c->f_minus) != 0 ||
      displaced_field(c, t, x, side, delta, s, c->f_plus) != 0)
    return 1;
  for (int i = 0; i < system->tangent; ++i)
    rate[i] = (c->f_plus[i] - c->f_minus[i]) / (2 * s);
  return 0;
}

// rate += sign d/ds pull(x, s along, velocity).
static void add_pull(ffi_ode_ess_tangent *c, const double *x, const double *along, const double *velocity,
                     double sign, double *rate)
{
  const ff_ess_system *system = &c->base->system;
  const double s = ffi_ode_ess_tangent_difference(0, NULL, system->tangent, along);
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < system->tangent; ++i)
      c->d[i] = side * s * along[i];
    system->pull(x, c->d, velocity, c->f_plus, system->user);
    for (int i = 0; i < system->tangent; ++i)
      rate[i] += sign * side * c->f_plus[i] / (2 * s);
  }
}

static void times_matrix(int n, const double *matrix, const double *v, double *out)
{
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += matrix[(size_t)i * (size_t)n + (size_t)j] * v[j];
    out[i] = sum;
  }
}

// The variational equation; see the header.
static int joint_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  ffi_ode_ess_tangent *c = user;
  const ff_ess_system *system = &c->base->system;
  const int n = system->tangent;
  if (system->field(t, x, side, dx, system->user) != 0)
    return 1;
  if (system->field_slope && system->field_slope(t, x, side, c->matrix, system->user) != 0)
    return 1;
  for (int k = 0; k < c->count; ++k) {
    const double *delta = x + system->size + (size_t)k * (size_t)n;
    double *rate = dx + n + (size_t)k * (size_t)n;
    if (system->field_slope)
      times_matrix(n, c->matrix, delta, rate);
    else if (rate_by_differences(c, t, x, side, delta, rate) != 0)
      return 1;
    if (!system->pull)
      continue;
    if (system->field_slope)
      add_pull(c, x, delta, dx, 1, rate);
    add_pull(c, x, dx, delta, -1, rate);
  }
  return 0;
}

static void joint_guard(const double *x, double *h, void *user)
{
  const ff_ess_system *system = &((ffi_ode_ess_tangent *)user)->base->system;
  system->guard(x, h, system->user);
}

static void joint_rate(const double *x, const double *dx, double *rate, void *user)
{
  ffi_ode_ess_evaluate_rates(((ffi_ode_ess_tangent *)user)->base, x, dx, rate);
}

// The state jumps, the vectors wait for ffi_ode_ess_corner_pass().
static int joint_reset(int guard, double t, const double *x, const signed char *side, double *out, void *user)
{
  ffi_ode_ess_tangent *c = user;
  const ff_ess_system *system = &c->base->system;
  const size_t numbers = (size_t)system->size, vectors = (size_t)c->count * (size_t)system->tangent;
  if (guard == c->section) {
    memcpy(c->section_x, x, numbers * sizeof *x);
    memcpy(c->section_side, side, (size_t)system->guards);
  } else {
    if (c->crossed_count == 0) {
      c->t = t;
      memcpy(c->x, x, numbers * sizeof *x);
      memcpy(c->delta, x + numbers, vectors * sizeof *x);
      memcpy(c->side, side, (size_t)system->guards);
    }
    if (c->crossed_count < system->guards)
      c->crossed[c->crossed_count] = guard;
    ++c->crossed_count;
  }
  memcpy(out, x, (numbers + vectors) * sizeof *x);
  return system->reset ? system->reset(guard, t, x, side, out, system->user) : 0;
}

static void joint_retract(const double *x, const double *d, double *out, void *user)
{
  const ffi_ode_ess_tangent *c = user;
  const ff_ess_system *system = &c->base->system;
  system->retract(x, d, out, system->user);
  for (int i = 0; i < c->count * system->tangent; ++i)
    out[system->size + i] = x[system->size + i] + d[system->tangent + i];
}

static void joint_pull(const double *x, const double *d, const double *velocity, double *rate, void *user)
{
  const ffi_ode_ess_tangent *c = user;
  const ff_ess_system *system = &c->base->system;
  system->pull(x, d, velocity, rate, system->user);
  memcpy(rate + system->tangent, velocity + system->tangent,
         (size_t)(c->count * system->tangent) * sizeof *rate);
}

// ---- Life -------------------------------------------------------------------------------------------------

static void place(ffi_ode_ess_tangent *c, ffi_block *block)
{
  const ff_ess_system *system = &c->base->system;
  const size_t n = (size_t)system->size, m = (size_t)system->tangent, guards = (size_t)system->guards;
  const size_t count = (size_t)c->count;
  c->scale = ffi_block_take(block, count, sizeof(double));
  c->crossed = ffi_block_take(block, guards, sizeof *c->crossed);
  c->x = ffi_block_take(block, n + count * m, sizeof(double)); // also the state to begin with
  c->side = ffi_block_take(block, guards, sizeof *c->side);
  c->delta = ffi_block_take(block, count * m, sizeof(double));
  c->section_x = ffi_block_take(block, n, sizeof(double));
  c->section_side = ffi_block_take(block, guards, sizeof *c->section_side);
  double **vectors[] = {&c->f, &c->f_minus, &c->f_plus, &c->d, &c->corner_f};
  for (int i = 0; i < 5; ++i)
    *vectors[i] = ffi_block_take(block, m, sizeof(double));
  double **states[] = {&c->x_minus, &c->x_plus, &c->x_at, &c->corner_x, &c->corner_jump};
  for (int i = 0; i < 5; ++i)
    *states[i] = ffi_block_take(block, n, sizeof(double));
  c->matrix = ffi_block_take(block, system->field_slope || system->reset_slope ? m * m : 0, sizeof(double));
  c->rate_of_y = ffi_block_take(block, guards, sizeof(double));
  c->rate_of_f = ffi_block_take(block, guards, sizeof(double));
  c->side_at = ffi_block_take(block, guards, sizeof *c->side_at);
  c->is_left = ffi_block_take(block, guards, sizeof *c->is_left);
  c->rearm = ffi_block_take(block, (size_t)c->base->def.rearm_count, sizeof *c->rearm);
}

static ff_status make_joint(ffi_ode_ess_tangent *c, ff_error *error)
{
  const ff_ess *base = c->base;
  const ff_ess_system *system = &base->system;
  ff_ess_def def = base->def;
  for (int k = 0; k < system->guards; ++k)
    for (int i = base->arms_from[k]; i < base->arms_from[k + 1]; ++i)
      c->rearm[i] = (ff_ess_rearm){k, base->arms[i]};
  def.rearm = base->arms_together ? NULL : c->rearm;
  def.method = FF_ESS_LOCATE;
  def.record = NULL;
  const int more = c->count * system->tangent;
  def.system = (ff_ess_system){
      .size = system->size + more,
      .tangent = system->tangent + more,
      .guards = system->guards,
      .field = joint_field,
      .guard = joint_guard,
      .guard_rate = joint_rate,
      .reset = joint_reset,
      .retract = system->retract ? joint_retract : NULL,
      .pull = system->pull ? joint_pull : NULL,
      .user = c,
  };
  return ff_ess_create(&def, &c->joint, error);
}

// The vectors with length 1, so that tolerances mean the same for all.
static void set_vectors(ffi_ode_ess_tangent *c, const double *direction)
{
  const int n = c->base->system.tangent;
  for (int k = 0; k < c->count; ++k) {
    double length = 0;
    for (int i = 0; i < n; ++i)
      length = fmax(length, fabs(direction[k * n + i]));
    c->scale[k] = length > 0 ? length : 1;
    for (int i = 0; i < n; ++i)
      c->x[c->base->system.size + k * n + i] = direction[k * n + i] / c->scale[k];
  }
}

ff_status ffi_ode_ess_tangent_begin(ffi_ode_ess_tangent *c, ff_ess *base, double t, const double *x,
                                    const signed char *side, int section, int count, const double *direction,
                                    ff_error *error)
{
  *c = (ffi_ode_ess_tangent){.base = base, .count = count, .section = section};
  const double numbers = (double)count * base->system.tangent;
  ffi_block measure = {0};
  if (numbers < 1e8)
    place(c, &measure);
  ffi_block block = {.base = measure.used > 0 ? calloc(1, measure.used) : NULL};
  if (!block.base)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ess", "no memory for %d tangent vectors", count);
  place(c, &block); // the first piece is the block
  if (base->system.reset && base->system.retract && !base->system.reset_slope && !base->system.difference)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "system.difference",
                    "is needed for derivatives of resets on a manifold, or reset_slope");
  const ff_status status = make_joint(c, error);
  if (status != FF_OK)
    return status;
  memcpy(c->x, x, (size_t)base->system.size * sizeof *x);
  set_vectors(c, direction);
  return ff_ess_start(c->joint, t, c->x, side, error);
}

void ffi_ode_ess_tangent_end(ffi_ode_ess_tangent *c)
{
  ff_ess_destroy(c->joint);
  free(c->scale);
}

double *ffi_ode_ess_tangent_vector(const ffi_ode_ess_tangent *c, int number)
{
  return c->joint->ode.x + c->base->system.size + (size_t)number * (size_t)c->base->system.tangent;
}

ff_status ffi_ode_ess_tangent_hand_over(const ffi_ode_ess_tangent *c, ff_error *error)
{
  ff_ess *base = c->base;
  const ff_status status = ffi_ode_ess_begin(base, c->joint->ode.t, c->joint->ode.x, c->joint->side, error);
  base->info = c->joint->info;
  base->ode.info = c->joint->ode.info;
  return status;
}

// ---- Motion -----------------------------------------------------------------------------------------------

// All that is crossed within `together` of the first, and then across it.
static ff_status cross_together(ffi_ode_ess_tangent *c, double t_end, double together, int *is_there,
                                ff_error *error)
{
  const double until = fmin(t_end, c->t + together);
  int guard = -1;
  do {
    const ff_status status = ff_ess_next(c->joint, fmax(until, c->joint->ode.t), &guard, error);
    if (status != FF_OK)
      return status;
    *is_there = guard >= 0 && guard == c->section;
  } while (guard >= 0 && !*is_there);
  return ffi_ode_ess_corner_pass(c, error);
}

ff_status ffi_ode_ess_tangent_advance(ffi_ode_ess_tangent *c, double t_end, double together, int *is_there,
                                      ff_error *error)
{
  *is_there = 0;
  while (!*is_there) {
    int guard;
    ff_status status = ff_ess_next(c->joint, t_end, &guard, error);
    if (status != FF_OK || guard < 0)
      return status;
    *is_there = guard == c->section;
    if (!*is_there && (status = cross_together(c, t_end, together, is_there, error)) != FF_OK)
      return status;
  }
  return FF_OK;
}
