/// kernel_outputs.h: every public kernel called on one state, with all its results kept by name.
///
/// For tests that ask the same of all kernels: the same bits again, the same numbers in every lane and on
/// every instruction set, nothing allocated.
#ifndef FFI_TESTS_KERNEL_OUTPUTS_H
#define FFI_TESTS_KERNEL_OUTPUTS_H

#include "support/random_state.h"

#include <footfall/dynamics.h>

/// How errors of a result are to be judged.
typedef enum ffi_output_kind {
  FFI_OUTPUT_PLAIN,  ///< a sum: rounding of its largest entry
  FFI_OUTPUT_SOLVED, ///< solved with the mass matrix: its condition number comes in
} ffi_output_kind;

typedef struct ffi_output {
  const char *name;
  ffi_output_kind kind;
  int count;    ///< numbers for one robot
  double *data; ///< [count x lanes]
  double least; ///< scale of its rounding, at least: of results that may vanish, as derivatives do
} ffi_output;

enum { FFI_OUTPUTS = 29, FFI_OUTPUT_POINTS = 3 };

typedef struct ffi_outputs {
  int lanes;
  ff_status factored;
  ffi_output all[FFI_OUTPUTS];
} ffi_outputs;

/// State of `lanes` robots, [nq x lanes] and [nv x lanes].
typedef struct ffi_lane_state {
  int lanes;
  double *q, *v, *vdot, *tau;
} ffi_lane_state;

/// Room for the results of all kernels on this model.
ffi_outputs ffi_outputs_make(const ff_model *model, int lanes);
void ffi_outputs_free(ffi_outputs *outputs);

/// Call them all. With `is_reusing`, q is given once and NULL after that. Allocates nothing.
void ffi_outputs_compute(ff_dynamics *dynamics, const ff_model *model, const ffi_lane_state *s,
                         int is_reusing, ffi_outputs *out);

/// Random states, each lane another.
ffi_lane_state ffi_lane_state_make(const ff_model *model, int lanes, ffi_random *random);
void ffi_lane_state_free(ffi_lane_state *state);

/// Copy one lane of a state into all lanes of another.
void ffi_lane_state_copy(const ff_model *model, const ffi_lane_state *from, int lane, ffi_lane_state *to);

#endif
