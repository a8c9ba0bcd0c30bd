#include "svg/svg_ground.h"

#include "command.h"
#include "svg/svg_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// What is lower than this part of the robot's height also throws the narrow, dark shadow.
static const double near_ground = 0.06;

static void project(const ffi_view *view, double x, double y, double at[3])
{
  ffi_view_project(view, (const double[]){x, y, 0}, at);
}

// ---- Grid -------------------------------------------------------------------------------------------------

double ffi_ground_spacing(const ffi_view *view)
{
  const double wanted = view->radius / 4.5, power = pow(10, floor(log10(wanted)));
  const double digit = wanted / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// Chords of the disk of ground, along x (axis 0) or y (axis 1).
static void add_lines(const ffi_view *view, int axis, ffi_path *path)
{
  const double step = ffi_ground_spacing(view), *c = view->centre, r = view->radius;
  const int across = 1 - axis;
  const double first = ceil((c[across] - r) / step);
  for (int k = 0; k * step <= 2 * r; ++k) {
    const double off = (first + k) * step - c[across], half = sqrt(fmax(0, r * r - off * off));
    double ends[2][3], p[2];
    for (int end = 0; end < 2; ++end) {
      p[across] = c[across] + off;
      p[axis] = c[axis] + (end ? half : -half);
      project(view, p[0], p[1], ends[end]);
    }
    ffi_svg_path_move(path, ends[0][0], ends[0][1]);
    ffi_svg_path_line(path, ends[1][0], ends[1][1]);
  }
}

// A gradient from the centre of the ground to its rim, which the projection makes an ellipse.
static void write_fade(const ffi_view *view, const char *id, const char *colour, const double opacity[3],
                       FILE *out)
{
  double c[3], x[3], y[3];
  project(view, view->centre[0], view->centre[1], c);
  project(view, view->centre[0] + view->radius, view->centre[1], x);
  project(view, view->centre[0], view->centre[1] + view->radius, y);
  fprintf(out,
          "<radialGradient id=\"%s\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1\" "
          "gradientTransform=\"matrix(%d %d %d %d %d %d)\">",
          id, ffi_svg_path_units(x[0] - c[0]), ffi_svg_path_units(x[1] - c[1]),
          ffi_svg_path_units(y[0] - c[0]), ffi_svg_path_units(y[1] - c[1]), ffi_svg_path_units(c[0]),
          ffi_svg_path_units(c[1]));
  for (int i = 0; i < 3; ++i)
    fprintf(out, "<stop offset=\"%d%%\" stop-color=\"%s\" stop-opacity=\"%d%%\"/>", (int[]){0, 60, 100}[i],
            colour, (int)(100 * opacity[i] + 0.5));
  fputs("</radialGradient>\n", out);
}

void ffi_ground_write_defs(const ffi_view *view, FILE *out)
{
  write_fade(view, "grid", "#8d99a8", (const double[]){0.75, 0.5, 0}, out);
  write_fade(view, "floor", "#ffffff", (const double[]){0.95, 0.6, 0}, out);
  fputs(
      "<filter id=\"soft\" x=\"-30%\" y=\"-30%\" width=\"160%\" height=\"160%\" color-interpolation-filters=\"sRGB\"><feGaussianBlur "
      "stdDeviation=\"100\"/></filter>\n"
      "<filter id=\"close\" x=\"-30%\" y=\"-30%\" width=\"160%\" height=\"160%\" color-interpolation-filters=\"sRGB\"><feGaussianBlur "
      "stdDeviation=\"28\"/></filter>\n",
      out);
}

// ---- Shadow -----------------------------------------------------------------------------------------------

static int by_x_then_y(const void *a, const void *b)
{
  const double *p = a, *q = b;
  const int k = p[0] == q[0];
  return (p[k] > q[k]) - (p[k] < q[k]);
}

// Does c lie right of the way from a to b, or on it but for what cannot be seen [px^2]?
static int turns_right(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.01;
}

// Convex outline of points [count x 2], which are sorted in place, in hull [2 count x 2]; Andrew's chains.
static int outline(int count, double *points, double *hull)
{
  int n = 0;
  qsort(points, (size_t)count, 2 * sizeof *points, by_x_then_y);
  for (int chain = 0; chain < 2; ++chain) {
    const int start = n; // each chain leaves out its last point: it is the other's first
    for (int i = 0; i < count; ++i) {
      const double *p = points + 2 * (chain ? count - 1 - i : i);
      while (n >= start + 2 && turns_right(hull + 2 * (n - 2), hull + 2 * (n - 1), p))
        --n;
      memcpy(hull + 2 * n++, p, 2 * sizeof *p);
    }
    --n;
  }
  return n;
}

// The light stands right above: a shadow is the outline of what is lower than `highest`, pressed flat.
static void add_shadow(const ffi_view *view, const ffi_solid *solid, double highest, ffi_path *path)
{
  const size_t n = (size_t)solid->point_count;
  double *points = ffi_need_memory(NULL, 6 * n * sizeof *points), *hull = points + 2 * n;
  int low = 0;
  for (size_t i = 0; i < n; ++i) {
    const double *p = solid->points + 3 * i;
    double at[3];
    if (p[2] > highest)
      continue;
    project(view, p[0], p[1], at);
    memcpy(points + 2 * low++, at, 2 * sizeof *points);
  }
  const int count = low < 3 ? 0 : outline(low, points, hull);
  for (int i = 0; i < count; ++i)
    (i ? ffi_svg_path_line : ffi_svg_path_move)(path, hull[2 * i], hull[2 * i + 1]);
  if (count > 0)
    ffi_svg_path_close(path);
  free(points);
}

static void write_shadow(const ffi_svg_scene *scene, const ffi_view *view, double highest, const char *look,
                         FILE *out)
{
  ffi_path path;
  ffi_svg_path_begin(&path, out);
  for (int i = 0; i < scene->solid_count; ++i)
    add_shadow(view, &scene->solids[i], highest, &path);
  fprintf(out, "\" %s/>\n", look);
}

void ffi_ground_write(const ffi_svg_scene *scene, const ffi_view *view, FILE *out)
{
  ffi_path path;
  ffi_svg_path_begin(&path, out);
  for (int k = 0; k < 48; ++k) {
    double at[3];
    const double angle = 2 * PI * k / 48, r = view->radius;
    project(view, view->centre[0] + r * cos(angle), view->centre[1] + r * sin(angle), at);
    (k ? ffi_svg_path_line : ffi_svg_path_move)(&path, at[0], at[1]);
  }
  ffi_svg_path_close(&path);
  fputs("\" fill=\"url(#floor)\"/>\n", out);
  ffi_svg_path_begin(&path, out);
  add_lines(view, 0, &path);
  add_lines(view, 1, &path);
  fputs("\" fill=\"none\" stroke=\"url(#grid)\" stroke-width=\"8\"/>\n", out);
  write_shadow(scene, view, INFINITY, "fill=\"#1b2430\" opacity=\".22\" filter=\"url(#soft)\"", out);
  const double height = scene->high[2] - scene->low[2];
  write_shadow(scene, view, near_ground * height, "fill=\"#1b2430\" opacity=\".45\" filter=\"url(#close)\"",
               out);
}
