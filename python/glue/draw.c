// A small renderer: triangles and planes by a depth buffer, flat light, shadows on the first plane. Every pixel is the
// mean of its samples.
#include "glue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 4 }; // of a triangle that the near plane has cut

static const double sky_low[3] = {0.90, 0.92, 0.95}, sky_high[3] = {0.62, 0.72, 0.84};
static const double tile_even[3] = {0.78, 0.80, 0.83}, tile_odd[3] = {0.71, 0.73, 0.77};

enum { ON_PLANE = 1, IN_SHADOW = 2 };

static const double FARTHEST = 1e6; // of a plane that is drawn [m]

typedef struct canvas {
  const ffp_camera *camera;
  int width, height;    // in samples
  double scale;         // samples for a length of 1 on the picture plane
  float *depth;         // [height][width] 1 / distance along the view; 0: nothing
  float *colour;        // [height][width][3]
  unsigned char *plane; // [height][width] bits: the first plane is seen; it is in shadow
} canvas;

// A plane with its axes, in tiles, and its light.
typedef struct floor_of {
  const double *n; // [4]
  double axes[2][3], light;
} floor_of;

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- Background -----------------------------------------------------------------------------------------------------

// The direction of a sample's ray, its component along the view being 1.
static void ray_of(const canvas *c, int column, int row, double *ray)
{
  const double x = (column + 0.5 - 0.5 * c->width) / c->scale, y = (0.5 * c->height - row - 0.5) / c->scale;
  for (int k = 0; k < 3; ++k)
    ray[k] = x * c->camera->right[k] + y * c->camera->up[k] - c->camera->back[k];
}

// Two axes of a plane, in tiles, and its light.
static void lay(const ffp_camera *camera, const double *n, floor_of *f)
{
  f->n = n;
  double e[3] = {fabs(n[0]) <= 0.7, fabs(n[0]) > 0.7, 0};
  const double along = dot(e, n);
  for (int k = 0; k < 3; ++k)
    e[k] -= along * n[k];
  const double length = sqrt(dot(e, e));
  for (int k = 0; k < 3; ++k)
    f->axes[0][k] = e[k] / (length * camera->tile);
  for (int k = 0; k < 3; ++k)
    f->axes[1][k] = n[(k + 1) % 3] * f->axes[0][(k + 2) % 3] - n[(k + 2) % 3] * f->axes[0][(k + 1) % 3];
  f->light = camera->ambient + (1 - camera->ambient) * fmax(0, dot(n, camera->light));
}

// Squares that fade into the sky: where they are smaller than samples they would flicker.
static void shade_plane(const canvas *c, const floor_of *f, double far, const double *ray, const double *sky,
                        float *colour)
{
  const double *eye = c->camera->eye;
  const double x[3] = {eye[0] + far * ray[0], eye[1] + far * ray[1], eye[2] + far * ray[2]};
  const long long sum = (long long)floor(dot(f->axes[0], x)) + (long long)floor(dot(f->axes[1], x));
  const double *square = sum & 1 ? tile_odd : tile_even;
  const double fade = fmin(1, far / (60 * c->camera->tile));
  for (int k = 0; k < 3; ++k)
    colour[k] = (float)((1 - fade) * f->light * square[k] + fade * sky[k]);
}

static void draw_sample(canvas *c, const floor_of *floors, int column, int row)
{
  const size_t at = (size_t)row * (size_t)c->width + (size_t)column;
  const ffp_camera *camera = c->camera;
  double ray[3], sky[3];
  ray_of(c, column, row, ray);
  const double rise = ray[2] > 0 ? ray[2] / sqrt(dot(ray, ray)) : 0;
  for (int k = 0; k < 3; ++k) {
    sky[k] = (1 - rise) * sky_low[k] + rise * sky_high[k];
    c->colour[3 * at + (size_t)k] = (float)sky[k];
  }
  for (int i = 0; i < camera->plane_count; ++i) {
    const double *n = floors[i].n, down = dot(n, ray), above = dot(n, camera->eye) - n[3];
    const double far = above > 0 && down < 0 ? -above / down : INFINITY;
    if (!(far < FARTHEST) || 1 / far <= (double)c->depth[at])
      continue;
    c->depth[at] = (float)(1 / far);
    c->plane[at] = i == 0 ? ON_PLANE : 0;
    shade_plane(c, &floors[i], far, ray, sky, c->colour + 3 * at);
  }
}

static void draw_background(canvas *c, floor_of *floors)
{
  for (int i = 0; i < c->camera->plane_count; ++i)
    lay(c->camera, c->camera->planes + 4 * i, &floors[i]);
  for (int row = 0; row < c->height; ++row)
    for (int column = 0; column < c->width; ++column)
      draw_sample(c, floors, column, row);
}

