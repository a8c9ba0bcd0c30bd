#include "io/log/log_table.h"

#include <stdlib.h>
#include <string.h>

// A chunk has about so many bytes: enough for deflate, few enough that one is full every second or so.
enum { CHUNK_BYTES = 1 << 16, LEAST_ROWS = 32, COLUMN_ROWS = 2048, MOST_COLUMNS = 64 };

// Columns are a line of the cache farther apart than their chunks are long: a row is written into all of them, and were they apart by a power of two, all its
// numbers would share one place in the cache.
enum { APART = 64 };

static long long rows_of_chunk(size_t row_bytes, long long expected)
{
  const long long fit = (long long)(CHUNK_BYTES / row_bytes), rows = fit < COLUMN_ROWS ? fit : COLUMN_ROWS,
                  few = expected > 0 && expected < rows ? expected : rows;
  return few < LEAST_ROWS && LEAST_ROWS < rows ? LEAST_ROWS : few < 1 ? 1 : few;
}

int ffi_log_table_create(hid_t place, const char *name, hid_t type, long long width, long long rows,
                         ffi_log_table *out)
{
  const long long numbers = width > 0 ? width : 1;
  *out = (ffi_log_table){.dataset = -1, .rank = width > 0 ? 2 : 1, .width = numbers};
  out->element = H5Tget_size(type);
  out->row_bytes = out->element * (size_t)numbers;
  out->columns = numbers <= MOST_COLUMNS ? numbers : 1;
  out->chunk_rows = rows_of_chunk(out->row_bytes / (size_t)out->columns, rows);
  const hsize_t none[2] = {0, (hsize_t)numbers}, most[2] = {H5S_UNLIMITED, (hsize_t)numbers},
                chunk[2] = {(hsize_t)out->chunk_rows, (hsize_t)(numbers / out->columns)};
  out->chunk_bytes = (size_t)out->chunk_rows * (out->row_bytes / (size_t)out->columns);
  out->stride = out->chunk_bytes + APART;
  out->chunk = calloc((size_t)out->columns, out->stride);
  const hid_t space = H5Screate_simple(out->rank, none, most), how = H5Pcreate(H5P_DATASET_CREATE);
  const int is_ready = out->chunk && space >= 0 && how >= 0 && H5Pset_chunk(how, out->rank, chunk) >= 0 &&
                       H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, 1) >= 0 &&
                       H5Pset_obj_track_times(how, 0) >= 0;
  if (is_ready)
    out->dataset = H5Dcreate2(place, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(how);
  return out->dataset >= 0;
}

static int is_zero(const unsigned char *bytes, size_t count)
{
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

// What chunks are not filled with is zero, not what was there before.
static void clear_rest(ffi_log_table *t)
{
  const size_t used = (size_t)(t->rows % t->chunk_rows) * (t->row_bytes / (size_t)t->columns);
  for (long long c = 0; t->has_old && c < t->columns; ++c)
    memset(t->chunk + (size_t)c * t->stride + used, 0, t->chunk_bytes - used);
  t->has_old = 0;
}

// One chunk, compressed or as it is.
static int put_chunk(const ffi_log_table *t, ffi_log_press *p, long long first, long long column)
{
  enum { AS_IT_IS = 3 }; // a bit for each filter that was left out
  const size_t bytes = t->chunk_bytes;
  const unsigned char *chunk = t->chunk + (size_t)column * t->stride;
  const hsize_t at[2] = {(hsize_t)first, (hsize_t)column};
  if (!t->is_in_file && is_zero(chunk, bytes))
    return 1;
  if (p && !t->is_in_file)
    return ffi_log_press_give(p, t->dataset, at, chunk, bytes, t->element);
  return H5Dwrite_chunk(t->dataset, H5P_DEFAULT, AS_IT_IS, at, bytes, chunk) >= 0;
}

// The present chunks side by side, which begin with row `first`.
static int put_chunks(const ffi_log_table *t, ffi_log_press *p, long long first)
{
  const hsize_t extent[2] = {(hsize_t)t->rows, (hsize_t)t->width};
  int is_good = H5Dset_extent(t->dataset, extent) >= 0;
  for (long long c = 0; is_good && c < t->columns; ++c)
    is_good = put_chunk(t, p, first, c);
  return is_good;
}

// Rows into their places in the chunks.
static void scatter(ffi_log_table *t, long long at, const unsigned char *from, long long count)
{
  const size_t bytes = t->row_bytes / (size_t)t->columns;
  if (t->columns == 1) {
    memcpy(t->chunk + (size_t)at * bytes, from, (size_t)count * bytes);
    return;
  }
  for (long long row = at; row < at + count; ++row) {
    unsigned char *to = t->chunk + (size_t)row * bytes;
    if (bytes == sizeof(double)) // as nearly all are: no call for eight bytes
      for (long long c = 0; c < t->columns; ++c, from += sizeof(double), to += t->stride)
        memcpy(to, from, sizeof(double));
    else
      for (long long c = 0; c < t->columns; ++c, from += bytes, to += t->stride)
        memcpy(to, from, bytes);
  }
}

int ffi_log_table_append(ffi_log_table *t, ffi_log_press *press, const void *rows, long long count)
{
  const unsigned char *from = rows;
  while (count > 0) {
    const long long used = t->rows % t->chunk_rows, room = t->chunk_rows - used;
    const long long now = count < room ? count : room;
    scatter(t, used, from, now);
    t->rows += now;
    from += (size_t)now * t->row_bytes;
    count -= now;
    if (now < room)
      break;
    if (!put_chunks(t, press, t->rows - t->chunk_rows))
      return 0;
    t->is_in_file = 0;
    t->has_old = 1;
  }
  return 1;
}

int ffi_log_table_commit(ffi_log_table *t)
{
  const long long used = t->chunk ? t->rows % t->chunk_rows : 0;
  if (used == 0)
    return 1;
  clear_rest(t);
  if (!put_chunks(t, NULL, t->rows - used))
    return 0;
  t->is_in_file = 1;
  return 1;
}

int ffi_log_table_finish(ffi_log_table *t, ffi_log_press *press)
{
  const long long used = t->chunk ? t->rows % t->chunk_rows : 0;
  if (used == 0)
    return 1;
  clear_rest(t);
  return put_chunks(t, press, t->rows - used);
}

void ffi_log_table_close(ffi_log_table *t)
{
  if (t->chunk && t->dataset >= 0)
    H5Dclose(t->dataset);
  free(t->chunk);
  *t = (ffi_log_table){0};
}
