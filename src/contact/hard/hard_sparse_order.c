// Who touches whom among the iterated parts, and an order of least degree.
#include "contact/hard/hard_sparse.h"

#include "contact/hard/hard_memory.h"

#include <string.h>

typedef unsigned long long word;

static int words_of(const ffi_hard_memory *m)
{
  return (m->iterated + 63) / 64;
}

// Parts of the same tree reach the same velocities, all of them: one of each run of neighbours with the same parts is enough.
static int is_like_the_one_before(const ffi_hard_sparse *s, int v)
{
  if (v == 0)
    return 0;
  int a = s->head[v - 1], b = s->head[v];
  for (; a >= 0 && b >= 0 && s->who[a] == s->who[b]; a = s->next[a], b = s->next[b])
    ;
  return a < 0 && b < 0;
}

static int couple(ffi_hard_memory *m)
{
  ffi_hard_sparse *s = &m->sparse;
  const int words = words_of(m);
  int used = 0;
  for (int v = 0; v < m->problem->nv; ++v)
    s->head[v] = -1;
  for (int p = 0; p < m->iterated; ++p) {
    const ffi_hard_block *block = &m->problem->block[m->part[p].block];
    if (used + block->reach > s->max_reached)
      return 0;
    for (int k = 0; k < block->reach; ++k, ++used) {
      s->who[used] = p;
      s->next[used] = s->head[block->reached[k]];
      s->head[block->reached[k]] = used;
    }
  }
  memset(s->bits, 0, (size_t)m->iterated * (size_t)words * sizeof *s->bits);
  for (int v = 0; v < m->problem->nv; ++v) {
    if (is_like_the_one_before(s, v))
      continue;
    for (int a = s->head[v]; a >= 0; a = s->next[a])
      for (int b = s->next[a]; b >= 0; b = s->next[b]) {
        const int i = s->who[a], j = s->who[b];
        s->bits[(size_t)i * (size_t)words + (size_t)j / 64] |= 1ull << j % 64;
        s->bits[(size_t)j * (size_t)words + (size_t)i / 64] |= 1ull << i % 64;
      }
  }
  return 1;
}

static int count_bits(const word *row, int words)
{
  int count = 0;
  for (int w = 0; w < words; ++w)
    count += __builtin_popcountll(row[w]);
  return count;
}

// Its neighbours become neighbours of each other, and it leaves.
static void eliminate_bits(ffi_hard_sparse *s, int words, int k, const int *neighbour, int count)
{
  const word *from = s->bits + (size_t)k * (size_t)words;
  for (int a = 0; a < count; ++a) {
    const int i = neighbour[a];
    word *row = s->bits + (size_t)i * (size_t)words;
    for (int w = 0; w < words; ++w)
      row[w] |= from[w];
    row[i / 64] &= ~(1ull << i % 64);
    row[k / 64] &= ~(1ull << k % 64);
    s->degree[i] = count_bits(row, words);
  }
}

// The part with the fewest neighbours goes first; its slots are, for now, parts.
static int find_order(ffi_hard_memory *m)
{
  ffi_hard_sparse *s = &m->sparse;
  const int n = m->iterated, words = words_of(m);
  int used = 0;
  for (int p = 0; p < n; ++p) {
    s->degree[p] = count_bits(s->bits + (size_t)p * (size_t)words, words);
    s->rank[p] = -1;
  }
  for (int place = 0; place < n; ++place) {
    int best = -1;
    for (int p = 0; p < n; ++p)
      if (s->rank[p] < 0 && (best < 0 || s->degree[p] < s->degree[best]))
        best = p;
    s->order[place] = best;
    s->rank[best] = place;
    s->first[place] = used;
    if (used + s->degree[best] > s->max_slots)
      return 0;
    const word *row = s->bits + (size_t)best * (size_t)words;
    for (int w = 0; w < words; ++w)
      for (word left = row[w]; left; left &= left - 1)
        s->slot[used++] = 64 * w + __builtin_ctzll(left);
    eliminate_bits(s, words, best, s->slot + s->first[place], used - s->first[place]);
  }
  s->first[n] = used;
  return 1;
}

static void sort_slots(const ffi_hard_sparse *s, int place)
{
  int *slot = s->slot + s->first[place];
  const int count = s->first[place + 1] - s->first[place];
  for (int a = 0; a < count; ++a)
    slot[a] = s->rank[slot[a]];
  for (int a = 1; a < count; ++a) { // short lists, nearly in order
    const int x = slot[a];
    int b = a;
    for (; b > 0 && slot[b - 1] > x; --b)
      slot[b] = slot[b - 1];
    slot[b] = x;
  }
}

int ffi_hard_sparse_order(ffi_hard_memory *m)
{
  if (!couple(m) || !find_order(m))
    return 0;
  for (int place = 0; place < m->iterated; ++place)
    sort_slots(&m->sparse, place);
  return 1;
}