// ---- Triangles ------------------------------------------------------------------------------------------------------

// Corners in the camera's axes: right, up, towards what is seen.
static void to_camera(const ffp_camera *camera, double corner[3][3], double seen[3][3])
{
  for (int i = 0; i < 3; ++i) {
    const double x[3] = {corner[i][0] - camera->eye[0], corner[i][1] - camera->eye[1],
                         corner[i][2] - camera->eye[2]};
    seen[i][0] = dot(camera->right, x);
    seen[i][1] = dot(camera->up, x);
    seen[i][2] = -dot(camera->back, x);
  }
}

// What is beyond the near plane of a triangle: the number of its corners.
static int cut(double near_plane, double seen[3][3], double out[MOST_CORNERS][3])
{
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const double *a = seen[i], *b = seen[(i + 1) % 3];
    if (a[2] >= near_plane)
      memcpy(out[count++], a, 3 * sizeof *a);
    if ((a[2] >= near_plane) == (b[2] >= near_plane))
      continue;
    const double part = (near_plane - a[2]) / (b[2] - a[2]);
    for (int k = 0; k < 3; ++k)
      out[count][k] = a[k] + part * (b[k] - a[k]);
    ++count;
  }
  return count;
}

// A triangle's sample: with a colour if it is nearer than what is there, else a shadow on the first plane.
static void put_sample(canvas *c, size_t at, double depth, const double *colour)
{
  if (!colour) {
    if (c->plane[at])
      c->plane[at] |= IN_SHADOW;
    return;
  }
  if ((float)depth <= c->depth[at])
    return;
  c->depth[at] = (float)depth;
  c->plane[at] = 0;
  for (int k = 0; k < 3; ++k)
    c->colour[3 * at + (size_t)k] = (float)colour[k];
}

// Fills a triangle of the picture: p [3] column, row, 1 / distance, which is linear there.
static void fill(canvas *c, const double *const p[3], const double *colour)
{
  const double *a = p[0], *b = p[1], *d = p[2];
  const double area = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
  if (!(fabs(area) > 0))
    return;
  const double low = fmin(a[1], fmin(b[1], d[1])), high = fmax(a[1], fmax(b[1], d[1]));
  const double left = fmin(a[0], fmin(b[0], d[0])), right = fmax(a[0], fmax(b[0], d[0]));
  const int row0 = (int)fmax(0, ceil(low - 0.5)), row1 = (int)fmin(c->height - 1, floor(high - 0.5));
  const int column0 = (int)fmax(0, ceil(left - 0.5)), column1 = (int)fmin(c->width - 1, floor(right - 0.5));
  for (int row = row0; row <= row1; ++row)
    for (int column = column0; column <= column1; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double u = ((d[0] - b[0]) * (y - b[1]) - (d[1] - b[1]) * (x - b[0])) / area;
      const double v = ((a[0] - d[0]) * (y - d[1]) - (a[1] - d[1]) * (x - d[0])) / area, w = 1 - u - v;
      if (u >= 0 && v >= 0 && w >= 0)
        put_sample(c, (size_t)row * (size_t)c->width + (size_t)column, u * a[2] + v * b[2] + w * d[2],
                   colour);
    }
}

static void draw_triangle(canvas *c, double corner[3][3], const double *colour)
{
  double seen[3][3], left[MOST_CORNERS][3], p[MOST_CORNERS][3];
  to_camera(c->camera, corner, seen);
  const int count = cut(c->camera->near_plane, seen, left);
  for (int i = 0; i < count; ++i) {
    p[i][0] = 0.5 * c->width + c->scale * left[i][0] / left[i][2];
    p[i][1] = 0.5 * c->height - c->scale * left[i][1] / left[i][2];
    p[i][2] = 1 / left[i][2];
  }
  for (int i = 2; i < count; ++i) {
    const double *const three[3] = {p[0], p[i - 1], p[i]};
    fill(c, three, colour);
  }
}

static void place(const ffp_triangles *t, const float *poses, long long i, double corner[3][3])
{
  memcpy(corner, t->corners + 9 * i, 9 * sizeof(double));
  if (t->carriers[i] < 0)
    return;
  const float *pose = poses + FF_RECORD_POSE * t->carriers[i];
  const double q[4] = {pose[3], pose[4], pose[5], pose[6]};
  for (int k = 0; k < 3; ++k) {
    double *x = corner[k], turn[3];
    for (int m = 0; m < 3; ++m) // 2 (w q + q x) as in x + 2 q x (q x x + w x)
      turn[m] = q[(m + 1) % 3] * x[(m + 2) % 3] - q[(m + 2) % 3] * x[(m + 1) % 3] + q[3] * x[m];
    const double before[3] = {x[0], x[1], x[2]};
    for (int m = 0; m < 3; ++m)
      x[m] = before[m] + 2 * (q[(m + 1) % 3] * turn[(m + 2) % 3] - q[(m + 2) % 3] * turn[(m + 1) % 3]) +
             (double)pose[m];
  }
}

