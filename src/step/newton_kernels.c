// The kernels of Newton's iterations that go with an instruction set.
#include "step/newton_kernels.h"

extern const ffi_newton_kernels ffi_newton_kernels_base_x1;
#ifdef FFI_HAVE_AVX2
extern const ffi_newton_kernels ffi_newton_kernels_avx2_x1;
#endif
#ifdef FFI_HAVE_AVX512
extern const ffi_newton_kernels ffi_newton_kernels_avx512_x1;
#endif

const ffi_newton_kernels *ffi_newton_kernels_find(ff_isa isa)
{
  if (isa == FF_ISA_AUTO)
    isa = ff_isa_best();
#ifdef FFI_HAVE_AVX2
  if (isa == FF_ISA_AVX2)
    return &ffi_newton_kernels_avx2_x1;
#endif
#ifdef FFI_HAVE_AVX512
  if (isa == FF_ISA_AVX512)
    return &ffi_newton_kernels_avx512_x1;
#endif
  (void)isa; // on machines that have one set only
  return &ffi_newton_kernels_base_x1;
}
