// Who collides, in <footfall>: exclusions, listed pairs, bit masks, parents.
#include "io/save/save.h"

static const char *name_of(const ffi_save *s, int link)
{
  ff_link_info info;
  return ff_model_link(s->model, link, &info) == FF_OK ? info.name : "world";
}

// The number of a collision shape among those of its link, as the reader of URDF counts: points after the others.
static int number_of(const ffi_save *s, int shape)
{
  ff_shape_info own, other;
  int number = 0;
  ff_model_shape(s->model, shape, &own);
  const int is_point = own.def.type == FF_SHAPE_POINT;
  for (int i = 0; ff_model_shape(s->model, i, &other) == FF_OK; ++i) {
    const int other_is_point = other.def.type == FF_SHAPE_POINT;
    if (other.link == own.link && (other.def.purpose & FF_SHAPE_COLLISION))
      number += other_is_point == is_point ? i < shape : other_is_point < is_point;
  }
  return number;
}

static void put_filters(ffi_save *s)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (!(shape.def.purpose & FF_SHAPE_COLLISION) || (shape.def.contype == 1 && shape.def.conaffinity == 1))
      continue;
    fputs("    <filter", s->out);
    ffi_save_text(s, "link", name_of(s, shape.link));
    fprintf(s->out, " collision=\"%d\" contype=\"%d\" conaffinity=\"%d\"/>\n", number_of(s, i),
            shape.def.contype, shape.def.conaffinity);
  }
}

static void put_pair(ffi_save *s, const ff_shape_pair *pair)
{
  ff_shape_info a, b;
  ff_model_shape(s->model, pair->a, &a);
  ff_model_shape(s->model, pair->b, &b);
  fputs("    <pair", s->out);
  ffi_save_text(s, "link1", name_of(s, a.link));
  fprintf(s->out, " collision1=\"%d\"", number_of(s, pair->a));
  ffi_save_text(s, "link2", name_of(s, b.link));
  fprintf(s->out, " collision2=\"%d\"", number_of(s, pair->b));
  ffi_save_unless(s, "friction", pair->friction, -1);
  ffi_save_unless(s, "stiffness", pair->stiffness, -1);
  ffi_save_unless(s, "damping", pair->damping, -1);
  fputs("/>\n", s->out);
}

void ffi_save_urdf_collision(ffi_save *s)
{
  static const char *const rules[] = {
      [FF_PARENT_SPARED] = "never", [FF_PARENT_FIXED] = "fixed", [FF_PARENT_COLLIDES] = "always"};
  const ff_parent_rule rule = ff_model_parent_rule(s->model);
  ff_shape_pair pair;
  int links[2];
  if (rule != FF_PARENT_SPARED)
    fprintf(s->out, "    <parents collide=\"%s\"/>\n", rules[rule]);
  put_filters(s);
  for (int i = 0; ff_model_exclusion(s->model, i, links) == FF_OK; ++i) {
    fputs("    <exclude", s->out);
    ffi_save_text(s, "link1", name_of(s, links[0]));
    ffi_save_text(s, "link2", name_of(s, links[1]));
    fputs("/>\n", s->out);
  }
  for (int i = 0; ff_model_pair(s->model, i, &pair) == FF_OK; ++i)
    put_pair(s, &pair);
}
