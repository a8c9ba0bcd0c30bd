// footfall info as text: the model's name, its tree, totals, warnings.
#include "cli/memory.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "command.h"
#include "info/info.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_WIDTH = 12 }; // of the column of words before the totals

typedef struct page {
  const ff_model *model;
  int is_verbose;
  const ffi_terminal *terminal;
  FILE *out;
} page;

int ffi_info_text_contact_points(const ff_model *model)
{
  const int count = ff_model_get_size(model).shapes;
  int points = 0;
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    points += shape.def.type == FF_SHAPE_POINT && (shape.def.purpose & FF_SHAPE_COLLISION);
  }
  return points;
}

// A sanitized copy of a text from a file; the caller frees it.
static char *sanitized(const page *p, const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = ffi_memory_need(NULL, size);
  memcpy(copy, text, size);
  ffi_text_sanitize(p->terminal, copy);
  return copy;
}

static const char *plural(int count)
{
  return count == 1 ? "" : "s";
}

static void print_total(const page *p, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void print_total(const page *p, const char *key, const char *format, ...)
{
  va_list list;
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_FAINT, p->out);
  fprintf(p->out, "%-*s", KEY_WIDTH, key);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  va_start(list, format);
  vfprintf(p->out, format, list);
  va_end(list);
  fputc('\n', p->out);
}

static void print_title(const page *p, const char *path)
{
  char *name = sanitized(p, ff_model_name(p->model)), *file = sanitized(p, path);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_STRONG, p->out);
  fputs(name, p->out);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  fprintf(p->out, "  %s\n\n", file);
  free(name);
  free(file);
}

static void count_joints(const ff_model *model, int *free_joints, int *fixed_joints)
{
  const int links = ff_model_get_size(model).links;
  *free_joints = *fixed_joints = 0;
  for (int i = 0; i < links; ++i) {
    ff_link_info link;
    ff_model_link(model, i, &link);
    *free_joints += link.joint_type == FF_JOINT_FREE;
    *fixed_joints += link.joint_type == FF_JOINT_FIXED;
  }
}

static void print_shapes(const page *p)
{
  const int count = ff_model_get_size(p->model).shapes, points = ffi_info_text_contact_points(p->model);
  int drawn = 0, touching = 0;
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(p->model, i, &shape);
    drawn += (shape.def.purpose & FF_SHAPE_VISUAL) != 0;
    touching += (shape.def.purpose & FF_SHAPE_COLLISION) != 0;
  }
  print_total(p, "shapes", "%d drawn, %d contact point%s, %d contact solid%s", drawn, points, plural(points),
              touching - points, plural(touching - points));
}

static void print_collisions(const page *p)
{
  char text[600];
  if (!ffi_info_collisions_text(p->model, text, sizeof text))
    return;
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_FAINT, p->out);
  fprintf(p->out, "%-*s", KEY_WIDTH, "collisions");
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, p->out);
}

// " of joint 'knee'", or of a tendon.
static size_t print_line(const ff_model *model, const char *word, int joint, int tendon, char *text,
                         size_t room)
{
  ff_tendon_info t;
  ff_joint_info j;
  if (ff_model_tendon(model, tendon, &t) == FF_OK)
    return (size_t)snprintf(text, room, "%s tendon '%s'", word, t.name);
  if (ff_model_joint(model, joint, &j) == FF_OK)
    return (size_t)snprintf(text, room, "%s joint '%s'", word, j.name);
  return (size_t)snprintf(text, room, "%s nothing", word);
}

// Does it move in metres? A tendon does if its first joint does.
static int is_along(const ff_model *model, int joint, int tendon)
{
  ff_tendon_info t;
  ff_joint_info j;
  if (ff_model_tendon(model, tendon, &t) == FF_OK)
    joint = t.joints[0];
  return ff_model_joint(model, joint, &j) == FF_OK && j.type == FF_JOINT_PRISMATIC;
}

// What a coupling follows, how much friction there is.
static size_t print_law(const ff_model *model, const ff_element_def *e, char *text, size_t room)
{
  size_t used = 0;
  if (e->type == FF_ELEMENT_JOINT_FRICTION)
    return (size_t)snprintf(text, room, ", %g %s", e->effort,
                            is_along(model, e->joint, e->tendon) ? "N" : "N m");
  if (e->type != FF_ELEMENT_COUPLING)
    return 0;
  used = print_line(model, " to", e->leader, e->leader_tendon, text, room);
  used += (size_t)snprintf(text + used, room - used, ": %g", e->polynomial[0]);
  for (int k = 1; k < 5; ++k)
    if (e->polynomial[k] != 0)
      used +=
          (size_t)snprintf(text + used, room - used, k == 1 ? " %+g x" : " %+g x^%d", e->polynomial[k], k);
  return used;
}

