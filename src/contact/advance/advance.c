// Conservative advancement: how long nothing touches on a straight path.
#include "contact/advance/advance_memory.h"

#include "dynamics/straight_path.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

// Moments looked at in one call: each is worth `shortest` at least, mostly far more; what crawls longer is told to its caller.
enum { most_looks = 1000 };
enum { most_trials = 6 }; // ends tried from one moment before it is content with a small step

static void begin(ffi_advance *a, const ffi_advance_path *path)
{
  ffi_advance_moment_evaluate(a, path, 0, &a->now);
  ffi_advance_moment_bound(a, path, &a->now);
  ffi_advance_gather(a, path);
}

// Distances now, of the pairs that have one.
static void measure_all(ffi_advance *a, const ffi_advance_path *path)
{
  int count = 0;
  for (int i = 0; i < a->vigil_count; ++i)
    if (ffi_pair_separation_begin(a, path->scene, path->T, &a->vigil[i]))
      a->vigil[count++] = a->vigil[i];
  a->vigil_count = count;
}

static void set_floors(ffi_advance *a, double slack)
{
  for (int i = 0; i < a->vigil_count; ++i)
    a->vigil[i].floor = fmin(ffi_advance_guard, a->vigil[i].at.value - slack);
}

// How long the first bound says that all are free; the one with the least; and a guess at how long they are.
static double hold_all(ffi_advance *a, const ffi_advance_path *path, int *least, double *guess)
{
  const double left = path->T - a->now.time;
  double hold = left;
  *guess = left;
  for (int i = 0; i < a->vigil_count; ++i) {
    ffi_pair_separation *w = &a->vigil[i];
    w->hold = ffi_pair_separation_hold(a, path->scene, w, left);
    if (w->hold < left)
      *guess = fmin(*guess, ffi_pair_separation_guess(a, w));
    if (w->hold < hold) {
      hold = w->hold;
      *least = i;
    }
  }
  return hold;
}

// Are all free until a->next, h after a->now? If not, what to try instead, and who says no.
static int is_free_between(ffi_advance *a, const ffi_advance_path *path, double h, double shortest,
                           double *shorter, int *who)
{
  int is_free = 1;
  *shorter = h;
  for (int i = 0; i < a->vigil_count; ++i) {
    double less;
    if (a->vigil[i].hold >= h || ffi_pair_separation_between(a, path->scene, &a->vigil[i], shortest, &less))
      continue;
    is_free = 0;
    if (less < *shorter) {
      *shorter = less;
      *who = i;
    }
  }
  return is_free;
}

// Finds a step that is free, as long as it can, and leaves its end in a->next. Returns 0 if there is none of `shortest`: *hold is what there is.
static int find_step(ffi_advance *a, const ffi_advance_path *path, double shortest, double *hold, int *who,
                     int *looks)
{
  const double start = a->now.time, left = path->T - start;
  double guess;
  *hold = hold_all(a, path, who, &guess);
  if (*hold >= left)
    return 1;
  double h = guess < left ? guess - 0.5 * shortest : left;
  if (!(h > shortest && *hold < 0.999 * h))
    h = fmin(fmax(*hold, shortest), left);
  for (int trial = 0;; ++trial) {
    ffi_advance_moment_evaluate(a, path, h < left ? start + h : path->T, &a->next);
    ++*looks;
    double shorter;
    if (is_free_between(a, path, h, shortest, &shorter, who))
      return 1;
    if (h <= shortest)
      return 0;
    h = trial < 2 ? shorter : 0.5 * fmin(shorter, 0.5 * h);
    if (trial >= most_trials || h <= fmax(*hold, shortest))
      h = fmin(fmax(*hold, shortest), left);
  }
}

static void swap_moments(ffi_advance *a)
{
  const ffi_advance_moment was = a->now;
  a->now = a->next;
  a->next = was;
}

// Those that the first bound says are free to the end need no other look.
static void release(ffi_advance *a, double left)
{
  int count = 0;
  for (int i = 0; i < a->vigil_count; ++i)
    if (a->vigil[i].hold < left)
      a->vigil[count++] = a->vigil[i];
  a->vigil_count = count;
}

// From a->now, with its vigils measured, to the first contact.
static double run(ffi_advance *a, const ffi_advance_path *path, double shortest, ffi_advance_report *out)
{
  for (;;) {
    double hold;
    int who = 0;
    const double left = path->T - a->now.time;
    const int found = find_step(a, path, shortest, &hold, &who, &out->looks);
    if (found && (hold >= left || a->next.time >= path->T))
      return path->T;
    if (!found || out->looks >= most_looks) {
      out->was_cut = found;
      out->pair = a->vigil[who].pair;
      out->distance = a->vigil[who].at.value;
      return a->now.time + hold;
    }
    release(a, left);
    swap_moments(a);
    ffi_advance_moment_bound(a, path, &a->now);
    measure_all(a, path);
  }
}

