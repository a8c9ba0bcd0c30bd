#include "svg/svg_painter.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Passing through ---------------------------------------------------------------------------------------

// Cut face i along the plane of face j; the second piece goes to the end of the list.
static int cut_along(ffi_faces *faces, int i, int j)
{
  const ffi_face *a = &faces->list[i], *b = &faces->list[j];
  const double line[3] = {a->depth[0] - b->depth[0], a->depth[1] - b->depth[1], a->depth[2] - b->depth[2]};
  ffi_face before, behind;
  if (!ffi_face_cut(a, line, &before, &behind))
    return 0;
  if (before.count == 0 || behind.count == 0) { // a sliver: leave it
    ffi_face_free(&before);
    ffi_face_free(&behind);
    return 0;
  }
  ffi_face_free(&faces->list[i]);
  faces->list[i] = before;
  ffi_faces_add(faces, &behind);
  return 1;
}

static void cut_crossing(ffi_faces *faces)
{
  for (int i = 0; i < faces->count; ++i) { // grows while it runs; pieces meet all faces before them, too
    for (int j = 0; j < i; ++j) {
      if (ffi_face_compare(&faces->list[i], &faces->list[j]) == FFI_ORDER_CROSS)
        cut_along(faces, i, j);
    }
  }
}

// ---- Inside ------------------------------------------------------------------------------------------------

// The planes of all sides of the solids, in the picture: normal . at < offset inside.
typedef struct planes {
  int *first;     // [solids + 1]
  double *normal; // [count x 3]
  double *offset; // [count]
} planes;

static void add_planes(const ffi_solid *solid, const ffi_view *view, planes *out, int *count)
{
  for (int f = 0; f < solid->face_count; ++f) {
    const int *c = solid->corners + solid->first[f];
    const int corners = solid->first[f + 1] - solid->first[f];
    double p[3], q[3], r[3], *n = out->normal + 3 * *count;
    ffi_view_project(view, solid->points + 3 * c[0], p);
    ffi_view_project(view, solid->points + 3 * c[corners / 3], q);
    ffi_view_project(view, solid->points + 3 * c[2 * corners / 3], r);
    for (int k = 0; k < 3; ++k) { // (r - p) x (q - p): the picture's axes are left-handed
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      n[k] = (r[l] - p[l]) * (q[m] - p[m]) - (r[m] - p[m]) * (q[l] - p[l]);
    }
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (size == 0)
      continue;
    for (int k = 0; k < 3; ++k)
      n[k] /= size;
    out->offset[(*count)++] = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
  }
}

static planes find_planes(const ffi_svg_scene *scene, const ffi_view *view)
{
  planes out;
  size_t faces = 0;
  int count = 0;
  for (int i = 0; i < scene->solid_count; ++i)
    faces += (size_t)scene->solids[i].face_count;
  out.first = ffi_need_memory(NULL, ((size_t)scene->solid_count + 1) * sizeof *out.first);
  out.normal = ffi_need_memory(NULL, faces * 3 * sizeof *out.normal);
  out.offset = ffi_need_memory(NULL, faces * sizeof *out.offset);
  for (int i = 0; i < scene->solid_count; ++i) {
    out.first[i] = count;
    if (scene->solids[i].rgba[3] >= 1) // what is inside glass is seen
      add_planes(&scene->solids[i], view, &out, &count);
  }
  out.first[scene->solid_count] = count;
  return out;
}

// Is the face inside solid s? It may touch its surface from within, but faces in the same plane do not hide each other.
static int is_inside(const ffi_face *face, const planes *all, int s)
{
  const double slack = 0.06, rounding = 1e-6; // [px]; slack as for faces that count as touching
  for (int k = all->first[s]; k < all->first[s + 1]; ++k) {
    const double *n = all->normal + 3 * k;
    double sum = 0;
    for (int i = 0; i < face->count; ++i) {
      const double *at = face->corners[i].at;
      const double out = n[0] * at[0] + n[1] * at[1] + n[2] * at[2] - all->offset[k];
      if (out > slack)
        return 0;
      sum += out;
    }
    if (sum > -face->count * rounding)
      return 0;
  }
  return all->first[s + 1] > all->first[s];
}

