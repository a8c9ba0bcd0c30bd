/// pairs.h: which of all the shapes and grounds may touch.
///
/// Pairs are made one after another from the parties (scene.h), once to count them and once to list them.
#ifndef FFI_CONTACT_PAIRS_H
#define FFI_CONTACT_PAIRS_H

#include "contact/detect/colliders.h"

/// Does `other` hang on `link`, through any number of joints, cut ones too, or is it the same? -1 hangs on nothing.
int ffi_carrier_carries(const ff_model *model, int link, int other);

/// The body that a body hangs on: its parent, or what it was cut from; 0: the world.
int ffi_carrier_of_body(const ff_model *model, int body);

/// How much a scene has.
typedef struct ffi_collider_pairs_totals {
  int pairs;
  int ids;  ///< of all pairs
  int most; ///< of one pair
} ffi_collider_pairs_totals;

/// A pair and which two parties it joins.
typedef struct ffi_collider_pairs_cursor {
  ffi_collider_pair pair;
  int a, b; ///< parties
} ffi_collider_pairs_cursor;

enum { FFI_MAX_IDS = 1000000 }; ///< of a scene; beyond it memory for what is near would be the problem

/// Steps to the next pair in the order of (party a, party b) and returns 1, or 0 after the last. Start with *at
/// zero but for b = -1. The pair's ids follow on those of the one before.
int ffi_collider_pairs_next(const ff_model *model, const ffi_collider *parties, int count, int self_collision,
                            ffi_collider_pairs_cursor *at);

/// Counts all pairs; FF_ERROR_LIMIT if there are too many.
ff_status ffi_collider_pairs_count(const ff_model *model, const ffi_collider *parties, int count,
                                   int self_collision, ffi_collider_pairs_totals *out, ff_error *error);

#endif