double ffi_advance_free(ffi_advance *a, const ffi_advance_path *path, double shortest, double slack,
                        ffi_advance_report *out)
{
  *out = (ffi_advance_report){.pair = -1, .looks = 1};
  begin(a, path);
  measure_all(a, path);
  set_floors(a, slack);
  return run(a, path, shortest, out);
}

double ffi_advance_bound(ffi_advance *a, const ffi_advance_path *path, int *pair)
{
  double least = path->T;
  begin(a, path);
  measure_all(a, path);
  if (pair)
    *pair = -1;
  for (int i = 0; i < a->vigil_count; ++i) {
    const double bound = ffi_pair_separation_bound(a, path->scene, &a->vigil[i], path->T);
    if (bound < least) {
      least = bound;
      if (pair)
        *pair = a->vigil[i].pair;
    }
  }
  return least;
}

// Do two normals oppose each other, seen from a party that has turned between them?
static int oppose(const double n0[3], const ffi_pose *from, const double n1[3], const ffi_pose *to)
{
  double a[3], b[3];
  ffi_m3_tmulv(from->R, n0, a);
  ffi_m3_tmulv(to->R, n1, b);
  return ffi_v3_dot(a, b) < 0;
}

// Is a pair on the other side of each other in the end: in the world, or for one of them? A blade that sweeps past a peg by half a turn has the peg on its other side, though not in the world.
static int is_turned_over(const ffi_advance *a, const ffi_pair_separation *w, const ffi_distance *end)
{
  const ffi_advance_course *from = a->now.course, *to = a->next.course;
  return ffi_v3_dot(w->at.normal, end->normal) < 0 ||
         oppose(w->at.normal, &from[w->x].place, end->normal, &to[w->x].place) ||
         oppose(w->at.normal, &from[w->y].place, end->normal, &to[w->y].place);
}

// Overlapping at an end, does it lead out on the other side now? Who touches and turns has normals that turn for itself, so only the world counts; and normals of what just touches may be anything.
static int is_pushed_over(const ffi_distance *start, const ffi_distance *end)
{
  const double least = 1e-6; // [m]
  return fmin(start->value, end->value) < -least && fabs(start->value) > least && fabs(end->value) > least &&
         ffi_v3_dot(start->normal, end->normal) < 0;
}

// Of the pairs watched only those that are apart at both ends, on opposite sides of each other. Returns how many overlap and were pushed over the middle, the first of them to *first.
static int keep_turned_over(ffi_advance *a, const ffi_advance_path *path, ffi_advance_tunnelled_pair *first)
{
  int count = 0, pushed = 0;
  ffi_advance_moment_evaluate(a, path, path->T, &a->next);
  for (int i = 0; i < a->vigil_count; ++i) {
    ffi_pair_separation *w = &a->vigil[i];
    ffi_distance end;
    if (!ffi_pair_separation_measure(path->scene, w, &a->next, &end))
      continue;
    if (is_pushed_over(&w->at, &end) && pushed++ == 0)
      *first = (ffi_advance_tunnelled_pair){w->pair, path->T};
    if (w->at.value > ffi_advance_guard && end.value > ffi_advance_guard && is_turned_over(a, w, &end))
      a->vigil[count++] = *w;
  }
  a->vigil_count = count;
  return pushed;
}

static void drop(ffi_advance *a, int pair)
{
  int count = 0;
  for (int i = 0; i < a->vigil_count; ++i)
    if (a->vigil[i].pair != pair)
      a->vigil[count++] = a->vigil[i];
  a->vigil_count = count;
}

int ffi_advance_tunnelling(ffi_advance *a, const ffi_advance_path *along, const double *to, double shortest,
                           double *v, ffi_advance_tunnelled_pair *first)
{
  const ff_model *model = along->scene->model;
  ffi_advance_path path = *along;
  ffi_straight_path_between(model, path.q, to, v);
  for (int i = 0; i < model->size.nv; ++i)
    v[i] /= path.T;
  path.v = v;
  begin(a, &path);
  measure_all(a, &path);
  int count = keep_turned_over(a, &path, first);
  set_floors(a, 0);
  while (a->vigil_count > 0) {
    ffi_advance_report report = {.pair = -1};
    const double time = run(a, &path, shortest, &report);
    if (report.pair < 0)
      break;
    if (!report.was_cut && count++ == 0) // what it gave up on is not known to meet
      *first = (ffi_advance_tunnelled_pair){report.pair, time};
    drop(a, report.pair); // the others go on from there
  }
  return count;
}
