/// draw.h: a random scene from a seed. The same seed gives the same scene on every machine; another stepper changes the
/// stepper alone.
#ifndef FFI_TESTS_DRAW_H
#define FFI_TESTS_DRAW_H

#include "campaign/recipe.h"
#include "support/random_state.h"

enum { FFI_DRAW_ANY_STEPPER = -1 };
typedef enum ffi_draw_class {
  FFI_DRAW_ANY,  ///< half of them mild
  FFI_DRAW_MILD, ///< mass ratios up to 1e3, K up to 1e7 N/m, dt up to 5 ms, passive
  FFI_DRAW_WILD, ///< mass ratios up to 1e8, K up to 1e9 N/m, dt up to 0.1 s, torques, moving ground
} ffi_draw_class;

/// stepper: FFI_DRAW_ANY_STEPPER, or one of ff_stepper.
void ffi_draw(uint64_t seed, ffi_draw_class which, int stepper, ffi_recipe *out);

/// 10 to a power between those of low and high.
double ffi_draw_log(ffi_random *random, double low, double high);

/// Options of the table, each within its range; draw_options.c.
void ffi_draw_options(ffi_random *random, ffi_recipe *recipe);

/// Tendons, couplings, dry friction, and what changes between steps; draw_lines.c. Drawn last, so that all else stays.
void ffi_draw_lines(ffi_random *random, ffi_recipe *recipe);

/// Shapes of links, ground, and elements; draw_things.c.
void ffi_draw_things(ffi_random *random, ffi_recipe *recipe);

#endif
