/// contact.h: one contact of an evaluation: its springs, its velocity, its force and its rows.
#ifndef FFI_STEP_EVAL_CONTACT_H
#define FFI_STEP_EVAL_CONTACT_H

#include "contact/detect/detect.h"
#include "contact/law/contact_law.h"
#include "step/eval/rows3.h"

/// `near` says which bodies and where; forces are those on body near.a. u = J v, udot = J vdot + c (contact.md, eq.
/// 6).
typedef struct ffi_contact {
  ffi_detect_candidate near;
  double K, B, mu;
  double anchor[3]; ///< in the world
  double rest;
  double limit;     ///< how far its springs may be stretched now [m], see passivity.h
  double stored;    ///< the same at the end of the substep, for ffi_state_contact
  int was_unloaded; ///< anchor and rest are not those of the state, see passivity.h
  double x[3];      ///< offset of the springs, (gap - rest) n - (anchor - point)_t
  double u[3];      ///< velocity of a's point relative to b's surface
  double c[3]; ///< rate of u at vdot = 0, seen from b, or where the normal turns from axes that turn with it
  /// Tangential velocity over b of the anchor of a contact that sticks, zero unless the witness rolls: that of the
  /// witness over a's surface; and where the normal turns what keeps the elongation (ffi_evaluation_at).
  double creep[3];
  double ndot[3]; ///< rate of the normal where the witness rolls over a round b, seen from b; else zero
  int slips;      ///< with a slip flag: that of the state, or as this evaluation updates it
  ffi_contact_law_result law;
  ffi_rows3 rows;
} ffi_contact;

/// Tangential elongation e = anchor - point of a contact's spring.
void ffi_contact_elongation(const ffi_contact *c, double e[3]);

/// Rate of that elongation while the contact's law holds: K e + B edot = F (contact.md,
/// eq. 2). For B = 0: minus the tangential u.
void ffi_contact_elongation_rate(const ffi_contact *c, double rate[3]);

#endif
