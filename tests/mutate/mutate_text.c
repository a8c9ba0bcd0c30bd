// Damage to any text: numbers become extreme, words change places, lines come twice.
#include "mutate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *mutate_text_extreme(ffi_random *random)
{
  static const char *const numbers[] = {
      "nan",
      "inf",
      "-inf",
      "1e308",
      "-1e308",
      "1e-308",
      "5e-324",
      "-0",
      "0",
      "1e9999",
      "-1",
      "1e-9999",
      "2147483647",
      "2147483648",
      "-2147483649",
      "4294967296",
      "9223372036854775807",
      "18446744073709551616",
      "1e15",
      "1e-12",
      "0x1p4",
      "1,5",
      "1.5.2",
      "--1",
      "1e",
      ".",
      "+",
      "1_000",
      "\xc2\xbd",
      "1e100",
      "0.000000000000000000000000000000000000000000000000000000000000000001",
      "100000000000000000000000000000000000000000000000000000000000000000000"};
  return numbers[ffi_random_below(random, (int)(sizeof numbers / sizeof numbers[0]))];
}

static int is_of_number(char c)
{
  return isdigit((unsigned char)c) || c == '.' || c == '-' || c == '+' || c == 'e';
}

static int is_of_word(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

// The next run of `is_part` from a random place on; length 0: there is none.
static span any_run(ffi_random *random, const bytes *b, int (*is_part)(char c))
{
  span s = {.from = mutate_bytes_place(random, b->count)};
  while (s.from > 0 && s.from < b->count && is_part(b->at[s.from]))
    --s.from;
  while (s.from < b->count && !is_part(b->at[s.from]))
    ++s.from;
  while (s.from + s.length < b->count && is_part(b->at[s.from + s.length]))
    ++s.length;
  return s;
}

static int has_digit(const bytes *b, span s)
{
  for (size_t i = 0; i < s.length; ++i)
    if (isdigit((unsigned char)b->at[s.from + i]))
      return 1;
  return 0;
}

static void change_number(ffi_random *random, bytes *b)
{
  for (int i = 0; i < 20; ++i) {
    const span s = any_run(random, b, is_of_number);
    if (s.length == 0 || !has_digit(b, s))
      continue;
    const char *extreme = mutate_text_extreme(random);
    bytes_replace(b, s.from, s.length, extreme, strlen(extreme));
    return;
  }
}

static span any_line(ffi_random *random, const bytes *b)
{
  span s = {.from = mutate_bytes_place(random, b->count)};
  while (s.from > 0 && b->at[s.from - 1] != '\n')
    --s.from;
  while (s.from + s.length < b->count && b->at[s.from + s.length] != '\n')
    ++s.length;
  s.length += s.from + s.length < b->count;
  return s;
}

static void lengthen(ffi_random *random, bytes *b, span word)
{
  static const size_t lengths[] = {40, 130, 300, 1000, 5000, 70000};
  const size_t count = lengths[ffi_random_below(random, 6)];
  const int is_wide = ffi_random_chance(random, 0.5); // characters of two bytes, which a cut may split
  bytes text = bytes_of("", 0);
  for (size_t i = 0; i < count; ++i)
    bytes_append(&text, "%s", is_wide ? "\xc3\xa9" : "x");
  bytes_replace(b, word.from + word.length, 0, text.at, text.count);
  bytes_free(&text);
}

static void swap_quotes(ffi_random *random, bytes *b)
{
  const char *found = strpbrk(b->at + mutate_bytes_place(random, b->count), "\"'");
  if (found)
    b->at[found - b->at] = *found == '"' ? '\'' : '"';
}

static void change_line_ends(bytes *b)
{
  for (size_t i = 0; i < b->count && b->count < 1 << 17; ++i)
    if (b->at[i] == '\n')
      bytes_insert(b, i++, "\r");
}

void mutate_text(ffi_random *random, bytes *b)
{
  if (b->count == 0)
    return;
  const span one = any_run(random, b, is_of_word), other = any_run(random, b, is_of_word);
  const span line = any_line(random, b), another = any_line(random, b);
  switch (ffi_random_below(random, 14)) {
  case 0: bytes_swap(b, one, other); break;
  case 1: bytes_replace(b, one.from, one.length, b->at + other.from, other.length); break;
  case 2: bytes_replace(b, one.from, one.length, "", 0); break;
  case 3: lengthen(random, b, one); break;
  case 4: bytes_copy(b, line, another.from); break;
  case 5: bytes_replace(b, line.from, line.length, "", 0); break;
  case 6: bytes_swap(b, line, another); break;
  case 7: swap_quotes(random, b); break;
  case 8:
    if (ffi_random_chance(random, 0.2))
      change_line_ends(b);
    break;
  default: change_number(random, b);
  }
}
