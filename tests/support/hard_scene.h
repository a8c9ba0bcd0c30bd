/// hard_scene.h: loose bodies for tests of hard contact: described in a line, placed and read in world axes.
///
///     const ffi_loose balls[2] = {{.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = m}, ...};
///     ff_model *model = ffi_loose_model(2, balls, 0);
///     ffi_loose_state at[2] = {{.velocity = {1}}, {.position = {0.3}}};
///     ffi_loose_reset(sim, 2, at);
///     ffi_loose_read(sim, 2, at);
#ifndef FFI_TESTS_HARD_SCENE_H
#define FFI_TESTS_HARD_SCENE_H

#include <footfall/sim.h>

enum { FFI_LOOSE_MOST = 40 };

/// A body that floats, its centre of mass at its origin, the shape centred there.
typedef struct ffi_loose {
  ff_shape_type shape; ///< sphere, box or disk; a point: see `points`
  double size[3];      ///< as in shape.h
  double mass;
  double moment[3]; ///< principal, along the body's axes; all zero: those of the solid shape
  ff_material material;
  int point_count; ///< with FF_SHAPE_POINT
  const double (*points)[3];
} ffi_loose;

/// In world axes.
typedef struct ffi_loose_state {
  double position[3];
  double quaternion[4]; ///< x y z w; all zero: the identity
  double velocity[3];   ///< of the centre of mass
  double spin[3];       ///< angular velocity
} ffi_loose_state;

/// Bodies in the order given. Gravity along -z.
ff_model *ffi_loose_model(int count, const ffi_loose *bodies, double gravity);

void ffi_loose_reset(ff_sim *sim, int count, const ffi_loose_state *state);
void ffi_loose_read(const ff_sim *sim, int count, ffi_loose_state *state);

/// Of all bodies: linear momentum, and angular momentum about the world's origin; kinetic energy.
void ffi_loose_momentum(int count, const ffi_loose *bodies, const ffi_loose_state *state, double momentum[6]);
double ffi_loose_kinetic(int count, const ffi_loose *bodies, const ffi_loose_state *state);

/// Two rods of 0.4 m that hang from the world, hinged about y. With gravity.
ff_model *ffi_double_pendulum(void);

/// `moreau` with steps of dt and a solver that goes on until rounding stops it; no ground (ground_count 0).
ff_sim_def ffi_hard_def(double dt);

/// A material with these; stiffness and damping, which hard contact has no use for, are the default ones.
ff_material ffi_hard_material(double friction, double restitution, double tangential_restitution);

/// Rotation matrix of a quaternion (x y z w), row-major; and y = R x, y = R' x.
void ffi_loose_rotation(const double quaternion[4], double R[9]);
void ffi_loose_out(const double R[9], const double x[3], double y[3]);
void ffi_loose_into(const double R[9], const double x[3], double y[3]);

#endif
