// The weights of a hull's corners: its faces, its corners' own weights, and which face it stands on.
// docs/theory/detection.md, section 1
#include "geometry/plane/hull_weights.h"

#include "geometry/plane/hull_flats.h"
#include "math/hull.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Corners within this part of the size above the lowest carry together while the hull rolls: at the usual depths a
// finely cut rim is then about as stiff as one whose corners are far apart.
static const double strip = 0.005;

// As many of them have the weight 1 each, more of them this sum.
static const double whole = 4;

// The part of `none` up to which a face carries alone: the tilt there is half of the largest. A body that stands leans
// by less, so that it has contacts in the face's own corners only.
static const double full = 0.25;

static int padded(int count)
{
  return (count + FFI_HULL_WEIGHTS_BLOCK - 1) / FFI_HULL_WEIGHTS_BLOCK * FFI_HULL_WEIGHTS_BLOCK;
}

// The mean normal of each vertex, weighted by the angles of its triangles: that does not depend on how faces are cut.
// Zero where a vertex is no corner.
static void find_normals(const ffi_hull_flats_hull *hull, double *normals)
{
  for (int i = 0; i < 3 * hull->count; ++i)
    normals[i] = 0;
  for (int t = 0; t < hull->triangle_count; ++t) {
    const int *v = hull->triangles + 3 * t;
    for (int k = 0; k < 3; ++k) {
      const double *at = hull->points + 3 * v[k];
      double a[3], b[3], n[3];
      ffi_v3_sub(hull->points + 3 * v[(k + 1) % 3], at, a);
      ffi_v3_sub(hull->points + 3 * v[(k + 2) % 3], at, b);
      ffi_v3_cross(a, b, n);
      const double sine = ffi_v3_norm(n);
      if (sine > 0)
        ffi_v3_add_scaled(atan2(sine, ffi_v3_dot(a, b)) / sine, n, normals + 3 * v[k]);
    }
  }
}

// How many vertices are within the strip above the plane through vertex i across its mean normal.
static int near_count(const ffi_hull_flats_hull *hull, const double *normals, int i)
{
  const double *n = normals + 3 * i, reach = strip * hull->size * ffi_v3_norm(n);
  const double least = ffi_v3_dot(n, hull->points + 3 * i) - reach;
  int near = 0;
  for (int j = 0; j < hull->count; ++j)
    near += ffi_v3_dot(n, hull->points + 3 * j) >= least && ffi_v3_dot(normals + 3 * j, normals + 3 * j) > 0;
  return near;
}

static ff_status find_own(ffi_hull_flats_hull *hull, double *own)
{
  double *normals = malloc(3 * (size_t)hull->count * sizeof *normals);
  if (!normals)
    return FF_ERROR_MEMORY;
  find_normals(hull, normals);
  for (int i = 0; i < hull->count; ++i) {
    const int is_corner = ffi_v3_dot(normals + 3 * i, normals + 3 * i) > 0;
    const int near = is_corner ? near_count(hull, normals, i) : 0;
    own[i] = !is_corner ? 0 : near > whole ? whole / near : 1;
  }
  free(normals);
  return FF_OK;
}

// Faces into the form that is looked at in a step.
static ff_status pack_faces(const ffi_hull_flats *flats, ffi_arena *arena, ffi_hull_weights *out)
{
  int corners = 0;
  for (int f = 0; f < flats->count; ++f)
    corners += flats->items[f].rim.count;
  ffi_hull_weights_face *faces = ffi_arena_take(arena, (size_t)flats->count + 1, sizeof *faces);
  ffi_hull_weights_corner *list = ffi_arena_take(arena, (size_t)corners + 1, sizeof *list);
  if (!faces || !list)
    return FF_ERROR_MEMORY;
  for (int f = 0, n = 0; f < flats->count; ++f) {
    const ffi_hull_flat *flat = &flats->items[f];
    const double none = sin(flat->reach) * sin(flat->reach);
    faces[f] =
        (ffi_hull_weights_face){.full = full * none, .none = none, .first = n, .count = flat->rim.count};
    ffi_v3_copy(flat->normal, faces[f].normal);
    for (int k = 0; k < flat->rim.count; ++k, ++n)
      list[n] = (ffi_hull_weights_corner){flat->rim.corner[k], flat->rim.weight[k]};
  }
  out->faces = faces, out->face_count = flats->count;
  out->corners = list, out->corner_count = corners;
  return FF_OK;
}

static void find_mean(const ffi_hull_flats_hull *hull, ffi_hull_weights *out)
{
  double r[3];
  for (int i = 0; i < hull->count; ++i)
    ffi_v3_add_scaled(1.0 / hull->count, hull->points + 3 * i, out->mean);
  for (int i = 0; i < hull->count; ++i) {
    ffi_v3_sub(hull->points + 3 * i, out->mean, r);
    out->reach = fmax(out->reach, ffi_v3_norm(r));
  }
}

