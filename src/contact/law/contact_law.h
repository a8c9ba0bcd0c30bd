/// law.h: the force of one contact point.
///
/// Normal: lambda_n = max(0, -K (gap - rest) - B gapdot).
///
/// Tangential: a spring and a damper side by side between the point and an *anchor* on the surface, the anchor held by dry friction:
///
///     K e + B edot = F,   e = anchor - point (tangential),   |F| <= mu lambda_n
///
/// The anchor rests while the trial force K e - B u (u the point's velocity) is inside the disc; else F is the trial force shortened to the
/// disc and the anchor moves at (F - trial)/B: Expo paper eq. 27 with its transient kept. Since F and the anchor's velocity are
/// continuous functions of (e, u, lambda_n), this is an ordinary differential equation, which methods of any order follow;
/// eq. 28 relaxes the direction of friction once a step, whatever its length. With B = 0 the anchor is carried along so that K |e| <= mu lambda_n (docs/theory/contact.md).
#ifndef FFI_CONTACT_LAW_H
#define FFI_CONTACT_LAW_H

#include <footfall/sim.h>

typedef struct ffi_contact_law_result {
  ff_contact_mode mode;
  double normal_force; ///< lambda_n >= 0
  double push;         ///< -K (gap - rest) - B gapdot before it is cut at zero
  double trial[3];     ///< K e - B u_t, tangential, world axes
  double trial_norm;
  double force[3]; ///< on the point: lambda_n n + F, world axes
} ffi_contact_law_result;

/// n: unit normal; x = (gap - rest) n - e: the springs' offset; u: velocity of the point relative to the surface; all world axes.
void ffi_contact_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                     ffi_contact_law_result *law);

/// Tangential elongation after a time h in which the tangential force went from F0 to F1 linearly: the exact solution of
/// K e + B edot = F(t). For B = 0 it is F1/K. e may be e_out.
void ffi_contact_law_relax_anchor(double K, double B, double h, const double F0[3], const double F1[3],
                                  const double e[3], double e_out[3]);

#endif
