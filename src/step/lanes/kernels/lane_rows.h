/// lane_rows.h: the law of a contact in lanes, and its point.
#ifndef FFI_STEP_LANES_KERNELS_LANE_ROWS_H
#define FFI_STEP_LANES_KERNELS_LANE_ROWS_H

#include "dynamics/kernels/variant.h"
#include "step/lanes/kernels/lane_work.h"

/// A contact's springs and the force of its law if it could pull and never slipped: contact.md, eq. 1 and section 5.
typedef struct lane_law {
  vec3 x;      ///< offset of the springs, with the rest at the surface; zero in lanes without the contact
  vec3 across; ///< tangential force
  real push;   ///< normal force
  real trial;  ///< size of the tangential force
} lane_law;

/// Of a contact whose point and gap these are.
lane_law FFI_KERNEL(lane_find_law)(const ffi_lane_work *w, const ffi_lane_contact *c, vec3 point, real gap,
                                   vec3 u);

/// Rows J [columns][3] at x, zero in lanes without the contact; returns u = J v.
vec3 FFI_KERNEL(lane_find_rows)(const ffi_lane_work *w, const ffi_lane_contact *c, vec3 x, const real *v,
                                real *J);

/// Acceleration at vdot = 0 of the contact's point, of a ball as it rolls. Zero in lanes without the contact. After the
/// kernel `bias`.
void FFI_KERNEL(lane_find_bias)(const ffi_lane_work *w, const ffi_lane_contact *c, real out[3]);

/// The contact's point: of a ball the one nearest to the plane with the normal n.
FFI_ALWAYS vec3 lane_contact_point(const ffi_lane_feature *f, vec3 n, vec3 place)
{
  return axpy(splat(-f->radius), n, place);
}

/// Energy in a contact's springs. A normal spring that is not pressed holds nothing.
FFI_ALWAYS real lane_contact_energy(const ffi_lane_work *w, const ffi_lane_contact *c)
{
  const vec3 x = load3(c->x);
  const real along = larger(dot(x, w->normal[w->plan->feature[c->index].plane]), splat(0));
  return 0.5 * c->K * (dot(x, x) - along * along);
}

#endif
