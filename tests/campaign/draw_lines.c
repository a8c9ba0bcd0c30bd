// Draws what acts on sums of joints: tendons with springs, dampers, stops, dry friction and servos, couplings; and what
// changes between steps.
#include "campaign/draw.h"

#include <math.h>
#include <string.h>

// ---- Joints -------------------------------------------------------------------------------------------------

// The links whose joints have one coordinate, in a random order; returns how many.
static int list_single(ffi_random *random, const ffi_recipe *r, int *out)
{
  int count = 0;
  for (int i = 0; i < r->link_count; ++i)
    if (ffi_recipe_nv(r->links[i].type) == 1)
      out[count++] = i;
  for (int i = count - 1; i > 0; --i) {
    const int other = ffi_random_below(random, i + 1), kept = out[i];
    out[i] = out[other];
    out[other] = kept;
  }
  return count;
}

static ffi_recipe_element *next_element(ffi_recipe *r, ff_element_type type)
{
  if (r->element_count == FFI_RECIPE_ELEMENTS)
    return NULL;
  ffi_recipe_element *e = &r->elements[r->element_count++];
  memset(e, 0, sizeof *e);
  e->type = type;
  e->b = FF_WORLD;
  e->effort = (double)INFINITY;
  return e;
}

// ---- Tendons ------------------------------------------------------------------------------------------------

static void draw_weights(ffi_random *random, int is_wild, ffi_recipe_tendon *t)
{
  const double most = is_wild ? 10 : 2;
  for (int k = 0; k < t->count; ++k)
    t->weights[k] = (ffi_random_chance(random, 0.5) ? -1 : 1) * ffi_draw_log(random, 1 / most, most);
}

static void draw_tendon_servo(ffi_random *random, int is_wild, ffi_recipe_tendon *t)
{
  t->has_servo = ffi_random_chance(random, 0.3);
  t->gear = ffi_random_chance(random, 0.5) ? 1 : ffi_random_between(random, 0.2, 5);
  t->kp = ffi_draw_log(random, 0.1, is_wild ? 1e6 : 1e3) / (t->gear * t->gear);
  t->kv = ffi_random_chance(random, 0.3) ? 0 : t->kp * ffi_draw_log(random, 1e-3, 1);
  t->force_range = ffi_random_chance(random, 0.5) ? (double)INFINITY : ffi_draw_log(random, 1, 1e4);
}

// A spring, a stop, dry friction: each with some probability.
static void load_tendon(ffi_random *random, ffi_recipe *r, int tendon)
{
  static const ff_element_type types[] = {FF_ELEMENT_JOINT_PD, FF_ELEMENT_JOINT_LIMIT,
                                          FF_ELEMENT_JOINT_FRICTION};
  for (int i = 0; i < 3; ++i) {
    const int is_there = ffi_random_chance(random, 0.5);
    ffi_recipe_element *e = is_there ? next_element(r, types[i]) : NULL;
    if (!e)
      continue;
    e->tendon = 1 + tendon;
    e->a = r->tendons[tendon].links[0];
    e->stiffness =
        i == 2 && ffi_random_chance(random, 0.7) ? 0 : ffi_draw_log(random, 1, r->is_wild ? 1e6 : 1e3);
    e->damping = ffi_random_chance(random, 0.3) ? 0 : e->stiffness * ffi_draw_log(random, 1e-3, 0.3);
    e->reference = ffi_random_between(random, -0.5, 0.5);
    if (i == 2 || ffi_random_chance(random, 0.3))
      e->effort = ffi_draw_log(random, 0.01, r->is_wild ? 1e4 : 10);
    e->lower = ffi_random_between(random, -1.5, 0.2);
    e->upper = e->lower + ffi_random_between(random, 0, 2);
  }
}

