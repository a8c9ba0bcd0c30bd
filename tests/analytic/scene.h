/// scene.h: small models whose motion has a closed form.
#ifndef FFI_TESTS_ANALYTIC_SCENE_H
#define FFI_TESTS_ANALYTIC_SCENE_H

#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double scene_gravity = 9.81; ///< [m/s^2]

/// A mass on a vertical slide with a contact point at its origin: q[0] is its height.
ff_model *scene_mass(double mass, const ff_material *material);

/// The same on a cart of `cart` kg that slides along x: q[0] is along x, q[1] the height.
ff_model *scene_cart(double cart, double mass, const ff_material *material);

/// A loose block of `mass` kg with contact points at (+-0.1, +-0.1, -height) from its centre of mass.
ff_model *scene_block(double mass, double height, const ff_material *material);

/// A hinge about y with a point mass 0.5 m from it, below at q = 0, and 0.01 kg m^2 of its own. Without limits.
ff_model *scene_pendulum(double mass);

/// A hinge about z, on which gravity does not act, with `inertia` about it. Without limits.
ff_model *scene_wheel(double inertia);

/// The plane through the origin that falls along x with `angle` [rad]; the pair's material is the other's.
ff_ground_def scene_slope(double angle);

#endif
