// Shapes as convex solids. A box has eight corners; everything else is turned: a profile of radii and heights, rotated
// about z in equal steps.
#include "svg/svg_solid.h"

#include "cli/memory.h"
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { FEWEST_SEGMENTS = 12, PROFILE = FFI_SVG_SOLID_SEGMENTS + 4 };

// A profile from top to bottom.
typedef struct profile {
  int count;
  double radius[PROFILE], height[PROFILE];
} profile;

int ffi_svg_solid_is_possible(ff_shape_type type)
{
  return type != FF_SHAPE_POINT && type != FF_SHAPE_PLANE && type != FF_SHAPE_MESH &&
         type != FF_SHAPE_HEIGHTFIELD;
}

static void reserve(ffi_svg_solid *solid, int points, int faces, int corners)
{
  solid->points = ffi_memory_need(NULL, (size_t)points * 3 * sizeof(double));
  solid->corners = ffi_memory_need(NULL, (size_t)corners * sizeof(int));
  solid->first = ffi_memory_need(NULL, ((size_t)faces + 1) * sizeof(int));
  solid->first[0] = 0;
}

static void add_point(ffi_svg_solid *solid, double x, double y, double z)
{
  double *p = solid->points + 3 * solid->point_count++;
  p[0] = x;
  p[1] = y;
  p[2] = z;
}

static void add_face(ffi_svg_solid *solid, int count, const int *corners)
{
  int *to = solid->corners + solid->first[solid->face_count];
  memcpy(to, corners, (size_t)count * sizeof *to);
  solid->first[solid->face_count + 1] = solid->first[solid->face_count] + count;
  ++solid->face_count;
}

static void make_box(ffi_svg_solid *solid, const double low[3], const double high[3])
{
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  reserve(solid, 8, 6, 24);
  for (int i = 0; i < 8; ++i) // bits of i: x, y, z high
    add_point(solid, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
  for (int f = 0; f < 6; ++f)
    add_face(solid, 4, faces[f]);
}

static void make_hull_box(ffi_svg_solid *solid, const ff_shape_def *shape)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < 3 * shape->vertex_count; ++i) {
    low[i % 3] = fmin(low[i % 3], shape->vertices[i]);
    high[i % 3] = fmax(high[i % 3], shape->vertices[i]);
  }
  make_box(solid, low, high);
}

// ---- What is turned ---------------------------------------------------------------------------------------

// An arc's error is radius (1 - cos(pi / n)): for a constant error in pixels n grows with the root of the radius.
static int segments_for(double radius, double pixels_per_metre)
{
  const double wanted = 6.0 * sqrt(radius * pixels_per_metre);
  const int n = wanted < FFI_SVG_SOLID_SEGMENTS ? 4 * (int)(wanted / 4 + 0.5) : FFI_SVG_SOLID_SEGMENTS;
  return n < FEWEST_SEGMENTS ? FEWEST_SEGMENTS : n;
}

static void add_ring(profile *p, double radius, double height)
{
  p->radius[p->count] = radius;
  p->height[p->count++] = height;
}

// Half circle about (0, height), from angle `from` to `to` in quarters above the equator, n segments for a whole turn.
static void add_arc(profile *p, double radius, double height, int from, int to, int n)
{
  const int steps = n / 4;
  for (int i = from * steps; i >= to * steps; --i) {
    const int is_pole = i == steps || i == -steps;
    add_ring(p, is_pole ? 0 : radius * cos(0.5 * PI * i / steps),
             height + radius * sin(0.5 * PI * i / steps));
  }
}

// First point of each ring; a ring without radius is one point.
static void add_rings(ffi_svg_solid *solid, const profile *p, int n, int *start)
{
  for (int i = 0; i < p->count; ++i) {
    const double r = p->radius[i];
    start[i] = solid->point_count;
    for (int k = 0; k < (r > 0 ? n : 1); ++k)
      add_point(solid, r * cos(2 * PI * k / n), r * sin(2 * PI * k / n), p->height[i]);
  }
}

static void add_cap(ffi_svg_solid *solid, int start, int n, int is_top)
{
  int ring[FFI_SVG_SOLID_SEGMENTS];
  for (int k = 0; k < n; ++k)
    ring[k] = start + (is_top ? k : n - 1 - k);
  add_face(solid, n, ring);
}

