/// reference.h: reference motions: a squat, and a walk.
///
/// These functions compute the references of a controller; they do not compute torques. Times are in seconds since
/// the motion began. Before it begins and after it ends, references are at rest.
///
/// **Walk.** The feet step in turn, each `step_length` ahead of the other; the last step closes beside the other
/// foot. The centre of mass stays at a constant height above the soles, so it moves as a linear inverted pendulum,
///
///     x'' = w^2 (x - p),     w^2 = gravity / height,
///
/// with p the centre of pressure. p is constant over each `interval`. It stays inside the soles on the ground and
/// moves the centre of mass from its start to rest between the feet at the end. Among all such p the plan minimises
/// the distance from the centres of the soles, weighted against speed. The feet swing along polynomials that begin
/// and end with zero velocity and acceleration.
#ifndef FOOTFALL_CONTROL_REFERENCE_H
#define FOOTFALL_CONTROL_REFERENCE_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Squat --------------------------------------------------------------------------------------------------------

/// A sinusoidal motion of the centre of mass, centre + amplitude sin(rate t), independent along each axis.
typedef struct ff_squat {
  double centre[3];    ///< [m]
  double amplitude[3]; ///< [m]
  double rate[3];      ///< [rad/s]
  /// The amplitude grows from 0 over this time [s]; 0: full amplitude at once, so the motion begins with a velocity
  double rise;
} ff_squat;

/// Reference of the centre of mass at a time: position [m], velocity [m/s], acceleration [m/s^2]. Any output may be
/// NULL.
void ff_squat_at(const ff_squat *squat, double time, double position[3], double velocity[3],
                 double acceleration[3]);

// ---- Walk ---------------------------------------------------------------------------------------------------------

/// Left or right foot; also an array index.
typedef enum ff_side {
  FF_SIDE_RIGHT, ///< 0
  FF_SIDE_LEFT,  ///< 1
} ff_side;

/// Parameters of a walk. Start from ff_walk_def_default() and set feet and com.
typedef struct ff_walk_def {
  int steps;           ///< number of steps, the closing one included, 1..1000, default 4
  ff_side first_swing; ///< foot that steps first, default left
  double step_time;    ///< time that a foot is in the air [s], default 1
  double both_time;    ///< time with both feet on the ground between steps [s], default 0.2
  double start_time;   ///< time of standing before the first step [s], default 1
  double end_time;     ///< time of standing after the last step [s], default 1.5
  double step_length;  ///< distance of a foot ahead of the other along x [m], default 0.05
  double step_height;  ///< height of the swing [m], default 0.05
  double feet[2][3];   ///< origins of the feet's frames at the start, right and left, world [m]
  /// Of a sole in its frame: least x, largest x, least y, largest y [m]; default -0.05 0.1 -0.05 0.05
  double sole[4];
  double sole_height;     ///< height of the frame above the sole [m], default 0
  double margin;          ///< distance of p from the edges of the soles [m], default 0.02
  double com[3];          ///< centre of mass at the start [m]; its height is constant
  double com_velocity[2]; ///< of the centre of mass at the start, x and y [m/s], default 0
  double gravity;         ///< [m/s^2], > 0, default 9.81
  double interval;        ///< time for which p is constant [s], default 0.1; phases are whole intervals
  double pressure_weight; ///< of (p - centre of the soles)^2, > 0, default 100
  double speed_weight;    ///< of x'^2, >= 0, default 0.1
} ff_walk_def;

/// Four steps of 5 cm. The caller must set feet and com.
ff_walk_def ff_walk_def_default(void);

/// A planned walk; it is constant. The caller destroys it.
typedef struct ff_walk ff_walk;

/// Plan the whole walk. FF_ERROR_ARGUMENT if no centre of pressure inside the soles achieves it.
ff_status ff_walk_create(const ff_walk_def *def, ff_walk **out, ff_error *error);
void ff_walk_destroy(ff_walk *walk); ///< NULL is fine

double ff_walk_duration(const ff_walk *walk); ///< until it is at rest [s]

/// Motion of a point, world axes.
typedef struct ff_motion {
  double position[3];     ///< [m]
  double velocity[3];     ///< [m/s]
  double acceleration[3]; ///< [m/s^2]
} ff_motion;

/// All references of a walk at one time.
typedef struct ff_walk_moment {
  ff_motion com;      ///< centre of mass
  ff_motion feet[2];  ///< frames of the feet, right and left
  int is_standing[2]; ///< right and left, 1: on the ground
  double pressure[2]; ///< the centre of pressure, x and y [m]
  int steps_taken;    ///< number of landings so far
} ff_walk_moment;

/// The references at a time [s] since the walk began; before its start and after its end they are at rest.
void ff_walk_at(const ff_walk *walk, double time, ff_walk_moment *out);

#ifdef __cplusplus
}
#endif
#endif
