// All schemes on one trial: local errors against a common reference solution, each stepper's own, or both,
// and the time they take.
#include "study/study.h"

#include "base/def.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of reference solutions: the error of the exponential must not limit them.
static const double fine_tolerance = 1e-9;

static const ff_comparison_def defaults = {.size = sizeof defaults,
                                           .has_common = 1,
                                           .has_own = 1,
                                           .finest = 1e-3 / 64,
                                           .check_finer = 4,
                                           .check_refinements = 2,
                                           .rounds = 5};
static const ffi_def_kind kind = {"ff_comparison_def", sizeof defaults, &defaults};

void ff_comparison_def_init(ff_comparison_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

typedef struct work {
  ff_comparison result; // first: the user's pointer is this one's
  ff_trial trial;
  ff_comparison_def def;
  ff_solution *common;
  ff_solution_check check;
  ff_comparison_own own[FF_STEPPER_COUNT];
  unsigned char *on_frontier;
  double done, total; // microseconds, roughly
} work;

// ---- What is asked for ----------------------------------------------------------------------------------------------

static ff_status refuse(ff_error *error, const char *field, const char *what)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_comparison_def", "%s: %s", field, what);
}

// Errors of hard contact cannot be measured against a solution with compliant contact.
static ff_status check_schemes(const ff_comparison_def *def, ff_error *error)
{
  for (int s = 0; s < def->scheme_count; ++s)
    if ((unsigned)def->schemes[s].stepper >= FF_STEPPER_COUNT)
      return refuse(error, "schemes", "one of them has an unknown stepper");
    else if (def->has_common && ff_stepper_is_hard(def->schemes[s].stepper))
      return refuse(error, "schemes",
                    "one of them has rigid contacts, but the common reference solution has compliant ones");
  for (int i = 0; i < def->substeps_count; ++i)
    if (def->substeps[i] < 1 || def->substeps[i] > 1 << 20)
      return refuse(error, "substeps", "must be from 1 to 2^20");
  return FF_OK;
}

// A user's def, whole and checked; `schemes` and `substeps` are still the user's, and NULL where that asks
// for the default.
static ff_status take_def(const ff_comparison_def *def, ff_comparison_def *out, ff_error *error)
{
  const ff_status status = ffi_def_take(def, &kind, out, error);
  if (status != FF_OK)
    return status;
  if (!out->has_common && !out->has_own)
    return refuse(error, "has_common", "set has_common, has_own or both");
  if (!(out->finest > 0) || !isfinite(out->finest))
    return refuse(error, "finest", "must be above 0");
  if (out->check_finer < 1 || out->check_refinements < 0 || out->check_refinements > 4 || out->rounds < 1)
    return refuse(error, "check_finer, check_refinements, rounds",
                  "must be at least 1, from 0 to 4, and at least 1");
  if (out->scheme_count < 0 || (out->scheme_count > 0) != (out->schemes != NULL))
    return refuse(error, "schemes", "the count does not match the list: 0 for NULL, above 0 otherwise");
  if (out->substeps_count < 0 || (out->substeps_count > 0) != (out->substeps != NULL))
    return refuse(error, "substeps", "the count does not match the list: 0 for NULL, above 0 otherwise");
  return check_schemes(out, error);
}

double ff_comparison_work(const ff_trial *user_trial, const ff_comparison_def *user_def)
{
  ff_trial trial;
  ff_comparison_def def;
  if (ffi_trial_take(user_trial, &trial, NULL) != FF_OK || take_def(user_def, &def, NULL) != FF_OK)
    return 0;
  return ffi_comparison_work_all(&trial, &def);
}

// ---- Progress -------------------------------------------------------------------------------------------------------

// Progress of a part, scaled to the whole.
typedef struct part {
  const work *w;
  double size;
  const char *what;
} part;

static int tell_part(void *user, const char *what, double share)
{
  const part *p = user;
  const ff_progress *progress = &p->w->def.progress;
  (void)what;
  return progress->call
             ? progress->call(progress->user, p->what, fmin(1, (p->w->done + p->size * share) / p->w->total))
             : 0;
}

// ---- Reference solutions --------------------------------------------------------------------------------------------

static ff_scheme fine_scheme(ff_stepper stepper)
{
  ff_scheme s = ff_scheme_of(stepper);
  s.expo.force_tolerance = fine_tolerance;
  return s;
}

