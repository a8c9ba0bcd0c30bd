// Tries every cut in turn, and again until none is left that keeps the fault.
#include "campaign/shrink.h"

#include "campaign/crew.h"

#include <time.h>

enum { TRY_SECONDS = 10 }; // processor time of a try, as of a scene

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int has_fault(const ffi_recipe *recipe, ffi_judge_fault fault, ffi_judge_result *result)
{
  ffi_crew_judge(recipe, TRY_SECONDS, result);
  return result->faults >> fault & 1;
}

// Try one cut. 1: it is made.
static int try_cut(int cut, ffi_judge_fault fault, ffi_recipe *recipe, ffi_judge_result *result)
{
  static ffi_recipe smaller;
  ffi_judge_result other;
  smaller = *recipe;
  if (!ffi_cut_apply(cut, &smaller) || !has_fault(&smaller, fault, &other))
    return 0;
  *recipe = smaller;
  *result = other;
  return 1;
}

int ffi_shrink(ffi_recipe *recipe, ffi_judge_fault fault, double seconds, ffi_cut_list *cuts,
               ffi_judge_result *result)
{
  const double deadline = seconds_now() + seconds;
  int is_smaller = 1;
  cuts->count = 0;
  if (!has_fault(recipe, fault, result))
    return 0;
  while (is_smaller) {
    is_smaller = 0;
    for (int kind = 0; kind < FFI_CUT_KINDS; ++kind)
      for (int place = FFI_CUT_PLACES - 1; place >= 0; --place) { // from the end: numbers below stay what they are
        const int cut = kind * FFI_CUT_PLACES + place;
        if (cuts->count == FFI_CUT_MOST || seconds_now() > deadline)
          return 1;
        while (cuts->count < FFI_CUT_MOST && try_cut(cut, fault, recipe, result)) { // again: 32 steps, 16, 8
          cuts->cuts[cuts->count++] = cut;
          is_smaller = 1;
        }
      }
  }
  return 1;
}
