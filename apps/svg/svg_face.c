#include "svg/svg_face.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Faces seen at a flatter angle (as its sine) are left out: they are narrower than their outline, and their depth would
// be little but rounding.
static const double flattest = 0.03;

// Less overlap than this [px^2] cannot be seen.
static const double visible_area = 0.02;

// Faces pass through each other if each comes forward by more than this in the picture [px].
static const double visible_width = 0.1;

// Faces of two solids this near to each other [px] lie in one plane. Far above rounding (1e-11 px), far below what can be
// seen.
static const double touching = 0.05;

// ---- One face ---------------------------------------------------------------------------------------------

static double depth_at(const ffi_face *face, double x, double y)
{
  return face->depth[0] * x + face->depth[1] * y + face->depth[2];
}

static void find_box(ffi_face *face)
{
  for (int k = 0; k < 2; ++k) {
    face->low[k] = INFINITY;
    face->high[k] = -INFINITY;
    for (int i = 0; i < face->count; ++i) {
      face->low[k] = fmin(face->low[k], face->corners[i].at[k]);
      face->high[k] = fmax(face->high[k], face->corners[i].at[k]);
    }
  }
}

void ffi_face_free(ffi_face *face)
{
  free(face->corners);
  face->corners = NULL;
}

void ffi_faces_add(ffi_faces *faces, const ffi_face *face)
{
  if (faces->count == faces->capacity) {
    faces->capacity = 2 * faces->capacity + 64;
    faces->list = ffi_need_memory(faces->list, (size_t)faces->capacity * sizeof *faces->list);
  }
  faces->list[faces->count++] = *face;
}

void ffi_faces_free(ffi_faces *faces)
{
  for (int i = 0; i < faces->count; ++i)
    ffi_face_free(&faces->list[i]);
  free(faces->list);
  *faces = (ffi_faces){0};
}

// ---- Cutting ----------------------------------------------------------------------------------------------

static double side_of(const double line[3], const double at[3])
{
  return line[0] * at[0] + line[1] * at[1] + line[2];
}

// The part of `count` corners with sign * line > 0, in out [count + 1]. New edges are no outlines.
static int clip(int count, const ffi_corner *corners, const double line[3], double sign, ffi_corner *out)
{
  int n = 0;
  for (int i = 0; i < count; ++i) {
    const ffi_corner *a = &corners[i], *b = &corners[(i + 1) % count];
    const double sa = sign * side_of(line, a->at), sb = sign * side_of(line, b->at);
    if (sa >= 0)
      out[n++] = *a;
    if ((sa > 0 && sb < 0) || (sa < 0 && sb > 0)) {
      const double t = sa / (sa - sb);
      for (int k = 0; k < 3; ++k)
        out[n].at[k] = a->at[k] + t * (b->at[k] - a->at[k]);
      out[n++].is_outline = sa < 0 && a->is_outline;
    } else if (sa == 0 && sb < 0) {
      out[n - 1].is_outline = 0;
    }
  }
  return n;
}

static double area_of(int count, const ffi_corner *c)
{
  double twice = 0;
  for (int i = 1; i + 1 < count; ++i)
    twice += (c[i].at[0] - c[0].at[0]) * (c[i + 1].at[1] - c[0].at[1]) -
             (c[i].at[1] - c[0].at[1]) * (c[i + 1].at[0] - c[0].at[0]);
  return 0.5 * fabs(twice);
}

static ffi_face piece_of(const ffi_face *face, const double line[3], double sign)
{
  ffi_face piece = *face;
  piece.corners = ffi_need_memory(NULL, (size_t)(face->count + 2) * sizeof *piece.corners);
  piece.count = clip(face->count, face->corners, line, sign, piece.corners);
  if (piece.count < 3 || area_of(piece.count, piece.corners) < visible_area * 0.05) {
    ffi_face_free(&piece);
    piece.count = 0;
  } else {
    find_box(&piece);
  }
  return piece;
}

int ffi_face_cut(const ffi_face *face, const double line[3], ffi_face *positive, ffi_face *negative)
{
  if (face->count + 1 > FFI_FACE_CORNERS)
    return 0;
  *positive = piece_of(face, line, 1);
  *negative = piece_of(face, line, -1);
  return 1;
}

// ---- Comparing --------------------------------------------------------------------------------------------

// What both cover in the picture, in out [2 FFI_FACE_CORNERS].
static int overlap(const ffi_face *a, const ffi_face *b, ffi_corner *out)
{
  ffi_corner other[2 * FFI_FACE_CORNERS];
  int n = a->count;
  memcpy(out, a->corners, (size_t)n * sizeof *out);
  for (int i = 0; i < b->count && n >= 3; ++i) {
    const double *p = b->corners[i].at, *q = b->corners[(i + 1) % b->count].at;
    const double line[3] = {q[1] - p[1], p[0] - q[0], p[1] * q[0] - p[0] * q[1]}; // > 0 inside: clockwise
    n = clip(n, out, line, 1, other);
    memcpy(out, other, (size_t)n * sizeof *out);
  }
  return n;
}

