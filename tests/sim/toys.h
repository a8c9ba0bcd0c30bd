/// toys.h: small models for tests of simulations.
#ifndef FFI_TESTS_TOYS_H
#define FFI_TESTS_TOYS_H

#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>
#include <footfall/sim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double toy_gravity = 9.81;

/// A mass on a vertical slide, "mass" on joint "slide", with a contact point at its origin. Nothing else moves.
ff_model *toy_mass(double mass, const ff_material *material);

/// A loose cube, 2 kg, 0.2 m, whose eight corners touch.
ff_model *toy_cube(const ff_material *material);

/// A loose ball, 0.5 kg, radius 0.1 m.
ff_model *toy_ball(const ff_material *material);

/// A hinge about z, "hinge", that carries an inertia of `inertia` about it: gravity does not act on it. Its range is
/// +-1 rad if `is_limited`.
ff_model *toy_wheel(double inertia, int is_limited);

/// All of it: a loose cube, a ball, a pendulum of two links that can reach the ground, with a motor and limits.
/// Postures "start" and "flat".
ff_model *toy_fair(void);

#endif
