// Checksums: every word of eight bytes is mixed into one of four sums, which are joined at the end of a block.
//
// Each step is one-to-one in the sum and in the word, so that a change of one word always changes the result. The four
// sums do not wait for each other's multiplications.
#include "io/log/log_sum.h"

#include <string.h>

// Odd, with bits in no order: digits of the golden ratio and of pi.
static const uint64_t golden = 0x9e3779b97f4a7c15, circle = 0x243f6a8885a308d3;

static uint64_t turn(uint64_t x)
{
  return x << 29 | x >> 35;
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
  return turn(sum ^ word) * golden;
}

static uint64_t word_at(const unsigned char *bytes)
{
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

uint64_t ffi_log_sum_begin(uint64_t number)
{
  return mix(circle, number);
}

uint64_t ffi_log_sum_add(uint64_t sum, const void *data, size_t size)
{
  const unsigned char *bytes = size > 0 ? data : (const void *)"", *end = bytes + size;
  sum = mix(sum, size);
  if (size >= 64) {
    uint64_t a = sum, b = circle, c = golden, d = ~circle;
    for (; end - bytes >= 32; bytes += 32) {
      a = mix(a, word_at(bytes));
      b = mix(b, word_at(bytes + 8));
      c = mix(c, word_at(bytes + 16));
      d = mix(d, word_at(bytes + 24));
    }
    sum = mix(mix(mix(a, b), c), d);
  }
  for (; end - bytes >= 8; bytes += 8)
    sum = mix(sum, word_at(bytes));
  if (bytes < end) {
    unsigned char rest[8] = {0};
    memcpy(rest, bytes, (size_t)(end - bytes));
    sum = mix(sum, word_at(rest));
  }
  return sum;
}

static uint64_t add_numbers(uint64_t sum, const double *numbers, int count)
{
  return ffi_log_sum_add(sum, numbers, (size_t)count * sizeof *numbers);
}

uint64_t ffi_log_sum_of_row(long long index, const ffi_log_sum_row *r)
{
  uint64_t sum = ffi_log_sum_begin((uint64_t)index);
  sum = add_numbers(sum, r->time, 1);
  sum = add_numbers(sum, r->q, r->nq);
  sum = add_numbers(sum, r->v, r->nv);
  sum = add_numbers(sum, r->tau, r->nv);
  sum = add_numbers(sum, r->motor, r->nv);
  sum = add_numbers(sum, r->energy, FFI_LOG_ENERGIES);
  sum = ffi_log_sum_add(sum, r->step, sizeof *r->step);
  return ffi_log_sum_add(sum, r->contacts, (size_t)r->contact_count * sizeof *r->contacts);
}

uint64_t ffi_log_sum_of_state(long long index, const ffi_log_sum_state *s)
{
  uint64_t sum = ffi_log_sum_begin((uint64_t)index);
  sum = ffi_log_sum_add(sum, &s->step, sizeof s->step);
  sum = ffi_log_sum_add(sum, &s->row, sizeof s->row);
  sum = add_numbers(sum, &s->time, 1);
  sum = add_numbers(sum, s->q, s->nq);
  sum = add_numbers(sum, s->tau, s->nv);
  sum = add_numbers(sum, s->state, s->state_size);
  return add_numbers(sum, s->memory, s->memory_size);
}
