#include "step/frozen/pattern.h"

#include "model/model.h"

static int padded(int entries)
{
  return (entries + 3) / 4 * 4;
}

// Rows of the given depths; with a block that only counts, sizes alone are right.
static void place(int n, const int *depth_of, ffi_block *block, ffi_pattern *out, int **path, int **order,
                  int **from)
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
    entries += i < n ? padded(d + 1) : 0;
  }
  *path = ffi_block_keep(block, (size_t)entries, sizeof **path);
  *order = ffi_block_keep(block, (size_t)n + 1, sizeof **order);
  *from = ffi_block_keep(block, (size_t)n + 1, sizeof **from);
  *out = (ffi_pattern){.n = n, .row = row, .depth = depth, .path = *path, .order = *order, .from = *from};
}

void ffi_pattern_full(int n, ffi_block *block, ffi_pattern *out)
{
  int *path, *order, *from;
  place(n, NULL, block, out, &path, &order, &from);
  out->order_count = n;
  if (!block->base)
    return;
  for (int i = 0; i < n; ++i) {
    for (int e = out->row[i]; e < out->row[i + 1]; ++e)
      path[e] = e - out->row[i] <= i ? e - out->row[i] : -1;
    order[i] = n - 1 - i;
    from[i] = 0;
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
  int *path, *order, *from, count = 0;
  const int n = m->size.nv;
  place(n, m->dof_depth, block, out, &path, &order, &from);
  int *root = ffi_block_keep(block, 2 * (size_t)m->size.roots + 1, sizeof *root);
  out->root = root;
  if (!block->base)
    return;
  for (int i = 0; i < n; ++i) {
    from[i] = 0;
    for (int e = out->row[i] + out->depth[i] + 1; e < out->row[i + 1]; ++e)
      path[e] = -1;
    for (int j = i, e = out->row[i] + out->depth[i]; j >= 0; j = m->dof_parent[j], --e)
      path[e] = j;
  }
  out->root_count = mark_roots(m, root, from);
  for (int depth = m->max_depth; depth >= 0; --depth)
    for (int i = 0; i < n; ++i)
      if (out->depth[i] == depth && (from[i] > 0 || m->bodies[m->dof_body[i]].kind != FFI_KIND_FREE))
        order[count++] = i;
  out->order_count = count;
}
