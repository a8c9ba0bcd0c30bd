/// collider_pairs.h: which of all the colliders may touch.
///
/// Pairs are made one after another from the colliders (colliders.h), once to count them and once to list them.
#ifndef FFI_CONTACT_COLLIDER_PAIRS_H
#define FFI_CONTACT_COLLIDER_PAIRS_H

#include "contact/detect/colliders.h"

/// Numbers of all pairs.
typedef struct ffi_collider_pairs_totals {
  int pairs;
  int ids;  ///< of all pairs
  int most; ///< of one pair
} ffi_collider_pairs_totals;

/// A pair and the numbers of its two colliders.
typedef struct ffi_collider_pairs_cursor {
  ffi_collider_pair pair;
  int a, b; ///< of the colliders
} ffi_collider_pairs_cursor;

/// Most ids of all pairs together; beyond it the memory for candidates would be the problem.
enum { FFI_MAX_IDS = 1000000 };

/// Goes to the next pair in the order of (collider a, collider b) and returns 1, or 0 after the last. Start with *at
/// zero except b = -1. The pair's ids follow those of the pair before.
int ffi_collider_pairs_next(const ff_model *model, const ffi_collider *colliders, int count,
                            int self_collision, ffi_collider_pairs_cursor *at);

/// Counts all pairs; FF_ERROR_LIMIT if there are too many.
ff_status ffi_collider_pairs_count(const ff_model *model, const ffi_collider *colliders, int count,
                                   int self_collision, ffi_collider_pairs_totals *out, ff_error *error);

#endif
