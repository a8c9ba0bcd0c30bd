// The share of a hull's surface that each corner stands for.  docs/theory/detection.md, section 1
#include "geometry/plane/hull_patch.h"

#include "math/eigen3.h"
#include "math/hull.h"
#include "math/larger.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// Thinner than this part of its width, a hull counts as a smaller one: the corners of its other side are not near.
static const double thin = 10;

static int padded(int count)
{
  return (count + FFI_HULL_PATCH_BLOCK - 1) / FFI_HULL_PATCH_BLOCK * FFI_HULL_PATCH_BLOCK;
}

int ffi_hull_shares_room(int count)
{
  return 4 * padded(count);
}

// An edge as one of its two faces has it.
typedef struct side {
  int from, to; // corners, from < to
  int face;
} side;

static int compare_sides(const void *x, const void *y)
{
  const side *a = x, *b = y;
  return a->from != b->from ? (a->from < b->from ? -1 : 1) : a->to != b->to ? (a->to < b->to ? -1 : 1) : 0;
}

static void normal_of(const double *points, const int face[3], double out[3])
{
  double u[3], v[3];
  ffi_v3_sub(points + 3 * face[1], points + 3 * face[0], u);
  ffi_v3_sub(points + 3 * face[2], points + 3 * face[0], v);
  ffi_v3_cross(u, v, out);
}

// Half of an edge's length times the angle between its faces, to both ends.
static void add_edge(const double *points, const int *faces, const side two[2], double *share)
{
  double n[3], m[3], cross[3], along[3];
  normal_of(points, faces + 3 * two[0].face, n);
  normal_of(points, faces + 3 * two[1].face, m);
  ffi_v3_cross(n, m, cross);
  ffi_v3_sub(points + 3 * two[0].to, points + 3 * two[0].from, along);
  const double angle = atan2(ffi_v3_norm(cross), ffi_v3_dot(n, m));
  share[two[0].from] += angle * ffi_v3_norm(along);
  share[two[0].to] += angle * ffi_v3_norm(along);
}

static ff_status add_edges(const double *points, const int *faces, int face_count, double *share)
{
  side *sides = malloc(3 * (size_t)face_count * sizeof *sides);
  if (!sides)
    return FF_ERROR_MEMORY;
  for (int f = 0, n = 0; f < face_count; ++f)
    for (int k = 0; k < 3; ++k, ++n) {
      const int a = faces[3 * f + k], b = faces[3 * f + (k + 1) % 3];
      sides[n] = (side){a < b ? a : b, a < b ? b : a, f};
    }
  qsort(sides, 3 * (size_t)face_count, sizeof *sides, compare_sides);
  for (int n = 0; n + 1 < 3 * face_count; n += 2)
    add_edge(points, faces, sides + n, share);
  free(sides);
  return FF_OK;
}

// Corners of equal shares where there is no volume, or no corner has one.
static void share_equally(int count, double *share)
{
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += share[i];
  for (int i = 0; i < count && !(sum > 0); ++i)
    share[i] = 1;
}

static double size_of(const ffi_hull_patch *p)
{
  double mean[3] = {0}, S[6] = {0}, values[3], most = 0;
  for (int i = 0; i < p->count; ++i)
    ffi_v3_add_scaled(p->share[i], (double[]){p->x[i], p->y[i], p->z[i]}, mean);
  for (int i = 0; i < p->count; ++i) {
    const double r[3] = {p->x[i] - mean[0], p->y[i] - mean[1], p->z[i] - mean[2]};
    most = ffi_larger(most, ffi_v3_norm(r));
    for (int j = 0, n = 0; j < 3; ++j)
      for (int k = j; k < 3; ++k, ++n)
        S[n] += p->share[i] * r[j] * r[k];
  }
  ffi_eigen3(S, values);
  const double width = thin * sqrt(ffi_larger(values[0], 0));
  return width > 1e-6 * most && width < most ? width : most; // flat but for rounding: it has no other side
}

// A corner and where it is along the axis by which corners are being halved.
typedef struct place {
  double along;
  int corner;
} place;

static int compare_places(const void *x, const void *y)
{
  const place *a = x, *b = y;
  return a->along != b->along ? (a->along < b->along ? -1 : 1) : a->corner - b->corner;
}

// Halves corners along the axis on which they are spread most, and again, down to blocks.
static void sort_places(const double *points, place *places, int count)
{
  double low[3], high[3];
  int axis = 0;
  if (count <= FFI_HULL_PATCH_BLOCK)
    return;
  for (int k = 0; k < 3; ++k) {
    low[k] = high[k] = points[3 * places[0].corner + k];
    for (int i = 1; i < count; ++i) {
      const double x = points[3 * places[i].corner + k];
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
    }
    axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
  }
  for (int i = 0; i < count; ++i)
    places[i].along = points[3 * places[i].corner + axis];
  qsort(places, (size_t)count, sizeof *places, compare_places);
  const int half = (count / 2 + FFI_HULL_PATCH_BLOCK - 1) / FFI_HULL_PATCH_BLOCK * FFI_HULL_PATCH_BLOCK;
  sort_places(points, places, half);
  sort_places(points, places + half, count - half);
}

// Corners with a share, near ones together, and their shares made to add up to 1.
static ff_status pack(int count, const double *points, double *room, ffi_hull_patch *out)
{
  const int stride = padded(count);
  double *x = room, *y = room + stride, *z = y + stride, *share = z + stride, sum = 0;
  double *given = malloc((size_t)count * sizeof *given);
  place *places = malloc((size_t)count * sizeof *places);
  int kept = 0;
  for (int i = 0; given && places && i < count; ++i) {
    given[i] = share[i];
    sum += share[i];
    if (share[i] > 0)
      places[kept++].corner = i;
  }
  if (given && places) {
    sort_places(points, places, kept);
    for (int i = 0; i < padded(kept); ++i) {
      const int from = places[i < kept ? i : kept - 1].corner;
      x[i] = points[3 * from], y[i] = points[3 * from + 1], z[i] = points[3 * from + 2];
      share[i] = i < kept ? given[from] / sum : 0;
    }
    *out = (ffi_hull_patch){.count = padded(kept), .x = x, .y = y, .z = z, .share = share};
    out->size = size_of(out);
  }
  const ff_status status = given && places ? FF_OK : FF_ERROR_MEMORY;
  free(given);
  free(places);
  return status;
}

ff_status ffi_hull_shares_set(int count, const double *points, double *room, ffi_hull_patch *out)
{
  int *faces = NULL, face_count = 0;
  double *share = room + 3 * padded(count);
  ff_status status = FF_OK;
  for (int i = 0; i < count; ++i)
    share[i] = 0;
  const ffi_hull_result result = ffi_hull_faces(count, points, &faces, &face_count, NULL);
  if (result == FFI_HULL_NO_MEMORY)
    return FF_ERROR_MEMORY;
  if (result == FFI_HULL_OK) {
    status = add_edges(points, faces, face_count, share);
    free(faces);
  }
  share_equally(count, share);
  return status == FF_OK ? pack(count, points, room, out) : status;
}

void ffi_hull_shares_copy(const ffi_hull_patch *from, double *room, ffi_hull_patch *out)
{
  const double *const arrays[4] = {from->x, from->y, from->z, from->share};
  const size_t n = (size_t)from->count;
  for (size_t i = 0; i < 4; ++i)
    memcpy(room + i * n, arrays[i], n * sizeof *room);
  *out = (ffi_hull_patch){from->count, room, room + n, room + 2 * n, room + 3 * n, from->size};
}
