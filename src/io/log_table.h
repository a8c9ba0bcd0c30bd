/// log_table.h: one extensible table of an HDF5 file, written in whole chunks.
///
/// Rows gather in a chunk in memory. A chunk that is full goes to the file compressed, with HDF5's own filters (shuffle, then deflate), so that every reader of
/// HDF5 can read it. We compress it ourselves, for speed: the low bytes of measured doubles are noise, on which deflate spends most of its time for nothing. After the
/// shuffle the bytes of each weight lie together, so noise is told by its histogram and stored as it is, within the same stream.
///
/// ffi_log_table_commit() brings what is there so far to the file, the last chunk as it is, at its full size and not compressed: written again when it has more rows, it stays in
/// its place. That is what keeps the file small while it is open to readers, when HDF5 gives no space back.
#ifndef FFI_IO_LOG_TABLE_H
#define FFI_IO_LOG_TABLE_H

#include <hdf5.h>
#include <stddef.h>
#include <zlib.h>

/// What compression works in; shared by the tables of a file.
typedef struct ffi_log_press {
  z_stream stream;
  int is_open;
  unsigned char *shuffled, *packed; ///< [room], [packed_room]
  size_t room, packed_room;
} ffi_log_press;

typedef struct ffi_log_table {
  hid_t dataset;
  size_t element;   ///< bytes of a number, or of a record
  size_t row_bytes; ///< of a row of them
  int rank;         ///< 1, or 2: rows of several
  long long width;  ///< numbers in a row
  long long chunk_rows;
  unsigned char *chunk; ///< [chunk_rows][row_bytes]
  long long rows;       ///< appended so far
  int is_in_file;       ///< the present chunk, as it is
} ffi_log_table;

/// Rows of `width` numbers or records of `type`; width 0: one, and the table has one dimension. 0 on failure.
int ffi_log_table_create(hid_t place, const char *name, hid_t type, long long width, ffi_log_press *press,
                         ffi_log_table *out);

/// `count` rows. 0 on failure.
int ffi_log_table_append(ffi_log_table *table, ffi_log_press *press, const void *rows, long long count);

/// All rows are in the file, or on their way into it with its next flush. 0 on failure.
int ffi_log_table_commit(ffi_log_table *table);

/// The same at the end, when nothing will be added. 0 on failure.
int ffi_log_table_finish(ffi_log_table *table, ffi_log_press *press);

void ffi_log_table_close(ffi_log_table *table); ///< one that is all zero is fine
void ffi_log_press_free(ffi_log_press *press);

#endif
