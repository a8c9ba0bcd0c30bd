/// pattern.h: where the entries of a symmetric matrix in velocity coordinates are kept, and in what order its rows are eliminated.
///
/// Row i holds entries (i, j) for the j on its path, j increasing, i last, and is padded to whole groups of four. Elimination goes from the deepest rows
/// to the roots, so that rows of the same depth, which have nothing to do with each other, follow one another: the processor works on several at
/// once. The six rows of a free root come last, and together.
#ifndef FFI_STEP_PATTERN_H
#define FFI_STEP_PATTERN_H

#include "base/block.h"

#include <footfall/model.h>

typedef struct ffi_pattern {
  int n;
  const int *row;   ///< [n + 1] first entry of each row, a multiple of 4
  const int *depth; ///< [n] entries before the diagonal; entry (i, j) is at row[i] + depth[j]
  const int *path;  ///< [row[n]] j of each entry; -1 in the padding
  const int *order; ///< [order_count] rows in the order of their elimination, without those of free roots
  int order_count;
  const int *from; ///< [n] 6 for rows under a free root, whose first six columns wait for it; else 0
  const int *root; ///< [root_count][2] first and one past the last velocity of each tree on a free root
  int root_count;
} ffi_pattern;

/// The sparsity of the mass matrix: rows of ancestors. No fill-in.
void ffi_pattern_tree(const ff_model *model, ffi_block *block, ffi_pattern *out);

/// A full lower triangle.
void ffi_pattern_full(int n, ffi_block *block, ffi_pattern *out);

#endif
