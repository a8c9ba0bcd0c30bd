// PNG images of height fields: no interlacing; grey, colour or palette, 1 to 16 bits.
#include "io/mjcf/mjcf_png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

typedef struct image {
  uint32_t width, height;
  int depth, colour; // bits of a channel; 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha
  unsigned char palette[256];
  unsigned char *packed; // the data of all IDAT chunks
  size_t packed_size;
} image;

static uint32_t big_endian(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int channels(int colour)
{
  return colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
}

static const char *read_header(const unsigned char *data, uint32_t length, image *im)
{
  if (length != 13)
    return "its header is not one of a PNG";
  im->width = big_endian(data);
  im->height = big_endian(data + 4);
  im->depth = data[8];
  im->colour = data[9];
  const int is_colour =
      im->colour == 0 || im->colour == 2 || im->colour == 3 || im->colour == 4 || im->colour == 6;
  const int is_whole = im->depth == 8 || (im->depth == 16 && im->colour != 3);
  const int is_part =
      (im->depth == 1 || im->depth == 2 || im->depth == 4) && (im->colour == 0 || im->colour == 3);
  if (!is_colour || !(is_whole || is_part) || data[10] != 0 || data[11] != 0)
    return "its header is not one of a PNG";
  if (data[12] != 0)
    return "it is interlaced: save it without interlacing";
  if (im->width == 0 || im->height == 0 || im->width > FFI_MJCF_PNG_MOST || im->height > FFI_MJCF_PNG_MOST)
    return "it must have 1 to 10000 pixels along each side";
  return NULL;
}

// The chunks, up to IEND. Checksums of chunks are not compared; zlib's own of the data is.
static const char *read_chunks(const unsigned char *data, size_t size, image *im)
{
  static const unsigned char sign[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  size_t at = sizeof sign;
  if (size < at || memcmp(data, sign, at) != 0)
    return "it is not a PNG";
  im->packed = malloc(size);
  if (!im->packed)
    return "no memory";
  while (size - at >= 12) {
    const uint32_t length = big_endian(data + at);
    const unsigned char *kind = data + at + 4, *body = data + at + 8;
    if (length > size - at - 12)
      return "it ends early";
    if (memcmp(kind, "IHDR", 4) == 0) {
      const char *flaw = im->width ? "it has two headers" : read_header(body, length, im);
      if (flaw)
        return flaw;
    } else if (memcmp(kind, "PLTE", 4) == 0) {
      for (uint32_t k = 0; k < length / 3 && k < 256; ++k)
        im->palette[k] = body[3 * k];
    } else if (memcmp(kind, "IDAT", 4) == 0) {
      memcpy(im->packed + im->packed_size, body, length);
      im->packed_size += length;
    } else if (memcmp(kind, "IEND", 4) == 0) {
      return im->width ? NULL : "it has no header";
    }
    at += 12 + (size_t)length;
  }
  return "it ends early";
}

static int paeth(int a, int b, int c)
{
  const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Undo the filter of one row [bytes]; above: the row before, or NULL.
static int restore(int filter, unsigned char *row, const unsigned char *above, size_t bytes, size_t pixel)
{
  for (size_t i = 0; i < bytes; ++i) {
    const int left = i >= pixel ? row[i - pixel] : 0, up = above ? above[i] : 0,
              corner = above && i >= pixel ? above[i - pixel] : 0;
    const int guess[5] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
    if (filter > 4)
      return 0;
    row[i] = (unsigned char)(row[i] + guess[filter]);
  }
  return 1;
}

static unsigned char first_channel(const image *im, const unsigned char *row, uint32_t column)
{
  const size_t bits = (size_t)im->depth * (size_t)channels(im->colour) * column;
  if (im->depth >= 8)
    return im->colour == 3 ? im->palette[row[bits / 8]] : row[bits / 8];
  const int most = (1 << im->depth) - 1, value = row[bits / 8] >> (8 - im->depth - (int)(bits % 8)) & most;
  return im->colour == 3 ? im->palette[value] : (unsigned char)(value * 255 / most);
}

static const char *unpack(const image *im, unsigned char **out)
{
  const size_t bits = (size_t)im->depth * (size_t)channels(im->colour), bytes = (bits * im->width + 7) / 8,
               pixel = bits < 8 ? 1 : bits / 8;
  uLongf size = (uLongf)((bytes + 1) * im->height);
  unsigned char *rows = malloc(size);
  *out = malloc((size_t)im->width * im->height);
  const char *flaw = !rows || !*out ? "no memory" : NULL;
  const uLongf want = size;
  if (!flaw && (uncompress(rows, &size, im->packed, (uLong)im->packed_size) != Z_OK || size != want))
    flaw = "its pixels are damaged";
  for (uint32_t r = 0; !flaw && r < im->height; ++r) {
    unsigned char *row = rows + (size_t)r * (bytes + 1);
    if (!restore(row[0], row + 1, r ? row - bytes : NULL, bytes, pixel))
      flaw = "its pixels are damaged";
    for (uint32_t c = 0; !flaw && c < im->width; ++c)
      (*out)[(size_t)r * im->width + c] = first_channel(im, row + 1, c);
  }
  free(rows);
  if (flaw) {
    free(*out);
    *out = NULL;
  }
  return flaw;
}

const char *ffi_mjcf_png_read(const unsigned char *data, size_t size, int *rows, int *columns,
                              unsigned char **out)
{
  image im = {0};
  *out = NULL;
  const char *flaw = read_chunks(data, size, &im);
  if (!flaw)
    flaw = unpack(&im, out);
  free(im.packed);
  *rows = (int)im.height;
  *columns = (int)im.width;
  return flaw;
}
