// <contact> of MJCF: exclusions and listed pairs of a model.
#include "io/save/save.h"

#include <footfall/collision.h>

#include <string.h>

// Shapes may share a name, geoms may not: the first gets it.
static int is_first_of_name(const ffi_save *s, int shape, const char *name)
{
  ff_shape_info other;
  for (int i = 0; i < shape; ++i)
    if (ff_model_shape(s->model, i, &other) == FF_OK && other.def.name && strcmp(other.def.name, name) == 0)
      return 0;
  return 1;
}

static int is_paired(const ffi_save *s, int shape)
{
  ff_shape_pair pair;
  for (int i = 0; ff_model_pair(s->model, i, &pair) == FF_OK; ++i)
    if (pair.a == shape || pair.b == shape)
      return 1;
  return 0;
}

static int is_name_of_shape(const ffi_save *s, const char *name)
{
  ff_shape_info other;
  for (int i = 0; ff_model_shape(s->model, i, &other) == FF_OK; ++i)
    if (other.def.name && strcmp(other.def.name, name) == 0)
      return 1;
  return 0;
}

const char *ffi_save_mjcf_contact_geom(const ffi_save *s, int shape, const char *given, char made[64])
{
  if (given && *given && is_first_of_name(s, shape, given))
    return given;
  if (!is_paired(s, shape))
    return NULL;
  size_t length = (size_t)snprintf(made, 64, "shape%d", shape);
  while (is_name_of_shape(s, made) && length < 62)
    memcpy(made + length++, "_", 2);
  return made;
}

// A link that is not written has no shapes, so it needs no exclusion.
static const char *body_of(const ffi_save *s, int link)
{
  ff_link_info info;
  return ff_model_link(s->model, link, &info) == FF_OK ? info.name : "world";
}

static void open_section(ffi_save *s, int *is_open)
{
  if (!*is_open)
    fputs("  <contact>\n", s->out);
  *is_open = 1;
}

static void put_exclude(ffi_save *s, int a, int b, int *is_open)
{
  open_section(s, is_open);
  fputs("    <exclude", s->out);
  ffi_save_text(s, "body1", body_of(s, a));
  ffi_save_text(s, "body2", body_of(s, b));
  fputs("/>\n", s->out);
}

static void put_pair(ffi_save *s, const ff_shape_pair *pair, int *is_open)
{
  char name[64];
  ff_shape_info shape;
  open_section(s, is_open);
  fputs("    <pair", s->out);
  for (int k = 0; k < 2; ++k) {
    const int id = k ? pair->b : pair->a;
    ff_model_shape(s->model, id, &shape);
    ffi_save_text(s, k ? "geom2" : "geom1", ffi_save_mjcf_contact_geom(s, id, shape.def.name, name));
  }
  if (pair->friction >= 0) {
    const double friction[2] = {pair->friction, pair->friction};
    ffi_save_numbers(s, "friction", friction, 2);
  }
  fputs("/>\n", s->out);
}

static int is_fixed(const ffi_save *s, int link)
{
  ff_link_info info;
  return ff_model_link(s->model, link, &info) != FF_OK || info.joint < 0;
}

// In MuJoCo a base that is fixed in the world collides with what it carries: where the model spares it, it takes
// exclusions. Shapes of one link mostly follow each other, so few are written twice.
static void put_bases(ffi_save *s, int *is_open)
{
  ff_shape_info a, b;
  int last[2] = {-2, -2};
  if (ff_model_parent_rule(s->model) != FF_PARENT_SPARED)
    return;
  for (int i = 0; ff_model_shape(s->model, i, &a) == FF_OK; ++i) {
    if (a.link < 0 || !is_fixed(s, a.link))
      continue;
    for (int k = 0; ff_model_shape(s->model, k, &b) == FF_OK; ++k) {
      if (is_fixed(s, b.link) || ff_model_collision(s->model, i, k, 1) != FF_COLLISION_PARENT)
        continue;
      if (a.link != last[0] || b.link != last[1])
        put_exclude(s, a.link, b.link, is_open);
      last[0] = a.link;
      last[1] = b.link;
    }
  }
}

void ffi_save_mjcf_contact(ffi_save *s)
{
  ff_shape_pair pair;
  ff_link_info info;
  int links[2], is_open = 0, own = 0;
  for (int i = 0; ff_model_exclusion(s->model, i, links) == FF_OK; ++i) {
    const int is_written = (links[0] < 0 || !ffi_save_mjcf_is_passed_on(s, links[0])) &&
                           ff_model_link(s->model, links[1], &info) == FF_OK &&
                           !ffi_save_mjcf_is_passed_on(s, links[1]);
    if (is_written)
      put_exclude(s, links[0], links[1], &is_open);
  }
  put_bases(s, &is_open);
  for (int i = 0; ff_model_pair(s->model, i, &pair) == FF_OK; ++i) {
    put_pair(s, &pair, &is_open);
    own += pair.stiffness > 0 || pair.damping >= 0;
  }
  if (is_open)
    fputs("  </contact>\n", s->out);
  if (own > 0)
    ffi_save_note(s, "stiffness and damping of %d pairs of shapes are left out; MJCF has none", own);
}
