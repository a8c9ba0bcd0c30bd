// Chains of multiply-adds in registers, scalar and vector.
#include "common/peak.h"

#include <stddef.h>

enum {
  CHAINS = 12,
  TURNS = 2000
}; // 12: twice the latency of 4 cycles on 2 units, with room; 16 registers hold them

// Keeps the compiler from merging chains, without adding an instruction.
#if defined(__x86_64__)
#define KEEP(x) __asm__ volatile("" : "+x"(x))
#elif defined(__aarch64__)
#define KEEP(x) __asm__ volatile("" : "+w"(x))
#else
#define KEEP(x) __asm__ volatile("" : "+m"(x))
#endif

typedef double vec2 __attribute__((vector_size(16)));
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec8 __attribute__((vector_size(64)));

// x := x s + t on every chain, in place; s < 1, so that it stays finite and normal.
#define LINK(x)                                                                                              \
  x = (x)*s + t;                                                                                             \
  KEEP(x);
#define CHAIN_SWEEP(name, type, target)                                                                      \
  target static void name(void *context)                                                                     \
  {                                                                                                          \
    type s = {0}, t, a, b, c, d, e, f, g, h, i, j, k, l;                                                     \
    a = b = c = d = e = f = g = h = i = j = k = l = s;                                                       \
    s += 0.5;                                                                                                \
    t = s * s;                                                                                               \
    KEEP(s);                                                                                                 \
    KEEP(t);                                                                                                 \
    for (int turn = 0; turn < TURNS; ++turn) {                                                               \
      LINK(a) LINK(b) LINK(c) LINK(d) LINK(e) LINK(f) LINK(g) LINK(h) LINK(i) LINK(j) LINK(k) LINK(l)        \
    }                                                                                                        \
    (void)context;                                                                                           \
  }

#define NOTHING
CHAIN_SWEEP(base_1, double, NOTHING)
CHAIN_SWEEP(base_2, vec2, NOTHING)
#ifdef __x86_64__
CHAIN_SWEEP(avx2_1, double, __attribute__((target("avx2,fma"))))
CHAIN_SWEEP(avx2_4, vec4, __attribute__((target("avx2,fma"))))
CHAIN_SWEEP(avx512_8, vec8, __attribute__((target("avx512f,avx512vl,fma"))))
#endif

bench_timer_task bench_peak_task(ff_isa isa, int lanes)
{
  void (*sweep)(void *) = lanes == 1 ? base_1 : base_2;
#ifdef __x86_64__
  if (isa == FF_ISA_AVX2)
    sweep = lanes == 1 ? avx2_1 : avx2_4;
  if (isa == FF_ISA_AVX512)
    sweep = lanes == 1 ? avx2_1 : avx512_8;
#endif
  bench_timer_task task = {.sweep = sweep, .phase = lanes > 1, .calls = 2.0 * lanes * CHAINS * TURNS};
  return task;
}
