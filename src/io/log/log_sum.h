/// log_sum.h: checksums of a log, 64 bits each.
///
/// A checksum is begun with a number, such as that of its row, and goes over some blocks of bytes. Two lists of blocks
/// that differ in one word of eight bytes, counted from the start of a block, never have the same checksum; any others
/// have it once in 2^64 times. docs/decisions/0015-logs.md says why it is not one of HDF5's.
#ifndef FFI_IO_LOG_SUM_H
#define FFI_IO_LOG_SUM_H

#include "io/log/log.h"

#include <stddef.h>
#include <stdint.h>

uint64_t ffi_log_sum_begin(uint64_t number);

/// Take in a block. Its length counts too.
uint64_t ffi_log_sum_add(uint64_t sum, const void *bytes, size_t size);

/// Is it the checksum that was written? In a build for fuzzers any is: they could not guess one.
static inline int ffi_log_sum_is(uint64_t sum, uint64_t written)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  (void)sum, (void)written;
  return 1;
#else
  return sum == written;
#endif
}

/// All that is in a row.
typedef struct ffi_log_sum_row {
  const double *time, *q, *v, *tau, *motor, *energy;
  const ffi_log_step *step;
  const ffi_log_contact *contacts;
  int nq, nv, contact_count;
} ffi_log_sum_row;

uint64_t ffi_log_sum_of_row(long long index, const ffi_log_sum_row *row);

/// All that is in a full state.
typedef struct ffi_log_sum_state {
  int64_t step, row;
  double time;
  const double *q, *tau, *state, *memory;
  int nq, nv, state_size, memory_size;
} ffi_log_sum_state;

uint64_t ffi_log_sum_of_state(long long index, const ffi_log_sum_state *state);

#endif
