// A walk: when which foot steps where, and the motion of the centre of mass (docs/theory/control.md, the pendulum).
#include "base/block.h"
#include "base/fail.h"
#include "control/lipm.h"
#include "control/smooth.h"

#include <footfall/control/reference.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1000, MOST_INTERVALS = 2000 };

// From one change of contacts to the next.
typedef struct phase {
  int first, count;  ///< intervals
  int swing;         ///< foot in the air, -1: none
  double from[2][3]; ///< where the feet are at its start
  double to[2][3];   ///< and at its end
  int steps_taken;   ///< before it
} phase;

struct ff_walk {
  void *memory;
  ff_walk_def def;
  int phase_count, interval_count;
  double w; ///< sqrt(gravity / height) [1/s]
  phase *phases;
  double *p[2], *x[2], *xi[2];     ///< per axis, per interval and its ends
  double *want[2], *lo[2], *hi[2]; ///< [intervals] of p
};

ff_walk_def ff_walk_def_default(void)
{
  return (ff_walk_def){
      .steps = 4,
      .first_swing = FF_SIDE_LEFT,
      .step_time = 1,
      .both_time = 0.2,
      .start_time = 1,
      .end_time = 1.5,
      .step_length = 0.05,
      .step_height = 0.05,
      .feet = {{0, -0.1, 0}, {0, 0.1, 0}},
      .sole = {-0.05, 0.1, -0.05, 0.05},
      .margin = 0.02,
      .com = {0.025, 0, 0.6},
      .gravity = 9.81,
      .interval = 0.1,
      .pressure_weight = 100,
      .speed_weight = 0.1,
  };
}

// ---- Checks -------------------------------------------------------------------------------------------------------

static int is_all_finite(const double *x, int n)
{
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i]))
      return 0;
  return 1;
}

static double height_of(const ff_walk_def *def)
{
  return def->com[2] - (def->feet[0][2] + def->feet[1][2]) / 2 + def->sole_height;
}

static int is_time(double t)
{
  return isfinite(t) && t >= 0 && t < 1e4;
}

static const char *flaw_of(const ff_walk_def *def)
{
  if (def->steps < 1 || def->steps > MOST_STEPS)
    return "steps must be 1 to 1000";
  if (def->first_swing != FF_SIDE_RIGHT && def->first_swing != FF_SIDE_LEFT)
    return "first_swing must be left or right";
  if (!is_time(def->start_time) || !is_time(def->both_time) || !is_time(def->end_time) ||
      !is_time(def->step_time) || !(isfinite(def->interval) && def->interval > 0))
    return "times must be finite and not negative, the interval positive";
  if (def->step_time < def->interval / 2 || def->end_time < def->interval / 2)
    return "step_time and end_time must be one interval at least";
  if (!is_all_finite(def->feet[0], 6) || !is_all_finite(def->sole, 4) || !is_all_finite(def->com, 3) ||
      !is_all_finite(def->com_velocity, 2) || !isfinite(def->step_length) || !isfinite(def->step_height) ||
      !isfinite(def->sole_height) || !isfinite(def->margin))
    return "a number of the definition is not finite";
  if (def->sole[1] - def->sole[0] < 2 * def->margin || def->sole[3] - def->sole[2] < 2 * def->margin)
    return "the margin is larger than half a sole; make it smaller";
  if (!(def->gravity > 0) || !(height_of(def) > 0))
    return "gravity must be positive and the centre of mass above the soles";
  if (!(def->pressure_weight > 0) || !(def->speed_weight >= 0))
    return "pressure_weight must be positive, speed_weight not negative";
  return NULL;
}

// ---- Phases -------------------------------------------------------------------------------------------------------

static int intervals_of(const ff_walk_def *def, double time)
{
  return (int)lround(time / def->interval);
}