static void add_band(ffi_svg_solid *solid, const profile *p, int above, const int *start, int n)
{
  const int below = above + 1;
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    int corners[4], count = 0;
    corners[count++] = start[below] + (p->radius[below] > 0 ? k : 0);
    if (p->radius[below] > 0)
      corners[count++] = start[below] + next;
    corners[count++] = start[above] + (p->radius[above] > 0 ? next : 0);
    if (p->radius[above] > 0)
      corners[count++] = start[above] + k;
    add_face(solid, count, corners);
  }
}

static void make_turned(ffi_svg_solid *solid, const profile *p, int n)
{
  int start[PROFILE] = {0};
  reserve(solid, p->count * n, (p->count + 1) * n, (p->count + 1) * n * 4);
  add_rings(solid, p, n, start);
  if (p->radius[0] > 0)
    add_cap(solid, start[0], n, 1);
  for (int i = 0; i + 1 < p->count; ++i)
    add_band(solid, p, i, start, n);
  if (p->radius[p->count - 1] > 0)
    add_cap(solid, start[p->count - 1], n, 0);
}

static void make_round(ffi_svg_solid *solid, const ff_shape_def *shape, double pixels_per_metre)
{
  const double r = shape->size[0], half = shape->type == FF_SHAPE_DISK ? 0 : 0.5 * shape->size[1];
  const int n = segments_for(r, pixels_per_metre);
  profile p = {0};
  switch (shape->type) {
  case FF_SHAPE_SPHERE: add_arc(&p, r, 0, 1, -1, n); break;
  case FF_SHAPE_CAPSULE:
    add_arc(&p, r, half, 1, 0, n);
    add_arc(&p, r, -half, 0, -1, n);
    break;
  default: // cylinder, disk
    add_ring(&p, r, half);
    add_ring(&p, r, -half);
    break;
  }
  make_turned(solid, &p, n);
}

// A ball of radius 1, stretched.
static void make_ellipsoid(ffi_svg_solid *solid, const double size[3], double pixels_per_metre)
{
  const int n = segments_for(fmax(size[0], fmax(size[1], size[2])), pixels_per_metre);
  profile p = {0};
  add_arc(&p, 1, 0, 1, -1, n);
  make_turned(solid, &p, n);
  for (int i = 0; i < 3 * solid->point_count; ++i)
    solid->points[i] *= size[i % 3];
}

// ---- Placing ----------------------------------------------------------------------------------------------

// x := position + R x for all points.
static void place(ffi_svg_solid *solid, const double position[3], const double R[9])
{
  for (int i = 0; i < solid->point_count; ++i) {
    double *x = solid->points + 3 * i, y[3];
    for (int k = 0; k < 3; ++k)
      y[k] = position[k] + R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
    memcpy(x, y, sizeof y);
  }
}

ffi_svg_solid ffi_svg_solid_from_shape(const ff_shape_def *shape, const double position[3], const double R[9],
                                       double pixels_per_metre)
{
  ffi_svg_solid solid = {0};
  double shape_R[9];
  memcpy(solid.rgba, shape->rgba, sizeof solid.rgba);
  if (shape->type == FF_SHAPE_BOX) {
    const double *s = shape->size;
    make_box(&solid, (double[]){-0.5 * s[0], -0.5 * s[1], -0.5 * s[2]},
             (double[]){0.5 * s[0], 0.5 * s[1], 0.5 * s[2]});
  } else if (shape->type == FF_SHAPE_HULL) {
    make_hull_box(&solid, shape);
  } else if (shape->type == FF_SHAPE_ELLIPSOID) {
    make_ellipsoid(&solid, shape->size, pixels_per_metre);
  } else {
    make_round(&solid, shape, pixels_per_metre);
  }
  ff_pose_rotation(&shape->pose, shape_R);
  place(&solid, shape->pose.position, shape_R);
  place(&solid, position, R);
  return solid;
}

void ffi_svg_solid_free(ffi_svg_solid *solid)
{
  free(solid->points);
  free(solid->corners);
  free(solid->first);
  *solid = (ffi_svg_solid){0};
}
