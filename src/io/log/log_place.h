/// log_place.h: the place of a log on the disk while it is written.
///
/// A log begins as FILE.part. When its head is complete it takes its name, and a log that has that name already becomes
/// FILE~. That one is removed when the new log has ended in order; so a full disk or a kill never leaves less than
/// there was. As long as a log is written its file is locked: two programs cannot write to the same place, and readers
/// can tell a log that grows from one whose program was killed.
#ifndef FFI_IO_LOG_PLACE_H
#define FFI_IO_LOG_PLACE_H

typedef struct ffi_log_place {
  char *path; ///< FILE
  char *part; ///< FILE.part
  char *kept; ///< FILE~
  int has_kept;
} ffi_log_place;

/// Empty names on failure, of memory.
int ffi_log_place_create(ffi_log_place *place, const char *path);
void ffi_log_place_free(ffi_log_place *place);

/// FILE.part, empty and locked: its descriptor. -1 on failure, with errno: EBUSY if another program writes this log.
int ffi_log_place_open(ffi_log_place *place);

/// The head is complete. 0 on failure, with errno.
int ffi_log_place_move(ffi_log_place *place);

/// The log has ended in order: the one before is not needed any more.
void ffi_log_place_end(ffi_log_place *place);

/// Nobody can open what was written to this descriptor: somebody removed or replaced it.
int ffi_log_place_is_lost(int file);

/// Does a program write this log at the moment? 0 also where it is not known.
int ffi_log_place_is_busy(const char *path);

#endif
