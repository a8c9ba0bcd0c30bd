/// plan_jump_course.h: the references of a planned jump: height of the centre of mass, positions of the feet below it,
/// and how feet come to rest on the ground.
///
/// Pure functions of time; plan_jump.c gives them to a whole-body program. A reference is a value with its first and
/// second time derivative. docs/theory/control.md (planned motions and their gains) has the reasons.
#ifndef FFI_CONTROL_PLAN_JUMP_COURSE_H
#define FFI_CONTROL_PLAN_JUMP_COURSE_H

/// Heights are those of the centre of mass above the feet [m]; times in [s].
typedef struct ffi_plan_jump_course {
  double stand_time, flight_time, rise_time;
  double crouch_time;  ///< at least: a little more, so that feet lift at the end of a hold
  double low, high;    ///< crouched, and where feet lift
  double tuck;         ///< feet drawn up
  double touch;        ///< where feet meet the ground, to the nearest hold
  double rest;         ///< where the landing ends
  double brake_time;   ///< feet are drawn up within this time after they lift
  double retract_time; ///< from stretched legs to feet at rest on the ground, a multiple of hold
  double load_time;    ///< the force of a push or a landing grows for so long, and fades for so long
  double hold;         ///< torques are held for so long
  double gravity;      ///< [m/s^2]
  double stand;        ///< height of standing, before and after
} ffi_plan_jump_course;

/// Before lift-off, `t` after the start: down to `low`, then up by a landing in reverse, with the least peak force.
void ffi_plan_jump_course_before(const ffi_plan_jump_course *c, double t, double out[3]);

/// The time of lift-off: a whole number of holds after the start.
double ffi_plan_jump_course_lift_time(const ffi_plan_jump_course *c);

/// `t` after a landing at a height with a downward speed: the deceleration rises, stays, and falls so that it ends at
/// rest at `rest`; then up to `stand`.
void ffi_plan_jump_course_after(const ffi_plan_jump_course *c, double height, double speed, double t,
                                double out[3]);

/// Distance of the feet below the centre of mass, `t` after lift-off: as at lift-off, drawn up, stretched out.
void ffi_plan_jump_course_reach(const ffi_plan_jump_course *c, double t, double out[3]);

/// Holds, rounded, until a centre of mass in free fall from a height with an upward velocity is where feet should meet
/// the ground; a large number while it rises.
int ffi_plan_jump_course_holds_left(const ffi_plan_jump_course *c, double height, double rate);

/// A foot comes to rest on the ground after so many holds, from height z and velocity v, by accelerations that are
/// held: the first of those with the least sum of squares. With one hold left it only comes to rest.
double ffi_plan_jump_course_stop(int holds, double hold, double z, double v);

#endif
