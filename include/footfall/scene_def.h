/// scene_def.h: what a scene says: robot, ground, start, controller, pushes, stepper, what is expected. Plain data.
///
/// A scene's file becomes an ff_scene_def (scene_load.h), with every field checked and in SI units. A program can fill one
/// itself and make a scene of it without any file, see scene.h. docs/guide/scenes.md explains the fields.
///
/// Fields that are not given have their default. Numbers without a default are NAN, texts NULL, lists empty. Fields of
/// `stepper` in a file are the options of option.h.
///
/// To add a field: here, its default in scene/scene_def.c, its key, unit and range in io/scene/scene_schema.c, a line in
/// docs/guide/scenes.md.
#ifndef FOOTFALL_SCENE_DEF_H
#define FOOTFALL_SCENE_DEF_H

#include <footfall/controller.h>
#include <footfall/cut.h>
#include <footfall/load.h>
#include <footfall/sim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A material of which some numbers may be left to the robot.
typedef struct ff_scene_material {
  double stiffness;              ///< K [N/m], > 0, default NAN: the robot's
  double damping;                ///< B [N s/m], >= 0, default NAN: the robot's
  double friction;               ///< mu [-], >= 0, default NAN: the robot's
  double restitution;            ///< e [-], 0..1, hard steppers alone, default NAN: the robot's
  double tangential_restitution; ///< e_T [-], 0..1, hard steppers alone, default NAN: the robot's
} ff_scene_material;

/// A piece of ground, `ground` or one of `ground: [...]`.
typedef struct ff_scene_ground {
  ff_shape_type type;         ///< plane (default), box or height field
  double position[3];         ///< of its frame [m], within 1e7, default 0
  double rpy[3];              ///< roll, pitch, yaw [rad], default 0
  double slope;               ///< pitch beside it: x is downhill [rad], within 89 degrees, default 0
  double size[3];             ///< box, height field: as in ff_shape_def [m], > 0, default NAN: not given
  const double *heights;      ///< [rows x columns] of a height field [m], within 1e7
  int heights_count;          ///< rows x columns
  int rows;                   ///< of a height field, along y, 2..FF_MAX_FIELD, default 0
  int columns;                ///< of a height field, along x, 2..FF_MAX_FIELD, default 0
  double velocity[6];         ///< linear [m/s], then angular [rad/s], world axes, default 0
  ff_scene_material material; ///< of the pair; what is NAN is as in ff_scene_def.material
} ff_scene_ground;

/// Where one joint starts, of `start.joints`.
typedef struct ff_scene_joint {
  const char *name; ///< of a joint with one coordinate
  double position;  ///< [rad or m], default NAN: as the posture says
  double velocity;  ///< [rad/s or m/s], default NAN: 0
} ff_scene_joint;

/// Gains of one motor.
typedef struct ff_scene_gain {
  const char *name; ///< of the joint
  double kp;        ///< [N m/rad or N/m], >= 0, default NAN: that of all
  double kd;        ///< [N m s/rad or N s/m], >= 0, default NAN: that of all
} ff_scene_gain;

/// Where the robot is at time 0. Later ones count more: posture, q and v, base, joints.
typedef struct ff_scene_start {
  /// Default NULL: where the trajectory begins, if there is one; else "standing", the first, or neutral. With `q`: none
  const char *posture;
  double position[3];           ///< of the base [m], within 1e7, default NAN: as the posture says
  double quaternion[4];         ///< of the base, x y z w, any length but 0, default NAN: as the posture says
  double rpy[3];                ///< instead of the quaternion [rad], default NAN
  double velocity[6];           ///< of the base in its frame, linear [m/s], then angular [rad/s], default 0
  const ff_scene_joint *joints; ///< [joints_count]
  int joints_count;             ///< default 0
  const double *q; ///< [nq] the whole configuration; default NULL: as the posture says. Not in files
  const double *v; ///< [nv] all velocities; default NULL: 0. Not in files
} ff_scene_start;

/// How the model's file is read, see ff_load_def. A scene without a file only keeps it.
typedef struct ff_scene_load_options {
  int fixed_base;                ///< 1: an URDF's root is fixed to the world; default 0
  ff_mimic_policy mimic;         ///< default FF_MIMIC_REFUSE
  const char *const *mesh_paths; ///< [mesh_paths_count] folders, from the scene's
  int mesh_paths_count;          ///< default 0
} ff_scene_load_options;

/// A contact point that the model does not have, of `contact_points`.
typedef struct ff_scene_point {
  const char *link; ///< that carries it
  const char *name; ///< default NULL
  double at[3];     ///< in the link's frame [m], within 1e7
} ff_scene_point;

/// In which coordinates the sim steps, see cut.h. All else (controller, log, result) has those of the model.
typedef struct ff_scene_coordinates {
  ff_cut_set type;           ///< default FF_CUT_MINIMAL
  ff_cut_place place;        ///< default FF_CUT_AT_JOINTS
  const char *const *joints; ///< [joints_count] FF_CUT_LISTED: which are cut
  int joints_count;          ///< default 0
} ff_scene_coordinates;

