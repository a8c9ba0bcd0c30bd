// solref and solimp of <geom>: stiffness and damping of contacts.  docs/theory/contact.md, section 10
#include "io/mjcf/mjcf_draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// MuJoCo's force at one contact of depth r, speed v and acceleration a (all along the normal) is
//
//     f = (k d(r) r - b v - a) / R,    R = c (1 - d(r)) / d(r) w
//
// with k and b from solref, the impedance d from solimp, w the mean inverse mass of the body at the file's pose, and c
// a factor of the friction cone. Here f = K r - B v, with K and B those of MuJoCo at the depth where the contact
// carries what it does when the robot stands. The acceleration's part, an inertia of 1/R, is left out.
//
// w is that of one body. Springs in series add their 1/K, and MuJoCo adds the w of both bodies: so a material for each
// body gives the pair's stiffness.

static const double default_solref[2] = {0.02, 1}, default_solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};

// Of geoms that do not move, as good as rigid; and of all others at most, for impedances near 1.
static const double rigid = 1e9, stiffest = 1e8;

void ffi_mjcf_softness_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  ffi_mjcf_softness *s = &geom->softness;
  double solref[2] = {s->solref[0], s->solref[1]};
  const int has_solref = ffi_mjcf_value_numbers(m, node, "solref", 1, 2, solref),
            has_solimp = ffi_mjcf_value_numbers(m, node, "solimp", 1, 5, s->solimp);
  s->is_stated |= has_solref || has_solimp;
  ffi_mjcf_value_nonnegative(m, node, "solmix", &s->solmix);
  ffi_mjcf_value_integer(m, node, "priority", &geom->priority);
  if (ffi_mjcf_value_integer(m, node, "condim", &geom->condim) && geom->condim != 1 && geom->condim != 3 &&
      geom->condim != 4 && geom->condim != 6)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'condim' must be 1, 3, 4 or 6, not %d", geom->condim);
  if ((solref[0] > 0) != (solref[1] > 0)) { // as MuJoCo does
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "a 'solref' of one positive and one other number");
    memcpy(solref, default_solref, sizeof solref);
  }
  memcpy(s->solref, solref, sizeof solref);
}

// ---- One contact --------------------------------------------------------------------------------------------

typedef struct contact {
  double k, b;      // of solref
  double solimp[5]; // within MuJoCo's bounds
  double scale;     // c w
} contact;

// What a geom is thought to touch: the model's ground, else a plane with MuJoCo's defaults.
static const ffi_mjcf_geom *find_ground(const ffi_mjcf *m)
{
  const ffi_mjcf_geom *found = NULL;
  for (int i = 0; i < m->geom_count; ++i) {
    const ffi_mjcf_geom *g = &m->geoms[i];
    if (!m->bodies[g->body].moves && (g->contype || g->conaffinity) &&
        (!found || (found->type != FFI_MJCF_PLANE && g->type == FFI_MJCF_PLANE)))
      found = g;
  }
  return found;
}

// The share of the first of two that touch.
static double share_of(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  const double tiny = 1e-15, one = a->softness.solmix, two = b->softness.solmix;
  if (a->priority != b->priority)
    return a->priority > b->priority;
  if (one >= tiny && two >= tiny)
    return one / (one + two);
  return one < tiny && two < tiny ? 0.5 : one >= tiny;
}

// Does the file say how soft the contact of a geom with the ground is?
static int is_stated(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  const double share = share_of(a, b);
  return (share > 0 && a->softness.is_stated) || (share < 1 && b->softness.is_stated);
}

static double clamp(double value, double least, double most)
{
  return fmin(fmax(value, least), most);
}

static double pair_friction(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  const int winner = a->priority - b->priority;
  return winner > 0 ? a->friction : winner < 0 ? b->friction : fmax(a->friction, b->friction);
}

// How the friction cone changes R: MuJoCo's pyramids share the normal force among 2 (condim - 1) edges of inverse mass
// (1 + mu^2) w, and each is regularised by 2 mu^2 / impratio of that.
static double cone_factor(const ffi_mjcf *m, const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  const int winner = a->priority - b->priority;
  const int condim = winner > 0              ? a->condim
                     : winner < 0            ? b->condim
                     : a->condim > b->condim ? a->condim
                                             : b->condim;
  const double mu = fmax(pair_friction(a, b), 1e-5);
  return m->is_elliptic || condim == 1 ? 1 : mu * mu * (1 + mu * mu) / (m->impratio * (condim - 1));
}

// The parameters of a geom on the ground. 0: there is no spring.
static int combine(const ffi_mjcf *m, const ffi_mjcf_geom *a, const ffi_mjcf_geom *b, contact *c)
{
  const double share = share_of(a, b), *one = a->softness.solref, *two = b->softness.solref;
  const int is_direct = !(one[0] > 0 && two[0] > 0);
  double ref[2];
  for (int i = 0; i < 2; ++i)
    ref[i] = a->priority == b->priority && is_direct ? fmin(one[i], two[i])
                                                     : share * one[i] + (1 - share) * two[i];
  for (int i = 0; i < 5; ++i)
    c->solimp[i] = share * a->softness.solimp[i] + (1 - share) * b->softness.solimp[i];
  c->solimp[0] = clamp(c->solimp[0], 1e-4, 0.9999);
  c->solimp[1] = clamp(c->solimp[1], 1e-4, 0.9999);
  c->solimp[2] = fmax(c->solimp[2], 0);
  c->solimp[3] = clamp(c->solimp[3], 1e-4, 0.9999);
  c->solimp[4] = fmax(c->solimp[4], 1);
  const double most = c->solimp[1];
  if (ref[0] > 0) {
    const double time = m->has_refsafe ? fmax(ref[0], m->least_time) : ref[0];
    c->k = 1 / (most * most * time * time * ref[1] * ref[1]);
    c->b = 2 / (most * time);
  } else {
    c->k = -ref[0] / (most * most);
    c->b = -ref[1] / most;
  }
  return c->k > 0;
}

