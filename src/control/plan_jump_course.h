/// plan_jump_course.h: a jump's courses: heights of the centre of mass, places of feet below it, and how feet come to rest on the ground.
///
/// Pure functions of time and numbers; plan_jump.c asks a whole-body program for them. A course is told as value, first and second derivative by time.
/// docs/theory/control.md says why they are what they are.
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

/// Until feet lift, `t` after the begin: down to `low`, then pushed up by a landing backwards, the least force there is for the way.
void ffi_plan_jump_course_before(const ffi_plan_jump_course *c, double t, double out[3]);

/// When feet lift: a whole number of holds after the begin.
double ffi_plan_jump_course_lift_time(const ffi_plan_jump_course *c);

/// `t` after a landing at a height with a speed, downwards: deceleration rises, stays, and falls so that it ends at rest at `rest`; then up to `stand`.
void ffi_plan_jump_course_after(const ffi_plan_jump_course *c, double height, double speed, double t,
                                double out[3]);

/// How far feet are below the centre of mass, `t` after they lifted: as they left, drawn up, stretched out.
void ffi_plan_jump_course_reach(const ffi_plan_jump_course *c, double t, double out[3]);

/// Holds until a centre of mass that falls freely from a height, at a rate upwards, is where feet should meet the ground, rounded; many on its way up.
int ffi_plan_jump_course_holds_left(const ffi_plan_jump_course *c, double height, double rate);

/// A foot is to come to rest on the ground after so many holds, from height z and velocity v, by accelerations that are held: the first of those whose squares
/// sum up to least. With one hold left it only comes to rest.
double ffi_plan_jump_course_stop(int holds, double hold, double z, double v);

#endif