// "point 'loop' of 'rod' and 'rocker', 1e+06 N/m, 100 N s/m"
static void print_element(const page *p, const ff_element_def *e, int is_first)
{
  enum { ROOM = 8192 }; // three names of at most 1024 bytes, and words
  char *text = ffi_memory_need(NULL, ROOM);
  size_t used = (size_t)snprintf(text, ROOM, "%s", ff_element_type_name(e->type));
  int is_sliding = 1;
  if (e->name)
    used += (size_t)snprintf(text + used, ROOM - used, " '%s'", e->name);
  if (ff_element_type_is_joint(e->type) || e->type == FF_ELEMENT_COUPLING) {
    is_sliding = is_along(p->model, e->joint, e->tendon);
    used += print_line(p->model, " of", e->joint, e->tendon, text + used, ROOM - used);
    used += print_law(p->model, e, text + used, ROOM - used);
  } else {
    ff_frame_info a, b;
    ff_model_frame(p->model, e->a.frame, &a);
    ff_model_frame(p->model, e->b.frame, &b);
    used += (size_t)snprintf(text + used, ROOM - used, " of '%s' and '%s'", a.name, b.name);
  }
  if (e->stiffness > 0 || e->damping > 0)
    used += (size_t)snprintf(text + used, ROOM - used,
                             is_sliding ? ", %g N/m, %g N s/m" : ", %g N m/rad, %g N m s/rad", e->stiffness,
                             e->damping);
  if (e->type == FF_ELEMENT_WELD)
    snprintf(text + used, ROOM - used, ", %g N m/rad, %g N m s/rad", e->angular_stiffness,
             e->angular_damping);
  ffi_text_sanitize(p->terminal, text);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_FAINT, p->out);
  fprintf(p->out, "%-*s", KEY_WIDTH, is_first ? "elements" : "");
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, p->out);
  free(text);
}

// "grip = 1 left +1 right"
static void print_tendons(const page *p)
{
  ff_tendon_info t;
  for (int i = 0; ff_model_tendon(p->model, i, &t) == FF_OK; ++i) {
    const size_t room = FF_MAX_NAME + (size_t)t.count * (FF_MAX_NAME + 32) + 16;
    char *text = ffi_memory_need(NULL, room);
    size_t used = (size_t)snprintf(text, room, "%s =", t.name);
    for (int k = 0; k < t.count; ++k) {
      ff_joint_info joint;
      ff_model_joint(p->model, t.joints[k], &joint);
      used += (size_t)snprintf(text + used, room - used, k == 0 ? " %g %s" : " %+g %s", t.coefficients[k],
                               joint.name);
    }
    ffi_text_sanitize(p->terminal, text);
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_FAINT, p->out);
    fprintf(p->out, "%-*s", KEY_WIDTH, i == 0 ? "tendons" : "");
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
    ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, p->out);
    free(text);
  }
}

static void print_elements(const page *p)
{
  const int count = ff_model_get_size(p->model).elements;
  for (int i = 0; i < count; ++i) {
    ff_element_def element;
    ff_model_element(p->model, i, &element);
    print_element(p, &element, i == 0);
  }
}

static void print_postures(const page *p)
{
  const int count = ff_model_get_size(p->model).postures;
  size_t size = 16, used = 0;
  for (int i = 0; i < count; ++i)
    size += strlen(ff_model_posture_name(p->model, i)) + 2;
  char *text = ffi_memory_need(NULL, size);
  used = (size_t)snprintf(text, size, "%d%s", count, count ? ":" : "");
  for (int i = 0; i < count; ++i)
    used += (size_t)snprintf(text + used, size - used, " %s%s", ff_model_posture_name(p->model, i),
                             i + 1 < count ? "," : "");
  ffi_text_sanitize(p->terminal, text);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_FAINT, p->out);
  fprintf(p->out, "%-*s", KEY_WIDTH, "postures");
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, p->out);
  free(text);
}

// "3 links, 1.2 kg of weight carried".
static void print_gravity_compensation(const page *p)
{
  ff_link_info link;
  int count = 0;
  double mass = 0;
  for (int i = 0; ff_model_link(p->model, i, &link) == FF_OK; ++i) {
    count += link.gravity_compensation != 0;
    mass += link.gravity_compensation * link.inertia.mass;
  }
  if (count > 0)
    print_total(p, "gravcomp", "the weight of %.4g kg is carried, of %d link%s", mass, count, plural(count));
}