static ff_status find_common(work *w, ff_error *error)
{
  const ff_scheme expo = fine_scheme(FF_STEPPER_EXPO);
  const int substeps = ff_solution_substeps(&w->trial, FF_STEPPER_EXPO, w->def.finest);
  part p = {w, ffi_comparison_work_solution(&w->trial, &w->def, FF_STEPPER_EXPO), "common truth"};
  const ff_progress progress = {tell_part, &p};
  ff_status status = ff_solution_create(&w->trial, &expo, substeps, &progress, &w->common, error);
  w->done += p.size;
  w->check = (ff_solution_check){ff_scheme_of(FF_STEPPER_RK4), substeps * w->def.check_finer,
                                 w->def.check_refinements};
  p = (part){w, ffi_comparison_work_check(&w->trial, &w->def), "common truth by another method"};
  if (status == FF_OK)
    status = ff_solution_verify(w->common, &w->trial, &w->check, &progress, error);
  w->done += p.size;
  return status;
}

// Does the motion differ from the common one at most times?
static ff_status look_elsewhere(const work *w, ff_comparison_own *own, ff_error *error)
{
  static const double far_away =
      0.1; // SI, as errors are; motions that differ by one touch-down agree again soon
  const ff_solution *s = own->solution;
  double *scratch = malloc(((size_t)s->nv + 1) * sizeof *scratch);
  int count = 0;
  if (!scratch)
    return ffi_trial_no_memory(error);
  for (int k = 0; k <= s->periods; ++k) {
    double distance[2];
    ff_solution_distance(w->common, k, s->q + (size_t)k * (size_t)s->nq, s->v + (size_t)k * (size_t)s->nv,
                         scratch, distance);
    count += !(distance[0] < far_away);
  }
  free(scratch);
  own->is_elsewhere = 2 * count > s->periods;
  return FF_OK;
}

// A stepper that cannot solve it is left out, with a note.
static ff_status find_own_of(work *w, int stepper, ff_error *error)
{
  const ff_scheme scheme = fine_scheme((ff_stepper)stepper);
  ff_comparison_own *own = &w->own[stepper];
  ff_error why = {0};
  char what[48];
  part p = {w, ffi_comparison_work_solution(&w->trial, &w->def, scheme.stepper), what};
  const ff_progress progress = {tell_part, &p};
  snprintf(what, sizeof what, "truth of %s", scheme.name);
  const int substeps = ff_solution_substeps(&w->trial, scheme.stepper, w->def.finest);
  const ff_status status = ff_solution_create(&w->trial, &scheme, substeps, &progress, &own->solution, &why);
  w->done += p.size;
  if (status == FF_ERROR_STOPPED || status == FF_ERROR_MEMORY)
    return ffi_fail(error, status, NULL, 0, NULL, "%s", why.message);
  if (status != FF_OK) {
    snprintf(own->failure, sizeof own->failure, "%.255s", why.message);
    return FF_OK;
  }
  return w->common ? look_elsewhere(w, own, error) : FF_OK;
}

static ff_status find_own(work *w, ff_error *error)
{
  ff_status status = FF_OK;
  for (int s = 0; s < FF_STEPPER_COUNT && status == FF_OK; ++s)
    if (ffi_comparison_work_needs_own(&w->def, s))
      status = find_own_of(w, s, error);
  return status;
}

// ---- Configurations -------------------------------------------------------------------------------------------------

static void list_scheme(work *w, const ff_scheme *scheme, int at)
{
  const int n = ffi_comparison_work_lengths(&w->trial, &w->def, scheme);
  const int is_common_own = w->def.has_common && scheme->stepper == FF_STEPPER_EXPO;
  const ff_solution *own = is_common_own ? w->common : w->own[scheme->stepper].solution;
  for (int i = 0; i < n; ++i, ++at) {
    const ff_local_error l = {.scheme = *scheme,
                              .substeps = ffi_comparison_work_length(&w->def, i),
                              .rounds = ffi_comparison_work_is_slow(scheme)};
    if (w->result.common) {
      w->result.common[at] = l;
      w->result.common[at].solution = w->common;
    }
    if (w->result.own) {
      w->result.own[at] = l;
      w->result.own[at].solution = own;
    }
  }
}

