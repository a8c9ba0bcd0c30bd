/// c2a_throw.h: thin, fast objects thrown at a thin wall, simulated by our steppers and by MuJoCo.
///
/// The wall is a box of 4 x 4 m, 1 mm thick, in the plane x = 0. Three objects are thrown at it from x < 0, without
/// gravity: a ball of 1 cm, a rod of 10 cm, a sheet of 10 x 5 cm and 1 mm. All simulators get the same throws. Soft
/// contacts have the stiffness bench_c2a_throw_stiffness, which would stop the ball at any speed used; hard contacts
/// are plastic.
///
/// An object is *through* if its centre is behind the wall at the end, when an unstopped object would be well behind
/// it. A throw *fails* if a step fails; it *gains* if the object has more than 1 % more kinetic energy than before.
#ifndef BENCH_C2A_THROW_H
#define BENCH_C2A_THROW_H

#include <footfall/sim.h>

#include <stddef.h>
#include <stdint.h>

enum { BENCH_C2A_OBJECT_BALL, BENCH_C2A_OBJECT_ROD, BENCH_C2A_OBJECT_SHEET, BENCH_C2A_OBJECTS };
extern const char *const bench_c2a_throw_object_names[BENCH_C2A_OBJECTS];
extern const double bench_c2a_throw_stiffness;

typedef struct bench_c2a_throw {
  int object;
  double q[7], v[6]; ///< of the free body, as ff_sim has them
  int steps;
} bench_c2a_throw;

/// A random throw at this speed [m/s]: direction within 30 degrees of the wall's normal, any attitude and spin, any
/// phase relative to the steps of dt.
bench_c2a_throw bench_c2a_throw_draw(int object, double speed, double dt, uint64_t *seed);

typedef struct bench_c2a_throw_end {
  int is_through, has_failed, has_gained;
  int steps; ///< taken
} bench_c2a_throw_end;

/// A simulator, created once for any number of throws.
typedef struct bench_c2a_throw_simulator {
  char name[24];
  void (*go)(void *self, const bench_c2a_throw *t, bench_c2a_throw_end *end);
  void (*destroy)(void *self);
  void *self; ///< NULL: there is none
} bench_c2a_throw_simulator;

ff_status bench_c2a_throw_by_stepper(ff_stepper stepper, double dt, bench_c2a_throw_simulator *out,
                                     ff_error *error);

/// `time_constant` of MuJoCo's contacts [s]: 0.02 is its default, 2 dt the shortest that it accepts. Returns 0 without
/// MuJoCo, with the reason in `why`.
int bench_c2a_throw_mujoco(const char *name, double time_constant, double dt, bench_c2a_throw_simulator *out,
                           char *why, size_t size);

void bench_c2a_throw_simulator_free(bench_c2a_throw_simulator *thrower); ///< an empty one is fine

/// What both kinds of simulators use.
ff_status bench_c2a_throw_object_model(int object, ff_model **out, ff_error *error);
ff_shape_def bench_c2a_throw_wall(void);
void bench_c2a_throw_judge(const bench_c2a_throw *t, double x, const double now[6], const ff_inertia *inertia,
                           bench_c2a_throw_end *end);

#endif