// Writes phases where there is room; returns how many there are. *intervals: in all.
static int make_phases(const ff_walk_def *def, phase *phases, int *intervals)
{
  const int both = intervals_of(def, def->both_time);
  double feet[2][3];
  int count = 0;
  *intervals = 0;
  memcpy(feet, def->feet, sizeof feet);
  for (int k = 0; k <= 2 * def->steps; ++k) { // stand, step, stand, step, ..., stand
    const int step = k / 2, swing = k % 2 ? (step + (int)def->first_swing) % 2 : -1;
    const int length = swing >= 0          ? intervals_of(def, def->step_time)
                       : k == 0            ? intervals_of(def, def->start_time)
                       : step < def->steps ? both
                                           : intervals_of(def, def->end_time);
    phase now = {.first = *intervals, .count = length, .swing = swing, .steps_taken = step};
    memcpy(now.from, feet, sizeof feet);
    if (swing >= 0)
      feet[swing][0] = feet[1 - swing][0] + (step + 1 < def->steps ? def->step_length : 0);
    memcpy(now.to, feet, sizeof feet);
    if (length == 0)
      continue;
    if (phases)
      phases[count] = now;
    ++count;
    *intervals += length;
  }
  return count;
}

// Bounds of p in a phase: the sole that stands; of two soles the rectangle where they are side by side, which is inside
// the hull of both. Returns 0 if they are not side by side.
static int make_bounds(ff_walk *walk)
{
  const ff_walk_def *def = &walk->def;
  for (int i = 0; i < walk->phase_count; ++i) {
    const phase *now = &walk->phases[i];
    for (int axis = 0; axis < 2; ++axis) {
      double lo[2], hi[2];
      for (int foot = 0; foot < 2; ++foot) {
        const double at = now->from[foot == now->swing ? 1 - foot : foot][axis];
        lo[foot] = at + def->sole[2 * axis] + def->margin;
        hi[foot] = at + def->sole[2 * axis + 1] - def->margin;
      }
      const double from = axis == 0 ? fmax(lo[0], lo[1]) : fmin(lo[0], lo[1]);
      const double to = axis == 0 ? fmin(hi[0], hi[1]) : fmax(hi[0], hi[1]);
      if (from > to)
        return 0;
      for (int k = now->first; k < now->first + now->count; ++k) {
        walk->lo[axis][k] = from;
        walk->hi[axis][k] = to;
        walk->want[axis][k] = (from + to) / 2;
      }
    }
  }
  return 1;
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static void layout(ff_walk *walk, ffi_block *block)
{
  const size_t n = (size_t)walk->interval_count;
  walk->phases = ffi_block_take(block, (size_t)walk->phase_count, sizeof *walk->phases);
  for (int axis = 0; axis < 2; ++axis) {
    double **arrays[6] = {&walk->p[axis],    &walk->x[axis],  &walk->xi[axis],
                          &walk->want[axis], &walk->lo[axis], &walk->hi[axis]};
    for (int k = 0; k < 6; ++k)
      *arrays[k] = ffi_block_take(block, n + 1, sizeof(double));
  }
}

static ff_status plan(ff_walk *walk, ff_error *error)
{
  const ff_walk_def *def = &walk->def;
  const phase *last = &walk->phases[walk->phase_count - 1];
  for (int axis = 0; axis < 2; ++axis) {
    const double middle = (last->to[0][axis] + last->to[1][axis]) / 2;
    const double aside = (def->sole[2 * axis] + def->sole[2 * axis + 1]) / 2;
    const ffi_lipm_axis pendulum = {
        .count = walk->interval_count,
        .w = walk->w,
        .interval = def->interval,
        .want = walk->want[axis],
        .lo = walk->lo[axis],
        .hi = walk->hi[axis],
        .x0 = def->com[axis],
        .v0 = def->com_velocity[axis],
        .x_end = middle + aside,
        .pressure_weight = def->pressure_weight,
        .speed_weight = def->speed_weight,
    };
    const ff_status status = ffi_lipm_plan(&pendulum, walk->p[axis], walk->x[axis], walk->xi[axis], error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

ff_status ff_walk_create(const ff_walk_def *def, ff_walk **out, ff_error *error)
{
  if (!def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_walk_create", "`def` or `out` is NULL");
  *out = NULL;
  const char *flaw = flaw_of(def);
  if (flaw)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "walk", "%s", flaw);
  const double longest = def->start_time + def->end_time + def->steps * (def->step_time + def->both_time);
  if (longest > MOST_INTERVALS * def->interval)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "walk",
                    "%g s are more than %d intervals of %g s; make the interval longer", longest,
                    MOST_INTERVALS, def->interval);
  ff_walk small = {.def = *def, .w = sqrt(def->gravity / height_of(def))};
  ffi_block measure = {0};
  small.phase_count = make_phases(def, NULL, &small.interval_count);
  ffi_block_take(&measure, 1, sizeof small);
  layout(&small, &measure);
  char *memory = malloc(measure.used + FFI_BLOCK_ALIGN);
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "walk", "no memory");
  ffi_block block = {.base = memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN)};
  ff_walk *walk = ffi_block_take(&block, 1, sizeof *walk);
  *walk = small;
  walk->memory = memory;
  layout(walk, &block);
  make_phases(def, walk->phases, &walk->interval_count);
  const ff_status status =
      make_bounds(walk)
          ? plan(walk, error)
          : ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "walk",
                     "while both feet stand, their soles are not side by side along x; make steps shorter");
  if (status != FF_OK) {
    free(memory);
    return status;
  }
  *out = walk;
  return FF_OK;
}

