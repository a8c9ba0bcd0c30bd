// Which instruction sets this build has and this machine runs, and the kernels compiled for them.
#include "base/fail.h"
#include "dynamics/kernels.h"

#include <stdlib.h>
#include <string.h>

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

// The sets that can be asked for here.
static const char *list_of_sets(void)
{
  return machine_has(FF_ISA_AVX512) && machine_has(FF_ISA_AVX2) ? "base, avx2 and avx512"
         : machine_has(FF_ISA_AVX512)                           ? "base and avx512"
         : machine_has(FF_ISA_AVX2)                             ? "base and avx2"
                                                                : "base alone";
}

// The set that the environment forces; FF_ISA_AUTO if it forces none.
static ff_status read_environment(ff_isa *out, ff_error *error)
{
  const char *name = getenv("FOOTFALL_ISA");
  *out = FF_ISA_AUTO;
  if (!name || name[0] == '\0')
    return FF_OK;
  for (ff_isa isa = FF_ISA_BASE; isa <= FF_ISA_AVX512; ++isa)
    if (strcmp(name, ff_isa_name(isa)) == 0 && machine_has(isa)) {
      *out = isa;
      return FF_OK;
    }
  return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "FOOTFALL_ISA",
                  "the environment asks for the instruction set '%.40s'; this machine and this build have %s",
                  name, list_of_sets());
}

ff_status ff_isa_resolve(ff_isa asked, ff_isa *out, ff_error *error)
{
  ff_isa isa = asked;
  if (!out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_isa_resolve", "`out` is NULL");
  if (asked == FF_ISA_AUTO) {
    const ff_status status = read_environment(&isa, error);
    if (status != FF_OK)
      return status;
    if (isa == FF_ISA_AUTO)
      isa = ff_isa_best();
  }
  if (!machine_has(isa))
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "isa",
                    "no instruction set '%s' here; this machine and this build have %s", ff_isa_name(asked),
                    list_of_sets());
  *out = isa;
  return FF_OK;
}

const ffi_kernels *ffi_isa_kernels(ff_isa isa, int lanes)
{
  if (isa == FF_ISA_AUTO && ff_isa_resolve(isa, &isa, NULL) != FF_OK)
    return NULL;
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
