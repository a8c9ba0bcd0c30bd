/// contact_law.h: the force of one compliant contact point.  docs/theory/contact.md, sections 1 and 2
///
/// Normal, eq. 1: lambda_n = max(0, -K (gap - rest) - B gapdot).
///
/// Tangential, eqs 2 and 3: a spring and a damper in parallel act between the point and an *anchor* on the surface. Dry
/// friction holds the anchor:
///
///     K e + B edot = F,   e = anchor - point (tangential),   |F| <= mu lambda_n
///
/// The anchor rests while the trial force K e - B u (u the point's velocity) is inside the disc. Else F is the trial
/// force shortened to the disc, and the anchor moves with (F - trial)/B: Expo paper eq. 27 with its transient kept. F
/// and the anchor's velocity are continuous functions of (e, u, lambda_n), so this is an ordinary differential
/// equation, which methods of any order can follow; eq. 28 of the paper instead relaxes the direction of friction once
/// per step, whatever its length. With B = 0 the anchor is carried along so that K |e| <= mu lambda_n.
#ifndef FFI_CONTACT_CONTACT_LAW_H
#define FFI_CONTACT_CONTACT_LAW_H

#include <footfall/sim.h>

typedef struct ffi_contact_law_result {
  ff_contact_mode mode;
  double normal_force; ///< lambda_n >= 0
  double push;         ///< -K (gap - rest) - B gapdot before the maximum with zero
  double trial[3];     ///< K e - B u_t, tangential, world axes
  double trial_norm;
  double force[3]; ///< on the point: lambda_n n + F, world axes
} ffi_contact_law_result;

/// n: unit normal; x = (gap - rest) n - e: offset of the springs; u: velocity of the point relative to the surface; all
/// in world axes. Seven arguments, no struct: called for every contact at every evaluation, and its callers hold the
/// values in different structs.
void ffi_contact_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                     ffi_contact_law_result *law);

/// Tangential elongation after a time h in which the tangential force goes linearly from F0 to F1: the exact solution
/// of K e + B edot = F(t), docs/theory/contact.md eq. 4. For B = 0 it is F1/K. e may be e_out.
/// Seven arguments, no struct: it would be built for every contact whose anchor moves, at every step.
void ffi_contact_law_relax_anchor(double K, double B, double h, const double F0[3], const double F1[3],
                                  const double e[3], double e_out[3]);

#endif