static ff_status list_them(work *w, ff_error *error)
{
  ff_comparison *c = &w->result;
  int count = 0;
  c->scheme_count = ffi_comparison_work_scheme_count(&w->def);
  for (int s = 0; s < c->scheme_count; ++s) {
    const ff_scheme scheme = ffi_comparison_work_scheme(&w->def, s);
    count += ffi_comparison_work_lengths(&w->trial, &w->def, &scheme);
  }
  c->common = w->def.has_common ? calloc((size_t)count + 1, sizeof *c->common) : NULL;
  c->own = w->def.has_own ? calloc((size_t)count + 1, sizeof *c->own) : NULL;
  w->on_frontier = calloc((size_t)count + 1, 1);
  if ((w->def.has_common && !c->common) || (w->def.has_own && !c->own) || !w->on_frontier)
    return ffi_trial_no_memory(error);
  c->count = count;
  for (int s = 0, at = 0; s < c->scheme_count; ++s) {
    const ff_scheme scheme = ffi_comparison_work_scheme(&w->def, s);
    list_scheme(w, &scheme, at);
    at += ffi_comparison_work_lengths(&w->trial, &w->def, &scheme);
  }
  return FF_OK;
}

static ff_status measure(work *w, ff_local_error *list, int rounds, const char *what, ff_error *error)
{
  part p = {w, ffi_comparison_work_rounds(&w->trial, &w->def, rounds), what};
  const ff_progress progress = {tell_part, &p};
  const ff_status status = ff_local_error_measure(&w->trial, list, w->result.count, rounds, &progress, error);
  w->done += p.size;
  return status;
}

// The Pareto frontier: schemes without failures, for which no other is at least as fast and as accurate, and better in
// one of the two.
static void find_frontier(work *w)
{
  const ff_comparison *c = &w->result;
  for (int i = 0; i < c->count; ++i) {
    const ff_local_error *a = ff_comparison_timed(c, i);
    int is_on = isfinite(a->max_norm.mean) && a->failures == 0;
    for (int k = 0; k < c->count && is_on; ++k) {
      const ff_local_error *b = ff_comparison_timed(c, k);
      const int is_as_good = b->failures == 0 && b->max_norm.mean <= a->max_norm.mean && b->speed >= a->speed;
      is_on = !is_as_good || (b->max_norm.mean == a->max_norm.mean && b->speed == a->speed);
    }
    w->on_frontier[i] = (unsigned char)is_on;
  }
}

// ---- All of it ------------------------------------------------------------------------------------------------------

static ff_status run(work *w, ff_error *error)
{
  ff_comparison *c = &w->result;
  ff_status status = w->def.has_common ? find_common(w, error) : FF_OK;
  if (status == FF_OK)
    status = find_own(w, error);
  if (status == FF_OK)
    status = list_them(w, error);
  if (status == FF_OK && c->common)
    status = measure(w, c->common, w->def.rounds, "errors and times", error);
  if (status == FF_OK && c->own)
    status = measure(w, c->own, c->common ? 1 : w->def.rounds, "errors against own truths", error);
  return status;
}

// The result, without pointers to the user's data.
static void finish(work *w)
{
  ff_comparison *c = &w->result;
  find_frontier(w);
  c->trial = &w->trial;
  c->on_frontier = w->on_frontier;
  c->common_solution = w->common;
  c->check = &w->check;
  c->own_of_stepper = w->own;
  c->stepper_count = FF_STEPPER_COUNT;
  w->def = defaults;
}

ff_status ff_comparison_run(const ff_trial *trial, const ff_comparison_def *def, ff_comparison **out,
                            ff_error *error)
{
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_comparison_run", "an argument is NULL");
  *out = NULL;
  work *w = calloc(1, sizeof *w);
  if (!w)
    return ffi_trial_no_memory(error);
  ff_status status = ffi_trial_take(trial, &w->trial, error);
  if (status == FF_OK)
    status = take_def(def, &w->def, error);
  if (status == FF_OK) {
    w->total = ffi_comparison_work_all(&w->trial, &w->def);
    status = run(w, error);
  }
  if (status != FF_OK) {
    ff_comparison_destroy(&w->result);
    return status;
  }
  finish(w);
  *out = &w->result;
  return FF_OK;
}

void ff_comparison_destroy(ff_comparison *c)
{
  work *w = (work *)c; // its first member
  if (!w)
    return;
  if (c->common)
    ff_local_error_free(c->common, c->count);
  if (c->own)
    ff_local_error_free(c->own, c->count);
  free(c->common);
  free(c->own);
  free(w->on_frontier);
  ff_solution_destroy(w->common);
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    ff_solution_destroy(w->own[s].solution);
  free(w);
}

const ff_local_error *ff_comparison_timed(const ff_comparison *c, int i)
{
  return c->common ? &c->common[i] : &c->own[i];
}
