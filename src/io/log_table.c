#include "io/log_table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A chunk has about so many bytes: enough for deflate, few enough that one is full every second or so.
enum { CHUNK_BYTES = 1 << 16, LEAST_ROWS = 1, MOST_ROWS = 4096 };

// ---- Compression ----------------------------------------------------------------------------------------------------

static int make_room(ffi_log_press *p, size_t bytes)
{
  const size_t packed =
      bytes + bytes / 8 + 4096; // a level that changes for each byte of a number costs a few bytes
  if (bytes <= p->room)
    return 1;
  unsigned char *shuffled = realloc(p->shuffled, bytes);
  if (shuffled)
    p->shuffled = shuffled;
  unsigned char *larger = realloc(p->packed, packed);
  if (larger)
    p->packed = larger;
  if (!shuffled || !larger)
    return 0;
  p->room = bytes;
  p->packed_room = packed;
  return 1;
}

// As HDF5's filter does it: first bytes of all elements, then second ones.
static void shuffle(const unsigned char *from, size_t count, size_t element, unsigned char *to)
{
  for (size_t byte = 0; byte < element; ++byte)
    for (size_t i = 0; i < count; ++i)
      *to++ = from[i * element + byte];
}

// Would deflate find nothing? Two bytes chosen at random are then equal once in 256 times; what it can shorten by a tenth has them equal far more often.
static int is_noise(const unsigned char *bytes, size_t count)
{
  unsigned histogram[256] = {0};
  double equal = 0;
  for (size_t i = 0; i < count; ++i)
    ++histogram[bytes[i]];
  for (int i = 0; i < 256; ++i)
    equal += (double)histogram[i] * histogram[i];
  return count >= 1024 && equal < (double)count * (double)count / 100;
}

static int press_part(z_stream *z, const unsigned char *bytes, size_t count, int level, int flush)
{
  if (deflateParams(z, level, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  z->next_in = (unsigned char *)(uintptr_t)bytes;
  z->avail_in = (uInt)count;
  const int result = deflate(z, flush);
  return z->avail_in == 0 && (flush == Z_FINISH ? result == Z_STREAM_END : result == Z_OK);
}

// Bytes of the compressed chunk, 0: it is not worth it, or there is no memory for it.
static size_t press(ffi_log_press *p, const unsigned char *chunk, size_t bytes, size_t element)
{
  const size_t count = bytes / element;
  if (!p->is_open && deflateInit(&p->stream, 1) != Z_OK)
    return 0;
  p->is_open = 1;
  if (!make_room(p, bytes) || deflateReset(&p->stream) != Z_OK)
    return 0;
  z_stream *z = &p->stream;
  z->next_out = p->packed;
  z->avail_out = (uInt)p->packed_room;
  shuffle(chunk, count, element, p->shuffled);
  int level = -1;
  size_t from = 0;
  for (size_t byte = 0; byte < element; ++byte) { // neighbours that are treated alike go together
    const int next = is_noise(p->shuffled + byte * count, count) ? 0 : 1;
    if (level >= 0 && next != level) {
      if (!press_part(z, p->shuffled + from, byte * count - from, level, Z_NO_FLUSH))
        return 0;
      from = byte * count;
    }
    level = next;
  }
  if (!press_part(z, p->shuffled + from, bytes - from, level, Z_FINISH))
    return 0;
  const size_t packed = p->packed_room - z->avail_out;
  return packed < bytes ? packed : 0;
}

void ffi_log_press_free(ffi_log_press *press)
{
  if (press->is_open)
    deflateEnd(&press->stream);
  free(press->shuffled);
  free(press->packed);
  *press = (ffi_log_press){0};
}

// ---- The table ------------------------------------------------------------------------------------------------------

static long long rows_of_chunk(size_t row_bytes)
{
  const long long rows = (long long)(CHUNK_BYTES / row_bytes);
  return rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
}

int ffi_log_table_create(hid_t place, const char *name, hid_t type, long long width, ffi_log_press *press,
                         ffi_log_table *out)
{
  const long long columns = width > 0 ? width : 1;
  *out = (ffi_log_table){.dataset = -1, .rank = width > 0 ? 2 : 1, .width = columns};
  out->element = H5Tget_size(type);
  out->row_bytes = out->element * (size_t)columns;
  out->chunk_rows = rows_of_chunk(out->row_bytes);
  const hsize_t none[2] = {0, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns},
                chunk[2] = {(hsize_t)out->chunk_rows, (hsize_t)columns};
  out->chunk = calloc((size_t)out->chunk_rows, out->row_bytes);
  const hid_t space = H5Screate_simple(out->rank, none, most), how = H5Pcreate(H5P_DATASET_CREATE);
  const int is_ready = out->chunk && make_room(press, (size_t)out->chunk_rows * out->row_bytes) &&
                       space >= 0 && how >= 0 && H5Pset_chunk(how, out->rank, chunk) >= 0 &&
                       H5Pset_shuffle(how) >= 0 && H5Pset_deflate(how, 1) >= 0 &&
                       H5Pset_obj_track_times(how, 0) >= 0;
  if (is_ready)
    out->dataset = H5Dcreate2(place, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(how);
  return out->dataset >= 0;
}

// The present chunk, compressed or as it is. `rows` is how many the table then has.
static int put_chunk(ffi_log_table *t, ffi_log_press *p, long long first)
{
  enum { AS_IT_IS = 3 }; // a bit for each filter that was left out
  const size_t bytes = (size_t)t->chunk_rows * t->row_bytes;
  const hsize_t extent[2] = {(hsize_t)t->rows, (hsize_t)t->width}, at[2] = {(hsize_t)first, 0};
  if (H5Dset_extent(t->dataset, extent) < 0)
    return 0;
  const size_t packed = p && !t->is_in_file ? press(p, t->chunk, bytes, t->element) : 0;
  if (packed > 0)
    return H5Dwrite_chunk(t->dataset, H5P_DEFAULT, 0, at, packed, p->packed) >= 0;
  return H5Dwrite_chunk(t->dataset, H5P_DEFAULT, AS_IT_IS, at, bytes, t->chunk) >= 0;
}

int ffi_log_table_append(ffi_log_table *t, ffi_log_press *press, const void *rows, long long count)
{
  const unsigned char *from = rows;
  while (count > 0) {
    const long long used = t->rows % t->chunk_rows, room = t->chunk_rows - used;
    const long long now = count < room ? count : room;
    memcpy(t->chunk + (size_t)used * t->row_bytes, from, (size_t)now * t->row_bytes);
    t->rows += now;
    from += (size_t)now * t->row_bytes;
    count -= now;
    if (now < room)
      break;
    if (!put_chunk(t, press, t->rows - t->chunk_rows))
      return 0;
    t->is_in_file = 0;
    memset(t->chunk, 0, (size_t)t->chunk_rows * t->row_bytes);
  }
  return 1;
}

int ffi_log_table_commit(ffi_log_table *t)
{
  const long long used = t->rows % t->chunk_rows;
  if (used == 0)
    return 1;
  if (!put_chunk(t, NULL, t->rows - used))
    return 0;
  t->is_in_file = 1;
  return 1;
}

int ffi_log_table_finish(ffi_log_table *t, ffi_log_press *press)
{
  const long long used = t->rows % t->chunk_rows;
  return used == 0 || put_chunk(t, press, t->rows - used);
}

void ffi_log_table_close(ffi_log_table *t)
{
  if (t->chunk && t->dataset >= 0)
    H5Dclose(t->dataset);
  free(t->chunk);
  *t = (ffi_log_table){0};
}
