// Velocities of lines in the tree: do they lie on one path, and which are before them?
#include "contact/element/line.h"

#include "model/model.h"

#include <limits.h>
#include <stdlib.h>

ffi_line ffi_line_make(int count, const int *q, const int *v, const double *weight)
{
  const int is_single = count == 1 && weight[0] == 1;
  return (ffi_line){.count = count,
                    .q = q,
                    .v = v,
                    .weight = weight,
                    .single_q = is_single ? q[0] : -1,
                    .single_v = is_single ? v[0] : -1};
}

static int is_above(const ff_model *m, int v, int below)
{
  while (below > v)
    below = m->dof_parent[below];
  return below == v;
}

int ffi_line_deepest(const ff_model *m, const ffi_line *a, const ffi_line *b)
{
  int deepest = -1;
  const ffi_line *lines[2] = {a, b};
  for (int l = 0; l < 2; ++l)
    for (int k = 0; k < lines[l]->count; ++k)
      if (deepest < 0 || m->dof_depth[lines[l]->v[k]] > m->dof_depth[deepest])
        deepest = lines[l]->v[k];
  return deepest;
}

int ffi_line_are_on_path(const ff_model *m, const ffi_line *a, const ffi_line *b)
{
  const int deepest = ffi_line_deepest(m, a, b);
  const ffi_line *lines[2] = {a, b};
  for (int l = 0; l < 2; ++l)
    for (int k = 0; k < lines[l]->count; ++k)
      if (!is_above(m, lines[l]->v[k], deepest))
        return 0;
  return 1;
}

int ffi_line_merge(const ffi_line *a, const ffi_line *b, int *out)
{
  int count = 0;
  for (int i = 0, j = 0; i < a->count || j < b->count;) {
    const int va = i < a->count ? a->v[i] : INT_MAX, vb = j < b->count ? b->v[j] : INT_MAX;
    out[count++] = va < vb ? va : vb;
    i += va <= vb;
    j += vb <= va;
  }
  return count;
}

double ffi_line_weight(const ffi_line *line, int v)
{
  for (int k = 0; k < line->count; ++k)
    if (line->v[k] == v)
      return line->weight[k];
  return 0;
}

static int in_order(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int ffi_line_reach(const ff_model *m, const ffi_line *a, const ffi_line *b, unsigned char *mark, int *out)
{
  const ffi_line *lines[2] = {a, b};
  int count = 0;
  for (int l = 0; l < 2; ++l)
    for (int k = 0; k < lines[l]->count; ++k)
      for (int v = lines[l]->v[k]; v >= 0 && !mark[v]; v = m->dof_parent[v]) {
        mark[v] = 1;
        out[count++] = v;
      }
  for (int i = 0; i < count; ++i)
    mark[out[i]] = 0;
  qsort(out, (size_t)count, sizeof *out, in_order);
  return count;
}
