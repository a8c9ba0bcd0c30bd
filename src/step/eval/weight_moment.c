// Moments of springs whose stiffness changes with a tilt. See weight_moment.h.
#include "step/eval/weight_moment.h"

#include "math/vec3.h"
#include "step/eval/contact_jacobian.h"
#include "step/system/stepper.h"

// Energy of a contact's springs per weight, as ffi_sim_energy_elastic() counts it.
static double energy_per_weight(const ffi_contact *c, int has_flags)
{
  const double depth = ffi_v3_dot(c->x, c->near.normal), all = ffi_v3_dot(c->x, c->x);
  const double along = has_flags && c->slips ? 0 : all - depth * depth;
  return 0.5 * c->K / c->near.weight * (along + (depth < 0 ? depth * depth : 0));
}

void ffi_weight_moment_add(const ffi_system *s, const ffi_rows3_room *room, ffi_evaluation *out)
{
  const int has_flags = ffi_stepper_has_slip_flags(s->def);
  for (int i = 0, next; i < out->count; i = next) {
    const ffi_detect_candidate *near = &out->contact[i].near;
    double moment[3] = {0, 0, 0};
    for (next = i; next < out->count && out->contact[next].near.pair == near->pair; ++next) {
      const ffi_contact *c = &out->contact[next];
      const double *slope = c->near.weight_slope;
      if (c->near.pair >= 0 && (slope[0] != 0 || slope[1] != 0 || slope[2] != 0))
        ffi_v3_add_scaled(-energy_per_weight(c, has_flags), slope, moment);
    }
    if (!(ffi_v3_dot(moment, moment) > 0))
      continue;
    const ffi_contact_jacobian_points of = {near->a, near->b, near->point, near->point};
    ffi_rows3 rows;
    ffi_contact_jacobian_relative(s, &out->at, &of, 1, room, &rows);
    ffi_v3_scale(-1, moment, moment); // h is on the other side of the equation of motion
    ffi_rows3_add_transposed(&rows, room->stride, moment, out->h);
  }
}
