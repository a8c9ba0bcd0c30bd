/// cut.h: makes a scene smaller, one thing at a time. A cut has a number, so that a small scene is a seed and a list of
/// numbers: --seed 12 --cuts 203,105.
#ifndef FFI_TESTS_CUT_H
#define FFI_TESTS_CUT_H

#include "campaign/recipe.h"

enum { FFI_CUT_KINDS = 27, FFI_CUT_PLACES = 100, FFI_CUT_MOST = 128 };

typedef struct ffi_cut_list {
  int count;
  int cuts[FFI_CUT_MOST];
} ffi_cut_list;

/// Apply cut number kind * FFI_CUT_PLACES + place. 0: it would change nothing, or leave nothing that moves.
int ffi_cut_apply(int cut, ffi_recipe *recipe);

#endif
