// Tunnelling: pairs that pass through each other on a straight path between two states.
#include "contact/advance/advance_memory.h"

#include "dynamics/straight_path.h"
#include "math/mat3.h"
#include "model/model.h"

#include <math.h>

// Do two normals oppose each other, seen from a collider that has turned between them?
static int oppose(const double n0[3], const ffi_pose *from, const double n1[3], const ffi_pose *to)
{
  double a[3], b[3];
  ffi_m3_tmulv(from->R, n0, a);
  ffi_m3_tmulv(to->R, n1, b);
  return ffi_v3_dot(a, b) < 0;
}

// Are the two on opposite sides of each other at the end, in the world or as one of them sees it? A blade that sweeps
// past a peg by half a turn has the peg on its other side, though not in the world.
static int is_turned_over(const ffi_advance *a, const ffi_pair_separation *w, const ffi_distance *end)
{
  const ffi_advance_course *from = a->now.course, *to = a->next.course;
  return ffi_v3_dot(w->at.normal, end->normal) < 0 ||
         oppose(w->at.normal, &from[w->x].pose, end->normal, &to[w->x].pose) ||
         oppose(w->at.normal, &from[w->y].pose, end->normal, &to[w->y].pose);
}

// Does the shortest way out of a pair that overlaps at an end lead to the other side now? Shapes that touch and turn
// have normals that turn in their own frames, so only the world counts; and normals of shapes that just touch are
// arbitrary.
static int is_pushed_over(const ffi_distance *start, const ffi_distance *end)
{
  const double least = 1e-6; // [m]
  return fmin(start->value, end->value) < -least && fabs(start->value) > least && fabs(end->value) > least &&
         ffi_v3_dot(start->normal, end->normal) < 0;
}

// Keeps only the pairs that are apart at both ends, on opposite sides of each other. Returns how many overlap and were
// pushed past the middle; the first of them to *first.
static int keep_turned_over(ffi_advance *a, const ffi_advance_path *path, ffi_advance_tunnelled_pair *first)
{
  int count = 0, pushed = 0;
  ffi_advance_moment_evaluate(a, path, path->T, &a->next);
  for (int i = 0; i < a->pair_count; ++i) {
    ffi_pair_separation *w = &a->pairs[i];
    ffi_distance end;
    if (!ffi_pair_separation_measure(a, path->colliders, w, &a->next, &end))
      continue;
    if (is_pushed_over(&w->at, &end) && pushed++ == 0)
      *first = (ffi_advance_tunnelled_pair){w->pair, path->T};
    if (w->at.value > ffi_advance_guard && end.value > ffi_advance_guard && is_turned_over(a, w, &end))
      a->pairs[count++] = *w;
  }
  a->pair_count = count;
  return pushed;
}

static void drop(ffi_advance *a, int pair)
{
  int count = 0;
  for (int i = 0; i < a->pair_count; ++i)
    if (a->pairs[i].pair != pair)
      a->pairs[count++] = a->pairs[i];
  a->pair_count = count;
}

int ffi_advance_tunnelling(ffi_advance *a, const ffi_advance_path *along, const double *to, double shortest,
                           double *v, ffi_advance_tunnelled_pair *first)
{
  const ff_model *model = along->colliders->model;
  ffi_advance_path path = *along;
  ffi_straight_path_between(model, path.q, to, v);
  for (int i = 0; i < model->size.nv; ++i)
    v[i] /= path.T;
  path.v = v;
  ffi_advance_begin(a, &path);
  int count = keep_turned_over(a, &path, first);
  ffi_advance_set_floors(a, &path, 0);
  while (a->pair_count > 0) {
    ffi_advance_report report = {.pair = -1};
    const double time = ffi_advance_search(a, &path, shortest, &report);
    if (report.pair < 0)
      break;
    if (!report.was_cut && count++ == 0) // a search that was cut proves no contact
      *first = (ffi_advance_tunnelled_pair){report.pair, time};
    drop(a, report.pair); // the others go on from there
  }
  return count;
}
