/// log_disk.h: the file under a log that is being written, as a driver of HDF5.
///
/// HDF5 cannot close a file that it cannot write: closing fails, and at the end of the program it tries again and
/// crashes. So this driver hides a full disk from HDF5. After the first write that fails, nothing more goes to the
/// file, which stays as it is; later records of HDF5 are kept in memory, from which it reads them back. The writer
/// checks ffi_log_disk.error.
///
/// Otherwise it does what HDF5's own driver for files does, with a file that is open already.
#ifndef FFI_IO_LOG_DISK_H
#define FFI_IO_LOG_DISK_H

#include <hdf5.h>

typedef struct ffi_log_disk {
  int file;     ///< open for reading and writing, and empty; HDF5 closes it
  int error;    ///< errno of the write that failed first, 0: none did
  hid_t driver; ///< as HDF5 knows it; 0: not yet
} ffi_log_disk;

/// Use this driver for the file that is created with this access list. `disk` has nothing but its file; it must live as
/// long as the file is open, and is released after it is closed, also after a failure. 0 on failure.
int ffi_log_disk_use(hid_t access, ffi_log_disk *disk);
void ffi_log_disk_release(ffi_log_disk *disk);

#endif
