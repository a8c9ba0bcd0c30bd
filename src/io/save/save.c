// Models are saved as URDF or MJCF: the whole, and what both formats share.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // uselocale, open_memstream
#endif

#include "io/save/save.h"

#include "base/fail.h"
#include "math/quaternion.h"

#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- Attributes -----------------------------------------------------------------------------------------------------

void ffi_save_note(ffi_save *s, const char *format, ...)
{
  char text[4096]; // names have at most 1024 bytes
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(s->notes, "%s\n", text);
  ++s->note_count;
}

void ffi_save_text(ffi_save *s, const char *name, const char *text)
{
  if (!text)
    return;
  fprintf(s->out, " %s=\"", name);
  for (; *text; ++text) {
    switch (*text) {
    case '&': fputs("&amp;", s->out); break;
    case '<': fputs("&lt;", s->out); break;
    case '>': fputs("&gt;", s->out); break;
    case '"': fputs("&quot;", s->out); break;
    default: fputc(*text, s->out);
    }
  }
  fputc('"', s->out);
}

static void put_number(FILE *out, double x)
{
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, x + 0.0);
    if (strtod(text, NULL) == x)
      break;
  }
  fputs(text, out);
}

void ffi_save_numbers(ffi_save *s, const char *name, const double *x, int count)
{
  fprintf(s->out, " %s=\"", name);
  for (int i = 0; i < count; ++i) {
    fputs(i > 0 ? " " : "", s->out);
    put_number(s->out, x[i]);
  }
  fputc('"', s->out);
}

void ffi_save_number(ffi_save *s, const char *name, double x)
{
  ffi_save_numbers(s, name, &x, 1);
}

void ffi_save_unless(ffi_save *s, const char *name, double x, double usual)
{
  if (x != usual)
    ffi_save_number(s, name, x);
}

// ---- Frames ---------------------------------------------------------------------------------------------------------

static ff_pose pose_of(const ffi_save *s, int frame)
{
  ff_pose pose;
  double R[9];
  ff_dynamics_frame_pose(s->neutral, frame, pose.position, R);
  ffi_quat_from_matrix(R, pose.quaternion);
  return pose;
}

ff_pose ffi_save_frame(const ffi_save *s, int frame)
{
  ff_frame_info info;
  ff_link_info link;
  const ff_pose pose = pose_of(s, frame);
  ff_model_frame(s->model, frame, &info);
  if (ff_model_link(s->model, info.link, &link) != FF_OK)
    return pose;
  const ff_pose at = pose_of(s, link.frame), back = ff_pose_inverse(&at);
  return ff_pose_compose(&back, &pose);
}

const char *ffi_save_frame_name(const ffi_save *s, int frame)
{
  ff_frame_info info;
  return ff_model_frame(s->model, frame, &info) == FF_OK ? info.name : "world";
}

int ffi_save_is_frame(const ffi_save *s, int frame)
{
  ff_frame_info info;
  ff_link_info link;
  if (frame == 0 || ff_model_frame(s->model, frame, &info) != FF_OK)
    return 0;
  return ff_model_link(s->model, info.link, &link) != FF_OK || link.frame != frame;
}

// ---- The whole ------------------------------------------------------------------------------------------------------

// Numbers have points, not commas, whatever the program's locale.
static void write_all(ffi_save *s, ff_model_format format)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
  if (format == FF_MODEL_URDF)
    ffi_save_urdf(s);
  else
    ffi_save_mjcf(s);
  uselocale(before);
  freelocale(plain);
}

static ff_status stand_neutral(ffi_save *s, ff_error *error)
{
  double *q = malloc(((size_t)s->size.nq + 1) * sizeof *q);
  ff_status status = q ? ff_dynamics_create(s->model, NULL, &s->neutral, error)
                       : ffi_fail(error, FF_ERROR_MEMORY, s->path, 0, NULL, "no memory to write it");
  if (status == FF_OK) {
    ff_model_neutral(s->model, q);
    ff_dynamics_kinematics(s->neutral, q, NULL, NULL);
  }
  free(q);
  return status;
}

ff_status ff_model_save_text(const ff_model *model, ff_model_format format, const char *path, ff_saved *out,
                             ff_error *error)
{
  size_t notes_length = 0;
  if (!model || !path || !out || (format != FF_MODEL_URDF && format != FF_MODEL_MJCF))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_model_save_text",
                    "the model, the path or the text buffer is NULL, or the format is unknown");
  *out = (ff_saved){0};
  ffi_save s = {.model = model, .size = ff_model_get_size(model), .path = path, .saved = out};
  ff_status status = stand_neutral(&s, error);
  if (status != FF_OK)
    return status;
  s.out = open_memstream(&out->text, &out->length);
  s.notes = open_memstream(&out->notes, &notes_length);
  int is_whole = s.out && s.notes;
  if (is_whole)
    write_all(&s, format);
  is_whole = is_whole && !ferror(s.out) && !ferror(s.notes) && !s.has_failed;
  if (s.out && fclose(s.out) != 0)
    is_whole = 0;
  if (s.notes && fclose(s.notes) != 0)
    is_whole = 0;
  ff_dynamics_destroy(s.neutral);
  out->note_count = s.note_count;
  if (is_whole)
    return FF_OK;
  ff_saved_free(out);
  return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to write it");
}

void ff_saved_free(ff_saved *saved)
{
  if (!saved)
    return;
  free(saved->text);
  free(saved->notes);
  for (int i = 0; i < saved->mesh_count; ++i) {
    free(saved->meshes[i].path);
    free(saved->meshes[i].text);
  }
  free(saved->meshes);
  *saved = (ff_saved){0};
}

int ffi_save_next_link(const ffi_save *s, int at)
{
  ff_link_info link;
  int parent = at, from = at < 0 ? 0 : at + 1;
  for (;;) {
    for (int i = from; ff_model_link(s->model, i, &link) == FF_OK; ++i)
      if (link.parent == parent)
        return i;
    if (parent < 0)
      return -1;
    from = parent + 1;
    ff_model_link(s->model, parent, &link);
    parent = link.parent;
  }
}
