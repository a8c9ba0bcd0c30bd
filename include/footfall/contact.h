/// contact.h: what happens where two shapes touch.
///
/// A material is physical, in SI units. Start from ff_material_default(); models copy what you pass.
#ifndef FOOTFALL_CONTACT_H
#define FOOTFALL_CONTACT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_material {
  double stiffness;   ///< K  [N/m],   > 0, default 1e5
  double damping;     ///< B  [N s/m], >= 0, default 300
  double friction;    ///< mu [-],     >= 0, default 1
  double restitution; ///< e  [-], 0..1, hard contact only, default 0
  double
      tangential_restitution; ///< e_T [-], 0..1, hard contact only, default 0: what bounces back along the surface
} ff_material;

ff_material ff_material_default(void);

#ifdef __cplusplus
}
#endif
#endif
