// Damage to binary files. STL: its count, its floats, its triangles. HDF5: the fields behind the signatures of its
// structures, its blocks, its addresses.
#include "mutate.h"

#include <stdint.h>
#include <string.h>

// A whole number that a count should not be, in `size` bytes, little-endian.
static void put_count(ffi_random *random, bytes *b, size_t at, int size)
{
  static const uint64_t counts[] = {
      0,          1,          0xff,      0xffff,    0x7fffffff,        0x80000000,
      0xffffffff, UINT64_MAX, 0x1000000, INT64_MAX, (uint64_t)1 << 40, 3};
  uint64_t value = counts[ffi_random_below(random, 12)];
  if (at + (size_t)size > b->count)
    return;
  if (ffi_random_chance(random, 0.4)) { // near what is there
    value = 0;
    for (int i = size - 1; i >= 0; --i)
      value = value << 8 | (unsigned char)b->at[at + (size_t)i];
    value += (uint64_t)ffi_random_below(random, 17) - 8;
  }
  for (int i = 0; i < size; ++i, value >>= 8)
    b->at[at + (size_t)i] = (char)(value & 0xff);
}

static void put_float(ffi_random *random, bytes *b, size_t at)
{
  static const uint32_t floats[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001,
                                    0x80000000, 0x00800000, 0xff7fffff, 0x3f800000, 0x7f800001};
  const uint32_t word = floats[ffi_random_below(random, 10)];
  for (int i = 0; i < 4 && at + 4 <= b->count; ++i)
    b->at[at + (size_t)i] = (char)(word >> 8 * i & 0xff);
}

void mutate_stl(ffi_random *random, bytes *b)
{
  enum { HEADER = 84, TRIANGLE = 50 };
  if (b->count < HEADER + TRIANGLE || strncmp(b->at, "solid", 5) == 0) {
    mutate_text(random, b);
    return;
  }
  const size_t count = (b->count - HEADER) / TRIANGLE;
  const span one = {HEADER + TRIANGLE * mutate_bytes_place(random, count), TRIANGLE},
             other = {HEADER + TRIANGLE * mutate_bytes_place(random, count), TRIANGLE};
  switch (ffi_random_below(random, 6)) {
  case 0: put_count(random, b, 80, 4); break;
  case 1: bytes_swap(b, one, other); break;
  case 2: memcpy(b->at, "solid", 5); break;
  case 3: // flat or thin: corners of one triangle become another's
    memcpy(b->at + one.from + 12, b->at + other.from + 12, 12 * (size_t)(1 + ffi_random_below(random, 3)));
    break;
  default: put_float(random, b, one.from + 4 * (size_t)ffi_random_below(random, 12));
  }
}

// Behind a random one of the signatures that HDF5's structures begin with; 0: there is none.
static size_t any_structure(ffi_random *random, const bytes *b)
{
  static const char *const names[] = {"OHDR", "OCHK", "TREE", "SNOD", "HEAP", "FRHP", "FHDB",
                                      "FHIB", "BTHD", "BTIN", "BTLF", "EAHD", "EAIB", "EADB",
                                      "FAHD", "FADB", "FSHD", "GCOL", "SMTB", "SMLI", "\x89HDF"};
  const char *name = names[ffi_random_below(random, (int)(sizeof names / sizeof names[0]))];
  const size_t start = mutate_bytes_place(random, b->count);
  for (size_t i = 0; i < b->count; ++i) {
    const size_t at = (start + i) % b->count;
    if (at + 4 < b->count && memcmp(b->at + at, name, 4) == 0)
      return at + 4;
  }
  return 0;
}

void mutate_hdf5(ffi_random *random, bytes *b)
{
  static const int sizes[] = {1, 2, 4, 8};
  if (b->count < 1024)
    return;
  const size_t found = any_structure(random, b), size = (size_t)64 << ffi_random_below(random, 6);
  const span one = {mutate_bytes_place(random, b->count - size) & ~(size_t)7, size},
             other = {mutate_bytes_place(random, b->count - size) & ~(size_t)7, size};
  if (size >= b->count)
    return;
  switch (ffi_random_below(random, 8)) {
  case 0: bytes_swap(b, one, other); break;
  case 1: memmove(b->at + one.from, b->at + other.from, size); break;
  case 2: memset(b->at + one.from, ffi_random_chance(random, 0.5) ? 0 : 0xff, size); break;
  case 3: put_count(random, b, one.from, 8); break;
  default:
    if (found)
      put_count(random, b, found + (size_t)ffi_random_below(random, 48), sizes[ffi_random_below(random, 4)]);
  }
}
