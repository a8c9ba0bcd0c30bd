/// valgrind.h: whether valgrind watches, under which everything takes thirty times as long.
///
/// Giants of hundreds of thousands of pieces are then left out, and of the damage done to a good scene four fifths:
/// AddressSanitizer sees all of them, leaks too. What valgrind alone sees, the use of what was never set, shows in a
/// few pieces as well as in millions.
#ifndef FFI_TESTS_VALGRIND_H
#define FFI_TESTS_VALGRIND_H

#include <stdlib.h>
#include <string.h>

static inline int is_under_valgrind(void)
{
  const char *preload = getenv("LD_PRELOAD"); // how valgrind gets its malloc into a program
  return preload && strstr(preload, "vgpreload") != NULL;
}

/// Damage a good scene at every so manieth byte.
static inline size_t damage_stride(void)
{
  return is_under_valgrind() ? 5 : 1;
}

#endif
