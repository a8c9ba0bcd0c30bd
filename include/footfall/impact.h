/// impact.h: what an impact does to velocities: the options of the impact map of the steppers `ca` and `c2a`.
///
/// Contacts that close are stopped by impulses that satisfy the friction law all at once. docs/theory/impact.md has the equations, and says where the laws differ.
/// Start from ff_impact_def_default().
#ifndef FOOTFALL_IMPACT_H
#define FOOTFALL_IMPACT_H

#ifdef __cplusplus
extern "C" {
#endif

/// Which impulses, of all that friction allows.
typedef enum ff_impact_law {
  FF_IMPACT_DISSIPATION, ///< "dissipation": those that leave the least kinetic energy: a convex program, always solved. What slides is lifted by up to mu times its speed (default)
  FF_IMPACT_BOUNDED, ///< "bounded": the same, but contacts together do not open faster than they would without friction
  FF_IMPACT_COULOMB, ///< "coulomb": Coulomb's law with complementarity, that of `moreau`: no such lift, but solutions may be missing or many
} ff_impact_law;
enum { FF_IMPACT_LAW_COUNT = FF_IMPACT_COULOMB + 1 };         ///< how many there are
const char *ff_impact_law_name(ff_impact_law law);            ///< never NULL
int ff_impact_law_find(const char *name, ff_impact_law *law); ///< 1 if there is one of that name

/// What "dissipation" and "bounded" know of friction; "coulomb" has round discs.
typedef enum ff_impact_cone {
  FF_IMPACT_CONE,    ///< "cone": round (default)
  FF_IMPACT_POLYGON, ///< "polygon": a pyramid around it, so that there is more friction between its directions
} ff_impact_cone;
enum { FF_IMPACT_CONE_COUNT = FF_IMPACT_POLYGON + 1 };           ///< how many there are
const char *ff_impact_cone_name(ff_impact_cone cone);            ///< never NULL
int ff_impact_cone_find(const char *name, ff_impact_cone *cone); ///< 1 if there is one of that name

/// What a coefficient of restitution multiplies.
typedef enum ff_impact_bounce {
  FF_IMPACT_NEWTON,  ///< "newton": the velocity of approach (default)
  FF_IMPACT_POISSON, ///< "poisson": the impulse of the impact without restitution
} ff_impact_bounce;
enum { FF_IMPACT_BOUNCE_COUNT = FF_IMPACT_POISSON + 1 };               ///< how many there are
const char *ff_impact_bounce_name(ff_impact_bounce bounce);            ///< never NULL
int ff_impact_bounce_find(const char *name, ff_impact_bounce *bounce); ///< 1 if there is one of that name

enum { FF_IMPACT_MAX_EDGES = 64 }; ///< most that ff_impact_def.edges can be

/// Which law, which cone, how exactly.
typedef struct ff_impact_def {
  ff_impact_law law;   ///< default FF_IMPACT_DISSIPATION; ff_c2a_def has FF_IMPACT_COULOMB
  ff_impact_cone cone; ///< default FF_IMPACT_CONE
  int edges; ///< of the polygon, as Moby counts: edges / 2 directions in a quadrant, both ends among them, so 2 edges - 4 sides. Even, 4 (default: a square) .. 64
  ff_impact_bounce bounce;   ///< default FF_IMPACT_NEWTON
  double relative_tolerance; ///< T_rel of the impulses, 0..0.1, default 1e-6
  double absolute_tolerance; ///< T_abs [N s], > 0, at most 1, default 1e-6
  int max_iterations;        ///< of each stage of the solver, 1..100000, default 1000
} ff_impact_def;
/// Least energy in round cones, Newton's restitution.
ff_impact_def ff_impact_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