// The shadow of a triangle on the first plane, if it is above it.
static void draw_shadow(canvas *c, double corner[3][3])
{
  const double *n = c->camera->planes, down = dot(n, c->camera->light);
  double shadow[3][3], highest = 0;
  for (int i = 0; i < 3; ++i) {
    const double above = dot(n, corner[i]) - n[3];
    highest = fmax(highest, above);
    for (int k = 0; k < 3; ++k)
      shadow[i][k] = corner[i][k] - above / down * c->camera->light[k];
  }
  if (highest > 0)
    draw_triangle(c, shadow, NULL);
}

// Seen from both sides.
static void draw_lit(canvas *c, double corner[3][3], const double *colour)
{
  const ffp_camera *camera = c->camera;
  double n[3], shade[3], a[3], b[3], view[3];
  for (int k = 0; k < 3; ++k) {
    a[k] = corner[1][k] - corner[0][k];
    b[k] = corner[2][k] - corner[0][k];
    view[k] = camera->eye[k] - corner[0][k];
  }
  for (int k = 0; k < 3; ++k)
    n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  const double length = sqrt(dot(n, n)), side = dot(n, view) < 0 ? -1 : 1;
  if (!(length > 0))
    return;
  const double light =
      camera->ambient + (1 - camera->ambient) * fmax(0, side * dot(n, camera->light) / length);
  for (int k = 0; k < 3; ++k)
    shade[k] = light * colour[k];
  draw_triangle(c, corner, shade);
}

// ---- The picture ----------------------------------------------------------------------------------------------------

// Means of samples, as bytes.
static void finish(const canvas *c, unsigned char *out)
{
  const ffp_camera *camera = c->camera;
  const int s = camera->samples;
  for (int row = 0; row < camera->height; ++row)
    for (int column = 0; column < camera->width; ++column) {
      double sum[3] = {0};
      for (int i = 0; i < s * s; ++i) {
        const size_t at = (size_t)(row * s + i / s) * (size_t)c->width + (size_t)(column * s + i % s);
        const double lit = c->plane[at] & IN_SHADOW ? 0.72 : 1;
        for (int k = 0; k < 3; ++k)
          sum[k] += lit * (double)c->colour[3 * at + (size_t)k];
      }
      for (int k = 0; k < 3; ++k)
        *out++ = (unsigned char)lrint(255 * fmin(1, fmax(0, sum[k] / (s * s))));
    }
}

static void draw_all(canvas *c, const ffp_triangles *t, const float *poses)
{
  const ffp_camera *camera = c->camera;
  double corner[3][3];
  const int has_shadow = camera->plane_count > 0 && dot(camera->planes, camera->light) > 0.1;
  for (long long i = 0; i < t->count && has_shadow; ++i) {
    place(t, poses, i, corner);
    draw_shadow(c, corner);
  }
  for (long long i = 0; i < t->count; ++i) {
    place(t, poses, i, corner);
    draw_lit(c, corner, t->colours + 3 * i);
  }
}

ff_status ffp_draw(const ffp_camera *camera, const ffp_triangles *triangles, const float *poses,
                   unsigned char *out, ff_error *error)
{
  canvas c = {
      .camera = camera, .width = camera->width * camera->samples, .height = camera->height * camera->samples};
  const size_t count = (size_t)c.width * (size_t)c.height;
  c.scale = 0.5 * c.height * camera->focal;
  c.depth = calloc(count, sizeof *c.depth);
  c.colour = calloc(count, 3 * sizeof *c.colour);
  c.plane = calloc(count, 1);
  floor_of *floors = calloc((size_t)camera->plane_count + 1, sizeof *floors);
  const int has_room = c.depth && c.colour && c.plane && floors;
  if (has_room) {
    draw_background(&c, floors);
    draw_all(&c, triangles, poses);
    finish(&c, out);
  } else if (error) {
    error->status = FF_ERROR_MEMORY;
    strcpy(error->message, "out of memory");
  }
  free(c.depth);
  free(c.colour);
  free(c.plane);
  free(floors);
  return has_room ? FF_OK : FF_ERROR_MEMORY;
}
