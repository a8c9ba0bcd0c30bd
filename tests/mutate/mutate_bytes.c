// Damage to any file: single bytes, pieces, ends, broken UTF-8.
#include "mutate.h"

#include <string.h>

size_t mutate_bytes_place(ffi_random *random, size_t count)
{
  return count == 0 ? 0 : (size_t)(ffi_random_bits(random) % count);
}

// A piece, most often a short one.
static span any_piece(ffi_random *random, const bytes *b)
{
  const size_t longest = ffi_random_chance(random, 0.8) ? 64 : 4096;
  span s = {.from = mutate_bytes_place(random, b->count + 1)};
  s.length = mutate_bytes_place(random, longest);
  if (s.length > b->count - s.from)
    s.length = b->count - s.from;
  return s;
}

static void break_utf8(ffi_random *random, bytes *b)
{
  static const char *const bad[] = {
      "\xff",         "\xc0\x80", "\xed\xa0\x80",     "\xf5\x80\x80\x80", "\xe2\x82", "\x80",
      "\xef\xbb\xbf", "\xc2\x9b", "\xf4\x8f\xbf\xbf", "\xe2\x80\xa8",     "\xc3\xa9"};
  bytes_insert(b, mutate_bytes_place(random, b->count + 1),
               bad[ffi_random_below(random, (int)(sizeof bad / sizeof bad[0]))]);
}

static void change_byte(ffi_random *random, bytes *b)
{
  static const char wrong[] = {'\0', '\n', '\r', '\t', ' ', '"', '\'', '<', '>', '&', '{', '}', '[',
                               ']',  ':',  '-',  '#',  '%', '*', '=',  '/', ';', '9', '.', 'e', '\x1b'};
  if (b->count == 0)
    return;
  char *c = &b->at[mutate_bytes_place(random, b->count)];
  if (ffi_random_chance(random, 0.3))
    *c = (char)(*c ^ (1 << ffi_random_below(random, 8)));
  else
    *c = wrong[ffi_random_below(random, (int)sizeof wrong)];
}

void mutate_bytes(ffi_random *random, bytes *b)
{
  const span one = any_piece(random, b), other = any_piece(random, b);
  switch (ffi_random_below(random, 8)) {
  case 0: bytes_copy(b, one, other.from); break;
  case 1: bytes_replace(b, one.from, one.length, "", 0); break;
  case 2: bytes_swap(b, one, other); break;
  case 3: // the end is missing
    if (ffi_random_chance(random, 0.3))
      bytes_replace(b, one.from, b->count - one.from, "", 0);
    break;
  case 4: break_utf8(random, b); break;
  case 5: // the same piece many times
    for (int i = 0; i < 200 && b->count < 1 << 18; ++i)
      bytes_copy(b, one, one.from);
    break;
  default: change_byte(random, b);
  }
}
