#include "svg/svg.h"

#include "command.h"
#include "svg/svg_ground.h"
#include "svg/svg_painter.h"
#include "svg/svg_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Parts of the file ------------------------------------------------------------------------------------

static void write_text(const char *text, FILE *out)
{
  for (; *text; ++text) {
    switch (*text) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    default: fputc((unsigned char)*text < ' ' ? ' ' : *text, out); break;
    }
  }
}

static void write_caption(const ff_model *model, int posture, FILE *out)
{
  write_text(ff_model_name(model), out);
  if (posture >= 0) {
    fputs(", ", out);
    write_text(ff_model_posture_name(model, posture), out);
  }
}

// A light card under the robot keeps dark robots readable on dark pages.
static void write_head(const ff_model *model, int posture, const ffi_svg_scene *scene, const ffi_view *view,
                       FILE *out)
{
  const int u = FFI_PATH_UNITS, width = (int)view->width, height = (int)view->height;
  fprintf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
      "<title>",
      width, height, u * width, u * height);
  write_caption(model, posture, out);
  fputs("</title>\n<defs>\n"
        "<linearGradient id=\"card\" x2=\"0\" y2=\"1\"><stop stop-color=\"#f7f9fb\"/><stop offset=\"1\" "
        "stop-color=\"#e6ebf0\"/></linearGradient>\n",
        out);
  if (scene->has_ground)
    ffi_ground_write_defs(view, out);
  fprintf(out,
          "</defs>\n<rect x=\"5\" y=\"5\" width=\"%d\" height=\"%d\" rx=\"140\" fill=\"url(#card)\" "
          "stroke=\"#cbd3dc\" stroke-width=\"10\"/>\n",
          u * width - 10, u * height - 10);
}

static void write_foot(const ff_model *model, int posture, const ffi_svg_scene *scene, const ffi_view *view,
                       FILE *out)
{
  const int u = FFI_PATH_UNITS, y = u * ((int)view->height - 14);
  fprintf(out, "<g font-family=\"sans-serif\" font-size=\"125\" fill=\"#6b7785\">\n<text x=\"160\" y=\"%d\">",
          y);
  write_caption(model, posture, out);
  fputs("</text>\n", out);
  if (scene->has_ground)
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">grid %g m</text>\n",
            u * ((int)view->width - 16), y, ffi_ground_spacing(view));
  fputs("</g>\n</svg>\n", out);
}

static void write_contact_points(const ffi_svg_scene *scene, const ffi_view *view, FILE *out)
{
  if (scene->point_count == 0)
    return;
  fputs("<g fill=\"#e5383b\" stroke=\"#fff\" stroke-width=\"12\">\n", out);
  for (int i = 0; i < scene->point_count; ++i) {
    double at[3];
    ffi_view_project(view, scene->points + 3 * i, at);
    fprintf(out, "<circle class=\"contact\" cx=\"%d\" cy=\"%d\" r=\"36\"/>\n", ffi_svg_path_units(at[0]),
            ffi_svg_path_units(at[1]));
  }
  fputs("</g>\n", out);
}

// ---- Faces ------------------------------------------------------------------------------------------------

// Faces of one colour that follow each other in one path, each with a stroke of its own colour: without it the page
// shines through where two faces meet.
static int write_fills(const ffi_face *faces, int count, double opacity, FILE *out)
{
  const unsigned colour = faces[0].colour;
  ffi_path path;
  int f = 0;
  ffi_svg_path_begin(&path, out);
  for (; f < count && faces[f].colour == colour; ++f) {
    for (int i = 0; i < faces[f].count; ++i)
      (i ? ffi_svg_path_line : ffi_svg_path_move)(&path, faces[f].corners[i].at[0],
                                                  faces[f].corners[i].at[1]);
    ffi_svg_path_close(&path);
  }
  if (opacity < 1)
    fprintf(out, "\" fill=\"#%06x\" fill-opacity=\"%d%%\" stroke=\"none\"/>\n", colour,
            (int)(100 * opacity + 0.5));
  else
    fprintf(out, "\" fill=\"#%06x\" stroke=\"#%06x\"/>\n", colour, colour);
  return f;
}

static int has_outline(const ffi_face *faces, int count)
{
  for (int f = 0; f < count; ++f) {
    for (int i = 0; i < faces[f].count; ++i) {
      if (faces[f].corners[i].is_outline)
        return 1;
    }
  }
  return 0;
}

