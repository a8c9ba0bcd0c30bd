/// propose.h: a scene to begin with, for a robot that nobody has seen before. In the library footfall_io.
///
/// A start is tried by loading and running the very scene that is proposed, in memory, for its whole
/// duration. The first start from which the robot does not move is taken: the model's own postures, then
/// joints at zero or in the middle of their limits, the way up that the model is described in first, then on
/// every side. If there is none, the robot is dropped and the place where it comes to rest is taken. What the
/// model lacks is added: ground as stiff as the robot is heavy, contact points where it has no shapes, motors
/// with gains that fit what they move (place.h).
///
///     ff_proposal_def def = ff_proposal_def_default();
///     def.scene = "robot.yaml";                                   // model and meshes are named from there
///     ff_proposal *proposal;
///     if (ff_scene_propose("robot.urdf", &def, &proposal, &error) != FF_OK) ...
///     fwrite(proposal->text, 1, proposal->text_size, file);       // nothing is written but by you
///     ff_proposal_destroy(proposal);
///
/// The command `footfall new` is this, and a file.
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

/// How a start turned out.
typedef enum ff_proposal_state {
  FF_PROPOSAL_STANDS, ///< on its feet: its base is upright, and stays so
  FF_PROPOSAL_LIES,   ///< at rest, but not upright
  FF_PROPOSAL_HELD,   ///< fixed to the world, and it keeps its posture
  FF_PROPOSAL_MOVES,  ///< it falls, rolls or swings: nobody holds it, or not well enough
  FF_PROPOSAL_MANY,   ///< several things float, as the model puts them; they are not tried for long
} ff_proposal_state;

/// Start from ff_proposal_def_default(). All is copied.
typedef struct ff_proposal_def {
  size_t size; ///< of this struct as the program was compiled; ff_proposal_def_init() sets it
  /// Where the scene will lie, *.yaml; the folder must be there. Default NULL: the working folder, with the
  /// model's name
  const char *scene;
  const char *posture; ///< of the model, to start in; default NULL: whichever stays
  /// How the model is read; default NULL: ff_load_def_default(). Its contact points and files must be as by default
  const ff_load_def *load;
  /// Called now and then with `user`, the number of the start that is tried (from 1) and how far it is, 0..1.
  /// If it returns anything but 0 the search ends with FF_ERROR_STOPPED. Default NULL
  int (*progress)(void *user, int start, double share);
  void *user; ///< for `progress`, default NULL
} ff_proposal_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_proposal_def_default() is shorter.
void ff_proposal_def_init(ff_proposal_def *def, size_t size);

/// Any posture, the model read as ff_model_load() does by default.
static inline ff_proposal_def ff_proposal_def_default(void)
{
  ff_proposal_def def;
  ff_proposal_def_init(&def, sizeof def);
  return def;
}

/// What is proposed. It is the library's, fields are added at its end alone, and all that it points to belongs to it.
typedef struct ff_proposal {
  const char *text; ///< the scene, YAML with comments, [text_size] and a zero
  size_t text_size; ///< bytes

  const char *scene;      ///< where it is to lie
  const char *model_name; ///< the model as the scene names it
  const char *log;        ///< where a run of it writes its log, from the working folder

  const ff_model *model; ///< as the scene reads it
  ff_mimic_policy mimic; ///< how the model is read
  int has_mimic; ///< 1: joints are fixed that should follow others, since the model could not be read otherwise
  const ff_load_point *points; ///< [point_count] contact points that were added
  int point_count;             ///< 0, unless nothing of the model could touch the ground

  int floating;                 ///< how many things float
  int base;                     ///< the joint that floats, -1: none or several
  const double *q;              ///< [nq] the start
  int posture;                  ///< of the model, that the start begins with; -1: none
  int is_placed;                ///< 1: the base is not where the posture or the neutral configuration has it
  int has_material;             ///< 0: the model has its own ground, or shapes of different materials
  int servo_count;              ///< joints that the model's own servos hold
  ff_material material;         ///< of contacts with the ground, if it has one
  const ff_element_def *motors; ///< [motor_count] that hold the start
  int motor_count;              ///< 0: there is none
  ff_stepper stepper;           ///< expo, or moreau where many things touch or expo runs away
  double dt;                    ///< [s]
  double duration;              ///< [s]

  ff_proposal_state state; ///< how it went
  int is_stable;           ///< 1: it stayed where it is
  int has_run_away;        ///< 1: no step that was tried was short enough
  int tries;               ///< starts that were tried
  int expects_upright;     ///< 1: the scene expects that it stays upright
  int foot_count;          ///< links that touch something in the end, 8 at most are listed
  const int *feet;         ///< [foot_count] of the model
  double expects_moved;    ///< the scene expects that it moves no further [m]; NAN: nothing
} ff_proposal;

/// Read a model and look for a scene in which it stays where it is. Fails as ff_model_load() does;
/// FF_ERROR_ARGUMENT with the thing "posture" if the model has no posture of that name. That no start stays
/// is no failure: the proposal says so.
ff_status ff_scene_propose(const char *model, const ff_proposal_def *def, ff_proposal **out, ff_error *error);
void ff_proposal_destroy(ff_proposal *proposal); ///< NULL is fine

#ifdef __cplusplus
}
#endif
#endif
