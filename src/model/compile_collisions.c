// Which robot each link belongs to, which body counts as the parent of each, and sorted tables of exclusions and pairs.
#include "model/compile.h"

#include <stdlib.h>

// A robot is a link that the world carries, with all that it carries, across joints that were cut too. In the builder a
// link comes after its carrier.
static void number_robots(ffi_compile_plan *plan)
{
  const ff_builder *b = plan->builder;
  int next = 0;
  for (int id = 0; id < b->link_count; ++id) {
    const int carrier = b->links[id].carrier;
    plan->robot[plan->link_of_id[id]] = carrier == FF_WORLD ? next++ : plan->robot[plan->link_of_id[carrier]];
  }
  plan->size.robots = next;
}

// A massless body without collision shapes is part of a joint with several axes: what it carries and what carries it
// are neighbours.
static void mark_hollow(const ffi_compile_plan *plan, char *is_hollow)
{
  const ff_builder *b = plan->builder;
  for (int i = 1; i < plan->body_count; ++i)
    is_hollow[i] = plan->bodies[i].mass == 0;
  for (int i = 0; i < b->shape_count; ++i) {
    const ffi_build_shape *shape = &b->shapes[i];
    if (shape->link != FF_WORLD && (shape->def.purpose & FF_SHAPE_COLLISION))
      is_hollow[plan->links[plan->link_of_id[shape->link]].body] = 0;
  }
}

// In the order of the builder, so that the holder of a holder is known.
static void find_holders(ffi_compile_plan *plan, const char *is_hollow)
{
  const ff_builder *b = plan->builder;
  for (int id = 0; id < b->link_count; ++id) {
    const int link = plan->link_of_id[id], body = plan->links[link].body, carrier = b->links[id].carrier;
    if (body == 0 || plan->body_link[body] != link)
      continue;
    const int up = carrier == FF_WORLD ? 0 : plan->links[plan->link_of_id[carrier]].body;
    plan->holder[body] = is_hollow[up] ? plan->holder[up] : up;
  }
}

static int compare_exclusions(const void *a, const void *b)
{
  const int *x = a, *y = b;
  return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_exclusions(ffi_compile_plan *plan)
{
  const ff_builder *b = plan->builder;
  int count = 0;
  for (int i = 0; i < b->exclusion_count; ++i) {
    const ffi_build_exclusion *e = &b->exclusions[i];
    const int x = e->a == FF_WORLD ? -1 : plan->link_of_id[e->a];
    const int y = e->b == FF_WORLD ? -1 : plan->link_of_id[e->b];
    plan->exclusions[i][0] = x < y ? x : y;
    plan->exclusions[i][1] = x < y ? y : x;
  }
  qsort(plan->exclusions, (size_t)b->exclusion_count, sizeof *plan->exclusions, compare_exclusions);
  for (int i = 0; i < b->exclusion_count; ++i)
    if (count == 0 || compare_exclusions(plan->exclusions[i], plan->exclusions[count - 1]) != 0)
      memmove(plan->exclusions[count++], plan->exclusions[i], sizeof *plan->exclusions);
  plan->size.exclusions = count;
}

// While sorting, a pair and when it was listed.
typedef struct numbered {
  ff_shape_pair pair;
  int number;
} numbered;

static int is_same(const ff_shape_pair *x, const ff_shape_pair *y)
{
  return x->a == y->a && x->b == y->b;
}

static int compare_pairs(const void *a, const void *b)
{
  const numbered *x = a, *y = b;
  if (x->pair.a != y->pair.a)
    return x->pair.a < y->pair.a ? -1 : 1;
  if (x->pair.b != y->pair.b)
    return x->pair.b < y->pair.b ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

// Of pairs of the same shapes the last one stays.
static void sort_pairs(ffi_compile_plan *plan, numbered *list)
{
  const ff_builder *b = plan->builder;
  for (int i = 0; i < b->pair_count; ++i) {
    ff_shape_pair pair = b->pairs[i];
    if (pair.a > pair.b) {
      const int a = pair.a;
      pair.a = pair.b;
      pair.b = a;
    }
    list[i] = (numbered){pair, i};
  }
  qsort(list, (size_t)b->pair_count, sizeof *list, compare_pairs);
  int count = 0;
  for (int i = 0; i < b->pair_count; ++i)
    if (i + 1 == b->pair_count || !is_same(&list[i].pair, &list[i + 1].pair))
      plan->pairs[count++] = list[i].pair;
  plan->size.pairs = count;
}

ff_status ffi_compile_collisions(ffi_compile_plan *plan, ff_error *error)
{
  const ff_builder *b = plan->builder;
  const size_t bodies = (size_t)plan->body_count, links = (size_t)plan->size.links;
  const size_t exclusions = (size_t)b->exclusion_count, pairs = (size_t)b->pair_count;
  plan->robot = ffi_arena_take(&plan->arena, links, sizeof *plan->robot);
  plan->holder = ffi_arena_take(&plan->arena, bodies, sizeof *plan->holder);
  plan->exclusions = ffi_arena_take(&plan->arena, exclusions + 1, sizeof *plan->exclusions);
  plan->pairs = ffi_arena_take(&plan->arena, pairs + 1, sizeof *plan->pairs);
  char *is_hollow = ffi_arena_take(&plan->arena, bodies, 1);
  numbered *list = ffi_arena_take(&plan->arena, pairs + 1, sizeof *list);
  if (!plan->robot || !plan->holder || !plan->exclusions || !plan->pairs || !is_hollow || !list)
    return ffi_compile_no_memory(error);
  number_robots(plan);
  mark_hollow(plan, is_hollow);
  find_holders(plan, is_hollow);
  sort_exclusions(plan);
  sort_pairs(plan, list);
  return FF_OK;
}
