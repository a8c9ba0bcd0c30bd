// The linkage as text, and its closed-form motion.
#include "support/four_bar.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

const ffi_four_bar ffi_four_bar_leaning = {.frame = 1,
                                           .reach = 0.3,
                                           .drop = 0.4,
                                           .bar = 0.5,
                                           .rod = 0.8,
                                           .joint_damping = 0.5,
                                           .stiffness = 1e5,
                                           .damping = 100,
                                           .torque_scale = 0.5};

enum { TEXT = 8192 };

typedef struct text {
  char *data;
  int used, room;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  t->used += vsnprintf(t->data + t->used, (size_t)(t->room - t->used), format, list);
  va_end(list);
  assert_true(t->used < t->room);
}

static double rod_length(const ffi_four_bar *l)
{
  return l->frame - 2 * l->reach;
}

// One bar: hung at (x, z) of its parent, its other end at (dx, dz) of its own.
typedef struct bar {
  const char *name, *parent; // the world's is NULL
  double x, z, dx, dz, mass;
} bar;

static int list_bars(const ffi_four_bar *l, bar out[4])
{
  const double half = l->frame / 2, piece = rod_length(l) / (l->is_weld ? 2 : 1);
  const double rod = l->is_weld ? l->rod / 2 : l->rod;
  int n = 0;
  out[n++] = (bar){"left", NULL, -half, 0, l->reach, -l->drop, l->bar};
  out[n++] = (bar){"rod", "left", l->reach, -l->drop, piece, 0, rod};
  out[n++] = (bar){"right", NULL, half, 0, -l->reach, -l->drop, l->bar};
  if (l->is_weld)
    out[n++] = (bar){"rest", "right", -l->reach, -l->drop, -piece, 0, rod};
  return n;
}

// About its centre, the same about all axes: only y matters.
static double moment(const bar *b)
{
  return b->mass * (b->dx * b->dx + b->dz * b->dz) / 12;
}

// ---- MJCF -------------------------------------------------------------------------------------------------

static void put_body(const ffi_four_bar *l, const bar *bars, int count, int i, text *t)
{
  const bar *b = &bars[i];
  const double I = moment(b);
  put(t, "<body name='%s' pos='%.17g 0 %.17g'><joint name='%s' axis='0 1 0' damping='%.17g'/>\n", b->name,
      b->x, b->z, b->name, l->joint_damping);
  put(t, "<inertial pos='%.17g 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n", b->dx / 2,
      b->dz / 2, b->mass, I, I, I);
  for (int k = 0; k < count; ++k)
    if (bars[k].parent && strcmp(bars[k].parent, b->name) == 0)
      put_body(l, bars, count, k, t);
  put(t, "</body>\n");
}

static void write_mjcf(const ffi_four_bar *l, text *t)
{
  bar bars[4];
  const int count = list_bars(l, bars);
  put(t, "<mujoco model='four_bar'>\n<worldbody>\n");
  for (int i = 0; i < count; ++i)
    if (!bars[i].parent)
      put_body(l, bars, count, i, t);
  put(t, "</worldbody>\n");
  if (l->stiffness > 0) {
    put(t, "<equality>");
    if (l->is_weld)
      put(t, "<weld name='loop' body1='rod' body2='rest' anchor='%.17g 0 0' torquescale='%.17g'", bars[3].dx,
          l->torque_scale);
    else
      put(t, "<connect name='loop' body1='rod' body2='right' anchor='%.17g 0 0'", bars[1].dx);
    put(t, " solref='-%.17g -%.17g'/></equality>\n", l->stiffness, l->damping);
  }
  put(t, "</mujoco>\n");
}

// ---- URDF -------------------------------------------------------------------------------------------------

static void write_urdf(const ffi_four_bar *l, text *t)
{
  bar bars[4];
  const int count = list_bars(l, bars);
  put(t, "<robot name='four_bar'>\n<link name='world'/>\n");
  for (int i = 0; i < count; ++i) {
    const bar *b = &bars[i];
    const double I = moment(b);
    put(t, "<link name='%s'><inertial><origin xyz='%.17g 0 %.17g'/><mass value='%.17g'/>", b->name, b->dx / 2,
        b->dz / 2, b->mass);
    put(t, "<inertia ixx='%.17g' iyy='%.17g' izz='%.17g'/></inertial></link>\n", I, I, I);
    put(t, "<joint name='%s' type='continuous'><origin xyz='%.17g 0 %.17g'/><parent link='%s'/>", b->name,
        b->x, b->z, b->parent ? b->parent : "world");
    put(t, "<child link='%s'/><axis xyz='0 1 0'/><dynamics damping='%.17g'/></joint>\n", b->name,
        l->joint_damping);
  }
  if (l->stiffness > 0) {
    const double squared = l->torque_scale * l->torque_scale;
    put(t,
        "<footfall><element name='loop' type='%s' a='rod' a_xyz='%.17g 0 0' stiffness='%.17g' damping='%.17g'",
        l->is_weld ? "weld" : "point", bars[1].dx, l->stiffness, l->damping);
    if (l->is_weld)
      put(t, " b='rest' b_xyz='%.17g 0 0' angular_stiffness='%.17g' angular_damping='%.17g'", bars[3].dx,
          squared * l->stiffness, squared * l->damping);
    else
      put(t, " b='right' b_xyz='%.17g 0 %.17g'", bars[2].dx, bars[2].dz);
    put(t, "/></footfall>\n");
  }
  put(t, "</robot>\n");
}

// ---- Reading ----------------------------------------------------------------------------------------------

void ffi_four_bar_text(const ffi_four_bar *l, ffi_four_bar_format format, char *out, int room)
{
  text t = {.data = out, .room = room};
  if (format == FFI_FOUR_BAR_MJCF)
    write_mjcf(l, &t);
  else
    write_urdf(l, &t);
}

ff_model *ffi_four_bar_load(const ffi_four_bar *l, ffi_four_bar_format format)
{
  char data[TEXT];
  ff_model *model;
  ff_error error;
  ffi_four_bar_text(l, format, data, TEXT);
  if (ff_model_load_memory(data, strlen(data), "four_bar", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  if (ff_model_get_size(model).warnings > 0)
    fail_msg("%s", ff_model_warning(model, 0));
  return model;
}

ff_element_def ffi_four_bar_loop(const ffi_four_bar *l, const ff_model *model)
{
  bar bars[4];
  list_bars(l, bars);
  ff_element_def loop = ff_element_def_default();
  loop.name = "loop";
  loop.type = l->is_weld ? FF_ELEMENT_WELD : FF_ELEMENT_POINT;
  loop.stiffness = l->stiffness;
  loop.damping = l->damping;
  loop.a.frame = ff_model_find_frame(model, "rod");
  loop.a.offset[0] = bars[1].dx;
  loop.b.frame = ff_model_find_frame(model, l->is_weld ? "rest" : "right");
  loop.b.offset[0] = l->is_weld ? bars[3].dx : bars[2].dx;
  loop.b.offset[2] = l->is_weld ? 0 : bars[2].dz;
  if (l->is_weld) {
    loop.angular_stiffness = l->torque_scale * l->torque_scale * l->stiffness;
    loop.angular_damping = l->torque_scale * l->torque_scale * l->damping;
  }
  return loop;
}
