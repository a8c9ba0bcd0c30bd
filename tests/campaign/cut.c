// The cuts, largest first: links with all behind them, shapes, ground, elements, options, steps, then plainer numbers.
#include "campaign/cut.h"

#include <math.h>
#include <string.h>

// ---- Links --------------------------------------------------------------------------------------------------

static int has_ancestor(const ffi_recipe *r, int link, int ancestor)
{
  while (link != FF_WORLD && link != ancestor)
    link = r->links[link].parent;
  return link == ancestor;
}

// Drop a tendon, with what acts on it.
static int drop_tendon(ffi_recipe *r, int i)
{
  int elements = 0;
  if (i >= r->tendon_count)
    return 0;
  for (int k = 0; k < r->element_count; ++k) {
    ffi_recipe_element e = r->elements[k];
    if (e.tendon == 1 + i || e.leader_tendon == 1 + i)
      continue;
    e.tendon -= e.tendon > 1 + i;
    e.leader_tendon -= e.leader_tendon > 1 + i;
    r->elements[elements++] = e;
  }
  for (int k = i + 1; k < r->tendon_count; ++k)
    r->tendons[k - 1] = r->tendons[k];
  r->element_count = elements;
  r->tendon_count -= 1;
  return 1;
}

// Tendons of links that go, go too; those that stay get the new numbers.
static void keep_tendons(const int *keep, const int *number, ffi_recipe *r)
{
  for (int i = r->tendon_count - 1; i >= 0; --i) {
    ffi_recipe_tendon *t = &r->tendons[i];
    int is_whole = 1;
    for (int k = 0; k < t->count; ++k)
      is_whole &= keep[t->links[k]];
    if (!is_whole)
      drop_tendon(r, i);
    else
      for (int k = 0; k < t->count; ++k)
        t->links[k] = number[t->links[k]];
  }
}

// Keep the links with keep[i]; shapes, tendons and elements of the others go with them.
static int keep_links(const int *keep, ffi_recipe *r)
{
  int number[FFI_RECIPE_LINKS], count = 0, moving = 0, shapes = 0, elements = 0;
  for (int i = 0; i < r->link_count; ++i) {
    number[i] = keep[i] ? count++ : FF_WORLD;
    moving += keep[i] && r->links[i].type != FF_JOINT_FIXED;
  }
  if (moving == 0 || count == r->link_count)
    return 0;
  for (int i = 0; i < r->link_count; ++i)
    if (keep[i]) {
      r->links[number[i]] = r->links[i];
      const int parent = r->links[i].parent;
      r->links[number[i]].parent = parent == FF_WORLD ? FF_WORLD : number[parent];
    }
  for (int i = 0; i < r->shape_count; ++i)
    if (r->shapes[i].link == FF_WORLD || keep[r->shapes[i].link]) {
      r->shapes[shapes] = r->shapes[i];
      const int link = r->shapes[shapes].link;
      r->shapes[shapes++].link = link == FF_WORLD ? FF_WORLD : number[link];
    }
  keep_tendons(keep, number, r);
  for (int i = 0; i < r->element_count; ++i) {
    ffi_recipe_element e = r->elements[i];
    if (!keep[e.a] || (e.b != FF_WORLD && !keep[e.b]))
      continue;
    e.a = number[e.a];
    e.b = e.b == FF_WORLD ? FF_WORLD : number[e.b];
    r->elements[elements++] = e;
  }
  r->link_count = count;
  r->shape_count = shapes;
  r->element_count = elements;
  return 1;
}

static int drop_branch(ffi_recipe *r, int i)
{
  int keep[FFI_RECIPE_LINKS];
  for (int k = 0; k < r->link_count; ++k)
    keep[k] = !has_ancestor(r, k, i);
  return i < r->link_count && keep_links(keep, r);
}

// A link alone with what is behind it, held by its joint to the world or, if that was fixed, free.
static int keep_branch(ffi_recipe *r, int i)
{
  int keep[FFI_RECIPE_LINKS];
  if (i >= r->link_count)
    return 0;
  for (int k = 0; k < r->link_count; ++k)
    keep[k] = has_ancestor(r, k, i);
  const int is_root = r->links[i].parent == FF_WORLD;
  r->links[i].parent = FF_WORLD;
  return keep_links(keep, r) || !is_root;
}

