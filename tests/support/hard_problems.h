/// hard_problems.h: random problems of hard contact, with their mass matrix, and the laws stated once more, independently of the library.
///
/// Problems are those of mechanics: bodies with masses, contact points with frames, stacks, plates on more feet than they have freedoms, articulated
/// trees with random rows, welds and joints between bodies, stops and dry friction. Each has a solution: contacts either all support from below, or
/// all share one coefficient of restitution, so that u = -epsilon u_S satisfies every inequality.
#ifndef FFI_TESTS_HARD_PROBLEMS_H
#define FFI_TESTS_HARD_PROBLEMS_H

#include "contact/hard.h"
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

typedef struct ffi_hard_case {
  ffi_hard problem;
  double *M; ///< [nv][nv]
  double *W; ///< [rows][nv]: W'
  ffi_hard_memory *memory;
  double mu; ///< of all contacts; -1: mixed
  void *room;
} ffi_hard_case;

/// mu < 0: each contact has one of its own, 0 .. 1. `mass_ratio` >= 1: the largest there may be. Everything is drawn from `random`.
ffi_hard_case *ffi_hard_case_create(ffi_hard_family family, double mu, double mass_ratio, ffi_random *random);

/// An empty problem to be filled by hand: block b has rows[b] rows; ffi_hard_case_finish() makes W, Y and the dof lists from M and W.
ffi_hard_case *ffi_hard_case_begin(int nv, int blocks, const int *rows);
void ffi_hard_case_finish(ffi_hard_case *c);
void ffi_hard_case_destroy(ffi_hard_case *c);

ff_moreau_def ffi_hard_test_def(ff_hard_solver solver, ff_hard_form form, ff_hard_bilateral bilateral);

/// x := M^-1 x, by this file's own elimination.
void ffi_hard_solve_mass(const ffi_hard_case *c, double *x);

/// From M, W and the impulses alone: u = u_free + M^-1 W Lambda and xi = W'u + b + R Lambda.
void ffi_hard_velocities(const ffi_hard_case *c, double *u, double *xi);

/// The largest violation of the laws, over what the tolerances allow (1: just within), by u and xi from ffi_hard_velocities(). For each block with
/// tolerance t = T_abs + T_rel max |Lambda| and row mass m = 1/G_ll:
///   Lambda_n >= -t, xi_n >= -t/m, and one of them within t of zero                                       Signorini
///   |Lambda_t| <= mu Lambda_n + t                                                                        Coulomb
///   mu Lambda_n |xi_t| + Lambda_t . xi_t <= t (|xi_t| + 2 mu Lambda_n / m_t)                             maximal dissipation
///   |Lambda| <= bound + t, bound |xi| + Lambda xi <= t (|xi| + 2 bound / m)                              dry
///   |xi| <= t/m                                                                                          bilateral
double ffi_hard_violation(const ffi_hard_case *c, double relative, double absolute);

#endif