static void add_outline(const ffi_face *face, ffi_path *path)
{
  const int n = face->count;
  int start = 0; // begin where a line begins, so that none is torn
  while (start < n && !(face->corners[start].is_outline && !face->corners[(start + n - 1) % n].is_outline))
    ++start;
  int pen_is_down = 0;
  for (int k = 0; k < n; ++k) {
    const ffi_corner *a = &face->corners[(start + k) % n], *b = &face->corners[(start + k + 1) % n];
    if (a->is_outline && !pen_is_down)
      ffi_svg_path_move(path, a->at[0], a->at[1]);
    if (a->is_outline)
      ffi_svg_path_line(path, b->at[0], b->at[1]);
    pen_is_down = a->is_outline;
  }
}

// Edges and silhouette, in a darker tone.
static void write_outlines(const ffi_face *faces, int count, const double rgba[4], FILE *out)
{
  ffi_path path;
  unsigned colour = 0;
  if (!has_outline(faces, count))
    return;
  for (int k = 0; k < 3; ++k)
    colour = colour << 8 | (unsigned)(255 * fmin(fmax(0.42 * rgba[k] + 0.02, 0), 1));
  ffi_svg_path_begin(&path, out);
  for (int f = 0; f < count; ++f)
    add_outline(&faces[f], &path);
  fprintf(out, "\" fill=\"none\" stroke=\"#%06x\"/>\n", colour);
}

static void write_faces(const ffi_svg_scene *scene, const ffi_faces *faces, FILE *out)
{
  fputs("<g stroke-width=\"8\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n", out);
  for (int i = 0, end; i < faces->count; i = end) {
    const ffi_solid *solid = &scene->solids[faces->list[i].solid];
    for (end = i; end < faces->count && faces->list[end].solid == faces->list[i].solid;)
      ++end;
    for (int f = i; f < end;)
      f += write_fills(&faces->list[f], end - f, solid->rgba[3], out);
    write_outlines(&faces->list[i], end - i, solid->rgba, out);
  }
  fputs("</g>\n", out);
}

// ---- The file ---------------------------------------------------------------------------------------------

static void write_all(const ff_model *model, int posture, const ffi_svg_scene *scene, const ffi_view *view,
                      FILE *out)
{
  ffi_faces faces = ffi_painter_paint(scene, view);
  write_head(model, posture, scene, view, out);
  if (scene->has_ground)
    ffi_ground_write(scene, view, out);
  write_faces(scene, &faces, out);
  write_contact_points(scene, view, out);
  write_foot(model, posture, scene, view, out);
  ffi_faces_free(&faces);
}

static void go_to_posture(const ff_model *model, int posture, ff_dynamics *dynamics)
{
  const size_t nq = (size_t)ff_model_get_size(model).nq;
  double *q = ffi_need_memory(NULL, nq * sizeof *q);
  if (posture >= 0)
    memcpy(q, ff_model_posture(model, posture), nq * sizeof *q);
  else
    ff_model_neutral(model, q);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  free(q);
}

int ffi_svg_write(const ff_model *model, int posture, FILE *out)
{
  ff_dynamics_def def = ff_dynamics_def_default();
  ff_dynamics *dynamics;
  ff_error error;
  def.isa = FF_ISA_BASE; // the same picture on every machine
  if (ff_dynamics_create(model, &def, &dynamics, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    return 0;
  }
  go_to_posture(model, posture, dynamics);
  ffi_svg_scene scene = ffi_svg_scene_create(model, dynamics, 0); // coarse, to see how large it is
  ffi_view view = ffi_view_choose(&scene);
  const int is_drawable = isfinite(view.pixels_per_metre) && view.pixels_per_metre > 0;
  if (is_drawable) {
    ffi_svg_scene_free(&scene);
    scene = ffi_svg_scene_create(model, dynamics, view.pixels_per_metre);
    view = ffi_view_choose(&scene);
    write_all(model, posture, &scene, &view, out);
  } else {
    ffi_complain("'%s' is too large to be drawn", ff_model_name(model));
  }
  ffi_svg_scene_free(&scene);
  ff_dynamics_destroy(dynamics);
  return is_drawable;
}
