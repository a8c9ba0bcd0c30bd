/// hard_laws.h: the laws of hard contact stated once more, independently of the library.
#ifndef FFI_TESTS_HARD_LAWS_H
#define FFI_TESTS_HARD_LAWS_H

#include "support/hard_case.h"

/// The largest violation of the laws relative to the tolerances (1: just within), from u and xi of
/// ffi_hard_velocities(). For each block with tolerance t = T_abs + T_rel max |Lambda| and row mass m = 1/G_ll:
///   Lambda_n >= -t, xi_n >= -t/m, and one of them within t of zero                                       Signorini
///   |Lambda_t| <= mu Lambda_n + t                                                                        Coulomb
///   mu Lambda_n |xi_t| + Lambda_t . xi_t <= t (|xi_t| + 2 mu Lambda_n / m_t)                             dissipation
///   |Lambda| <= bound + t, bound |xi| + Lambda xi <= t (|xi| + 2 bound / m)                              dry
///   |xi| <= t/m                                                                                          bilateral
///   |Lambda_t| <= mu Lambda_n + (1 + mu) t,  mu |xi_t| <= xi_n + (1/m_n + mu/m_t) t,
///   |Lambda . xi| <= t (|xi_t| + |xi_n| + (|Lambda_t| + 2t)/m_t + (|Lambda_n| + 2t)/m_n)                 cone, pyramid
///   Blocks of six rows: each part Lambda_m of the moments as Coulomb and dissipation above, with Lambda_n in place of
///   mu Lambda_n; with a cone |Lambda_m| <= Lambda_n, and mu |xi_t| + |xi_m1, xi_m2| + |xi_m3| <= xi_n
double ffi_hard_violation(const ffi_hard_case *c, double relative, double absolute);

#endif
