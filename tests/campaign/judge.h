/// judge.h: runs one scene and says what it came to.
#ifndef FFI_TESTS_JUDGE_H
#define FFI_TESTS_JUDGE_H

#include "campaign/recipe.h"

/// What can be wrong with a scene. Several can be.
typedef enum ffi_judge_fault {
  FFI_JUDGE_GAIN,    ///< the energy of a passive scene grew by more than FFI_JUDGE_GAIN_LIMIT, and no step said so
  FFI_JUDGE_ABSURD,  ///< a number is not finite, ff_sim_set_state() refuses the state, energies do not add up
  FFI_JUDGE_LOST,    ///< a step failed and changed the state
  FFI_JUDGE_BITS,    ///< a sim with the restored state went on differently
  FFI_JUDGE_UNNAMED, ///< a step failed and the message names no link or joint, or has a nan or inf in it
  FFI_JUDGE_SLOW,    ///< a step took longer than FFI_JUDGE_SLOW_SECONDS, or than other steps by far
  FFI_JUDGE_CRASH,   ///< the process ended
  FFI_JUDGE_HANG,    ///< the scene did not end within FFI_JUDGE_SCENE_SECONDS
} ffi_judge_fault;
enum { FFI_JUDGE_FAULTS = FFI_JUDGE_HANG + 1 };
const char *ffi_judge_fault_name(ffi_judge_fault fault);

/// Of the largest kinetic and elastic energy so far: the promise of the project.
#define FFI_JUDGE_GAIN_LIMIT 0.01
/// A step is slow beyond this much processor time [s] ...
#define FFI_JUDGE_SLOW_SECONDS 0.5
/// ... or beyond this multiple of the scene's median step, if it also takes FFI_JUDGE_SLOW_LEAST [s].
#define FFI_JUDGE_SLOW_FACTOR 2000
#define FFI_JUDGE_SLOW_LEAST 0.02
/// A scene whose steps took this much processor time ends early, which is no fault [s]. One that does not get there
/// hangs within a step.
#define FFI_JUDGE_LONG_SECONDS 2
#define FFI_JUDGE_SCENE_SECONDS 10

typedef struct ffi_judge_result {
  uint64_t seed;
  ff_stepper stepper;
  int is_wild;
  unsigned faults; ///< bit 1u << fault
  int is_refused;  ///< model, sim or start were refused
  int is_failed;   ///< a step failed; the run ended there
  int steps;       ///< taken
  int flagged;     ///< steps that reported that they may have gained energy
  double gain;     ///< largest unflagged growth of the energy, relative to the largest kinetic + elastic energy
  double flagged_gain; ///< the same with flagged steps counted
  int gain_step;       ///< where the limit was first exceeded, or the worst step
  double median, slowest; ///< processor time of a step [s]
  int slowest_step;
  int signal; ///< crash: the signal that ended the process
  char message[320];
} ffi_judge_result;

/// Run and judge. is_loud: print a line for each step.
void ffi_judge(const ffi_recipe *recipe, int is_loud, ffi_judge_result *out);

#endif
