/// flag_law.h: the compliant contact law with a slip flag, Moreau paper Algorithm 1.  docs/theory/contact.md, section 9
///
///     lambda_N = max(-K g_N - B gamma_N, 0)                                                     line 1
///     sticking:  lambda_T = -K g_T - B gamma_T, g_T from the point P_0;                         line 7
///                |lambda_T| >= mu lambda_N: it slips from now on                                lines 8-9
///     slipping:  lambda_T = -mu lambda_N gamma_T / |gamma_T|;
///                gamma_T about zero: it sticks from now on, P_0 is where the point is           lines 3-4
///
/// Two departures from the listing. It leaves lambda_T as it was when slipping began; here lambda_T follows the normal
/// force and the velocity. Then |lambda_T| = mu lambda_N at all times, so the second condition of line 3 is always true
/// and left out. "About zero" is below 1 mm/s, or a velocity along the last friction force: it has passed through zero
/// since the last step.
///
/// Spring and damper of both directions are those of the pair, as in the paper. Arguments as for ffi_contact_law(), x
/// from P_0.
#ifndef FFI_CONTACT_FLAG_LAW_H
#define FFI_CONTACT_FLAG_LAW_H

#include "contact/law/contact_law.h"

/// last: the force of the last step, NULL: none, or the flag is fixed. *slips: the flag, updated. Returns 1 if P_0 is
/// to be set to the point. Nine arguments, no struct: it would be built for every contact at every evaluation.
int ffi_flag_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                 const double last[3], int *slips, ffi_contact_law_result *law);

/// A contact slower than this does not slide [m/s]: the "about zero" of line 3. A tenth of a millimetre in 0.1 s.
#define FFI_FLAG_LAW_LEAST_SPEED 1e-3

/// The law with the flag as it is, within a step. A sticking contact beyond the disc has a force on its rim, and the
/// spring's force as its trial; a contact that slides slower than 1 mm/s has friction in proportion to its speed.
/// Eight arguments, no struct: as for ffi_flag_law().
void ffi_flag_law_fixed(double K, double B, double mu, const double n[3], const double x[3],
                        const double u[3], int slips, ffi_contact_law_result *law);

/// Lines 8-9 where the caller has found that slip begins: friction against the velocity or, below 1 mm/s, along the
/// spring's force. Seven arguments, no struct: as for ffi_flag_law().
void ffi_flag_law_begin_slip(double K, double B, double mu, const double n[3], const double x[3],
                             const double u[3], ffi_contact_law_result *law);

#endif
