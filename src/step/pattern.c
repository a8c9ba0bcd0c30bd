// Patterns of a kinematic forest and of a full matrix.
#include "step/pattern.h"

#include "math/padded.h"
#include "model/model.h"

// The arrays of a pattern that its maker fills.
typedef struct unfilled {
  int *path, *order, *from;
} unfilled;

// Rows of the given depths. With a block that only counts, only the sizes are right.
static unfilled place(int n, const int *depth_of, ffi_block *block, ffi_pattern *out)
{
  int *row = ffi_block_keep(block, (size_t)n + 1, sizeof *row),
      *depth = ffi_block_keep(block, (size_t)n + 1, sizeof *depth);
  int entries = 0;
  for (int i = 0; i <= n; ++i) {
    const int d = i == n ? 0 : depth_of ? depth_of[i] : i;
    if (block->base) {
      row[i] = entries;
      depth[i] = d;
    }
    entries += i < n ? ffi_padded(d + 1) : 0;
  }
  unfilled u;
  u.path = ffi_block_keep(block, (size_t)entries, sizeof *u.path);
  u.order = ffi_block_keep(block, (size_t)n + 1, sizeof *u.order);
  u.from = ffi_block_keep(block, (size_t)n + 1, sizeof *u.from);
  *out = (ffi_pattern){.n = n, .row = row, .depth = depth, .path = u.path, .order = u.order, .from = u.from};
  return u;
}

void ffi_pattern_full(int n, ffi_block *block, ffi_pattern *out)
{
  const unfilled u = place(n, NULL, block, out);
  out->order_count = n;
  if (!block->base)
    return;
  for (int i = 0; i < n; ++i) {
    for (int e = out->row[i]; e < out->row[i + 1]; ++e)
      u.path[e] = e - out->row[i] <= i ? e - out->row[i] : -1;
    u.order[i] = n - 1 - i;
    u.from[i] = 0;
  }
}

// Rows [first, last) and which of them wait for a free root.
static int mark_roots(const ff_model *m, int *root, int *from)
{
  int count = 0;
  for (int i = 1; i < m->body_count; i = m->bodies[i].subtree_end) {
    const ffi_body *b = &m->bodies[i];
    if (b->kind != FFI_KIND_FREE)
      continue;
    root[2 * count] = b->v;
    root[2 * count + 1] = b->v_end;
    ++count;
    for (int v = b->v + 6; v < b->v_end; ++v)
      from[v] = 6;
  }
  return count;
}

void ffi_pattern_tree(const ff_model *m, ffi_block *block, ffi_pattern *out)
{
  int count = 0;
  const int n = m->size.nv;
  const unfilled u = place(n, m->dof_depth, block, out);
  int *root = ffi_block_keep(block, 2 * (size_t)m->size.roots + 1, sizeof *root);
  out->root = root;
  if (!block->base)
    return;
  for (int i = 0; i < n; ++i) {
    u.from[i] = 0;
    for (int e = out->row[i] + out->depth[i] + 1; e < out->row[i + 1]; ++e)
      u.path[e] = -1;
    for (int j = i, e = out->row[i] + out->depth[i]; j >= 0; j = m->dof_parent[j], --e)
      u.path[e] = j;
  }
  out->root_count = mark_roots(m, root, u.from);
  for (int depth = m->max_depth; depth >= 0; --depth)
    for (int i = 0; i < n; ++i)
      if (out->depth[i] == depth && (u.from[i] > 0 || m->bodies[m->dof_body[i]].kind != FFI_KIND_FREE))
        u.order[count++] = i;
  out->order_count = count;
}