void ff_walk_destroy(ff_walk *walk)
{
  if (walk)
    free(walk->memory); // the walk is in it
}

double ff_walk_duration(const ff_walk *walk)
{
  return walk->interval_count * walk->def.interval;
}

// ---- At a time ----------------------------------------------------------------------------------------------------

// `at` is the time that selects the interval.
static void com_at(const ff_walk *walk, double t, double at, ff_walk_moment *out)
{
  const double T = walk->def.interval;
  const int last = walk->interval_count - 1, k = at / T < last ? (int)(at / T) : last;
  const double within = fmin(t, ff_walk_duration(walk)) - k * T;
  out->com = (ff_motion){.position = {0, 0, walk->def.com[2]}};
  for (int axis = 0; axis < 2; ++axis) {
    double motion[3];
    ffi_lipm_move(walk->w, walk->p[axis][k], walk->x[axis][k], walk->xi[axis][k], within, motion);
    out->com.position[axis] = motion[0];
    out->com.velocity[axis] = motion[1];
    out->com.acceleration[axis] = motion[2];
    out->pressure[axis] = walk->p[axis][k];
    if (at >= ff_walk_duration(walk)) { // at rest over p
      out->com.position[axis] = out->pressure[axis] = walk->x[axis][walk->interval_count];
      out->com.velocity[axis] = out->com.acceleration[axis] = 0;
    }
  }
}

static ff_motion swing_at(const ff_walk *walk, const phase *now, double since)
{
  const int foot = now->swing;
  const double time = now->count * walk->def.interval, height = walk->def.step_height;
  double along[3], up[3];
  ffi_smooth_step(since / time, along);
  ffi_smooth_hump(since / time, up);
  ff_motion m;
  for (int k = 0; k < 3; ++k) {
    const double way = now->to[foot][k] - now->from[foot][k], rise = k == 2 ? height : 0;
    m.position[k] = now->from[foot][k] + way * along[0] + rise * up[0];
    m.velocity[k] = (way * along[1] + rise * up[1]) / time;
    m.acceleration[k] = (way * along[2] + rise * up[2]) / (time * time);
  }
  return m;
}

void ff_walk_at(const ff_walk *walk, double time, ff_walk_moment *out)
{
  const double T = walk->def.interval, t = fmax(0, time);
  // a time that is an interval's start up to rounding belongs to that interval
  const double at = t + 1e-9 * T;
  int i = 0;
  while (i + 1 < walk->phase_count && at >= walk->phases[i + 1].first * T)
    ++i;
  const phase *now = &walk->phases[i];
  com_at(walk, t, at, out);
  out->steps_taken = now->steps_taken;
  for (int foot = 0; foot < 2; ++foot) {
    out->is_standing[foot] = foot != now->swing;
    if (foot == now->swing) {
      out->feet[foot] = swing_at(walk, now, t - now->first * T);
      continue;
    }
    out->feet[foot] = (ff_motion){{0}, {0}, {0}};
    memcpy(out->feet[foot].position, now->from[foot], sizeof now->from[foot]);
  }
}
