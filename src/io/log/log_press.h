/// log_press.h: chunks of a file, compressed by a thread of its own while the program goes on.
///
/// Chunks are given away with ffi_log_press_give(), compressed in their order, and written where they belong by ffi_log_press_take(), which is called by the thread that
/// gave them: HDF5 is never called by two threads. Compression is that of HDF5's own filters (shuffle, then deflate), so that every reader of HDF5 can read
/// it. We do it ourselves, for speed: the low bytes of measured doubles are noise, on which deflate spends most of its time for nothing. After the
/// shuffle the bytes of each weight lie together, so noise is told by its histogram and stored as it is, within the same stream.
#ifndef FFI_IO_LOG_PRESS_H
#define FFI_IO_LOG_PRESS_H

#include <hdf5.h>
#include <stddef.h>

typedef struct ffi_log_press ffi_log_press;

ffi_log_press *ffi_log_press_create(void);        ///< NULL: no memory
void ffi_log_press_destroy(ffi_log_press *press); ///< what was not taken is dropped; NULL is fine

/// A chunk of numbers or records of `element` bytes, copied, for the place `at` of a dataset. May take what is done, to have room. 0 on failure: no memory, or HDF5's.
int ffi_log_press_give(ffi_log_press *press, hid_t dataset, const hsize_t at[2], const void *chunk,
                       size_t bytes, size_t element);

/// Write all that was given. 0 on failure.
int ffi_log_press_take(ffi_log_press *press);

#endif
