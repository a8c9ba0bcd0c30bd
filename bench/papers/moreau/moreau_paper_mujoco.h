/// moreau_paper_mujoco.h: MuJoCo on the trot and the ball pit of bench moreau-paper.
///
/// MuJoCo's own contact model: default solref and solimp, elliptic cones, Newton's method, semi-implicit Euler with our
/// step. Contact points are small spheres (mjcf_text.h).
#ifndef BENCH_MOREAU_PAPER_MUJOCO_H
#define BENCH_MOREAU_PAPER_MUJOCO_H

#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_replay.h"

/// The trotting robot: recorded with the scene's controller, replayed without it.
typedef struct bench_moreau_paper_mujoco bench_moreau_paper_mujoco;

/// NULL without MuJoCo, or if it falls; `why` then says so.
bench_moreau_paper_mujoco *bench_moreau_paper_mujoco_create(const bench_moreau_paper *m, char *why,
                                                            size_t size);
void bench_moreau_paper_mujoco_destroy(bench_moreau_paper_mujoco *t); ///< NULL is fine
bench_moreau_paper_replay_motion *bench_moreau_paper_mujoco_motion(bench_moreau_paper_mujoco *t);
double bench_moreau_paper_mujoco_contacts(const bench_moreau_paper_mujoco *t); ///< mean

/// Compile MJCF text, let it settle and time it: microseconds per step (minimum of several rounds) and contacts, with
/// Newton's method or conjugate gradients, whichever is faster. `dt`, `settle` [s]; `patience`: time limit of settling
/// [s]. Returns 0 without MuJoCo, or if settling takes longer.
int bench_moreau_paper_mujoco_ball_pit(const char *text, double dt, double settle, double patience,
                                       double *us, int *contacts);

#endif