static void draw_tendon(ffi_random *random, ffi_recipe *r)
{
  int single[FFI_RECIPE_LINKS];
  const int most = list_single(random, r, single);
  ffi_recipe_tendon *t = &r->tendons[r->tendon_count];
  memset(t, 0, sizeof *t);
  t->count = 1 + ffi_random_below(random, FFI_RECIPE_TENDON_LINKS);
  if (most == 0)
    return;
  t->count = t->count < most ? t->count : most;
  memcpy(t->links, single, (size_t)t->count * sizeof *single);
  draw_weights(random, r->is_wild, t);
  draw_tendon_servo(random, r->is_wild, t);
  load_tendon(random, r, r->tendon_count++);
}

// ---- Couplings ----------------------------------------------------------------------------------------------

static void draw_polynomial(ffi_random *random, int is_wild, double *polynomial)
{
  const double most = is_wild ? 10 : 3;
  const int degree = ffi_random_chance(random, 0.7) ? 1 : 1 + ffi_random_below(random, 4);
  polynomial[0] = ffi_random_between(random, -0.3, 0.3);
  polynomial[1] = (ffi_random_chance(random, 0.5) ? -1 : 1) * ffi_draw_log(random, 1 / most, most);
  for (int k = 2; k <= degree; ++k)
    polynomial[k] = ffi_random_between(random, -0.3, 0.3);
}

// The follower comes after its leader among the links, and follows one alone. Sometimes it is a tendon, or nothing
// leads.
static void draw_coupling(ffi_random *random, ffi_recipe *r, int *is_taken)
{
  int single[FFI_RECIPE_LINKS];
  const int most = list_single(random, r, single);
  const int has_spring = ffi_random_chance(random, 0.3), has_leader = ffi_random_chance(random, 0.85);
  const int tendon = ffi_random_chance(random, 0.2) ? r->tendon_count : 0;
  const double stiffness = ffi_draw_log(random, 1, r->is_wild ? 1e6 : 1e3);
  const double damping = ffi_random_chance(random, 0.3) ? 0 : stiffness * ffi_draw_log(random, 1e-3, 0.3);
  double polynomial[5] = {0};
  draw_polynomial(random, r->is_wild, polynomial);
  if (most < 2)
    return;
  const int follower = single[0] > single[1] ? single[0] : single[1];
  const int leader = single[0] > single[1] ? single[1] : single[0];
  if (is_taken[follower])
    return;
  ffi_recipe_element *e = next_element(r, FF_ELEMENT_COUPLING);
  if (!e)
    return;
  is_taken[follower] = tendon == 0;
  e->a = follower;
  e->b = has_leader ? leader : FF_WORLD;
  e->tendon = tendon;
  e->stiffness = has_spring ? stiffness : 0;
  e->damping = has_spring ? damping : 0;
  memcpy(e->polynomial, polynomial, sizeof polynomial);
}

// ---- Changes between steps ----------------------------------------------------------------------------------

static void draw_changes(ffi_random *random, ffi_recipe *r)
{
  const int references = ffi_random_chance(random, 0.2), ground = ffi_random_chance(random, 0.15);
  const int period[2] = {1 + ffi_random_below(random, 20), 1 + ffi_random_below(random, 20)};
  r->reference_size = ffi_draw_log(random, 1e-3, r->is_wild ? 3 : 0.5);
  r->ground_size = ffi_draw_log(random, 1e-4, r->is_wild ? 0.1 : 5e-3);
  r->reference_period = references ? period[0] : 0;
  r->ground_period = ground ? period[1] : 0;
}

void ffi_draw_lines(ffi_random *random, ffi_recipe *r)
{
  int is_taken[FFI_RECIPE_LINKS] = {0};
  const int tendons = ffi_random_chance(random, 0.3) ? 1 + ffi_random_below(random, FFI_RECIPE_TENDONS) : 0;
  const int couplings = ffi_random_chance(random, 0.25) ? 1 + ffi_random_below(random, 3) : 0;
  for (int i = 0; i < tendons; ++i)
    draw_tendon(random, r);
  for (int i = 0; i < couplings; ++i)
    draw_coupling(random, r, is_taken);
  draw_changes(random, r);
}
