/// ball_tree.h: which of many balls come close to one another, without testing every pair.
///
/// A tree of boxes. The balls are halved at the median along the axis on which their centres are spread most, and
/// halved again, down to a few. Every node has the box that holds its balls. For each leaf the tree is walked once; a
/// node whose box is elsewhere is skipped with all below it. For n balls of any sizes, each close to a few others only,
/// the cost is n log n.
///
/// The tree is built anew each time. Only the order of the balls is kept, because halving is fast on balls that are
/// nearly in order; it does not change which pairs are found.
#ifndef FFI_CONTACT_BALL_TREE_H
#define FFI_CONTACT_BALL_TREE_H

#include "base/block.h"

typedef struct ffi_ball {
  double centre[3];
  double reach; ///< two balls are close if their centres are no farther apart than both reaches [m]
  int id;
  int moves; ///< two balls that both do not move are not a pair
} ffi_ball;

typedef struct ffi_ball_node {
  double low[3], high[3]; ///< box about its balls
  int from, to;           ///< balls
  int next;               ///< the node after all nodes below this one
  int is_last;            ///< a leaf
  int moves;              ///< any of its balls
} ffi_ball_node;

typedef struct ffi_ball_tree {
  ffi_ball *balls; ///< [most] the caller's, in the order of the last build
  ffi_ball_node *nodes;
  int most, node_count;
} ffi_ball_tree;

/// Places arrays for `most` balls (run twice: counting, placing).
void ffi_ball_tree_layout(ffi_ball_tree *tree, int most, ffi_block *block);

/// Builds the tree of the first ball_count balls and reorders these. Their centres and reaches are finite.
void ffi_ball_tree_build(ffi_ball_tree *tree, int ball_count);

/// Calls found(to, id, other) once for each two balls that are close, in any order.
void ffi_ball_tree_visit(const ffi_ball_tree *tree, void (*found)(void *to, int id, int other), void *to);

#endif
