// The corners of a mesh's hull: as they are, of a thin mesh in stretched coordinates, of a flat one as a plate.
#include "io/mesh/mesh.h"

#include "base/fail.h"
#include "math/hull_corners.h"
#include "math/vec3.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A point beyond a sharp edge is far from the hull and yet near the planes of its faces, by which distance is measured
// while the corners are chosen. So points in a thin layer are stretched to this share of their size, across it, while
// that is done: hulls and straight lines stay what they are.
#define THIN 0.01
#define STRETCHED 0.1

// ---- How thick ----------------------------------------------------------------------------------------------------

// The least box along the principal axis of least spread.
typedef struct layer {
  double middle[3], normal[3]; // a point of the middle plane
  double thickness, size;      // the second: diagonal of the box along the axes
} layer;

static double find_size(const ffi_mesh_points *p, double middle[3])
{
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (int i = 0; i < p->count; ++i) {
      const double x = p->xyz[3 * (size_t)i + (size_t)k];
      least = fmin(least, x);
      most = fmax(most, x);
    }
    square += (most - least) * (most - least);
    middle[k] = least + (most - least) / 2;
  }
  return sqrt(square);
}

// The point farthest from one point, or from a line through it along a unit vector.
static int farthest(const ffi_mesh_points *p, const double from[3], const double *along)
{
  int best = 0;
  double most = -1;
  for (int i = 0; i < p->count; ++i) {
    double d[3];
    ffi_v3_sub(&p->xyz[3 * (size_t)i], from, d);
    if (along)
      ffi_v3_add_scaled(-ffi_v3_dot(d, along), along, d);
    const double square = ffi_v3_dot(d, d);
    if (square > most) {
      most = square;
      best = i;
    }
  }
  return best;
}

// Through three points far apart: the farthest from the middle, the farthest from that, and the farthest from their
// line. All points of a layer are then within a few thicknesses of the plane. 0 if they are on a line.
static int find_plane(const ffi_mesh_points *p, layer *l)
{
  const double *a = &p->xyz[3 * (size_t)farthest(p, l->middle, NULL)];
  const double *b = &p->xyz[3 * (size_t)farthest(p, a, NULL)];
  double along[3], across[3];
  ffi_v3_sub(b, a, along);
  const double length = ffi_v3_norm(along);
  if (!(length > 0))
    return 0;
  ffi_v3_scale(1 / length, along, along);
  ffi_v3_sub(&p->xyz[3 * (size_t)farthest(p, a, along)], a, across);
  ffi_v3_add_scaled(-ffi_v3_dot(across, along), along, across);
  const double width = ffi_v3_norm(across);
  if (!(width > FFI_MESH_FLAT * l->size))
    return 0;
  ffi_v3_scale(1 / width, across, across);
  ffi_v3_cross(along, across, l->normal);
  return 1;
}

static void measure(const ffi_mesh_points *p, layer *l)
{
  double low = (double)INFINITY, high = -(double)INFINITY;
  for (int i = 0; i < p->count; ++i) {
    double d[3];
    ffi_v3_sub(&p->xyz[3 * (size_t)i], l->middle, d);
    const double height = ffi_v3_dot(d, l->normal);
    low = fmin(low, height);
    high = fmax(high, height);
  }
  l->thickness = high - low;
  ffi_v3_add_scaled(low + (high - low) / 2, l->normal, l->middle);
}

// ---- Corners ------------------------------------------------------------------------------------------------------

// A choice of points.
typedef struct choice {
  int corner[FFI_MESH_MAX_CORNERS];
  ffi_hull_corners kept;
} choice;

static ff_status choose(const ffi_mesh_points *p, int count, const double *points, double tolerance,
                        choice *out)
{
  out->kept = (ffi_hull_corners){.corner = out->corner, .most = FFI_MESH_MAX_CORNERS};
  if (ffi_hull_corners_find(count, points, tolerance, &out->kept, NULL) == FFI_HULL_NO_MEMORY)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  return FF_OK;
}

