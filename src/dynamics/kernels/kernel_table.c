// The kernels of this variant in one table.
#include "dynamics/workspace.h"

#include "dynamics/kernels/variant.h"

#define FFI_ISA_ID_base FF_ISA_BASE
#define FFI_ISA_ID_avx2 FF_ISA_AVX2
#define FFI_ISA_ID_avx512 FF_ISA_AVX512
#define FFI_ISA_ID_(isa) FFI_ISA_ID_##isa
#define FFI_ISA_ID(isa) FFI_ISA_ID_(isa)

extern const ffi_kernels FFI_KERNEL(kernels);

const ffi_kernels FFI_KERNEL(kernels) = {
    FFI_ISA_ID(FFI_ISA),
    FFI_LANES,
    sizeof(ffi_work),
    FFI_KERNEL(layout),
    FFI_KERNEL(refit),
    FFI_KERNEL(transforms),
    FFI_KERNEL(kinematics),
    FFI_KERNEL(rnea),
    FFI_KERNEL(gravity),
    FFI_KERNEL(bias),
    FFI_KERNEL(aba),
    FFI_KERNEL(crba),
    FFI_KERNEL(mass_matrix),
    FFI_KERNEL(factor),
    FFI_KERNEL(bad_pivot),
    FFI_KERNEL(solve),
    FFI_KERNEL(frame_pose),
    FFI_KERNEL(frame_velocity),
    FFI_KERNEL(frame_acceleration),
    FFI_KERNEL(frame_jacobian),
    FFI_KERNEL(com),
    FFI_KERNEL(com_jacobian),
    FFI_KERNEL(momentum),
    FFI_KERNEL(momentum_bias),
    FFI_KERNEL(kinetic_energy),
    FFI_KERNEL(potential_energy),
    FFI_KERNEL(point_rows),
    FFI_KERNEL(point_jacobian),
    FFI_KERNEL(minv_jt),
    FFI_KERNEL(delassus),
    FFI_KERNEL(rnea_derivatives),
    FFI_KERNEL(aba_derivatives),
};
