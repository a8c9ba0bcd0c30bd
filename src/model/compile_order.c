// The order of links and bodies: depth first from the world, children of a link in byte order of their
// joint's name, fixed joints included in the walk. So arrays agree with Pinocchio's.
#include "model/compile.h"

// The tree as lists of children, in order. Index 0 is the world, index i + 1 the builder's link i; -1 ends a
// list.
typedef struct family {
  int *first; // [n + 1] first child
  int *next;  // [n + 1] next sibling
} family;

static int make_family(ffi_compile_plan *plan, family *f)
{
  const ff_builder *b = plan->builder;
  const int n = b->link_count;
  ffi_compile_name *sorted = ffi_arena_take(&plan->arena, (size_t)n, sizeof *sorted);
  f->first = ffi_arena_take(&plan->arena, (size_t)n + 1, sizeof *f->first);
  f->next = ffi_arena_take(&plan->arena, (size_t)n + 1, sizeof *f->next);
  if (!sorted || !f->first || !f->next)
    return 0;
  for (int i = 0; i <= n; ++i)
    f->first[i] = f->next[i] = -1;
  for (int i = 0; i < n; ++i)
    sorted[i] = (ffi_compile_name){b->links[i].def.joint.name, i};
  ffi_compile_names_sort(sorted, n);
  for (int i = n - 1; i >= 0; --i) { // last first, each put in front of its siblings
    int child = sorted[i].index + 1, parent = b->links[sorted[i].index].def.parent + 1;
    f->next[child] = f->first[parent];
    f->first[parent] = child;
  }
  return 1;
}

// Give the builder's link `id` the next place.
static void visit(ffi_compile_plan *plan, int id)
{
  const ff_link_def *def = &plan->builder->links[id].def;
  const int k = plan->size.links++;
  ffi_compile_link *link = &plan->links[k];
  plan->link_of_id[id] = k;
  link->id = id;
  link->parent = def->parent == FF_WORLD ? -1 : plan->link_of_id[def->parent];
  link->body = link->parent < 0 ? 0 : plan->links[link->parent].body;
  if (def->joint.type != FF_JOINT_FIXED) {
    link->body = plan->body_count++;
    plan->body_link[link->body] = k;
  }
}

ff_status ffi_compile_order(ffi_compile_plan *plan, ff_error *error)
{
  const ff_builder *b = plan->builder;
  const size_t n = (size_t)b->link_count;
  family f;
  plan->links = ffi_arena_take(&plan->arena, n, sizeof *plan->links);
  plan->link_of_id = ffi_arena_take(&plan->arena, n, sizeof *plan->link_of_id);
  plan->body_link = ffi_arena_take(&plan->arena, n + 1, sizeof *plan->body_link);
  if (!plan->links || !plan->link_of_id || !plan->body_link || !make_family(plan, &f))
    return ffi_compile_no_memory(error);

  plan->body_count = 1;
  plan->body_link[0] = -1;
  for (int at = f.first[0]; at > 0;) { // no recursion: a chain of ten thousand links is allowed
    visit(plan, at - 1);
    if (f.first[at] > 0) {
      at = f.first[at];
      continue;
    }
    while (at > 0 && f.next[at] < 0)
      at = b->links[at - 1].def.parent + 1;
    if (at > 0)
      at = f.next[at];
  }
  plan->bodies = ffi_arena_take(&plan->arena, (size_t)plan->body_count, sizeof *plan->bodies);
  return plan->bodies ? FF_OK : ffi_compile_no_memory(error);
}
