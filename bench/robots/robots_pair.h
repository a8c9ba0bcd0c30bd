/// robots_pair.h: one robot, stepped by `expo` and by MuJoCo, both at 1 ms over 2 s.
///
/// The scene is the one that `footfall new` proposes, with its motors. The motion of each is recorded with the scene's
/// controller and timed without it. MuJoCo gets the same model, ground and motors (robots_text.h), in several settings;
/// the fastest counts. Motors are stiff, so its integrator is `implicitfast`, or `implicit` in releases without that.
#ifndef BENCH_ROBOTS_PAIR_H
#define BENCH_ROBOTS_PAIR_H

#include "robots/robots_list.h"

#include <footfall/scene.h>

typedef struct bench_robots_pair {
  char name[48];
  int nv;
  char scene[96];                   ///< what the robot does in it: "quad: stands"
  char why[256];                    ///< why it was not measured; "": it was
  int steps;                        ///< taken of the 2000, fewer if they take too long
  double us, mujoco_us;             ///< per step
  const char *setting;              ///< of MuJoCo, the fastest
  double contacts, mujoco_contacts; ///< means
  double apart;                     ///< largest difference of a coordinate between both ends [m or rad]

  // What our step spends, per step.
  double pieces, factorisations, substeps, events, capped;
  double phase[FF_PHASE_COUNT]; ///< [us]
} bench_robots_pair;

typedef struct bench_robots_pair_def {
  const bench_robots_file *file;
  ff_isa isa;
  double seconds;     ///< that both are timed in turns, at least
  const char *folder; ///< for files
} bench_robots_pair_def;

/// The ratio of speeds, ours over MuJoCo's; 0: not measured.
double bench_robots_pair_ratio(const bench_robots_pair *pair);

/// Measure. What is not measured says why.
void bench_robots_pair_measure(const bench_robots_pair_def *def, bench_robots_pair *out);

#endif
