/// flag_law.h: the compliant contact law with a slip flag, Moreau paper Algorithm 1.
///
///     lambda_N = max(-K g_N - B gamma_N, 0)                                                     line 1
///     sticking:  lambda_T = -K g_T - B gamma_T, g_T from the point P_0;                         line 7
///                |lambda_T| >= mu lambda_N: it slips from now on                                lines 8-9
///     slipping:  lambda_T = -mu lambda_N gamma_T / |gamma_T|;
///                gamma_T about zero: it sticks from now on, P_0 is where the point is           lines 3-4
///
/// Two things are not as printed. The listing leaves lambda_T as it was when slipping began; it must follow the normal force and the
/// velocity. Then |lambda_T| = mu lambda_N at all times, and the second condition of line 3 says nothing: it is left out. "About zero" is below 1 mm/s, or
/// having turned around since the last step: a velocity that goes along with the last friction has passed through zero.
///
/// Spring and damper of both directions are those of the pair, as in the paper.
#ifndef FFI_CONTACT_FLAG_LAW_H
#define FFI_CONTACT_FLAG_LAW_H

#include "contact/law/contact_law.h"

/// n, x, u as for ffi_contact_law(), x from P_0. last: the force of the last step, NULL: none, or the flag is held. *slips: the flag, updated. Returns 1 if P_0 is
/// to be put where the point is.
int ffi_flag_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                 const double last[3], int *slips, ffi_contact_law_result *law);

/// Slower than this a contact does not slide [m/s]: the "about zero" of line 3. A tenth of a millimetre in a tenth of a second.
#define FFI_FLAG_LAW_LEAST_SPEED 1e-3

/// The same with the flag as it is: within a step. Beyond the disc a sticking contact has a force on its rim, its trial being what the spring would give; one that slides
/// more slowly than 1 mm/s has friction in proportion.
void ffi_flag_law_fixed(double K, double B, double mu, const double n[3], const double x[3],
                        const double u[3], int slips, ffi_contact_law_result *law);

/// Lines 8-9 where somebody else has found that it begins to slip: with the direction of the velocity or, slower than 1 mm/s, that of the spring's force.
void ffi_flag_law_begin_slip(double K, double B, double mu, const double n[3], const double x[3],
                             const double u[3], ffi_contact_law_result *law);

#endif
