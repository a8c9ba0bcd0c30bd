/// hard_problems.h: random problems of hard contact.
///
/// Problems are those of mechanics: bodies with masses, contact points with frames, stacks, plates on more feet than
/// they have freedoms, articulated trees with random rows, welds and joints between bodies, stops and dry friction.
/// Each has a solution: contacts either all support from below, or all share one coefficient of restitution, so that u
/// = -epsilon u_S satisfies every inequality.
#ifndef FFI_TESTS_HARD_PROBLEMS_H
#define FFI_TESTS_HARD_PROBLEMS_H

#include "support/hard_case.h"
#include "support/hard_laws.h"
#include "support/random_state.h"

typedef enum ffi_hard_family {
  HARD_LOOSE, ///< bodies of 1e-3 .. 1e3 kg, contacts between any two of them and with the ground, random axes
  HARD_STACK, ///< boxes on each other, four contacts a face: rank-deficient; mass ratios to 1e6
  HARD_PLATE, ///< one body on 4 .. 20 feet: rank-deficient
  HARD_TREE,  ///< a robot: 18 velocities, dense mass matrix, 2 .. 8 contacts, stops, dry joints
  HARD_JOINTS, ///< bodies joined in a tree by bilateral blocks, some redundant; contacts below
  HARD_FAMILIES,
} ffi_hard_family;
const char *ffi_hard_family_name(ffi_hard_family family);

/// mu < 0: each contact has one of its own, 0 .. 1. `mass_ratio` >= 1: the largest allowed. Everything is drawn from
/// `random`.
ffi_hard_case *ffi_hard_case_create(ffi_hard_family family, double mu, double mass_ratio, ffi_random *random);

ff_moreau_def ffi_hard_test_def(ff_hard_solver solver, ff_hard_form form, ff_hard_bilateral bilateral);

#endif