/// What a seed changes of a push: each number by a random part of this, evenly spread.
typedef struct ff_scene_vary {
  double magnitude; ///< times 1 +- this, 0..1, default 0
  double angle;     ///< turned about the vertical by +- this [rad], >= 0, default 0
  double tilt;      ///< and up or down by +- this [rad], >= 0, default 0
  double place;     ///< `at` moved by +- this along each axis [m], >= 0, default 0
  double time;      ///< `from` later by up to this [s], >= 0, default 0
} ff_scene_vary;

/// A force in world axes that acts on a point of a link for a while.
typedef struct ff_scene_push {
  const char *link;   ///< that is pushed
  double at[3];       ///< in the link's frame [m], within 1e7, default 0
  double force[3];    ///< [N], default NAN: not given
  double impulse[3];  ///< in place of a force, that of the whole duration [N s], default NAN: not given
  double from;        ///< [s], >= 0, default 0
  double duration;    ///< [s], > 0, default 0.1
  ff_scene_vary vary; ///< what a seed changes
} ff_scene_push;

/// All pushes, and the seed that varies them.
typedef struct ff_scene_pushes {
  int seed;                  ///< 0..2e9, default 0: as written; else varied
  const ff_scene_push *list; ///< [list_count]
  int list_count;            ///< 0..1000, default 0
} ff_scene_pushes;

/// Where the command writes a log, and how densely.
typedef struct ff_scene_log {
  const char *file; ///< default NULL: not given
  int every;        ///< steps, 1..1e9, default 1
} ff_scene_log;

/// What "the task is met" means; NAN (default), and 0 for `upright`: not asked for.
typedef struct ff_scene_expect {
  double com_error;   ///< most [m], >= 0
  double steps;       ///< least, >= 0
  double flight;      ///< least [s], >= 0
  double speed[2];    ///< from, to [m/s]
  double advance;     ///< least [m]
  double final_speed; ///< most [m/s], >= 0
  int upright;        ///< 1: never fell; default 0
  double penetration; ///< most, of contacts older than FF_SCENE_GRACE [m], >= 0
  double drift;       ///< most, of joints and loops that moreau holds by constraints [m], >= 0
  double unconverged; ///< most, part of all steps, 0..1
  double contacts;    ///< least, at the end, >= 0
  double fallen[2];   ///< from, to: floating bodies that have fallen over, >= 0
  double moved;       ///< most, of a floating body from its start [m], >= 0
  double rise;        ///< least, of the base from its start [m]
  double passed;      ///< most, how often shapes tunnelled through each other, >= 0
} ff_scene_expect;

/// Which controller and its options, see ff_controller_def.
typedef struct ff_scene_controller {
  ff_controller_type type; ///< default FF_CONTROLLER_NONE
  double period;           ///< a whole number of steps [s], > 0, at most 1000, default NAN: the stepper's dt
  int middle;              ///< as in ff_controller_def, default 0
  ff_tasks_def tasks;      ///< defaults of ff_controller_def_default(); a contact weight below 0: strict
  double kp;               ///< posture-pd, posture [N m/rad or N/m], >= 0, default NAN: not given
  double kd;               ///< posture-pd, posture [N m s/rad or N s/m], >= 0, default NAN: not given
  const ff_scene_gain *joints;     ///< [joints_count] posture-pd: gains of single motors
  int joints_count;                ///< default 0
  ff_squat_def squat;              ///< defaults of ff_controller_def_default()
  ff_walk_task_def walk;           ///< the same; `ground` is found from the scene's
  ff_trot_task_def trot;           ///< the same
  const char *trajectory;          ///< feedback: file, from the scene's folder; default NULL
  const ff_feedback_def *feedback; ///< the trajectory itself, without a file; read at creation. Default NULL
} ff_scene_controller;

/// A whole scene, in SI units. Start from ff_scene_def_default().
typedef struct ff_scene_def {
  const char *title; ///< for people, default NULL
  const char
      *model; ///< as it stands in the file, from the scene's folder; without a file for messages, or NULL
  ff_scene_load_options load; ///< how the model is read
  const ff_scene_point
      *contact_points;              ///< [contact_points_count] added to those of the model as it is loaded
  int contact_points_count;         ///< 0..10000, default 0; 0 without a file
  const ff_scene_ground *ground;    ///< [ground_count]
  int ground_count;                 ///< 0..10000, default -1: the plane z = 0, or the model's own ground
  ff_scene_material material;       ///< of contacts with all pieces of ground that do not say it themselves
  ff_scene_coordinates coordinates; ///< in which the sim steps
  ff_scene_start start;             ///< posture, place and velocities
  ff_scene_pushes pushes;           ///< forces from outside
  ff_scene_controller controller;   ///< who moves the joints
  double duration;                  ///< [s], >= 0, at most 1e15 steps, default 10
  ff_scene_log log;                 ///< what is written down
  ff_scene_expect expect;           ///< what the run should achieve
  ff_sim_def sim; ///< `stepper` and `dt`; ground and elements are not in it. The last field: it may grow
} ff_scene_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_scene_def_default() is shorter.
void ff_scene_def_init(ff_scene_def *def, size_t size);

/// No model, the default ground, start and stepper, no controller, 10 s.
static inline ff_scene_def ff_scene_def_default(void)
{
  ff_scene_def def;
  ff_scene_def_init(&def, sizeof def);
  return def;
}

#ifdef __cplusplus
}
#endif
#endif
