/// propose.h: propose a first scene for an unknown robot. In the library footfall_io.
///
/// The search loads and runs each candidate scene in memory for its whole duration, and takes the first start from
/// which the robot does not move. It tries the model's own postures, then joints at zero or in the middle of their
/// limits; each in the orientation of the description first, then on every side. If the robot stays in none of them,
/// the search drops the robot and takes the place where it comes to rest.
///
/// The search adds what the model lacks: ground with a stiffness that suits the robot's weight, contact points if it
/// has no shapes, motors with gains that suit their load (place.h), torques that carry the weight, bent knees of robots
/// on two legs. The proposed scene is run as it is written, and expects only what that run met.
///
/// **Base.** A URDF file does not say whether its root floats. ff_proposal_base decides; by default the root floats if
/// the robot is a single body, drives on wheels (continuous joints whose links touch the ground), stands on feet (links
/// other than the root touch the ground, with the centre of mass above them, in one of the upright starts), lies on
/// most of its links, or has rotors (by the names of its links). Hands (most of the links at the ends of its chains are
/// named as fingers, or the root as a palm or gripper), roots without mass (rails of carts), and everything else, such
/// as arms, are fixed. It also floats if a posture of the file puts it somewhere, or if a mesh that it could stand on
/// was not found.
///
/// **Start.** Robots are put onto their ground, from any posture; what the weight presses in is part of the start. The
/// title of the text says what the robot did in the trial.
///
/// **Ground.** A robot that is fixed to the world gets ground only if it starts above z = 0.
///
///     ff_proposal_def def = ff_proposal_def_default();
///     def.scene = "robot.yaml";                                   // model and meshes are named relative to it
///     ff_proposal *proposal;
///     if (ff_scene_propose("robot.urdf", &def, &proposal, &error) != FF_OK) ...
///     fwrite(proposal->text, 1, proposal->text_size, file);       // the library writes no file
///     ff_proposal_destroy(proposal);
///
/// The command `footfall new` writes the proposal to a file.
#ifndef FOOTFALL_PROPOSE_H
#define FOOTFALL_PROPOSE_H

#include <footfall/contact.h>
#include <footfall/element.h>
#include <footfall/load.h>
#include <footfall/model.h>
#include <footfall/sim.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Outcome of a start.
typedef enum ff_proposal_state {
  FF_PROPOSAL_STANDS, ///< stands: its base is upright and stays so
  FF_PROPOSAL_LIES,   ///< at rest, but not upright
  FF_PROPOSAL_HELD,   ///< fixed to the world, and keeps its posture
  FF_PROPOSAL_MOVES,  ///< falls, rolls or swings: nothing holds it, or not well enough
  FF_PROPOSAL_MANY,   ///< several floating bodies, placed as in the model; only a short trial
} ff_proposal_state;

/// Does the root of a URDF file float?
typedef enum ff_proposal_base {
  FF_PROPOSAL_BASE_BY_RULE,  ///< by the rules above (default)
  FF_PROPOSAL_BASE_FLOATING, ///< as the file is read without `load.fixed_base`
} ff_proposal_base;

/// Options of the search. Start from ff_proposal_def_default(). All of it is copied.
typedef struct ff_proposal_def {
  size_t size; ///< of this struct as the program was compiled; ff_proposal_def_init() sets it
  /// Path of the scene, *.yaml; its folder must exist. Default NULL: in the working folder, with the model's name
  const char *scene;
  const char *posture; ///< posture of the model to start in; default NULL: any that stays
  /// How the model is read; default NULL: ff_load_def_default(). Its contact points and files must have their
  /// defaults.
  const ff_load_def *load;
  /// Called from time to time with `user`, the number of the present start (from 1) and its fraction done, 0..1. If
  /// it returns nonzero, the search ends with FF_ERROR_STOPPED. Default NULL
  int (*progress)(void *user, int start, double share);
  void *user; ///< for `progress`, default NULL
  /// ff_proposal_base, default FF_PROPOSAL_BASE_BY_RULE. `load.fixed_base` fixes the root in any case
  size_t base_rule;
} ff_proposal_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_proposal_def_default() is shorter.
void ff_proposal_def_init(ff_proposal_def *def, size_t size);

