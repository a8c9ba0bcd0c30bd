#include "cli/complain.h"
#include "view/view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void ffi_bytes_add(ffi_bytes *bytes, const void *data, size_t count)
{
  if (bytes->count + count > bytes->room) {
    bytes->room = 2 * (bytes->count + count) + 1024;
    bytes->at = ffi_need_memory(bytes->at, bytes->room);
  }
  if (count > 0)
    memcpy(bytes->at + bytes->count, data, count);
  bytes->count += count;
}

void ffi_bytes_add_float(ffi_bytes *bytes, double value)
{
  const float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  const unsigned char four[4] = {(unsigned char)(bits & 255), (unsigned char)(bits >> 8 & 255),
                                 (unsigned char)(bits >> 16 & 255), (unsigned char)(bits >> 24)};
  ffi_bytes_add(bytes, four, 4);
}

// Neighbouring numbers of a column differ in their last bytes mostly: with the first bytes of all of them together, then the second, deflate has something to find.
void ffi_bytes_add_columns(ffi_bytes *bytes, const ffi_bytes *rows, size_t width)
{
  const size_t stride = 4 * width, count = stride ? rows->count / stride : 0;
  for (size_t column = 0; column < width; ++column)
    for (size_t k = 0; k < 4; ++k)
      for (size_t row = 0; row < count; ++row)
        ffi_bytes_add(bytes, rows->at + row * stride + 4 * column + k, 1);
}

void ffi_bytes_deflate(const ffi_bytes *bytes, ffi_bytes *out)
{
  static const unsigned char none[1];
  uLongf size = compressBound((uLong)bytes->count);
  ffi_bytes_free(out);
  out->at = ffi_need_memory(NULL, size);
  out->room = size;
  if (compress2(out->at, &size, bytes->count ? bytes->at : none, (uLong)bytes->count, 6) != Z_OK) {
    ffi_complain("out of memory"); // there is room for whatever comes out
    exit(FFI_EXIT_FAILED);
  }
  out->count = size;
}

void ffi_bytes_free(ffi_bytes *bytes)
{
  free(bytes->at);
  *bytes = (ffi_bytes){0};
}

// RFC 4648, section 4, without line breaks.
void ffi_bytes_base64(const ffi_bytes *bytes, FILE *out)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < bytes->count; i += 3) {
    const size_t left = bytes->count - i;
    const unsigned char *b = bytes->at + i;
    const unsigned three =
        (unsigned)b[0] << 16 | (left > 1 ? (unsigned)b[1] << 8 : 0) | (left > 2 ? b[2] : 0U);
    char four[4] = {digits[three >> 18], digits[three >> 12 & 63], digits[three >> 6 & 63],
                    digits[three & 63]};
    if (left < 3)
      four[3] = '=';
    if (left < 2)
      four[2] = '=';
    fwrite(four, 1, 4, out);
  }
}
