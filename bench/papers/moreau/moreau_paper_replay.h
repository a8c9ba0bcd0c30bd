/// moreau_replay.h: a motion recorded with its controller, and timed without it.
///
/// While it is recorded, the torques of every step and the whole state at the start of every block are kept. A block is a gait cycle. Played back, the
/// same steps give the same bits, with nothing between them: neither the controller's time nor what it does to the caches counts. Blocks of several
/// motions are played in turns, a round after the other; a block's time is the least of all rounds.
#ifndef BENCH_MOREAU_REPLAY_H
#define BENCH_MOREAU_REPLAY_H

#include "papers/moreau/moreau_paper_driven.h"

/// What can be played back.
typedef struct bench_motion {
  void (*begin)(void *context, int block); ///< not timed
  void (*play)(void *context, int block);
  void *context;
  int blocks, steps; ///< steps of a block
  int rounds;        ///< at most; 0: all
  double *least;     ///< [blocks] seconds, owned by who made it
} bench_motion;

/// Play all in turns and fill `least`. `report` gets the share done.
void bench_motions_time(bench_motion *const *motions, int count, int rounds,
                        void (*report)(void *user, double share), void *user);

double bench_motion_us(const bench_motion *motion); ///< of a step, mean over blocks

/// Of one of our sims.
typedef struct bench_recording {
  ff_sim *sim, *timed; ///< the same, `timed` tells phases apart
  int blocks, steps, nv, size;
  double *state; ///< [blocks + 1][size]
  double *tau;   ///< [blocks * steps][nv]
  double *least; ///< [blocks]
  bench_motion motion;
  double seconds; ///< of all its steps while it was recorded, the controller's between them left out

  // What happened while it was recorded, over all blocks.
  double iterations, contacts, unconverged; ///< mean of steps; part of the steps
  int iterations_most;
  double drift_per_minute, drift; ///< of cut joints: slope of a line through it [m/min]; largest [m]
} bench_recording;

/// `warm` blocks first, then `blocks` that are kept. `share` of the work is reported.
ff_status bench_recording_make(ff_scene *scene, const ff_sim_def *def, int substeps, int warm, int blocks,
                               int steps, bench_recording *out, ff_error *error);
void bench_recording_free(bench_recording *r);

/// Play the first `blocks`: 1 if each ends, bit for bit, where the next one was recorded to start.
int bench_recording_is_repeated(bench_recording *r, int blocks);

/// Phases of a step, mean [us], and the standard deviation of a step's time [us], over the first `blocks`. Every step is taken `times` times, and the least of each of its
/// phases counts: other programs on the same core come in between. 0 if there is no memory.
int bench_recording_phases(bench_recording *r, int blocks, int times, double phase[FF_PHASE_COUNT],
                           double *deviation);

#endif
