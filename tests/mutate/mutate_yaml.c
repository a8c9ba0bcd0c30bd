// Damage to YAML: blocks are doubled, removed, moved, indented; keys renamed; values replaced by others.
#include "mutate.h"

#include <stdio.h>
#include <string.h>

// A line and all lines below it that are indented deeper.
typedef struct block {
  span whole, key, value; // of its first line; lengths 0: it has none
  size_t indent;
} block;

static size_t end_of_line(const bytes *b, size_t at)
{
  while (at < b->count && b->at[at] != '\n')
    ++at;
  return at < b->count ? at + 1 : at;
}

static size_t indent_at(const bytes *b, size_t at)
{
  return strspn(b->at + at, " -");
}

static block any_block(ffi_random *random, const bytes *b)
{
  block k = {.whole = {.from = mutate_bytes_place(random, b->count)}};
  while (k.whole.from > 0 && b->at[k.whole.from - 1] != '\n')
    --k.whole.from;
  size_t end = end_of_line(b, k.whole.from);
  const size_t line_end = end > k.whole.from && b->at[end - 1] == '\n' ? end - 1 : end;
  k.indent = indent_at(b, k.whole.from);
  k.key.from = k.whole.from + k.indent;
  k.key.length = strcspn(b->at + k.key.from, ":\n");
  k.value.from = k.key.from + k.key.length;
  if (b->at[k.value.from] == ':' && k.value.from < line_end) {
    ++k.value.from;
    k.value.from += strspn(b->at + k.value.from, " ");
    k.value.length = line_end > k.value.from ? line_end - k.value.from : 0;
  } else {
    k.key.length = 0;
  }
  while (end < b->count && b->at[end] != '\n' && indent_at(b, end) > k.indent)
    end = end_of_line(b, end);
  k.whole.length = end - k.whole.from;
  return k;
}

static void put_value(ffi_random *random, bytes *b, span value)
{
  static const char *const values[] = {
      "[]",
      "{}",
      "~",
      "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]",
      "{a: {a: {a: {a: 1}}}}",
      "*a",
      "&a [*a]",
      "|",
      "!!binary aGk=",
      "yes",
      "\"\\0\"",
      "'",
      "- - -",
      "case.yaml",
      "../models/missing.urdf",
      "/",
      "/dev/null",
      "1 m",
      "1 parsec",
      "-1s",
      "1e400s",
      "[1, 2, 3]",
      "expo",
      "drop",
      "{type: plane}",
      "? a",
      "%YAML 1.1",
      "\"\\ud800\"",
      "[1e308, 1e308, 1e308]",
      "!<tag:a> b",
  };
  const char *text = ffi_random_chance(random, 0.5)
                         ? values[ffi_random_below(random, (int)(sizeof values / sizeof values[0]))]
                         : mutate_text_extreme(random);
  bytes_replace(b, value.from, value.length, text, strlen(text));
}

// A key that scenes have, maybe in the wrong place.
static void put_key(ffi_random *random, bytes *b, block at)
{
  static const char *const lines[] = {
      "ground: [plane, {type: box, size: [1, 1, 1]}]",
      "ground: {type: heightfield, size: [1, 1, 1], rows: 2, columns: 2, heights: [0, 0, 0, 1]}",
      "ground: {type: heightfield, size: [1, 1, 1], rows: 100000, columns: 100000, heights: [0]}",
      "start: {posture: drop, height: 1e300}",
      "start: {velocity: [1e200, 0, 0, 0, 0, 0]}",
      "gravity: [0, 0, 1e308]",
      "dt: 1e-300s",
      "dt: 1e300s",
      "duration: 1e300s",
      "stepper: {type: c2a}",
      "stepper: {type: expo, max_pieces: 2147483647}",
      "stepper: {type: implicit, max_contacts: 10000, self_collision: yes}",
      "stepper: {type: expo, exponential: exact, max_contacts: 10000}",
      "stepper: {type: moreau, motor_delay: 10}",
      "model: ../models/piles/ball_pit.xml",
      "model: ../models/four_bar.xml",
      "pushes: [{link: a, force: [1e308, 0, 0], from: 0, to: 1e308}]",
      "log: {every: 0}",
      "expect: {speed: [nan, nan]}",
      "model: case.yaml",
      "mimic: free",
      "fixed_base: true",
      "contact_points: [{link: a, at: [0, 0, 0]}]",
      "controller: {type: trot}",
      "controller: {type: walk, speed: 1e9}",
      "controller: {type: squat, period: 0}",
      "controller: {type: feedback, trajectory: case.yaml}",
  };
  char text[300];
  snprintf(text, sizeof text, "%*s%s\n", (int)(ffi_random_chance(random, 0.7) ? 0 : at.indent % 40), "",
           lines[ffi_random_below(random, (int)(sizeof lines / sizeof lines[0]))]);
  bytes_insert(b, at.whole.from, text);
}

void mutate_yaml(ffi_random *random, bytes *b)
{
  if (b->count == 0)
    return;
  const block one = any_block(random, b), other = any_block(random, b);
  switch (ffi_random_below(random, 13)) {
  case 0: bytes_copy(b, one.whole, other.whole.from); break;
  case 1: bytes_replace(b, one.whole.from, one.whole.length, "", 0); break;
  case 2: bytes_swap(b, one.whole, other.whole); break;
  case 3: bytes_insert(b, one.whole.from, ffi_random_chance(random, 0.5) ? "  " : "\t"); break;
  case 4: bytes_replace(b, one.key.from, one.key.length, b->at + other.key.from, other.key.length); break;
  case 5:
    bytes_replace(b, one.value.from, one.value.length, b->at + other.value.from, other.value.length);
    break;
  case 6: put_key(random, b, one); break;
  case 7: bytes_insert(b, one.value.from, "[[[[{{{{"); break;
  case 8: mutate_text(random, b); break;
  default: put_value(random, b, one.value);
  }
}
