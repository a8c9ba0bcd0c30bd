/// scene_vary.h: what differs from run to run of a scene: FIELD=RANGE, and the numbers that are drawn.
///
///     material.friction=0.3..1.0     uniform between two bounds, the upper one excluded
///     mass=0.8,1,1.2                 one of a list, each as likely
///     start.joints=2deg              a field that is added or a factor: up to so much to both sides
///
/// A draw is a function of seed, run, field and the place in a field with several numbers, and of nothing else: neither
/// of the number of runs nor of what else varies.
#ifndef FFI_SCENE_SCENE_VARY_H
#define FFI_SCENE_SCENE_VARY_H

#include "scene/scene.h"

#include <footfall/scene/scene_batch.h>

#include <stdint.h>

/// What a field acts on.
typedef enum ffi_scene_vary_kind {
  FFI_SCENE_VARY_MATERIAL, ///< `which`: the number in ff_material
  FFI_SCENE_VARY_MASS,     ///< of all links
  FFI_SCENE_VARY_GRAVITY,  ///< its strength
  FFI_SCENE_VARY_MOTORS,   ///< `which`: kp, kd, effort
  FFI_SCENE_VARY_GROUND,   ///< `which`: height, slope
  FFI_SCENE_VARY_POSITION, ///< `which`: axis of the base's position
  FFI_SCENE_VARY_TURN,     ///< `which`: roll, pitch, yaw
  FFI_SCENE_VARY_VELOCITY, ///< `which`: 0..5 of the base
  FFI_SCENE_VARY_JOINTS,   ///< positions of all joints with one coordinate
  FFI_SCENE_VARY_SPEEDS,   ///< their velocities
  FFI_SCENE_VARY_PUSHES,   ///< `which`: magnitude, angle, tilt, place, time
} ffi_scene_vary_kind;

enum { FFI_SCENE_VARY_MATERIALS = 4 }; ///< stiffness, damping, friction, restitution

/// A field that can vary.
typedef struct ffi_scene_vary_field {
  ff_scene_variable about;
  ffi_scene_vary_kind kind;
  int which;
  int has_range; ///< `least` and `most` hold for what is given
  int is_open;   ///< `least` itself is refused
  double least, most;
} ffi_scene_vary_field;

/// A field and what is drawn for it.
typedef struct ffi_scene_varied {
  const ffi_scene_vary_field *field;
  uint32_t stream;                   ///< of the generator
  double low, high;                  ///< a range; of a list its ends
  int count;                         ///< of the list, 0: a range
  double list[FF_SCENE_VARY_VALUES]; ///< [count]
} ffi_scene_varied;

/// Read FIELD=RANGE. FF_ERROR_PARSE or FF_ERROR_ARGUMENT with the reason; `thing` is the field.
ff_status ffi_scene_vary_read(const char *text, ffi_scene_varied *out, ff_error *error);

/// The same with field and range apart.
ff_status ffi_scene_vary_read_field(const char *name, const char *range, ffi_scene_varied *out,
                                    ff_error *error);

/// The number of a run; index: which of a field with several.
double ffi_scene_vary_draw(const ffi_scene_varied *varied, uint64_t seed, uint64_t run, uint32_t index);

// ---- What is drawn for a run ----------------------------------------------------------------------------------------

/// A run and what varies in it.
typedef struct ffi_scene_draws {
  const ff_scene *scene;
  const ffi_scene_varied *list; ///< [count]
  int count;
  uint64_t seed, run;
} ffi_scene_draws;

/// Has the scene anything that the field acts on? The error names the field.
ff_status ffi_scene_vary_apply_check(const ff_scene *scene, const ffi_scene_varied *varied, ff_error *error);

/// How many numbers a field of the scene has; 1 for most.
int ffi_scene_vary_apply_numbers(const ff_scene *scene, const ffi_scene_varied *varied);

/// Ground whose material can vary: a copy of the scene's, in which each shape gives the material of its pairs. Free it.
/// NULL: no memory, or shapes of the robot that differ in material.
ff_ground_def *ffi_scene_vary_apply_ground(const ff_scene *scene, ff_error *error);

/// Does any field change parameters?
int ffi_scene_vary_apply_has_parameters(const ffi_scene_draws *draws);

/// Parameters of the run, from those of the world, `nominal`.
ff_status ffi_scene_vary_apply_parameters(const ffi_scene_draws *draws, const ff_parameters *nominal,
                                          ff_parameters *out, ff_error *error);

/// Start of the run: q [nq], v [nv].
void ffi_scene_vary_apply_start(const ffi_scene_draws *draws, double *q, double *v);

/// Pushes of the run, from those that are written [pushes of the scene].
void ffi_scene_vary_apply_pushes(const ffi_scene_draws *draws, const ffi_scene_force *written,
                                 ffi_scene_force *out);

#endif