static ff_status pack(ffi_hull_flats_hull *hull, ffi_arena *arena, int *is_plain, ffi_hull_weights *out)
{
  const size_t stride = (size_t)padded(hull->count);
  double *x = ffi_arena_take(arena, 4 * stride, sizeof *x), *own = x + 3 * stride;
  if (!x)
    return FF_ERROR_MEMORY;
  *out = (ffi_hull_weights){.count = hull->count, .x = x, .y = x + stride, .z = x + 2 * stride, .own = own};
  out->size = hull->size;
  find_mean(hull, out);
  ffi_hull_flats flats = {0};
  ff_status status = find_own(hull, own);
  for (int i = 0; i < (int)stride; ++i)
    for (int k = 0; k < 3; ++k)
      x[(size_t)k * stride + (size_t)i] = hull->points[3 * (i < hull->count ? i : hull->count - 1) + k];
  if (status == FF_OK)
    status = ffi_hull_flats_find(hull, own, &flats);
  if (status == FF_OK)
    status = pack_faces(&flats, arena, out);
  ffi_hull_flats_free(&flats);
  *is_plain = out->face_count == 0;
  for (int i = 0; i < hull->count; ++i)
    *is_plain &= own[i] == 1;
  return status;
}

ff_status ffi_hull_weights_set(int count, const double *points, ffi_arena *arena, int *is_plain,
                               ffi_hull_weights *out)
{
  int *triangles = NULL;
  ffi_hull_flats_hull hull = {.count = count, .points = points};
  ffi_hull_integrals solid;
  *is_plain = 1;
  *out = (ffi_hull_weights){0};
  ffi_hull_result result = ffi_hull_solid(count, points, &solid);
  if (result == FFI_HULL_OK)
    result = ffi_hull_faces(count, points, &triangles, &hull.triangle_count, NULL);
  if (result != FFI_HULL_OK)
    return result == FFI_HULL_NO_MEMORY ? FF_ERROR_MEMORY : FF_OK;
  for (int i = 0; i < count; ++i) {
    double r[3];
    ffi_v3_sub(points + 3 * i, solid.centre, r);
    hull.size = fmax(hull.size, ffi_v3_norm(r));
  }
  hull.triangles = triangles;
  const ff_status status = pack(&hull, arena, is_plain, out);
  free(triangles);
  return status;
}

static void *copy_into(ffi_block *block, const void *from, size_t count, size_t size)
{
  void *to = ffi_block_take(block, count, size);
  return block->base && count > 0 ? memcpy(to, from, count * size) : to;
}

void ffi_hull_weights_copy(const ffi_hull_weights *from, ffi_block *block, ffi_hull_weights *out)
{
  const size_t n = (size_t)padded(from->count);
  ffi_hull_weights to = *from;
  to.x = copy_into(block, from->x, n, sizeof *to.x);
  to.y = copy_into(block, from->y, n, sizeof *to.y);
  to.z = copy_into(block, from->z, n, sizeof *to.z);
  to.own = copy_into(block, from->own, n, sizeof *to.own);
  to.faces = copy_into(block, from->faces, (size_t)from->face_count, sizeof *to.faces);
  to.corners = copy_into(block, from->corners, (size_t)from->corner_count, sizeof *to.corners);
  if (block->base)
    *out = to;
}

// Falls from 1 to 0 as p rises from 0 to 1, with two derivatives that are 0 at both ends.
static double fade(double p, double *slope)
{
  *slope = 0;
  if (p <= 0 || p >= 1)
    return p <= 0;
  *slope = -30 * p * p * (1 - p) * (1 - p);
  return 1 - p * p * p * (10 - p * (15 - 6 * p));
}

ffi_hull_weights_stand ffi_hull_weights_find(const ffi_hull_weights *w, const double up[3])
{
  ffi_hull_weights_stand stand = {.share = 0};
  double most = 0, across[3], slope;
  int best = -1;
  for (int f = 0; f < w->face_count; ++f) {
    const double down = -ffi_v3_dot(w->faces[f].normal, up);
    if (down > most)
      most = down, best = f;
  }
  if (best < 0)
    return stand;
  const ffi_hull_weights_face *face = &w->faces[best];
  ffi_v3_cross(face->normal, up, across);
  const double range = face->none - face->full;
  stand.share = fade((ffi_v3_dot(across, across) - face->full) / range, &slope);
  if (!(stand.share > 0))
    return stand;
  stand.corners = w->corners + face->first;
  stand.count = face->count;
  // the square of the sine is 1 - c^2, c = -down; a turn by t changes c by (up x t).normal = t.(normal x up)
  ffi_v3_scale(2 * most * slope / range, across, stand.slope);
  return stand;
}
