// Philox4x32-10: ten rounds of two products of 32 bits, whose halves are mixed with a key that steps on. See philox.h.
#include "base/philox.h"

void ffi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = (uint64_t)0xd2511f53u * x[0], b = (uint64_t)0xcd9e8d57u * x[2];
    const uint32_t high_a = (uint32_t)(a >> 32), high_b = (uint32_t)(b >> 32);
    x[0] = high_b ^ x[1] ^ k[0];
    x[1] = (uint32_t)b;
    x[2] = high_a ^ x[3] ^ k[1];
    x[3] = (uint32_t)a;
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  for (int i = 0; i < 4; ++i)
    out[i] = x[i];
}

double ffi_philox_uniform(uint64_t seed, uint64_t series, uint32_t stream, uint32_t index)
{
  const uint32_t counter[4] = {(uint32_t)series, (uint32_t)(series >> 32), stream, index};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];
  ffi_philox(counter, key, out);
  const uint64_t bits = (uint64_t)out[1] << 32 | out[0];
  return (double)(bits >> 11) * 0x1p-53;
}

uint32_t ffi_philox_stream(const char *name)
{
  uint32_t hash = 2166136261u;
  for (; *name; ++name)
    hash = (hash ^ (uint8_t)*name) * 16777619u;
  return hash;
}
