/// log_table.h: one extensible table of an HDF5 file, written in whole chunks.
///
/// Rows gather in chunks in memory; those that are full are compressed and go to the file. Numbers of one column lie together in a chunk of their own. A chunk that is
/// all zero is not written, as HDF5 has zero where there is nothing.
///
/// ffi_log_table_commit() brings what is there so far to the file, the last chunks as they are, at their full size and not compressed: written again when they have more rows,
/// they stay in their places. That is what keeps the file small while it is open to readers, when HDF5 gives no space back.
#ifndef FFI_IO_LOG_TABLE_H
#define FFI_IO_LOG_TABLE_H

#include "io/log/log_press.h"

#include <hdf5.h>
#include <stddef.h>

typedef struct ffi_log_table {
  hid_t dataset;
  size_t element;   ///< bytes of a number, or of a record
  size_t row_bytes; ///< of a row of them
  int rank;         ///< 1, or 2: rows of several
  long long width;  ///< numbers in a row
  long long chunk_rows;
  long long columns;    ///< chunks side by side: each number of a row has its own, unless there are very many
  size_t chunk_bytes;   ///< of one
  size_t stride;        ///< from the first byte of one to that of the next
  unsigned char *chunk; ///< [columns][stride], rows of each one after the other
  long long rows;       ///< appended so far
  int is_in_file;       ///< the present chunks, as they are
  int has_old;          ///< behind what is in the present chunks lies what was in the ones before
} ffi_log_table;

/// Rows of `width` numbers or records of `type`; width 0: one, and the table has one dimension. About `rows` of them are expected; 0: many. 0 on failure.
int ffi_log_table_create(hid_t place, const char *name, hid_t type, long long width, long long rows,
                         ffi_log_table *out);

/// `count` rows. 0 on failure.
int ffi_log_table_append(ffi_log_table *table, ffi_log_press *press, const void *rows, long long count);

/// All rows (of a table that is all zero: none) are in the file once ffi_log_press_take() was called and the file flushed. 0 on failure.
int ffi_log_table_commit(ffi_log_table *table);

/// The same at the end, when nothing will be added. 0 on failure.
int ffi_log_table_finish(ffi_log_table *table, ffi_log_press *press);

void ffi_log_table_close(ffi_log_table *table); ///< one that is all zero is fine

#endif
