// The step kernels of this variant in one table.
#include "step/kernels/step_kernels_variant.h"

extern const ffi_step_kernels FFI_KERNEL(step_kernels);

const ffi_step_kernels FFI_KERNEL(step_kernels) = {
    .path_rows = FFI_KERNEL(path_rows),
    .point_bias = FFI_KERNEL(point_bias),
    .point_contact = FFI_KERNEL(point_contact),
    .sample_sticking = FFI_KERNEL(sample_sticking),
    .gram = FFI_KERNEL(gram),
    .spread = FFI_KERNEL(spread),
    .add_row = FFI_KERNEL(add_row),
    .factor = FFI_KERNEL(frozen_factor),
    .solve = FFI_KERNEL(frozen_solve),
    .mix = FFI_KERNEL(mix),
    .rows_transposed4 = FFI_KERNEL(rows_transposed4),
    .combine = FFI_KERNEL(combine),
    .energies = FFI_KERNEL(energies),
    .mobilities = FFI_KERNEL(mobilities),
    .rows_times4 = FFI_KERNEL(rows_times4),
    .advance = FFI_KERNEL(advance),
    .rows_times8 = FFI_KERNEL(rows_times8),
    .row_times8 = FFI_KERNEL(row_times8),
    .add_product8 = FFI_KERNEL(add_product8),
    .turn_rows = FFI_KERNEL(turn_rows),
    .impulse_rows = FFI_KERNEL(impulse_rows),
    .half_rows = FFI_KERNEL(half_rows),
    .couple_rows = FFI_KERNEL(couple_rows),
    .couple_blocks = FFI_KERNEL(couple_blocks),
    .energy = FFI_KERNEL(energy),
    .energy_factored = FFI_KERNEL(energy_factored),
    .is_zero = FFI_KERNEL(is_zero),
    .settle = FFI_KERNEL(settle),
    .settle_moved = FFI_KERNEL(settle_moved),
    .settle_records = FFI_KERNEL(settle_records),
    .newton = &FFI_KERNEL(newton_kernels),
};