// The chosen points into the arena.
static ff_status keep(ffi_arena *arena, const ffi_mesh_points *p, const double *points, const choice *c,
                      ffi_mesh_hull *out)
{
  double *kept = ffi_arena_take(arena, 3 * (size_t)c->kept.count, sizeof *kept);
  if (!kept)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  for (int i = 0; i < c->kept.count; ++i)
    memcpy(kept + 3 * (size_t)i, points + 3 * (size_t)c->corner[i], 3 * sizeof *kept);
  out->corners = kept;
  out->count = c->kept.count;
  return FF_OK;
}

// A copy with each point's height above the middle plane times `factor`, plus `shift`.
static void put_heights(const ffi_mesh_points *p, const layer *l, double factor, double shift, double *out)
{
  for (size_t i = 0; i < (size_t)p->count; ++i) {
    double d[3];
    ffi_v3_sub(&p->xyz[3 * i], l->middle, d);
    memcpy(out + 3 * i, p->xyz + 3 * i, 3 * sizeof *out);
    ffi_v3_add_scaled((factor - 1) * ffi_v3_dot(d, l->normal) + shift, l->normal, out + 3 * i);
  }
}

static ff_status hull_of_thin(ffi_arena *arena, const ffi_mesh_points *p, const layer *l, choice *c,
                              ffi_mesh_hull *out)
{
  double *stretched = malloc(3 * (size_t)p->count * sizeof *stretched);
  if (!stretched)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  put_heights(p, l, STRETCHED * l->size / l->thickness, 0, stretched);
  ff_status status = choose(p, p->count, stretched, FFI_MESH_TOLERANCE * l->size, c);
  free(stretched);
  return status == FF_OK && c->kept.count > 0 ? keep(arena, p, p->xyz, c, out) : status;
}

// Its outline, chosen on a high prism, then at the plate's thickness.
static ff_status hull_of_flat(ffi_arena *arena, const ffi_mesh_points *p, const layer *l, choice *c,
                              ffi_mesh_hull *out)
{
  const size_t half = 3 * (size_t)p->count;
  double *prism = malloc(2 * half * sizeof *prism);
  if (!prism)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  put_heights(p, l, 0, STRETCHED * l->size, prism);
  put_heights(p, l, 0, -STRETCHED * l->size, prism + half);
  ff_status status = choose(p, 2 * p->count, prism, FFI_MESH_TOLERANCE * l->size, c);
  put_heights(p, l, 0, FFI_MESH_TOLERANCE * l->size, prism);
  put_heights(p, l, 0, -FFI_MESH_TOLERANCE * l->size, prism + half);
  if (status == FF_OK && c->kept.count > 0)
    status = keep(arena, p, prism, c, out);
  free(prism);
  out->is_flat = 1;
  return status;
}

static ff_status find_excess(const ffi_mesh_points *p, ffi_mesh_hull *out)
{
  const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(p);
  ffi_hull_integrals hull;
  if (out->is_flat || !ffi_mesh_solid_is_closed(&triangles))
    return FF_OK;
  const double volume = ffi_mesh_solid(&triangles, FFI_MESH_SOLID_EXACT).volume;
  const ffi_hull_result result = ffi_hull_solid(out->count, out->corners, &hull);
  if (result == FFI_HULL_NO_MEMORY)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  if (result == FFI_HULL_OK && volume > 0)
    out->excess = hull.volume / volume - 1;
  return FF_OK;
}

ff_status ffi_mesh_hull_of(ffi_arena *arena, const ffi_mesh_points *p, ffi_mesh_hull *out)
{
  layer l = {.size = 0};
  choice c = {.kept.count = 0};
  ff_status status = FF_OK;
  assert(p->xyz && p->count > 0);
  *out = (ffi_mesh_hull){0};
  l.size = find_size(p, l.middle);
  const int has_plane = find_plane(p, &l);
  if (!has_plane)
    return FF_OK;
  measure(p, &l);
  if (l.thickness <= FFI_MESH_FLAT * l.size)
    return hull_of_flat(arena, p, &l, &c, out);
  if (l.thickness < THIN * l.size) {
    status = hull_of_thin(arena, p, &l, &c, out);
  } else {
    status = choose(p, p->count, p->xyz, FFI_MESH_TOLERANCE * l.size, &c);
    if (status == FF_OK && c.kept.count > 0)
      status = keep(arena, p, p->xyz, &c, out);
  }
  return status == FF_OK && out->count > 0 ? find_excess(p, out) : status;
}
