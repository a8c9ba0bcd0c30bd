/// ball_tree.h: which of many balls come close to one another, without asking every pair.
///
/// A tree of boxes: the balls are halved by the middle one along the axis on which their centres are spread most, and halved again, down to a few. Every node has
/// the box that holds its balls. For each of the last nodes the tree is walked once; a node whose box is elsewhere is left out with all that is below it. For n
/// balls of any sizes, none of which meets more than a few others, that is n log n.
///
/// The tree is made anew each time. Only the order in which the balls ended is kept, because to halve what is nearly in order is quick; it has no part
/// in which pairs are found.
#ifndef FFI_CONTACT_BALL_TREE_H
#define FFI_CONTACT_BALL_TREE_H

#include "base/block.h"

typedef struct ffi_ball {
  double centre[3];
  double reach; ///< two balls are close if their centres are no farther apart than both reaches [m]
  int id;
  int moves; ///< two that do not are no pair
} ffi_ball;

typedef struct ffi_ball_node {
  double low[3], high[3]; ///< box about its balls
  int from, to;           ///< balls
  int next;               ///< the node after all that are below this one
  int is_last;            ///< none below
  int moves;              ///< any of its balls
} ffi_ball_node;

typedef struct ffi_ball_tree {
  ffi_ball *balls; ///< [most] the caller's, in the order of the last time
  ffi_ball_node *nodes;
  int most, node_count;
} ffi_ball_tree;

/// Places arrays for so many balls at most: run twice, counting and placing.
void ffi_ball_tree_layout(ffi_ball_tree *tree, int most, ffi_block *block);

/// Makes the tree of the first so many balls and reorders these. Their centres and reaches are finite.
void ffi_ball_tree_build(ffi_ball_tree *tree, int ball_count);

/// Calls found(to, id, id) once for each two that are close, in any order.
void ffi_ball_tree_visit(const ffi_ball_tree *tree, void (*found)(void *to, int id, int other), void *to);

#endif
