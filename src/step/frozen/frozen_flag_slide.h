/// frozen_flag_slide.h: a contact that slides by its slip flag (contact/law/flag_law.h), in the frozen system.
///
/// Its force is lambda_n n - mu lambda_n u_t/|u_t|, docs/theory/contact.md, eq. 7: no spring along the surface.
/// Linearised at the start that is mu lambda_n along d = -u_t/|u_t|, which follows the normal force, and a damper mu
/// lambda_n/|u_t| across. With d frozen, friction does not see that the contact has stopped: it would drive a light
/// foot back at many times its first speed. A contact that is found to reverse is solved again as one that *stops*: a
/// damper mu lambda_n/(1 mm/s) along d too, which is the law of a sliding contact below 1 mm/s, so that it ends
/// slower than that.
#ifndef FFI_STEP_FROZEN_FLAG_SLIDE_H
#define FFI_STEP_FROZEN_FLAG_SLIDE_H

#include "step/frozen/frozen.h"

/// How often a step or substep is solved again with more contacts that stop in it.
enum { FFI_FROZEN_FLAG_SLIDE_MAX_STOPS = 3 };

/// Adds it to the system. stops: the normal force [N] with which it stops; 0: it slides.
ffi_frozen_block *ffi_frozen_flag_slide(ffi_frozen *z, const ffi_contact *c, double stops);

/// After a solve: has friction driven a sliding block back?
int ffi_frozen_flag_slide_has_reversed(const ffi_frozen_block *b);

/// The normal force for ffi_frozen_flag_slide(), from the solve in which it reversed.
double ffi_frozen_flag_slide_stopping_force(const ffi_contact *c, const ffi_frozen_block *b);

#endif
