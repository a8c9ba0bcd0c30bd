// Friction of geoms: MuJoCo takes it from one of two geoms that touch, here the smaller of both counts.
#include "io/mjcf/mjcf_draft.h"

#include <math.h>
#include <stdlib.h>

// MuJoCo's rule for two geoms: condim and friction are those of the higher priority; if both have the same, the larger
// ones. A condim of 1 is without friction, 4 adds torsional friction, 6 rolling friction.
//
// Here a pair slides by the smaller mu, and turns and rolls by the larger radii. So mu of each geom becomes the largest
// that MuJoCo takes where it touches what does not move, and its radii the smallest. That is exact if the geoms that do
// not move are of one kind, and often otherwise: no other choice is exact where this one is not. Pairs of geoms that
// both move come second: their friction follows.
//
// Geoms are compared by kind, so that a file of many geoms takes no time.

enum { MOST_KINDS = 1000 };

// What geoms have in common.
typedef struct kind {
  const ffi_mjcf_geom *first;
  double mu, radius[2]; // of the result; before it is found mu < 0
  int moves;
  int robot; // body below the world; -1: there are several
} kind;

typedef struct contact {
  double mu, radius[2];
} contact;

typedef struct work {
  kind *kinds;
  int *kind_of; // [geom_count] -1: touches nothing
  int count;
} work;

// ---- Two geoms ----------------------------------------------------------------------------------------------

static contact mix(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  const int winner = a->priority - b->priority;
  if (winner != 0)
    b = a = winner > 0 ? a : b;
  const int condim = a->condim > b->condim ? a->condim : b->condim;
  return (contact){.mu = condim > 1 ? fmax(a->friction, b->friction) : 0,
                   .radius = {condim >= 4 ? fmax(a->turning[0], b->turning[0]) : 0,
                              condim == 6 ? fmax(a->turning[1], b->turning[1]) : 0}};
}

static int can_touch(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  return (a->contype & b->conaffinity) || (b->contype & a->conaffinity);
}

// Does the rule of a sim give what MuJoCo takes?
static int is_exact(const kind *a, const kind *b, const contact *c)
{
  return fmin(a->mu, b->mu) == c->mu && fmax(a->radius[0], b->radius[0]) == c->radius[0] &&
         fmax(a->radius[1], b->radius[1]) == c->radius[1];
}

// ---- Kinds --------------------------------------------------------------------------------------------------

static int is_same(const ffi_mjcf_geom *a, const ffi_mjcf_geom *b)
{
  return a->friction == b->friction && a->turning[0] == b->turning[0] && a->turning[1] == b->turning[1] &&
         a->condim == b->condim && a->priority == b->priority && a->contype == b->contype &&
         a->conaffinity == b->conaffinity;
}

static int robot_of(const ffi_mjcf *m, int body)
{
  while (body > 0 && m->bodies[body].parent > 0)
    body = m->bodies[body].parent;
  return body;
}

// The kind of a geom, a new one if need be; -1: there are too many.
static int find_kind(work *w, const ffi_mjcf_geom *geom, int moves, int robot)
{
  for (int k = 0; k < w->count; ++k) {
    if (w->kinds[k].moves == moves && is_same(w->kinds[k].first, geom)) {
      if (w->kinds[k].robot != robot)
        w->kinds[k].robot = -1;
      return k;
    }
  }
  if (w->count == MOST_KINDS)
    return -1;
  w->kinds[w->count] = (kind){.first = geom, .mu = -1, .moves = moves, .robot = robot};
  return w->count++;
}

// 0: there are too many.
static int sort(const ffi_mjcf *m, work *w)
{
  for (int i = 0; i < m->geom_count; ++i) {
    const ffi_mjcf_geom *g = &m->geoms[i];
    w->kind_of[i] = -1;
    if (!g->contype && !g->conaffinity)
      continue;
    w->kind_of[i] = find_kind(w, g, m->bodies[g->body].moves, robot_of(m, g->body));
    if (w->kind_of[i] < 0)
      return 0;
  }
  return 1;
}

// ---- The result ---------------------------------------------------------------------------------------------

static void take(kind *k, const contact *c)
{
  const int is_first = k->mu < 0;
  k->mu = fmax(k->mu, c->mu);
  for (int i = 0; i < 2; ++i)
    k->radius[i] = is_first ? c->radius[i] : fmin(k->radius[i], c->radius[i]);
}

// Geoms that touch nothing that is known keep what is written.
static void keep(kind *k)
{
  const contact own = mix(k->first, k->first);
  if (k->mu < 0) {
    take(k, &own);
    k->mu = k->first->friction; // whatever they touch has its own condim, which is 3 as a rule
  }
}

// Of two moving geoms only those of different robots touch by default.
static int matters(const kind *a, const kind *b)
{
  return a->moves != b->moves || (a->moves && (a->robot < 0 || a->robot != b->robot));
}

static void choose(work *w)
{
  for (int a = 0; a < w->count; ++a) {
    for (int b = 0; b < w->count; ++b) {
      kind *moving = &w->kinds[a], *fixed = &w->kinds[b];
      const contact c = mix(moving->first, fixed->first);
      if (moving->moves && !fixed->moves && can_touch(moving->first, fixed->first)) {
        take(moving, &c);
        take(fixed, &c);
      }
    }
  }
  for (int k = 0; k < w->count; ++k)
    keep(&w->kinds[k]);
}

static void report(ffi_mjcf *m, const work *w)
{
  for (int a = 0; a < w->count; ++a) {
    for (int b = a; b < w->count; ++b) {
      const kind *one = &w->kinds[a], *two = &w->kinds[b];
      const contact c = mix(one->first, two->first);
      if (can_touch(one->first, two->first) && matters(one, two) && !is_exact(one, two, &c))
        ffi_mjcf_ignored_add(m, one->first->node ? one->first->node : two->first->node, FFI_MJCF_PHYSICS,
                             "the friction of MuJoCo between geoms of two kinds");
    }
  }
}

// Kinds point to what changes here: no mix() afterwards.
static void write_back(ffi_mjcf *m, const work *w)
{
  for (int i = 0; i < m->geom_count; ++i) {
    ffi_mjcf_geom *g = &m->geoms[i];
    const kind *k = w->count > 0 && w->kind_of[i] >= 0 ? &w->kinds[w->kind_of[i]] : NULL;
    g->friction = k ? k->mu : g->friction;
    g->turning[0] = k ? k->radius[0] : g->condim >= 4 ? g->turning[0] : 0;
    g->turning[1] = k ? k->radius[1] : g->condim == 6 ? g->turning[1] : 0;
  }
}

void ffi_mjcf_friction_finish(ffi_mjcf *m, const ffi_mjcf_geom *ground)
{
  work w = {.kinds = calloc(MOST_KINDS, sizeof *w.kinds),
            .kind_of = calloc((size_t)m->geom_count + 1, sizeof *w.kind_of)};
  if (!w.kinds || !w.kind_of) {
    ffi_mjcf_no_memory(m);
  } else {
    if (ground)
      find_kind(&w, ground, 0, 0);
    if (sort(m, &w)) {
      choose(&w);
      report(m, &w);
    } else {
      ffi_mjcf_ignored_add(m, m->geoms[0].node, FFI_MJCF_PHYSICS,
                           "the friction of MuJoCo between geoms of more than 1000 kinds");
      w.count = 0;
    }
    write_back(m, &w);
  }
  free(w.kinds);
  free(w.kind_of);
}
