/// moreau_peer.h: MuJoCo on what bench moreau-paper measures. Optional (FF_HAVE_MUJOCO).
///
/// Its own way with contact: default solref and solimp, elliptic cones, Newton's method, semi-implicit Euler with our step. Contact points are small
/// spheres (mjcf_text.h).
#ifndef BENCH_MOREAU_PEER_H
#define BENCH_MOREAU_PEER_H

#include "papers/moreau/moreau_paper.h"
#include "papers/moreau/moreau_paper_replay.h"

/// The trotting robot: recorded with the scene's controller, played back without it.
typedef struct bench_trotting_mujoco bench_trotting_mujoco;

/// NULL without MuJoCo, or if it falls; `why` then says so.
bench_trotting_mujoco *bench_trotting_mujoco_create(const bench_moreau *m, char *why, size_t size);
void bench_trotting_mujoco_destroy(bench_trotting_mujoco *t); ///< NULL is fine
bench_motion *bench_trotting_mujoco_motion(bench_trotting_mujoco *t);
double bench_trotting_mujoco_contacts(const bench_trotting_mujoco *t); ///< mean

/// A model from its text that comes to rest: microseconds of a step (the least of several rounds) and contacts, with Newton's method or conjugate gradients,
/// whichever is faster. `dt`, `settle` [s]; `patience` is how many seconds it may take to get there. 0 without MuJoCo, or if it takes longer.
int bench_pit_mujoco(const char *text, double dt, double settle, double patience, double *us, int *contacts);

#endif
