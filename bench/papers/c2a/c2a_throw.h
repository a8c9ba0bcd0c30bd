/// c2a_throw.h: thin, fast things thrown at a thin wall, by our steppers and by MuJoCo.
///
/// The wall is a box of 4 x 4 m, 1 mm thick, in the plane x = 0. Three things are thrown at it from x < 0, without gravity: a ball of 1 cm, a rod of 10 cm, a sheet of 10 x 5 cm and 1 mm. All throwers get the same throws. Contacts
/// of soft steppers are as stiff as bench_throw_stiffness, which would hold the ball at any speed that is thrown; those of hard steppers are plastic.
///
/// A thing is *through* if its centre is behind the wall at the end, by when one that nothing stops is well behind it. A thrower *fails* if a step does; it *gains* if the thing has more than 1 % more kinetic energy than it came with.
#ifndef BENCH_C2A_THROW_H
#define BENCH_C2A_THROW_H

#include <footfall/sim.h>

#include <stddef.h>
#include <stdint.h>

enum { BENCH_THING_BALL, BENCH_THING_ROD, BENCH_THING_SHEET, BENCH_THINGS };
extern const char *const bench_thing_names[BENCH_THINGS];
extern const double bench_throw_stiffness;

typedef struct bench_throw {
  int thing;
  double q[7], v[6]; ///< of the free body, as ff_sim has them
  int steps;
} bench_throw;

/// A throw at this speed [m/s]: direction within 30 degrees of the wall's normal, any attitude and spin, anywhere between two steps of dt.
bench_throw bench_throw_draw(int thing, double speed, double dt, uint64_t *seed);

typedef struct bench_throw_end {
  int is_through, has_failed, has_gained;
  int steps; ///< taken
} bench_throw_end;

/// Who throws. Made once, throws as often as it is asked.
typedef struct bench_thrower {
  char name[24];
  void (*go)(void *self, const bench_throw *t, bench_throw_end *end);
  void (*destroy)(void *self);
  void *self; ///< NULL: there is none
} bench_thrower;

ff_status bench_throw_by_stepper(ff_stepper stepper, double dt, bench_thrower *out, ff_error *error);

/// `time_constant` of its contacts [s]: 0.02 is its default, 2 dt the shortest that it takes. 0 without MuJoCo, and `why` says so.
int bench_throw_by_mujoco(const char *name, double time_constant, double dt, bench_thrower *out, char *why,
                          size_t size);

void bench_thrower_free(bench_thrower *thrower); ///< an empty one is fine

/// What both kinds of throwers are made from.
ff_status bench_thing_model(int thing, ff_model **out, ff_error *error);
ff_shape_def bench_wall_shape(void);
void bench_throw_judge(const bench_throw *t, double x, const double now[6], const ff_inertia *inertia,
                       bench_throw_end *end);

#endif
