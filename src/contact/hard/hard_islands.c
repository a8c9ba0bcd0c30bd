// Parts of the world that do not touch are problems of their own: bodies that no block connects. Each is solved alone, so that one that is hard does not
// keep the others, and most are small enough for dense methods.
#include "contact/hard/hard_memory.h"

#include <string.h>

void ffi_hard_islands_layout(ffi_hard_islands *s, int max_nv, int max_blocks, ffi_block *block)
{
  s->root = ffi_block_take(block, (size_t)max_nv, sizeof *s->root);
  s->of = ffi_block_take(block, (size_t)max_blocks, sizeof *s->of);
  s->first = ffi_block_take(block, (size_t)max_blocks + 1, sizeof *s->first);
  s->number = ffi_block_take(block, (size_t)max_nv, sizeof *s->number);
  s->block = ffi_block_take(block, (size_t)max_blocks, sizeof *s->block);
}

static int find(int *root, int v)
{
  while (root[v] != v)
    v = root[v] = root[root[v]];
  return v;
}

static void unite(int *root, int a, int b)
{
  a = find(root, a);
  b = find(root, b);
  root[a > b ? a : b] = a > b ? b : a;
}

int ffi_hard_islands_find(ffi_hard_islands *s, const ffi_hard *problem)
{
  for (int v = 0; v < problem->nv; ++v) {
    s->root[v] = v;
    s->number[v] = -1;
  }
  for (int i = 0; i < problem->block_count; ++i) {
    const ffi_hard_block *block = &problem->block[i];
    for (int k = 1; k < block->reach; ++k)
      unite(s->root, block->reached[0], block->reached[k]);
  }
  s->count = 0;
  for (int i = 0; i < problem->block_count; ++i) {
    const ffi_hard_block *block = &problem->block[i];
    if (block->reach == 0)
      return s->count = 1; // a row that nothing moves belongs nowhere
    int *number = &s->number[find(s->root, block->reached[0])];
    *number = *number < 0 ? s->count++ : *number;
    s->of[i] = *number;
  }
  return s->count;
}

void ffi_hard_islands_sort(ffi_hard_islands *s, const ffi_hard *problem)
{
  memset(s->first, 0, ((size_t)s->count + 1) * sizeof *s->first);
  for (int i = 0; i < problem->block_count; ++i)
    ++s->first[s->of[i] + 1];
  for (int k = 0; k < s->count; ++k)
    s->first[k + 1] += s->first[k];
  for (int i = 0; i < problem->block_count; ++i)
    s->block[s->first[s->of[i]]++] = problem->block[i];
  for (int k = s->count; k > 0; --k)
    s->first[k] = s->first[k - 1];
  s->first[0] = 0;
}

ffi_hard ffi_hard_islands_problem(const ffi_hard_islands *s, const ffi_hard *whole, int island)
{
  ffi_hard part = *whole;
  part.block = s->block + s->first[island];
  part.block_count = s->first[island + 1] - s->first[island];
  part.rows = 0;
  for (int i = 0; i < part.block_count; ++i)
    part.rows += part.block[i].rows;
  return part;
}
