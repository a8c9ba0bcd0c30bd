// Shapes of one robot that overlap at the start: mostly of links two joints apart, whose shapes are larger than the
// links. They push the robot apart, so the worst are named.
#include "run/run.h"

#include "cli/memory.h"

#include <stdlib.h>

static const double notable_depth = 1e-4; // [m] what a joint's play would hide

enum { MOST_NAMED = 3 };

typedef struct overlap {
  int a, b;      // links, a < b
  int is_listed; // the model says that its shapes collide
  double depth;
} overlap;

// The robot of a shape; -1: fixed in the world itself.
static int robot_of(const ff_model *model, int shape, int *link)
{
  ff_shape_info s;
  ff_link_info l;
  if (ff_model_shape(model, shape, &s) != FF_OK || ff_model_link(model, s.link, &l) != FF_OK)
    return -1;
  *link = s.link;
  return l.robot;
}

static int is_listed(const ff_model *model, int a, int b)
{
  ff_shape_pair pair;
  for (int i = 0; ff_model_pair(model, i, &pair) == FF_OK; ++i)
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
      return 1;
  return 0;
}

static int is_deeper(const void *x, const void *y)
{
  const overlap *p = x, *q = y;
  return (p->depth < q->depth) - (p->depth > q->depth);
}

// The deepest contact of each pair of links, deepest first. Returns how many.
static int find(const ff_model *model, const ff_contact *contacts, int count, overlap *out)
{
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const ff_contact *c = &contacts[i];
    int one = -1, two = -1;
    const int robot = robot_of(model, c->shape_a, &one);
    if (robot < 0 || robot != robot_of(model, c->shape_b, &two) || c->penetration < notable_depth)
      continue;
    const overlap o = {one < two ? one : two, one < two ? two : one, is_listed(model, c->shape_a, c->shape_b),
                       c->penetration};
    int k = 0;
    while (k < found && (out[k].a != o.a || out[k].b != o.b))
      ++k;
    if (k == found)
      out[found++] = o;
    else if (out[k].depth < o.depth)
      out[k].depth = o.depth;
  }
  qsort(out, (size_t)found, sizeof *out, is_deeper);
  return found;
}

void ffi_run_overlaps(const ffi_run_scene *scene, char *text, size_t room)
{
  int count;
  const ff_contact *contacts = ff_sim_contacts(scene->sim, &count);
  overlap *found = ffi_memory_need(NULL, ((size_t)count + 1) * sizeof *found);
  const int pairs = find(scene->model, contacts, count, found);
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < pairs && i < MOST_NAMED && used < room; ++i) {
    ff_link_info a, b;
    ff_model_link(scene->model, found[i].a, &a);
    ff_model_link(scene->model, found[i].b, &b);
    used +=
        (size_t)snprintf(text + used, room - used, "%s'%.30s' and '%.30s' (%.3g mm%s)", i ? ", " : "", a.name,
                         b.name, 1e3 * found[i].depth, found[i].is_listed ? ", a listed pair" : "");
  }
  if (pairs > MOST_NAMED && used < room)
    snprintf(text + used, room - used, " and %d more pairs", pairs - MOST_NAMED);
  free(found);
}