ffi_order ffi_face_compare(const ffi_face *a, const ffi_face *b)
{
  ffi_corner common[2 * FFI_FACE_CORNERS];
  double least = INFINITY, most = -INFINITY;
  if (a->solid == b->solid || a->low[0] >= b->high[0] || b->low[0] >= a->high[0] || a->low[1] >= b->high[1] ||
      b->low[1] >= a->high[1])
    return FFI_ORDER_ANY; // faces of one convex solid never hide each other
  const int n = overlap(a, b, common);
  if (n < 3 || area_of(n, common) < visible_area)
    return FFI_ORDER_ANY;
  for (int i = 0; i < n; ++i) {
    const double *at = common[i].at, d = depth_at(a, at[0], at[1]) - depth_at(b, at[0], at[1]);
    least = fmin(least, d);
    most = fmax(most, d);
  }
  const double slope = hypot(a->depth[0] - b->depth[0], a->depth[1] - b->depth[1]);
  if (fmin(-least, most) > visible_width * slope)
    return FFI_ORDER_CROSS;
  if (fmax(-least, most) * fmax(a->facing, b->facing) <
      touching) // what comes later in the model is put on top
    return a->solid < b->solid ? FFI_ORDER_BEHIND : FFI_ORDER_BEFORE;
  return most > -least ? FFI_ORDER_BEFORE : FFI_ORDER_BEHIND;
}

// ---- Faces of a solid -------------------------------------------------------------------------------------

// Unit normal, outwards, by Newell's sum over the edges; returns 0 for a face without area.
static int find_normal(const ffi_solid *solid, int f, double normal[3])
{
  const int first = solid->first[f], count = solid->first[f + 1] - first;
  double sum[3] = {0};
  for (int i = 0; i < count; ++i) {
    const double *p = solid->points + 3 * solid->corners[first + i];
    const double *q = solid->points + 3 * solid->corners[first + (i + 1) % count];
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      sum[k] += (p[l] - q[l]) * (p[m] + q[m]);
    }
  }
  const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  for (int k = 0; k < 3; ++k)
    normal[k] = size > 0 ? sum[k] / size : 0;
  return size > 0;
}

// The face on the other side of the edge from a to b, -1 if there is none.
static int neighbour(const ffi_solid *solid, int a, int b)
{
  for (int f = 0; f < solid->face_count; ++f) {
    const int first = solid->first[f], count = solid->first[f + 1] - first;
    for (int i = 0; i < count; ++i) {
      if (solid->corners[first + i] == b && solid->corners[first + (i + 1) % count] == a)
        return f;
    }
  }
  return -1;
}

// An edge is drawn if it is sharp, or if the face behind it looks away. normals [face_count x 3] in the picture.
static int is_outline(const ffi_solid *solid, const double *normals, int f, int a, int b)
{
  const int other = neighbour(solid, a, b);
  if (other < 0)
    return 1;
  const double *n = normals + 3 * f, *m = normals + 3 * other;
  const double cosine = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
  return m[2] <= flattest || cosine < 0.8; // round shapes have at most 30 degrees between sides
}

// Flat shading by a light from above, left of the viewer. Dark colours are lifted so that their form is seen.
static unsigned shade(const double rgba[4], const double normal[3])
{
  static const double light[3] = {-0.37, -0.74, 0.56}; // in the picture, a unit vector
  const double cosine = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
  const double half = 0.5 + 0.5 * cosine; // softer than the cosine alone: what is turned away keeps its form
  const double bright = 0.38 + 0.67 * half, lift = 0.1 * half * half;
  unsigned colour = 0;
  for (int k = 0; k < 3; ++k) {
    const double c = fmin(fmax(rgba[k] * bright + lift * (1 - rgba[k]), 0), 1);
    colour = colour << 8 | (unsigned)(255 * c + 0.5);
  }
  return colour;
}

static ffi_face make_face(const ffi_view *view, const ffi_solid *solid, const double *normals, int f)
{
  const int first = solid->first[f], count = solid->first[f + 1] - first;
  const double *n = normals + 3 * f;
  ffi_face face = {.count = count, .facing = n[2], .colour = shade(solid->rgba, n)};
  face.corners = ffi_need_memory(NULL, (size_t)count * sizeof *face.corners);
  for (int i = 0; i < count; ++i) {
    const int a = solid->corners[first + i], b = solid->corners[first + (i + 1) % count];
    ffi_view_project(view, solid->points + 3 * a, face.corners[i].at);
    face.corners[i].is_outline = is_outline(solid, normals, f, a, b);
  }
  const double *p = face.corners[0].at;
  face.depth[0] = -n[0] / n[2];
  face.depth[1] = -n[1] / n[2];
  face.depth[2] = p[2] - face.depth[0] * p[0] - face.depth[1] * p[1];
  find_box(&face);
  return face;
}

// Leave out what is below z = 0: on a face the world's z is a linear function of x and y in the picture.
static void cut_at_ground(const ffi_view *view, ffi_face *face)
{
  // world z = (up_z * (origin_y - y) + toward_z * depth(x, y)) / pixels_per_metre; right_z is zero
  const double u = view->up[2], t = view->toward[2];
  const double line[3] = {t * face->depth[0], t * face->depth[1] - u,
                          t * face->depth[2] + u * view->origin[1]};
  ffi_face above, below;
  if (!ffi_face_cut(face, line, &above, &below))
    return;
  ffi_face_free(face);
  ffi_face_free(&below);
  *face = above;
}

void ffi_faces_add_solid(ffi_faces *faces, const ffi_view *view, const ffi_solid *solid, int index,
                         int has_ground)
{
  double *normals = ffi_need_memory(NULL, (size_t)solid->face_count * 3 * sizeof *normals);
  for (int f = 0; f < solid->face_count; ++f) {
    double normal[3];
    find_normal(solid, f, normal);
    ffi_view_turn(view, normal, normals + 3 * f);
  }
  for (int f = 0; f < solid->face_count; ++f) {
    if (normals[3 * f + 2] <= flattest)
      continue;
    ffi_face face = make_face(view, solid, normals, f);
    face.solid = index;
    if (has_ground)
      cut_at_ground(view, &face);
    if (face.count > 0)
      ffi_faces_add(faces, &face);
  }
  free(normals);
}
