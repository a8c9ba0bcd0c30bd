/// log_disk.h: the file under a log that is being written, as a driver of HDF5.
///
/// HDF5 cannot let go of a file that it cannot write: closing it fails, and at the end of the program it tries again and crashes. So it never learns that
/// a disk is full. From the first write that fails on, nothing more goes to the file, which thus stays as it was at that moment, and what HDF5 wants to have
/// written of its own records is kept in memory, where it finds them again. Whoever writes asks ffi_log_disk.error.
///
/// Otherwise it does what HDF5's own driver for files does.
#ifndef FFI_IO_LOG_DISK_H
#define FFI_IO_LOG_DISK_H

#include <hdf5.h>

typedef struct ffi_log_disk {
  int error;    ///< errno of the write that failed first, 0: none did
  hid_t driver; ///< as HDF5 knows it; 0: not yet
} ffi_log_disk;

/// The file that is created with this access list is written so. Begin with an empty `disk`; it must live as long as the file is open, and is let go of after it is closed, also
/// after a failure. 0 on failure.
int ffi_log_disk_use(hid_t access, ffi_log_disk *disk);
void ffi_log_disk_let_go(ffi_log_disk *disk);

#endif
