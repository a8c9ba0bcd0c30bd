/// judge.h: runs one scene and says what it came to.
#ifndef FFI_TESTS_JUDGE_H
#define FFI_TESTS_JUDGE_H

#include "campaign/recipe.h"

/// What can be wrong with a scene. Several can be.
typedef enum ffi_judge_fault {
  FFI_JUDGE_GAIN, ///< the energy of a passive scene grew by more than FFI_JUDGE_GAIN_LIMIT, and no step said so
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
/// Or, if it fails because its work has reached a bound, beyond this [s].
#define FFI_JUDGE_BOUND_SECONDS 1
/// A scene whose steps took this much processor time ends early, which is no fault [s]. One that does not get there
/// hangs within a step.
#define FFI_JUDGE_LONG_SECONDS 2
#define FFI_JUDGE_SCENE_SECONDS 10
/// Instead of the former, if only the energy is judged: two scenes in a hundred would take two thirds of the time.
#define FFI_JUDGE_BRIEF_SECONDS 0.1

typedef struct ffi_judge_result {
  uint64_t seed;
  ff_stepper stepper;
  int is_wild;
  unsigned faults; ///< bit 1u << fault
  int is_refused;  ///< model, sim or start were refused
  int is_failed;   ///< a step failed otherwise; the run ended there
  /// By max_contacts, time_limit, or a max_speed that is lower than what the scene's energy gives: no failure.
  int is_ended;
  int steps;   ///< taken
  int impacts; ///< steps in which a contact began
  int flagged; ///< steps that reported that they may have gained energy
  double gain; ///< largest unflagged growth of the energy, relative to the largest kinetic + elastic energy
  double flagged_gain;    ///< the same with flagged steps counted
  int gain_step;          ///< where the limit was first exceeded, or the worst step
  double median, slowest; ///< processor time of a step [s]
  int slowest_step;
  int signal;        ///< crash: the signal that ended the process
  char message[320]; ///< what is wrong
  char failure[320]; ///< the library's words about a refusal or a failed step
} ffi_judge_result;

/// How a scene is run.
typedef struct ffi_judge_way {
  int is_loud;        ///< print a line for each step
  int is_energy_only; ///< nothing is restored, which takes a third of the time
  double step_limit;  ///< ff_sim_def.time_limit [s], 0: the recipe's
  int scene_limit;    ///< [s] of processor time after which a scene hangs, 0: FFI_JUDGE_SCENE_SECONDS
  /// For tests of the campaign itself: scenes whose seed is a multiple of this crash or hang; 0: none
  int crash_every, hang_every;
} ffi_judge_way;

/// Run and judge.
void ffi_judge(const ffi_recipe *recipe, const ffi_judge_way *way, ffi_judge_result *out);

#endif
