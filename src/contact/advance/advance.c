// Conservative advancement: memory, and the search along a path.  docs/theory/advancement.md, section 8
#include "contact/advance/advance_memory.h"

#include "model/model.h"

#include <math.h>

// Evaluations in one call: each gains at least `shortest`, mostly far more; a longer search is reported as cut.
enum { MAX_EVALUATIONS = 1000 };
enum { MAX_TRIALS = 6 }; // ends tried from one moment before a small step is taken

ffi_advance *ffi_advance_layout(const ffi_colliders *colliders, ffi_block *block)
{
  ffi_advance *out = ffi_block_keep(block, 1, sizeof *out);
  ffi_advance a = {0};
  ffi_advance_moment_layout(colliders, block, &a.now);
  ffi_advance_moment_layout(colliders, block, &a.next);
  a.q = ffi_block_take(block, (size_t)colliders->model->size.nq, sizeof *a.q);
  a.v = ffi_block_take(block, (size_t)colliders->model->size.nv, sizeof *a.v);
  a.displacement = ffi_block_take(block, (size_t)colliders->model->size.nv, sizeof *a.displacement);
  a.extent = ffi_block_keep(block, (size_t)colliders->count, sizeof *a.extent);
  a.pairs = ffi_block_take(block, (size_t)colliders->pair_count, sizeof *a.pairs);
  a.work = ffi_block_take(block, 1, sizeof *a.work);
  a.grow = ffi_block_take(block, (size_t)colliders->count, sizeof *a.grow);
  a.close = ffi_block_take(block, (size_t)colliders->pair_count, sizeof *a.close);
  if (!out)
    return NULL;
  *out = a;
  for (int i = 0; i < colliders->count; ++i)
    ffi_advance_moment_extent(&colliders->items[i], &out->extent[i]);
  return out;
}

// Distances now; drops the pairs that have none.
static void measure_all(ffi_advance *a, const ffi_advance_path *path)
{
  int count = 0;
  for (int i = 0; i < a->pair_count; ++i)
    if (ffi_pair_separation_begin(a, path->colliders, path->T, &a->pairs[i]))
      a->pairs[count++] = a->pairs[i];
  a->pair_count = count;
}

void ffi_advance_begin(ffi_advance *a, const ffi_advance_path *path)
{
  ffi_advance_moment_evaluate(a, path, 0, &a->now);
  ffi_advance_moment_bound(a, path, &a->now);
  ffi_advance_gather(a, path);
  measure_all(a, path);
}

void ffi_advance_set_floors(ffi_advance *a, const ffi_advance_path *path, double slack)
{
  for (int i = 0; i < a->pair_count; ++i) {
    const double value = a->pairs[i].at.value;
    a->pairs[i].floor = fmin(ffi_advance_guard, value - fmax(slack, -path->sink * value));
  }
}

// How long all pairs are free by the bound from one end; the pair with the least; and an estimate of the true time.
static double free_time_of_all(ffi_advance *a, const ffi_advance_path *path, int *least, double *guess)
{
  const double left = path->T - a->now.time;
  double free_time = left;
  *guess = left;
  for (int i = 0; i < a->pair_count; ++i) {
    ffi_pair_separation *w = &a->pairs[i];
    w->free_time = ffi_pair_separation_free_time(a, path->colliders, w, left);
    if (w->free_time < left)
      *guess = fmin(*guess, ffi_pair_separation_guess(a, w));
    if (w->free_time < free_time) {
      free_time = w->free_time;
      *least = i;
    }
  }
  return free_time;
}

// Are all pairs free until a->next, h after a->now? If not, what to try instead, and which pair is not.
static int is_free_between(ffi_advance *a, const ffi_advance_path *path, double h, double shortest,
                           double *shorter, int *who)
{
  int is_free = 1;
  *shorter = h;
  for (int i = 0; i < a->pair_count; ++i) {
    double less;
    if (a->pairs[i].free_time >= h ||
        ffi_pair_separation_between(a, path->colliders, &a->pairs[i], shortest, &less))
      continue;
    is_free = 0;
    if (less < *shorter) {
      *shorter = less;
      *who = i;
    }
  }
  return is_free;
}

// Finds a free step, as long as possible, and leaves its end in a->next. Returns 0 if there is none of `shortest`:
// *free_time is what there is.
static int find_step(ffi_advance *a, const ffi_advance_path *path, double shortest, double *free_time,
                     int *who, int *evaluations)
{
  const double start = a->now.time, left = path->T - start;
  double guess;
  *free_time = free_time_of_all(a, path, who, &guess);
  if (*free_time >= left)
    return 1;
  double h = guess < left ? guess - 0.5 * shortest : left;
  if (!(h > shortest && *free_time < 0.999 * h))
    h = fmin(fmax(*free_time, shortest), left);
  for (int trial = 0;; ++trial) {
    ffi_advance_moment_evaluate(a, path, h < left ? start + h : path->T, &a->next);
    ++*evaluations;
    double shorter;
    if (is_free_between(a, path, h, shortest, &shorter, who))
      return 1;
    if (h <= shortest)
      return 0;
    h = trial < 2 ? shorter : 0.5 * fmin(shorter, 0.5 * h);
    if (trial >= MAX_TRIALS || h <= fmax(*free_time, shortest))
      h = fmin(fmax(*free_time, shortest), left);
  }
}

static void swap_moments(ffi_advance *a)
{
  const ffi_advance_moment was = a->now;
  a->now = a->next;
  a->next = was;
}

// Drops the pairs that are free to the end by the bound from one end.
static void drop_free(ffi_advance *a, double left)
{
  int count = 0;
  for (int i = 0; i < a->pair_count; ++i)
    if (a->pairs[i].free_time < left)
      a->pairs[count++] = a->pairs[i];
  a->pair_count = count;
}

double ffi_advance_search(ffi_advance *a, const ffi_advance_path *path, double shortest,
                          ffi_advance_report *out)
{
  for (;;) {
    double free_time;
    int who = 0;
    const double left = path->T - a->now.time;
    const int found = find_step(a, path, shortest, &free_time, &who, &out->evaluations);
    if (found && (free_time >= left || a->next.time >= path->T))
      return path->T;
    const int is_late = path->most_work > 0 && *a->work > path->most_work;
    if (!found || is_late || out->evaluations >= MAX_EVALUATIONS) {
      out->was_cut = found;
      out->pair = a->pairs[who].pair;
      out->distance = a->pairs[who].at.value;
      return a->now.time + free_time;
    }
    drop_free(a, left);
    swap_moments(a);
    ffi_advance_moment_bound(a, path, &a->now);
    measure_all(a, path);
  }
}

double ffi_advance_free(ffi_advance *a, const ffi_advance_path *path, double shortest, double slack,
                        ffi_advance_report *out)
{
  *out = (ffi_advance_report){.pair = -1, .evaluations = 1};
  *a->work = 0;
  ffi_advance_begin(a, path);
  ffi_advance_set_floors(a, path, slack);
  const double time = ffi_advance_search(a, path, shortest, out);
  out->work = *a->work;
  return time;
}

double ffi_advance_bound(ffi_advance *a, const ffi_advance_path *path, int *pair)
{
  double least = path->T;
  ffi_advance_begin(a, path);
  if (pair)
    *pair = -1;
  for (int i = 0; i < a->pair_count; ++i) {
    const double bound = ffi_pair_separation_bound(a, path->colliders, &a->pairs[i], path->T);
    if (bound < least) {
      least = bound;
      if (pair)
        *pair = a->pairs[i].pair;
    }
  }
  return least;
}
