/// moreau_paper_replay.h: a motion recorded with its controller and timed without it.
///
/// The recording keeps the torques of every step and the state at the start of every block, a gait cycle. The replay
/// takes the same steps, to the bit, without the controller between them, so that neither its time nor its effect on
/// the caches counts. Blocks of several motions are replayed in turns, round after round; a block's time is the minimum
/// over all rounds.
#ifndef BENCH_MOREAU_PAPER_REPLAY_H
#define BENCH_MOREAU_PAPER_REPLAY_H

#include "papers/controlled_robot.h"

/// A motion that can be replayed.
typedef struct bench_moreau_paper_replay_motion {
  void (*begin)(void *context, int block); ///< not timed
  void (*play)(void *context, int block);
  void *context;
  int blocks, steps; ///< steps of a block
  int rounds;        ///< at most; 0: all
  double *least;     ///< [2 * blocks] minimum time [s], and the second smallest; owned by the maker
} bench_moreau_paper_replay_motion;

/// Replay all in turns and fill `least`. `report` gets the share done.
void bench_moreau_paper_replay_time(bench_moreau_paper_replay_motion *const *motions, int count, int rounds,
                                    void (*report)(void *user, double share), void *user);

/// Of a step, mean over blocks: by the minimum times, or by the second smallest, the other end of the interval.
double bench_moreau_paper_replay_us(const bench_moreau_paper_replay_motion *motion, int is_slow);

/// The recording of one of our sims.
typedef struct bench_moreau_paper_replay {
  ff_sim *sim, *timed; ///< the same; `timed` measures its phases
  int blocks, steps, nv, size;
  double *state; ///< [blocks + 1][size]
  double *tau;   ///< [blocks * steps][nv]
  double *least; ///< [2 * blocks]
  bench_moreau_paper_replay_motion motion;
  double seconds; ///< time of all steps while recording, without the controller

  // Measured while recording, over all blocks.
  double iterations, contacts, unconverged; ///< means over steps; share of the steps
  int iterations_most;
  double drift_per_minute, drift; ///< of cut joints: fitted slope [m/min]; largest [m]
} bench_moreau_paper_replay;

typedef struct bench_moreau_paper_replay_def {
  ff_scene *scene;
  const ff_sim_def *sim;
  int substeps;     ///< per control period
  int warm, blocks; ///< blocks before recording, and recorded
  int steps;        ///< of a block
} bench_moreau_paper_replay_def;

ff_status bench_moreau_paper_replay_make(const bench_moreau_paper_replay_def *def,
                                         bench_moreau_paper_replay *out, ff_error *error);
void bench_moreau_paper_replay_free(bench_moreau_paper_replay *r);

/// Replay the first `blocks`. Returns 1 if each ends, to the bit, in the recorded start of the next.
int bench_moreau_paper_replay_is_repeated(bench_moreau_paper_replay *r, int blocks);

/// Mean times of the phases of a step [us], of which `judging` its energy, and the standard deviation of a step's time
/// [us], over the first `blocks`. Every step is taken `times` times and the minimum of each phase counts, because other
/// programs interrupt. Returns 0 if there is no memory.
int bench_moreau_paper_replay_phases(bench_moreau_paper_replay *r, int blocks, int times,
                                     double phase[FF_PHASE_COUNT], double *judging, double *deviation);

#endif