// The impedance at a depth.
static double impedance(const contact *c, double depth)
{
  const double first = c->solimp[0], last = c->solimp[1], width = c->solimp[2], middle = c->solimp[3],
               power = c->solimp[4];
  if (first == last || width <= 1e-15)
    return (first + last) / 2;
  const double x = fmin(depth / width, 1);
  const double y =
      x <= middle ? middle * pow(x / middle, power) : 1 - (1 - middle) * pow((1 - x) / (1 - middle), power);
  return first + y * (last - first);
}

static double stiffness_at(const contact *c, double depth)
{
  const double d = impedance(c, depth);
  return c->k * d * d / ((1 - d) * c->scale);
}

// The depth at which a contact carries a load. The force grows with depth, so that bisection finds it.
static double depth_under(const contact *c, double load)
{
  double low = 0, high = 1e-6;
  while (stiffness_at(c, high) * high < load && high < 1e6)
    high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    *(stiffness_at(c, middle) * middle < load ? &low : &high) = middle;
  }
  return high;
}

static void soften(contact *c, const ffi_mjcf_stand *stand, ffi_mjcf_geom *geom)
{
  c->scale *= stand->inverse_mass;
  const double depth = depth_under(c, stand->load);
  geom->stiffness = fmin(stiffness_at(c, depth), stiffest);
  geom->damping = geom->stiffness * c->b / (c->k * impedance(c, depth));
  if (!isfinite(geom->stiffness) || !(geom->stiffness > 0) || !isfinite(geom->damping))
    geom->stiffness = 0;
}

// ---- All geoms ----------------------------------------------------------------------------------------------

typedef struct work {
  const ffi_mjcf_geom *ground;
  char *is_asked; // [geom_count]
  ffi_mjcf_stand *stand;
  int count; // asked for
} work;

static void choose(ffi_mjcf *m, work *w)
{
  const ff_contact_parameters policy = m->def ? m->def->contact_parameters : FF_CONTACT_PARAMETERS_STATED;
  for (int i = 0; i < m->geom_count; ++i) {
    const ffi_mjcf_geom *g = &m->geoms[i];
    w->is_asked[i] = m->bodies[g->body].moves && (g->contype || g->conaffinity) &&
                     (policy == FF_CONTACT_PARAMETERS_MUJOCO || is_stated(g, w->ground));
    w->count += w->is_asked[i];
  }
}

static void finish(ffi_mjcf *m, const work *w)
{
  for (int i = 0; i < m->geom_count; ++i) {
    ffi_mjcf_geom *g = &m->geoms[i];
    contact c = {.scale = cone_factor(m, g, w->ground)};
    if (!m->bodies[g->body].moves) {
      g->stiffness = g->damping = rigid;
      continue;
    }
    if (!w->is_asked[i] ||
        !(w->stand[i].inverse_mass > 0)) // a body that turns about its centre has no mass here
      continue;
    if (combine(m, g, w->ground, &c))
      soften(&c, &w->stand[i], g);
    if (!(g->stiffness > 0))
      ffi_mjcf_ignored_add(m, g->node, FFI_MJCF_PHYSICS, "a 'solref' or 'solimp' without a stiffness here");
  }
}

static void find_softness(ffi_mjcf *m, const ffi_mjcf_geom *ground)
{
  work w = {.ground = ground,
            .is_asked = calloc((size_t)m->geom_count + 1, 1),
            .stand = calloc((size_t)m->geom_count + 1, sizeof *w.stand)};
  if (!w.is_asked || !w.stand)
    ffi_mjcf_no_memory(m);
  else
    choose(m, &w);
  if (w.count > 0 && ffi_mjcf_stand_find(m, w.is_asked, w.stand) && !ffi_mjcf_failed(m))
    finish(m, &w);
  free(w.is_asked);
  free(w.stand);
}

void ffi_mjcf_softness_finish(ffi_mjcf *m)
{
  const ffi_mjcf_geom plane = {.softness = {{default_solref[0], default_solref[1]},
                                            {default_solimp[0], default_solimp[1], default_solimp[2],
                                             default_solimp[3], default_solimp[4]},
                                            1,
                                            0},
                               .friction = 1,
                               .turning = {0.005, 1e-4},
                               .contype = 1,
                               .conaffinity = 1,
                               .condim = 3};
  const ff_contact_parameters policy = m->def ? m->def->contact_parameters : FF_CONTACT_PARAMETERS_STATED;
  const ffi_mjcf_geom *found = find_ground(m);
  if (policy != FF_CONTACT_PARAMETERS_FOOTFALL)
    find_softness(m, found ? found : &plane);
  if (!ffi_mjcf_failed(m))
    ffi_mjcf_friction_finish(m, !found && policy == FF_CONTACT_PARAMETERS_MUJOCO ? &plane : NULL);
}
