/// reference.h: where a robot should be at a time: a squat, and a walk.
///
/// These say what a controller should ask for; they know nothing of torques. Times are seconds since the motion began. Before it begins and
/// after it ends, references rest.
///
/// **Walk.** Feet step in turn, each `step_length` ahead of the other one, the last beside it. The centre of mass stays at one height z above the
/// soles, so that it moves as a linear inverted pendulum,
///
///     x'' = w^2 (x - p),     w^2 = gravity / height,
///
/// with p the centre of pressure. p is held for `interval` at a time; among all p inside the soles that stand then, and that bring the centre of
/// mass from where it is at the start to rest between the feet at the end, the plan takes the one that is nearest to the soles' centres,
/// weighed against speed. Feet swing along polynomials that begin and end at rest, without acceleration.
#ifndef FOOTFALL_CONTROL_REFERENCE_H
#define FOOTFALL_CONTROL_REFERENCE_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Squat --------------------------------------------------------------------------------------------------------

/// A centre of mass that swings, centre + amplitude sin(rate t), along each axis by itself.
typedef struct ff_squat {
  double centre[3];    ///< [m]
  double amplitude[3]; ///< [m]
  double rate[3];      ///< [rad/s]
  /// The amplitude grows from 0 over this time [s]; 0: at once, so the motion begins with a speed
  double rise;
} ff_squat;

/// Where the centre of mass should be [m], and how it should move [m/s, m/s^2]. Any output may be NULL.
void ff_squat_at(const ff_squat *squat, double time, double position[3], double velocity[3],
                 double acceleration[3]);

// ---- Walk ---------------------------------------------------------------------------------------------------------

/// A foot of two, as index of arrays too.
typedef enum ff_side {
  FF_SIDE_RIGHT, ///< 0
  FF_SIDE_LEFT,  ///< 1
} ff_side;

/// What a walk should be. Start from ff_walk_def_default() and give feet and com.
typedef struct ff_walk_def {
  int steps;           ///< 1..1000, the closing one included, default 4
  ff_side first_swing; ///< which foot steps first, default left
  double step_time;    ///< a foot is in the air [s], default 1
  double both_time;    ///< both stand between steps [s], default 0.2
  double start_time;   ///< both stand before the first step [s], default 1
  double end_time;     ///< both stand after the last [s], default 1.5
  double step_length;  ///< each foot ahead of the other along x [m], default 0.05
  double step_height;  ///< [m], default 0.05
  double feet[2][3];   ///< where the feet's frames are at the start, right and left, world [m]
  double sole[4]; ///< of a sole about its frame: from x, to x, from y, to y [m]; default -0.05 0.1 -0.05 0.05
  double sole_height;     ///< of the frame above the sole [m], default 0
  double margin;          ///< p keeps this far inside the soles [m], default 0.02
  double com[3];          ///< at the start [m]; its height stays
  double com_velocity[2]; ///< at the start [m/s], default 0
  double gravity;         ///< > 0, default 9.81
  double interval;        ///< p is held [s], default 0.1; phases are made of whole intervals
  double pressure_weight; ///< of (p - centre of the soles)^2, > 0, default 100
  double speed_weight;    ///< of x'^2, >= 0, default 0.1
} ff_walk_def;

/// Four steps of 5 cm; where feet and centre of mass are is still to be given.
ff_walk_def ff_walk_def_default(void);

/// A planned walk, which does not change. The caller destroys it.
typedef struct ff_walk ff_walk;

/// Plan the whole walk. FF_ERROR_ARGUMENT if no centre of pressure inside the soles can do it.
ff_status ff_walk_create(const ff_walk_def *def, ff_walk **out, ff_error *error);
void ff_walk_destroy(ff_walk *walk); ///< NULL is fine

double ff_walk_duration(const ff_walk *walk); ///< until it rests [s]

/// How a point moves, world axes.
typedef struct ff_motion {
  double position[3];     ///< [m]
  double velocity[3];     ///< [m/s]
  double acceleration[3]; ///< [m/s^2]
} ff_motion;

/// All references of a walk at one time.
typedef struct ff_walk_moment {
  ff_motion com;      ///< of the centre of mass
  ff_motion feet[2];  ///< their frames, right and left
  int is_standing[2]; ///< right and left
  double pressure[2]; ///< the centre of pressure, x and y [m]
  int steps_taken;    ///< feet that have come down
} ff_walk_moment;

/// The references at a time [s] since the walk began; at its ends they rest.
void ff_walk_at(const ff_walk *walk, double time, ff_walk_moment *out);

#ifdef __cplusplus
}
#endif
#endif
