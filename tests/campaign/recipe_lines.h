/// recipe_lines.h: tendons and couplings of a recipe, in its model and its start.
#ifndef FFI_TESTS_RECIPE_LINES_H
#define FFI_TESTS_RECIPE_LINES_H

#include "campaign/recipe.h"

/// Tendons with their actuators. The links are in the builder already.
ff_status ffi_recipe_lines_build(const ffi_recipe *recipe, ff_builder *builder, ff_error *error);

/// made->q and v: followers where their leaders want them, and as fast.
void ffi_recipe_lines_start(const ffi_recipe *recipe, ffi_recipe_made *made);

/// The part of an element's def that is about tendons and couplings; made->q is complete. 0: it has none of its joints.
int ffi_recipe_lines_element(const ffi_recipe *recipe, const ffi_recipe_element *element,
                             const ffi_recipe_made *made, ff_element_def *def);

/// Position of a tendon of the model, or of the joint, at q; 0 without both.
double ffi_recipe_lines_position(const ff_model *model, int joint, int tendon, const double *q);

/// The polynomial at x, and its slope.
double ffi_recipe_lines_polynomial(const double polynomial[5], double x, double *slope);

#endif
