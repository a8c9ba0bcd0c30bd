/// contact.h: contact materials, and where hulls touch.
///
/// A material has physical constants in SI units. Start from ff_material_default(); models copy materials.
#ifndef FOOTFALL_CONTACT_H
#define FOOTFALL_CONTACT_H

#ifdef __cplusplus
extern "C" {
#endif

/// Material of a surface. The material of a contact combines those of both shapes: stiffness and damping in series,
/// the smaller friction, the larger of each of the others.
typedef struct ff_material {
  double stiffness;   ///< K  [N/m],   > 0, default 1e5
  double damping;     ///< B  [N s/m], >= 0, default 300
  double friction;    ///< mu [-],     >= 0, default 1
  double restitution; ///< e  [-], 0..1, hard contact only, default 0
  /// e_T [-], 0..1, hard contact only, default 0: restitution along the surface
  double tangential_restitution;
  /// [m], >= 0, default 0: turning about the normal is resisted by a moment of up to this times the normal force
  double torsional_friction;
  double rolling_friction; ///< [m], >= 0, default 0: the same of rolling, about axes along the surface
} ff_material;

/// How stiff convex hulls are on planes, boxes and height fields. Rigid contact has no stiffness: there each corner is
/// a point. docs/theory/detection.md, section 1
/// docs/theory/detection.md, section 1
typedef enum ff_hull_contact {
  /// "corner": each corner has the stiffness and the damping of the material
  FF_HULL_CONTACT_CORNER,
  /// "patch": a face with more than four corners has those of four, however many corners it has, in at most eight of
  /// them; a finely cut rim or ball has those of a coarse one. Up to four corners have 1 each (default)
  FF_HULL_CONTACT_PATCH,
} ff_hull_contact;

/// 1e5 N/m, 300 N s/m, friction 1, no restitution.
ff_material ff_material_default(void);

#ifdef __cplusplus
}
#endif
#endif
