/// change.h: what changes between the steps of a scene: references of motors, poses and velocities of the ground.
#ifndef FFI_TESTS_CHANGE_H
#define FFI_TESTS_CHANGE_H

#include "campaign/recipe.h"

/// Make the changes before the step of that number, in the sim; a function of the recipe and the number alone. Returns
/// 1 if something has changed. A passive scene keeps its velocities at zero, and its motors with a delay as they are.
int ffi_change_make(const ffi_recipe *recipe, int step, ff_sim *sim);

#endif