// ---- Lists --------------------------------------------------------------------------------------------------

static int drop_entry(void *list, size_t size, int *count, int i)
{
  if (i >= *count)
    return 0;
  char *at = (char *)list + size * (size_t)i;
  memmove(at, at + size, size * (size_t)(*count - i - 1));
  *count -= 1;
  return 1;
}

static int plain_ground(ffi_recipe *r)
{
  const int had = r->ground_count > 0;
  if (had)
    r->ground_count = -1;
  return had;
}

// ---- Numbers ------------------------------------------------------------------------------------------------

static int set(double *x, double value)
{
  const int is_other = *x != value && !(isnan(*x) && isnan(value));
  *x = value;
  return is_other;
}

static int set_all(double *x, int count, double value)
{
  int changed = 0;
  for (int i = 0; i < count; ++i)
    changed |= set(&x[i], value);
  return changed;
}

// To two digits.
static int round_all(double *x, int count)
{
  int changed = 0;
  for (int i = 0; i < count; ++i)
    if (x[i] != 0 && isfinite(x[i])) {
      const double unit = pow(10, floor(log10(fabs(x[i]))) - 1);
      changed |= set(&x[i], unit < 1 ? round(x[i] / unit) / (1 / unit) : round(x[i] / unit) * unit);
    }
  return changed;
}

static int straighten(ff_pose *pose)
{
  return set_all(pose->quaternion, 3, 0) | set(&pose->quaternion[3], 1);
}

// One of the eight extras of a joint.
static int plain_joint(ffi_recipe_link *l, int which)
{
  int had;
  switch (which) {
  case 0:
    had = l->has_limits;
    l->has_limits = 0;
    return had;
  case 1:
    had = l->has_servo;
    l->has_servo = 0;
    return had;
  case 2: return set(&l->damping, 0);
  case 3: return set(&l->friction, 0);
  case 4: return set(&l->armature, 0);
  case 5: return set(&l->stiffness, 0);
  case 6: return set(&l->tau, 0);
  default: return l->type != FF_JOINT_FREE && straighten(&l->pose);
  }
}

// The mass at the link's origin, a ball of the same largest moment.
static int plain_inertia(ff_inertia *inertia)
{
  const double most = fmax(inertia->matrix[0], fmax(inertia->matrix[3], inertia->matrix[5]));
  const double matrix[6] = {most, 0, 0, most, 0, most};
  int changed = set_all(inertia->com, 3, 0);
  for (int k = 0; k < 6; ++k)
    changed |= set(&inertia->matrix[k], matrix[k]);
  return changed;
}

static int plain_start(ffi_recipe_link *l)
{
  if (l->type == FF_JOINT_FREE)
    return straighten(&l->pose) | set_all(l->q + 3, 3, 0) | set(&l->q[6], 1);
  const int changed = set_all(l->q, 3, 0);
  return l->type == FF_JOINT_SPHERICAL ? changed | set(&l->q[3], 1) : changed;
}

static int plain_material(ff_material *m, int which)
{
  switch (which) {
  case 0: return set(&m->restitution, 0) | set(&m->tangential_restitution, 0);
  case 1: return set(&m->friction, 0);
  case 2: return set(&m->damping, 0);
  default: return round_all(&m->stiffness, 1) | round_all(&m->damping, 1) | round_all(&m->friction, 1);
  }
}

static int plain_shape(ffi_recipe_shape *s)
{
  const int was_other = s->type != FF_SHAPE_SPHERE;
  s->type = FF_SHAPE_SPHERE;
  return was_other;
}

static int round_link(ffi_recipe_link *l)
{
  int changed =
      round_all(&l->inertia.mass, 1) | round_all(l->inertia.com, 3) | round_all(l->pose.position, 3);
  if (l->type == FF_JOINT_FREE)
    changed |= round_all(l->q, 3);
  else if (l->type != FF_JOINT_SPHERICAL)
    changed |= round_all(l->q, 3);
  return changed | round_all(l->v, 6);
}

