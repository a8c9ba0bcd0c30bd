/// mjcf_text.h: a text of MJCF, read by Footfall and by MuJoCo.
#ifndef FFI_TESTS_MJCF_TEXT_H
#define FFI_TESTS_MJCF_TEXT_H

#include <footfall/load.h>

#include <mujoco/mujoco.h>

typedef struct ffi_mjcf_text {
  mjModel *mj;
  mjData *data;
  ff_model *ff;
} ffi_mjcf_text;

/// Fails with the message of the program that refuses.
ffi_mjcf_text ffi_mjcf_text_load(const char *text);
ffi_mjcf_text ffi_mjcf_text_load_with(const char *text, const ff_load_def *def); ///< `def` may be NULL
void ffi_mjcf_text_free(const ffi_mjcf_text *text);

#endif
