#include "contact/detect/ball_tree.h"

enum { LAST = 4 }; // balls in a node that is not halved; 2 to 8 are about as quick

void ffi_ball_tree_layout(ffi_ball_tree *tree, int most, ffi_block *block)
{
  tree->balls = ffi_block_keep(block, (size_t)most, sizeof *tree->balls);
  tree->nodes = ffi_block_take(block, 2 * (size_t)most + 1, sizeof *tree->nodes);
}

// The axis along which centres are spread most.
static int widest_axis(const ffi_ball *balls, int from, int to)
{
  double low[3], high[3];
  for (int k = 0; k < 3; ++k)
    low[k] = high[k] = balls[from].centre[k];
  for (int i = from + 1; i < to; ++i)
    for (int k = 0; k < 3; ++k) {
      const double x = balls[i].centre[k];
      low[k] = x < low[k] ? x : low[k];
      high[k] = x > high[k] ? x : high[k];
    }
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[best] - low[best])
      best = k;
  return best;
}

static void swap(ffi_ball *a, ffi_ball *b)
{
  const ffi_ball kept = *a;
  *a = *b;
  *b = kept;
}

// Puts the ball that is in the middle along an axis there, smaller ones before it, larger ones after it.   Hoare, FIND, 1961
static void halve(ffi_ball *balls, int from, int to, int middle, int axis)
{
  int low = from, high = to - 1;
  while (low < high) {
    const double pivot = balls[middle].centre[axis];
    int i = low, j = high;
    while (i <= j) {
      while (balls[i].centre[axis] < pivot)
        ++i;
      while (pivot < balls[j].centre[axis])
        --j;
      if (i < j)
        swap(&balls[i], &balls[j]);
      if (i <= j) {
        ++i;
        --j;
      }
    }
    if (j < middle)
      low = i;
    if (middle < i)
      high = j;
  }
}

static void hold_ball(ffi_ball_node *node, const ffi_ball *ball, int is_first)
{
  for (int k = 0; k < 3; ++k) {
    const double low = ball->centre[k] - ball->reach, high = ball->centre[k] + ball->reach;
    node->low[k] = is_first || low < node->low[k] ? low : node->low[k];
    node->high[k] = is_first || high > node->high[k] ? high : node->high[k];
  }
  node->moves |= ball->moves;
}

static void hold_both(ffi_ball_node *node, const ffi_ball_node *a, const ffi_ball_node *b)
{
  for (int k = 0; k < 3; ++k) {
    node->low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
    node->high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
  }
  node->moves = a->moves | b->moves;
}

// A node and all below it; halving ends after 31 times at most.
static void add_node(ffi_ball_tree *tree, int from, int to)
{
  ffi_ball_node *node = &tree->nodes[tree->node_count++];
  *node = (ffi_ball_node){.from = from, .to = to, .is_last = to - from <= LAST};
  if (node->is_last) {
    for (int i = from; i < to; ++i)
      hold_ball(node, &tree->balls[i], i == from);
  } else {
    const int middle = from + (to - from) / 2;
    halve(tree->balls, from, to, middle, widest_axis(tree->balls, from, to));
    const ffi_ball_node *first = &tree->nodes[tree->node_count];
    add_node(tree, from, middle);
    const ffi_ball_node *second = &tree->nodes[tree->node_count];
    add_node(tree, middle, to);
    hold_both(node, first, second);
  }
  node->next = tree->node_count;
}

void ffi_ball_tree_build(ffi_ball_tree *tree, int ball_count)
{
  tree->node_count = 0;
  if (ball_count > 0)
    add_node(tree, 0, ball_count);
}

static int is_apart(const ffi_ball_node *a, const ffi_ball_node *b)
{
  return a->low[0] > b->high[0] || b->low[0] > a->high[0] || a->low[1] > b->high[1] ||
         b->low[1] > a->high[1] || a->low[2] > b->high[2] || b->low[2] > a->high[2];
}

static int is_pair(const ffi_ball *a, const ffi_ball *b)
{
  const double x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1],
               z = a->centre[2] - b->centre[2], reach = a->reach + b->reach;
  return x * x + y * y + z * z <= reach * reach && (a->moves | b->moves);
}

void ffi_ball_tree_visit(const ffi_ball_tree *tree, void (*found)(void *to, int id, int other), void *to)
{
  const ffi_ball_node *const nodes = tree->nodes;
  for (int k = 0; k < tree->node_count; ++k) {
    const ffi_ball_node *node = &nodes[k];
    if (!node->is_last)
      continue;
    for (int m = k; m < tree->node_count;) { // itself, then those after it: every two once
      const ffi_ball_node *other = &nodes[m];
      const int is_elsewhere = is_apart(node, other) || !(node->moves | other->moves);
      m = is_elsewhere ? other->next : m + 1;
      if (is_elsewhere || !other->is_last)
        continue;
      for (int i = node->from; i < node->to; ++i)
        for (int j = node == other ? i + 1 : other->from; j < other->to; ++j)
          if (is_pair(&tree->balls[i], &tree->balls[j]))
            found(to, tree->balls[i].id, tree->balls[j].id);
    }
  }
}
