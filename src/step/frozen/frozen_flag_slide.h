/// flag_slide.h: a contact that slides by its flag (contact/flag_law.h), in the frozen system.
///
/// Its force is lambda_n n - mu lambda_n u_t/|u_t|: no spring along the surface. Made linear at the start that is mu lambda_n along d = -u_t/|u_t|, which follows the normal force, and a
/// damper mu lambda_n/|u_t| across. With d held, friction does not know when the contact has stopped: it would drive a light foot back at many times the speed that it came with. A contact that is found to
/// turn around is taken again as one that *stops*: a damper mu lambda_n/(1 mm/s) along d too, which is the law of a sliding contact below 1 mm/s, so that it ends slower than that.
/// docs/theory/contact.md, section 9.
#ifndef FFI_STEP_FLAG_SLIDE_H
#define FFI_STEP_FLAG_SLIDE_H

#include "step/frozen/frozen.h"

/// How often a step, or a piece of one, is solved again with more contacts that stop in it.
enum { FFI_FROZEN_FLAG_SLIDE_MAX_STOPS = 3 };

/// Direction of its friction, a unit tangent: against the velocity; where that is below the least speed that of the force it has.
void ffi_frozen_flag_slide_direction(const ffi_contact *c, double d[3]);

/// Add it. stops: the normal force [N] with which it stops; 0: it slides.
ffi_frozen_block *ffi_frozen_flag_slide(ffi_frozen *z, const ffi_contact *c, double stops);

/// After a solve: has a block that slides been driven back by its friction?
int ffi_frozen_flag_slide_has_reversed(const ffi_frozen_block *b);

/// The normal force for ffi_frozen_flag_slide() by the solve in which it turned.
double ffi_frozen_flag_slide_stopping_force(const ffi_contact *c, const ffi_frozen_block *b);

#endif
