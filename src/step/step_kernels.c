// The contact kernels that go with an instruction set.
#include "step/step_kernels.h"

extern const ffi_step_kernels ffi_step_kernels_base_x1;
#ifdef FFI_HAVE_AVX2
extern const ffi_step_kernels ffi_step_kernels_avx2_x1;
#endif
#ifdef FFI_HAVE_AVX512
extern const ffi_step_kernels ffi_step_kernels_avx512_x1;
#endif

const ffi_step_kernels *ffi_step_kernels_find(ff_isa isa)
{
#ifdef FFI_HAVE_AVX2
  if (isa == FF_ISA_AVX2)
    return &ffi_step_kernels_avx2_x1;
#endif
#ifdef FFI_HAVE_AVX512
  if (isa == FF_ISA_AVX512)
    return &ffi_step_kernels_avx512_x1;
#endif
  (void)isa; // on machines that have one set only
  return &ffi_step_kernels_base_x1;
}