static void leave_out_hidden(ffi_faces *faces, const planes *all, int solid_count)
{
  int kept = 0;
  for (int i = 0; i < faces->count; ++i) {
    int hidden = 0;
    for (int s = 0; s < solid_count && !hidden; ++s)
      hidden = s != faces->list[i].solid && is_inside(&faces->list[i], all, s);
    if (hidden)
      ffi_face_free(&faces->list[i]);
    else
      faces->list[kept++] = faces->list[i];
  }
  faces->count = kept;
}

// ---- Order -------------------------------------------------------------------------------------------------

// Which faces lie behind each: those of face i are behind[first[i]] to behind[first[i + 1] - 1].
typedef struct relation {
  int *first;
  int *behind;
  int count, capacity;
} relation;

static relation find_relation(const ffi_faces *faces)
{
  relation r = {.first = ffi_need_memory(NULL, ((size_t)faces->count + 1) * sizeof(int))};
  for (int i = 0; i < faces->count; ++i) {
    r.first[i] = r.count;
    for (int j = 0; j < faces->count; ++j) {
      if (ffi_face_compare(&faces->list[j], &faces->list[i]) != FFI_ORDER_BEHIND)
        continue;
      if (r.count == r.capacity) {
        r.capacity = 2 * r.capacity + 256;
        r.behind = ffi_need_memory(r.behind, (size_t)r.capacity * sizeof *r.behind);
      }
      r.behind[r.count++] = j;
    }
  }
  r.first[faces->count] = r.count;
  return r;
}

// Depth first: a face is drawn once all behind it are. Three faces may hide each other in a ring; the face at which the
// ring is met again is then drawn too early.
static void bring_into_order(ffi_faces *faces)
{
  const int n = faces->count;
  relation r = find_relation(faces);
  int *next = ffi_need_memory(NULL, (size_t)n * sizeof *next);   // of its `behind`
  int *stack = ffi_need_memory(NULL, (size_t)n * sizeof *stack); // faces begun and not drawn
  char *begun = ffi_need_memory(NULL, (size_t)n);
  ffi_face *ordered = ffi_need_memory(NULL, (size_t)n * sizeof *ordered);
  int drawn = 0;
  memset(begun, 0, (size_t)n);
  for (int i = 0; i < n; ++i) {
    int depth = 0;
    if (!begun[i])
      stack[depth++] = i, begun[i] = 1, next[i] = r.first[i];
    while (depth > 0) {
      const int at = stack[depth - 1];
      if (next[at] == r.first[at + 1]) {
        ordered[drawn++] = faces->list[at];
        --depth;
        continue;
      }
      const int other = r.behind[next[at]++];
      if (!begun[other])
        stack[depth++] = other, begun[other] = 1, next[other] = r.first[other];
    }
  }
  free(faces->list);
  faces->list = ordered;
  faces->capacity = n;
  free(next);
  free(stack);
  free(begun);
  free(r.first);
  free(r.behind);
}

// By solid, in the order of the model; pieces that were cut off come back to their solid.
static int by_solid(const void *a, const void *b)
{
  const ffi_face *f = a, *g = b;
  return f->solid != g->solid ? f->solid - g->solid : f->serial - g->serial;
}

static void sort_by_solid(ffi_faces *faces)
{
  for (int i = 0; i < faces->count; ++i)
    faces->list[i].serial = i;
  qsort(faces->list, (size_t)faces->count, sizeof *faces->list, by_solid);
}

ffi_faces ffi_painter_paint(const ffi_svg_scene *scene, const ffi_view *view)
{
  ffi_faces faces = {0};
  planes all = find_planes(scene, view);
  for (int i = 0; i < scene->solid_count; ++i)
    ffi_faces_add_solid(&faces, view, &scene->solids[i], i, scene->has_ground);
  leave_out_hidden(&faces, &all, scene->solid_count);
  cut_crossing(&faces);
  leave_out_hidden(&faces, &all, scene->solid_count);
  if (faces.count > 0) {
    sort_by_solid(&faces);
    bring_into_order(&faces);
  }
  free(all.first);
  free(all.normal);
  free(all.offset);
  return faces;
}