static int halve_steps(ffi_recipe *r, int place)
{
  const int before = r->steps;
  r->steps = place == 2 ? before / 2 : place == 1 ? before * 3 / 4 : before - 1;
  return place < 3 && r->steps > 0 && r->steps < before;
}

// ---- By number ----------------------------------------------------------------------------------------------

static int apply_to_link(int kind, int place, ffi_recipe *r)
{
  const int i = kind == 8 ? place / 8 : place;
  if (i >= r->link_count)
    return 0;
  switch (kind) {
  case 8: return plain_joint(&r->links[i], place % 8);
  case 9: return set_all(r->links[i].v, 6, 0);
  case 10: return plain_start(&r->links[i]);
  case 11: return plain_inertia(&r->links[i].inertia);
  default: return round_link(&r->links[i]);
  }
}

static int apply_to_shape(int kind, int place, ffi_recipe *r)
{
  const int i = kind == 13 ? place / 4 : place;
  if (i >= r->shape_count)
    return 0;
  ffi_recipe_shape *s = &r->shapes[i];
  switch (kind) {
  case 13: return plain_material(&s->material, place % 4);
  case 14: return s->link != FF_WORLD && plain_shape(s);
  case 15: return s->link != FF_WORLD && (straighten(&s->pose) | set_all(s->pose.position, 3, 0));
  default: return round_all(s->size, 3);
  }
}

// Nothing changes between steps.
static int keep_still(ffi_recipe *r, int place)
{
  int *period = place == 0 ? &r->reference_period : &r->ground_period;
  const int had = place < 2 && *period > 0;
  if (had)
    *period = 0;
  return had;
}

static int drop_servo(ffi_recipe_tendon *t)
{
  const int had = t->has_servo;
  t->has_servo = 0;
  return had;
}

static int apply_to_rest(int kind, int place, ffi_recipe *r)
{
  ffi_recipe_ground *ground = &r->grounds[place / 4 % FFI_RECIPE_GROUNDS];
  ffi_recipe_element *e = &r->elements[place % FFI_RECIPE_ELEMENTS];
  switch (kind) {
  case 17: return place / 4 < r->ground_count && plain_material(&ground->shape.material, place % 4);
  case 18: return place / 4 < r->ground_count && place % 4 == 0 && set_all(ground->velocity, 6, 0);
  case 19: return place < r->element_count && (set(&e->damping, 0) | set(&e->angular_damping, 0));
  case 20: return place < r->element_count && (round_all(&e->stiffness, 1) | round_all(&e->damping, 1));
  case 21: return place == 0 && round_all(&r->dt, 1);
  case 22: return place == 0 && set_all(r->gravity, 3, 0);
  case 23: return place == 0 && halve_steps(r, 0);
  case 24: return drop_tendon(r, place);
  case 25: return keep_still(r, place);
  default: return place < r->tendon_count && drop_servo(&r->tendons[place]);
  }
}

int ffi_cut_apply(int cut, ffi_recipe *r)
{
  const int kind = cut / FFI_CUT_PLACES, place = cut % FFI_CUT_PLACES;
  switch (kind) {
  case 0: return halve_steps(r, place);
  case 1: return drop_branch(r, place);
  case 2: return keep_branch(r, place);
  case 3: return drop_entry(r->shapes, sizeof r->shapes[0], &r->shape_count, place);
  case 4: return r->ground_count > 0 && drop_entry(r->grounds, sizeof r->grounds[0], &r->ground_count, place);
  case 5: return place == 0 && plain_ground(r);
  case 6: return drop_entry(r->elements, sizeof r->elements[0], &r->element_count, place);
  case 7: return drop_entry(r->options, sizeof r->options[0], &r->option_count, place);
  default: break;
  }
  if (kind >= FFI_CUT_KINDS)
    return 0;
  return kind <= 12   ? apply_to_link(kind, place, r)
         : kind <= 16 ? apply_to_shape(kind, place, r)
                      : apply_to_rest(kind, place, r);
}
