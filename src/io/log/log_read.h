/// log_read.h: a log that is being read.
#ifndef FFI_IO_LOG_READ_H
#define FFI_IO_LOG_READ_H

#include "base/arena.h"
#include "io/log/log.h"

enum { FFI_LOG_READ_BLOCK = 256 }; ///< rows that are read at once

/// Tables of rows. They stay open while the log is: HDF5 then keeps the chunks that it has decompressed, and blocks are
/// parts of chunks.
enum {
  FFI_LOG_READ_TIME,
  FFI_LOG_READ_Q,
  FFI_LOG_READ_V,
  FFI_LOG_READ_TAU,
  FFI_LOG_READ_MOTOR,
  FFI_LOG_READ_ENERGY,
  FFI_LOG_READ_STEPS,
  FFI_LOG_READ_CONTACTS,
  FFI_LOG_READ_SUMS, ///< logs of earlier versions have none
  FFI_LOG_READ_TABLES
};

/// Rows first, ..., first + count - 1 and their contacts.
typedef struct ffi_log_read_block {
  long long first, count;
  long long damaged;                           ///< first row of a block that could not be read; -1: none yet
  double *time, *q, *v, *tau, *motor, *energy; ///< [FFI_LOG_READ_BLOCK][width]
  ffi_log_step *steps;                         ///< [FFI_LOG_READ_BLOCK]
  uint64_t *sums;                              ///< [FFI_LOG_READ_BLOCK]
  unsigned char *is_bad;                       ///< [FFI_LOG_READ_BLOCK] this row is damaged
  ffi_log_contact *packed;                     ///< [contact_room]
  ff_contact *contacts;                        ///< [contact_room]
  long long contact_first;                     ///< of all contacts of the log
  size_t contact_room;
} ffi_log_read_block;

struct ff_log {
  ffi_arena arena;                         ///< texts, ground, buffers of fixed size
  hid_t file, tables[FFI_LOG_READ_TABLES]; ///< < 0: not open
  ff_log_info info;
  int state_size;
  ff_files *files;
  ff_file_kind damaged_kind; ///< that of info.damaged_file, if there is one
  const char **arguments;
  int argument_count;
  ff_load_def load;
  ff_model *model; ///< NULL: not asked for yet
  ff_ground_def *ground;
  int ground_count;
  ffi_log_read_block block;
  double *state, *state_q, *state_tau;
  int memory_size; ///< 0: there is none
  double *memory;
};

/// The data that is written once. The error says what is wrong with the file.
ff_status ffi_log_source_read(ff_log *log, ff_error *error);

/// How the run ended, once `to` and `is_whole` are known. 0 on failure.
int ffi_log_end_read(ff_log *log);

/// Does the count of what is there have its checksum, together with how the run ended?
int ffi_log_end_is_right(const ff_log *log, const ffi_log_done *done);

/// log->block is the one with this row. A row in it may be damaged; a failure means that none of them can be read.
ff_status ffi_log_read_block_of(ff_log *log, long long row, ff_error *error);

/// No memory, if that was short since ffi_log_be_quiet(); else "the log is damaged: ... cannot be read".
ff_status ffi_log_open_damaged(const ff_log *log, ff_error *error, const char *what);

/// Rows of a table.
typedef struct ffi_log_read_rows {
  long long first, count;
  long long width; ///< numbers in a row
} ffi_log_read_rows;

/// 0 on failure.
int ffi_log_read_part(hid_t file, const char *name, hid_t type, ffi_log_read_rows rows, void *out);

#endif
