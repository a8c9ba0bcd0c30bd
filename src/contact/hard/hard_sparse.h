/// hard_sparse.h: the linear systems of Newton's method for many contacts, which touch few others each.
///
///     ((1 - P') + P' r (G + rho D)) d = right              P' of hard_newton.h, a 3 x 3 block for each part
///
/// G couples only parts that reach a common tree, so it is kept as blocks of 3 x 3 (parts with one row are filled up with 1). The parts are put into an
/// order of least degree; elimination in that order fills in little, and is done without pivoting between parts. Order and places are found once for a
/// problem, by ffi_hard_sparse_prepare(); each ffi_hard_sparse_factor() then only computes.
#ifndef FFI_CONTACT_HARD_SPARSE_H
#define FFI_CONTACT_HARD_SPARSE_H

#include "base/block.h"

struct ffi_hard_memory;

enum {
  FFI_HARD_SPARSE_PARTS = 4096, ///< of a problem, at most: the order needs parts^2 bits
  FFI_HARD_SPARSE_FILL = 48,    ///< blocks for each part, on average and at most; pits need 12
  FFI_HARD_SPARSE_REACHED = 64, ///< velocities that a part reaches, on average and at most
  FFI_HARD_SPARSE_BLOCK = 12,   ///< numbers of a block: three rows of three and one of padding
};

typedef struct ffi_hard_sparse {
  int max_parts, max_slots;
  int *head, *next, *who;    ///< parts that reach a velocity: [max_nv], [reached], [reached]
  int max_reached;           ///< entries of next, who
  unsigned long long *bits;  ///< [max_parts][words] who is coupled with whom
  int *degree;               ///< [max_parts]
  int *order, *rank;         ///< [max_parts] part at a place, place of a part
  int *first;                ///< [max_parts + 1] the slots of each place
  int *slot;                 ///< [max_slots] places after it that it is coupled with, increasing
  unsigned char *is_coupled; ///< [max_slots] by G, not by elimination alone
  double *G, *U, *L;     ///< [max_slots][BLOCK] U: block (place, slot); L: block (slot, place), transposed
  double *own, *inverse; ///< [max_parts][BLOCK] by place
  double *y;             ///< [max_parts][4]
} ffi_hard_sparse;

void ffi_hard_sparse_layout(ffi_hard_sparse *s, int max_nv, int max_parts, ffi_block *block);

/// Order, places and G of the iterated parts; 0 if there is no room, or a part has more than three rows.
int ffi_hard_sparse_prepare(struct ffi_hard_memory *m);

/// The first part of that, hard_sparse_order.c: order, rank, first and slot.
int ffi_hard_sparse_order(struct ffi_hard_memory *m);

/// The system at the derivative of m->newton, factored. 0 if a pivot is none.
int ffi_hard_sparse_factor(struct ffi_hard_memory *m, double rho, double regular);

/// right [rows] to d [rows].
void ffi_hard_sparse_solve(struct ffi_hard_memory *m, const double *right, double *d);

#endif
