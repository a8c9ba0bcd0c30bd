// Finds the calm step of an instruction set.
#include "step/lanes/lane_kernels.h"

extern const ffi_lane_kernels ffi_lane_kernels_base_x2;
#ifdef FFI_HAVE_AVX2
extern const ffi_lane_kernels ffi_lane_kernels_avx2_x4;
#endif
#ifdef FFI_HAVE_AVX512
extern const ffi_lane_kernels ffi_lane_kernels_avx512_x8;
#endif

const ffi_lane_kernels *ffi_lane_kernels_find(ff_isa isa)
{
#ifdef FFI_HAVE_AVX2
  if (isa == FF_ISA_AVX2)
    return &ffi_lane_kernels_avx2_x4;
#endif
#ifdef FFI_HAVE_AVX512
  if (isa == FF_ISA_AVX512)
    return &ffi_lane_kernels_avx512_x8;
#endif
  (void)isa; // on machines that have one set only
  return &ffi_lane_kernels_base_x2;
}
