/// pair_materials.h: the contact material of a pair of colliders, combined from the materials of both.
///
/// Two springs in series, 1/K = 1/K_a + 1/K_b, and two dampers likewise; the smaller friction, the larger restitutions.
/// An infinite value (rigid ground) leaves the other one's. Ground with `gives_pair` sets the material of its pairs by
/// itself, and a pair that the model lists (ff_shape_pair) those values that it has. docs/theory/contact.md, section 5
#ifndef FFI_CONTACT_PAIR_MATERIALS_H
#define FFI_CONTACT_PAIR_MATERIALS_H

#include "contact/detect/colliders.h"

/// Materials of all pairs, to out [pair_count], from the materials of the colliders [collider_count]. An error names
/// the two colliders whose combined material is not valid.
ff_status ffi_pair_materials(const ffi_colliders *colliders, const ff_material *material, ff_material *out,
                             ff_error *error);

void ffi_pair_materials_combine(const ff_material *a, const ff_material *b, ff_material *out);

static inline int ffi_pair_materials_is_bouncing(const ff_material *of_pair)
{
  return of_pair->restitution > 0 || of_pair->tangential_restitution > 0;
}

#endif
