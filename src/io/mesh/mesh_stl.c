// STL. Binary: 80 bytes of anything, the number of triangles, and for each twelve floats (its normal, three corners)
// and two bytes, all little-endian. Text: words, of which "vertex x y z" are the points. Text begins with "solid", but
// so do some binary files: a file with the length of a binary one is binary.
#include "io/mesh/mesh.h"

#include "base/fail.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

enum { HEADER = 84, TRIANGLE = 50 };

static uint32_t word_at(const char *bytes)
{
  const unsigned char *b = (const unsigned char *)bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
  const uint32_t word = word_at(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return (double)value;
}

static int is_binary(const char *text, size_t length)
{
  return length >= HEADER && (uint64_t)length == HEADER + (uint64_t)TRIANGLE * word_at(text + 80);
}

static ff_status read_binary(const char *text, size_t length, ffi_mesh_points *out)
{
  ff_status status = FF_OK;
  for (size_t at = HEADER; at < length && status == FF_OK; at += TRIANGLE)
    for (size_t corner = 1; corner <= 3 && status == FF_OK; ++corner) {
      const char *from = text + at + 12 * corner;
      const double x[3] = {float_at(from), float_at(from + 4), float_at(from + 8)};
      status = ffi_mesh_add(out, 0, x);
    }
  return status;
}

ff_status ffi_mesh_stl_read(const char *text, size_t length, ffi_mesh_points *out)
{
  out->is_soup = 1;
  if (is_binary(text, length))
    return read_binary(text, length, out);
  if (strncmp(text, "solid", 5) == 0 && strlen(text) == length) {
    const ff_status status = ffi_mesh_read_lines(text, "vertex", out);
    out->is_soup = out->count % 3 == 0;
    return status;
  }
  if (length >= HEADER)
    return ffi_fail(out->error, FF_ERROR_PARSE, out->file, 0, NULL,
                    "is not STL: it has %zu bytes, but its %" PRIu32 " triangles need %" PRIu64, length,
                    word_at(text + 80), HEADER + (uint64_t)TRIANGLE * word_at(text + 80));
  return ffi_fail(out->error, FF_ERROR_PARSE, out->file, 0, NULL,
                  "is not STL: it neither begins with 'solid' nor has a header");
}
