/// hard_case.h: a problem of hard contact with its mass matrix and its rows as dense matrices, from which the library's compact ones are made.
#ifndef FFI_TESTS_HARD_CASE_H
#define FFI_TESTS_HARD_CASE_H

#include "contact/hard/hard.h"

#include <stddef.h>

typedef struct ffi_hard_case {
  ffi_hard problem;
  double *M; ///< [nv][nv]
  double *W; ///< [rows][nv]: W'
  ffi_hard_memory *memory;
  double mu; ///< of all contacts; -1: mixed
  void *room;
} ffi_hard_case;

/// An empty problem to be filled by hand: block b has rows[b] rows; ffi_hard_case_finish() makes W, Y and the dof lists from M and W.
ffi_hard_case *ffi_hard_case_begin(int nv, int blocks, const int *rows);
void ffi_hard_case_finish(ffi_hard_case *c);
void ffi_hard_case_destroy(ffi_hard_case *c);

/// x := M^-1 x, by this file's own elimination.
void ffi_hard_solve_mass(const ffi_hard_case *c, double *x);

/// From M, W and the impulses alone: u = u_free + M^-1 W Lambda and xi = W'u + b + R Lambda.
void ffi_hard_velocities(const ffi_hard_case *c, double *u, double *xi);

void *ffi_hard_room(size_t count, size_t size); ///< calloc() that does not fail; free() it

#endif
