/// stored.h: a robot that follows a trajectory of scenes/data, and what is to be seen of it.
#ifndef FFI_TESTS_CONTROL_STORED_H
#define FFI_TESTS_CONTROL_STORED_H

#include "robots.h"

#include <footfall/control/feedback.h>
#include <footfall/trajectory.h>

typedef struct ffi_stored {
  ff_model *model;
  ff_trajectory *trajectory;
  ff_feedback *feedback;
  ff_sim *sim;
  double period; ///< of the control [s]
  int steps;     ///< of the sim in a period
} ffi_stored;

/// What was seen since ffi_stored_open(), at each step of the sim.
typedef struct ffi_seen {
  double tilt;      ///< largest angle of the trunk from upright [rad]
  double low, high; ///< heights of the base [m]
  double off;       ///< largest distance from the reference, any coordinate, at controls [m] or [rad]
  double flight;    ///< longest time that no foot touched [s]
  double torque;    ///< largest [N m]
  int feet;         ///< on the ground at the end
  double speed;     ///< largest velocity at the end [m/s] or [rad/s]
} ffi_seen;

/// "solo-trot.txt" with a control period and so many steps of a sim in it, from where the trajectory begins.
void ffi_stored_open(ffi_stored *s, const char *file, ff_stepper stepper, double period, int steps);
/// The same; `def` says all about the sim but its dt.
void ffi_stored_open_with(ffi_stored *s, const char *file, const ff_sim_def *def, double period, int steps);
void ffi_stored_close(ffi_stored *s);

/// Follow it until a time; a run that fails fails the test.
void ffi_stored_follow(ffi_stored *s, double until, ffi_seen *seen);

/// A blow: the base's velocity, along its own axes, changes at once; contacts stay as they are.
void ffi_stored_hit(ffi_stored *s, const double change[3]);

#endif