/// Any posture; the model is read with the defaults of ff_model_load().
static inline ff_proposal_def ff_proposal_def_default(void)
{
  ff_proposal_def def;
  ff_proposal_def_init(&def, sizeof def);
  return def;
}

/// A proposed scene. The library allocates it; new fields are added at its end only. It owns everything that it
/// points to.
typedef struct ff_proposal {
  const char *text; ///< the scene, YAML with comments, [text_size] and a zero byte
  size_t text_size; ///< bytes

  const char *scene;      ///< path of the scene
  const char *model_name; ///< the model's path as written in the scene
  const char *log;        ///< log that a run of the scene writes, relative to the working folder

  const ff_model *model;       ///< as the scene reads it
  ff_mimic_policy mimic;       ///< how the model is read
  int has_mimic;               ///< 1: mimic joints are fixed, because the model could not be read otherwise
  const ff_load_point *points; ///< [point_count] added contact points
  int point_count;             ///< 0, unless no shape of the model could touch the ground

  int floating;                 ///< number of floating joints
  int base;                     ///< the floating joint, -1: none or several
  const double *q;              ///< [nq] the start
  int posture;                  ///< posture of the model that the start is based on; -1: none
  int is_placed;                ///< 1: the base is not where the posture or the neutral configuration has it
  int has_material;             ///< 0: the model has its own ground, or shapes of different materials
  int servo_count;              ///< joints driven by the model's own servos
  ff_material material;         ///< of contacts with the ground, if has_material
  const ff_element_def *motors; ///< [motor_count] motors that hold the start
  int motor_count;              ///< 0: none
  ff_stepper stepper;           ///< expo, or moreau if there are many contacts or expo diverges
  double dt;                    ///< [s]
  double duration;              ///< [s]

  ff_proposal_state state; ///< outcome
  int is_stable;           ///< 1: the robot stayed at its start
  int has_run_away;        ///< 1: the motion diverged with every step that was tried
  int tries;               ///< number of starts tried
  int expects_upright;     ///< 1: the scene expects the robot to stay upright
  int foot_count;          ///< links that touch something at the end, at most 8 are listed
  const int *feet;         ///< [foot_count] of the model
  double expects_moved;    ///< largest displacement that the scene expects [m]; NAN: none

  int fixes_base;  ///< 1: the scene fixes the root to the world, by the rules above
  int has_gravity; ///< 1: the scene's controller carries the weight by torques, on `stands_on` if it floats
  const int *stands_on; ///< [stands_on_count] links of the model that carry the weight
  int stands_on_count;  ///< 0: fixed to the world, or no such torques
  int is_bent;          ///< 1: the start has bent knees
  int has_no_ground;    ///< 1: fixed to the world, and the start reaches below z = 0: the scene has no ground
  int has_unused_rotors; ///< 1: links are named as rotors, or motors push frames: nothing drives them
  int is_settled;        ///< 1: the robot moved from every other start; this is where it came to rest
  int is_sunk;           ///< 1: the robot's weight has pressed the start together and into the ground
  int has_joints;        ///< 1: joints are not where the posture has them
  const char
      *fixed_because; ///< why the rules fix the root: "its root has no mass", ...; NULL unless fixes_base
  double
      moved; ///< farthest the base was from its start when the scene was run as written [m]; 0: nothing floats
} ff_proposal;

/// Read a model and search for a scene in which it stays at rest. Fails as ff_model_load() does; FF_ERROR_ARGUMENT
/// with the thing "posture" if the model has no posture of that name. If the robot stays in no start, the call
/// succeeds and the proposal says so.
ff_status ff_scene_propose(const char *model, const ff_proposal_def *def, ff_proposal **out, ff_error *error);
void ff_proposal_destroy(ff_proposal *proposal); ///< NULL is fine

#ifdef __cplusplus
}
#endif
#endif