// One property of joints: "12 joints, 0.1 to 0.5 N m or N". `at`: where the number is in ff_joint_info.
static void print_property(const page *p, const char *key, size_t at, const char *unit)
{
  ff_joint_info joint;
  int count = 0;
  double least = INFINITY, most = 0;
  for (int i = 0; ff_model_joint(p->model, i, &joint) == FF_OK; ++i) {
    const double value = *(const double *)((const char *)&joint + at);
    if (!(value > 0))
      continue;
    ++count;
    least = fmin(least, value), most = fmax(most, value);
  }
  if (count > 0 && least == most)
    print_total(p, key, "%d joint%s, %.3g %s", count, plural(count), most, unit);
  else if (count > 0)
    print_total(p, key, "%d joints, %.3g to %.3g %s", count, least, most, unit);
}

static void print_passive(const page *p)
{
  print_property(p, "friction", offsetof(ff_joint_info, friction), "N m or N, dry");
  print_property(p, "damping", offsetof(ff_joint_info, damping), "N m s/rad or N s/m");
  print_property(p, "armature", offsetof(ff_joint_info, armature), "kg m^2 or kg");
}

static void print_totals(const page *p)
{
  const ff_model_size size = ff_model_get_size(p->model);
  double g[3];
  int free_joints, fixed_joints;
  count_joints(p->model, &free_joints, &fixed_joints);
  ff_model_gravity(p->model, g);
  print_total(p, "mass", ff_model_mass(p->model) < 0.1 ? "%.4g kg" : "%.3f kg", ff_model_mass(p->model));
  print_total(p, "motion", "%d velocit%s (nv), %d coordinate%s (nq), %d moving tree%s", size.nv,
              size.nv == 1 ? "y" : "ies", size.nq, plural(size.nq), size.roots, plural(size.roots));
  print_total(p, "joints", "%d actuated joint%s, %d free, %d fixed", size.actuated, plural(size.actuated),
              free_joints, fixed_joints);
  print_passive(p);
  print_total(p, "links", "%d link%s, %d frame%s with the world", size.links, plural(size.links), size.frames,
              plural(size.frames));
  print_shapes(p);
  print_collisions(p);
  if (size.actuators > 0)
    print_total(p, "actuators", "%d", size.actuators);
  print_tendons(p);
  print_elements(p);
  print_postures(p);
  print_total(p, "gravity", "%g %g %g m/s^2", g[0], g[1], g[2]);
  print_gravity_compensation(p);
}

// What a reader has ignored, and does not matter: these two lines come last.
static int is_harmless(const char *warning)
{
  return strstr(warning, "ignored settings of a simulator") ||
         strstr(warning, "ignored without effect on the motion");
}

static void print_warnings(const page *p)
{
  const int count = ff_model_get_size(p->model).warnings;
  int hidden = 0;
  for (int i = 0; i < count && !p->is_verbose; ++i)
    hidden += is_harmless(ff_model_warning(p->model, i));
  if (count == 0)
    return;
  fputc('\n', p->out);
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_WARNING, p->out);
  if (count > hidden)
    fprintf(p->out, "%d warning%s%s", count - hidden, plural(count - hidden), hidden > 0 ? "; " : "");
  ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
  if (hidden > 0)
    fprintf(p->out, "%d %s without effect on the motion: --verbose shows %s", hidden,
            count > hidden ? "more"
            : hidden > 1   ? "warnings"
                           : "warning",
            hidden > 1 ? "them" : "it");
  fputc('\n', p->out);
  for (int i = 0; i < count; ++i) {
    if (!p->is_verbose && is_harmless(ff_model_warning(p->model, i)))
      continue;
    char *text = sanitized(p, ff_model_warning(p->model, i));
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_WARNING, p->out);
    fputs("! ", p->out);
    ffi_terminal_set_style(p->terminal, FFI_TERMINAL_PLAIN, p->out);
    ffi_text_wrap(text, 2, 2, p->out);
    free(text);
  }
}

void ffi_info_text(const ff_model *model, const char *path, int is_verbose, const ffi_terminal *terminal,
                   FILE *out)
{
  const page p = {.model = model, .is_verbose = is_verbose, .terminal = terminal, .out = out};
  print_title(&p, path);
  ffi_info_tree(model, terminal, out);
  print_totals(&p);
  print_warnings(&p);
}
