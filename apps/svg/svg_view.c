#include "svg/svg_view.h"

#include <math.h>

#define PI 3.14159265358979323846

static const double longest_side = 560; // of what is drawn, without its margin [px]
static const double margin = 36;        // [px]
static const double elevation = 20 * PI / 180;

// The angle between the robot's x axis and the direction to the viewer. The longer side gets the wider view, but both
// are always seen.
static double choose_azimuth(const ffi_svg_scene *scene)
{
  const double along_x = scene->high[0] - scene->low[0], along_y = scene->high[1] - scene->low[1];
  return -fmin(fmax(atan2(along_x, along_y), 32 * PI / 180), 58 * PI / 180);
}

static void set_axes(ffi_view *view, double azimuth)
{
  const double ca = cos(azimuth), sa = sin(azimuth), ce = cos(elevation), se = sin(elevation);
  view->toward[0] = ca * ce;
  view->toward[1] = sa * ce;
  view->toward[2] = se;
  view->right[0] = -sa;
  view->right[1] = ca;
  view->right[2] = 0;
  view->up[0] = -ca * se;
  view->up[1] = -sa * se;
  view->up[2] = ce;
}

// The piece of ground that is drawn: a disk around what stands on it.
static void choose_ground(ffi_view *view, const ffi_svg_scene *scene)
{
  const double x = scene->high[0] - scene->low[0], y = scene->high[1] - scene->low[1];
  const double z = scene->high[2] - scene->low[2];
  view->centre[0] = 0.5 * (scene->low[0] + scene->high[0]);
  view->centre[1] = 0.5 * (scene->low[1] + scene->high[1]);
  view->radius = fmax(0.75 * sqrt(x * x + y * y), 0.3 * z);
}

static void include(const ffi_view *view, const double p[3], double box[4])
{
  double at[3];
  ffi_view_project(view, p, at);
  box[0] = fmin(box[0], at[0]);
  box[1] = fmin(box[1], at[1]);
  box[2] = fmax(box[2], at[0]);
  box[3] = fmax(box[3], at[1]);
}

// Left, top, right, bottom of everything [m], as the view is before it has a scale.
static void find_extent(const ffi_view *view, const ffi_svg_scene *scene, double box[4])
{
  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (int i = 0; i < scene->solid_count; ++i) {
    for (int k = 0; k < scene->solids[i].point_count; ++k)
      include(view, scene->solids[i].points + 3 * k, box);
  }
  for (int i = 0; i < scene->point_count; ++i)
    include(view, scene->points + 3 * i, box);
  if (box[0] > box[2]) { // there is nothing
    include(view, scene->low, box);
    include(view, scene->high, box);
  }
  for (int k = 0; scene->has_ground && k < 32; ++k) {
    const double angle = 2 * PI * k / 32, r = 0.85 * view->radius; // it fades out towards its rim
    include(view, (double[]){view->centre[0] + r * cos(angle), view->centre[1] + r * sin(angle), 0}, box);
  }
}

ffi_view ffi_view_choose(const ffi_svg_scene *scene)
{
  ffi_view view = {.pixels_per_metre = 1};
  double box[4];
  set_axes(&view, choose_azimuth(scene));
  choose_ground(&view, scene);
  find_extent(&view, scene, box);
  const double width = box[2] - box[0], height = box[3] - box[1];
  const double scale = longest_side / fmax(width, height);
  view.pixels_per_metre = scale;
  view.width = ceil(width * scale + 2 * margin);
  view.height = ceil(height * scale + 2 * margin);
  view.origin[0] = 0.5 * view.width - 0.5 * scale * (box[0] + box[2]);
  view.origin[1] = 0.5 * view.height - 0.5 * scale * (box[1] + box[3]);
  return view;
}

void ffi_view_turn(const ffi_view *view, const double world[3], double picture[3])
{
  picture[0] = view->right[0] * world[0] + view->right[1] * world[1] + view->right[2] * world[2];
  picture[1] = -(view->up[0] * world[0] + view->up[1] * world[1] + view->up[2] * world[2]);
  picture[2] = view->toward[0] * world[0] + view->toward[1] * world[1] + view->toward[2] * world[2];
}

void ffi_view_project(const ffi_view *view, const double world[3], double picture[3])
{
  ffi_view_turn(view, world, picture);
  for (int k = 0; k < 3; ++k)
    picture[k] = view->pixels_per_metre * picture[k] + (k < 2 ? view->origin[k] : 0);
}
