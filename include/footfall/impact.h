/// impact.h: the options of the impact map of the steppers `ca` and `c2a`: velocities before to velocities after.
///
/// Impulses stop all closing contacts simultaneously, within the friction law. docs/theory/impact.md has the
/// equations and compares the laws. Start from ff_impact_def_default().
#ifndef FOOTFALL_IMPACT_H
#define FOOTFALL_IMPACT_H

#ifdef __cplusplus
extern "C" {
#endif

/// Law that selects the impulses.
typedef enum ff_impact_law {
  /// "dissipation": those that leave the least kinetic energy: a convex program that always has a solution. A sliding
  /// contact separates with up to mu times its sliding speed (default)
  FF_IMPACT_DISSIPATION,
  /// "bounded": as dissipation, but all contacts together do not open faster than they would without friction
  FF_IMPACT_BOUNDED,
  /// "coulomb": Coulomb's law with complementarity, as in `moreau`: sliding contacts do not separate, but there may
  /// be no solution or several
  FF_IMPACT_COULOMB,
} ff_impact_law;
enum { FF_IMPACT_LAW_COUNT = FF_IMPACT_COULOMB + 1 };         ///< number of laws
const char *ff_impact_law_name(ff_impact_law law);            ///< never NULL
int ff_impact_law_find(const char *name, ff_impact_law *law); ///< 1 if a law has that name

/// Friction cone of "dissipation" and "bounded"; "coulomb" always uses round discs.
typedef enum ff_impact_cone {
  FF_IMPACT_CONE,    ///< "cone": round (default)
  FF_IMPACT_POLYGON, ///< "polygon": a pyramid around the cone, with more friction between its directions
} ff_impact_cone;
enum { FF_IMPACT_CONE_COUNT = FF_IMPACT_POLYGON + 1 };           ///< number of cones
const char *ff_impact_cone_name(ff_impact_cone cone);            ///< never NULL
int ff_impact_cone_find(const char *name, ff_impact_cone *cone); ///< 1 if a cone has that name

/// Restitution law: what the coefficient of restitution multiplies.
typedef enum ff_impact_bounce {
  FF_IMPACT_NEWTON,  ///< "newton": the velocity of approach (default)
  FF_IMPACT_POISSON, ///< "poisson": the impulse of the impact without restitution
} ff_impact_bounce;
enum { FF_IMPACT_BOUNCE_COUNT = FF_IMPACT_POISSON + 1 };    ///< number of restitution laws
const char *ff_impact_bounce_name(ff_impact_bounce bounce); ///< never NULL
/// 1 if a restitution law has that name
int ff_impact_bounce_find(const char *name, ff_impact_bounce *bounce);

enum { FF_IMPACT_MAX_EDGES = 64 }; ///< upper bound of ff_impact_def.edges

/// Law, cone and tolerances of impacts.
typedef struct ff_impact_def {
  ff_impact_law law;   ///< default FF_IMPACT_DISSIPATION; ff_c2a_def has FF_IMPACT_COULOMB
  ff_impact_cone cone; ///< default FF_IMPACT_CONE
  /// Of the polygon, even, 4..64, default 4 (a square). Counted as in Moby: edges / 2 directions in a quadrant, both
  /// ends included, so the polygon has 2 edges - 4 sides.
  int edges;
  ff_impact_bounce bounce;   ///< default FF_IMPACT_NEWTON
  double relative_tolerance; ///< T_rel of the impulses, 0..0.1, default 1e-6
  double absolute_tolerance; ///< T_abs of the impulses [N s], > 0, at most 1, default 1e-6
  int max_iterations;        ///< of each stage of the solver, 1..100000, default 1000
} ff_impact_def;
/// Least kinetic energy with round cones and Newton's restitution.
ff_impact_def ff_impact_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
