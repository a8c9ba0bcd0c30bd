/// advance_memory.h: the working memory of conservative advancement, and the steps of its search.
#ifndef FFI_CONTACT_ADVANCE_MEMORY_H
#define FFI_CONTACT_ADVANCE_MEMORY_H

#include "contact/advance/pair_separation.h"

struct ffi_advance {
  ffi_advance_moment now, next;
  double *q, *v, *displacement; ///< scratch
  ffi_advance_extent *extent;   ///< [colliders]
  ffi_pair_separation *pairs;   ///< [pair_count] that may touch on the path
  int pair_count;
  double *work; ///< [1] of distances, see ffi_advance_report
  double *grow; ///< [colliders] scratch
  int *close;   ///< [pairs] scratch
};

/// Separations below this are contact: the error of the searches for nearest points [m].
static const double ffi_advance_guard = 1e-11;

/// The pairs that may touch on a path, to a->pairs. a->now is its start. advance_gather.c
void ffi_advance_gather(ffi_advance *a, const ffi_advance_path *path);

/// Evaluates the start of the path, gathers its pairs and measures them.
void ffi_advance_begin(ffi_advance *a, const ffi_advance_path *path);

/// Sets the floors of all pairs: docs/theory/advancement.md, section 7.
void ffi_advance_set_floors(ffi_advance *a, const ffi_advance_path *path, double slack);

/// Searches from a->now, with its pairs measured, to the first contact; returns its time, or T.
double ffi_advance_search(ffi_advance *a, const ffi_advance_path *path, double shortest,
                          ffi_advance_report *out);

#endif
