#include "complain.h"
#include "view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
