// Which instruction sets this build has and this machine runs, and the kernels compiled for them.
#include "dynamics/kernels.h"

extern const ffi_kernels ffi_kernels_base_x1, ffi_kernels_base_x2;
#ifdef FFI_HAVE_AVX2
extern const ffi_kernels ffi_kernels_avx2_x1, ffi_kernels_avx2_x4;
#endif
#ifdef FFI_HAVE_AVX512
extern const ffi_kernels ffi_kernels_avx512_x1, ffi_kernels_avx512_x8;
#endif

static int machine_has(ff_isa isa)
{
  if (isa == FF_ISA_BASE)
    return 1;
#ifdef FFI_HAVE_AVX2
  if (isa == FF_ISA_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#ifdef FFI_HAVE_AVX512
  if (isa == FF_ISA_AVX512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
  return 0;
}

ff_isa ff_isa_best(void)
{
  return machine_has(FF_ISA_AVX512) ? FF_ISA_AVX512 : machine_has(FF_ISA_AVX2) ? FF_ISA_AVX2 : FF_ISA_BASE;
}

const char *ff_isa_name(ff_isa isa)
{
  switch (isa) {
  case FF_ISA_AUTO: return "auto";
  case FF_ISA_BASE: return "base";
  case FF_ISA_AVX2: return "avx2";
  case FF_ISA_AVX512: return "avx512";
  }
  return "unknown";
}

const ffi_kernels *ffi_kernels_find(ff_isa isa, int lanes)
{
  if (isa == FF_ISA_AUTO)
    isa = ff_isa_best();
  if (!machine_has(isa))
    return NULL;
  const ffi_kernels *one = &ffi_kernels_base_x1, *wide = &ffi_kernels_base_x2;
#ifdef FFI_HAVE_AVX2
  if (isa == FF_ISA_AVX2) {
    one = &ffi_kernels_avx2_x1;
    wide = &ffi_kernels_avx2_x4;
  }
#endif
#ifdef FFI_HAVE_AVX512
  if (isa == FF_ISA_AVX512) {
    one = &ffi_kernels_avx512_x1;
    wide = &ffi_kernels_avx512_x8;
  }
#endif
  return lanes == 1 ? one : wide;
}
