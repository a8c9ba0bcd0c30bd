/// cut_cases.h: models to cut, and how far pieces are from the model they came from.
#ifndef FFI_TESTS_MODEL_CUT_CASES_H
#define FFI_TESTS_MODEL_CUT_CASES_H

#include <footfall/cut.h>
#include <footfall/dynamics.h>

double *ffi_cut_numbers(int count); ///< zeros; free() them

ff_dynamics *ffi_cut_dynamics(const ff_model *model);

/// All types of joints, things on them, and names that are in the way; and its cut at five of its joints.
ff_model *ffi_cut_workshop(void);
ff_cut *ffi_cut_of_workshop(const ff_model *model);

/// The largest difference of any frame's place [m] or rotation between the source at q and the pieces at q_cut.
double ffi_cut_frames_apart(const ff_cut *cut, const double *q, const double *q_cut);

#endif
