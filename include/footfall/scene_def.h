/// scene_def.h: the data of a scene: robot, ground, start, controller, pushes, stepper, expectations.
///
/// scene_load.h reads a scene's file into an ff_scene_def, with every field checked and in SI units. A program can
/// also fill one and create a scene without a file, see scene.h. docs/guide/scenes.md explains the fields.
///
/// Fields that are not given have their default. Numbers without a default are NAN, texts NULL, lists empty. The
/// fields of `stepper` in a file are the options of option.h.
///
/// To add a field, change five places: this header, the default in scene/scene_def.c, the range in
/// scene/scene_check.c, the key, unit and range in io/scene/scene_schema.c, and docs/guide/scenes.md.
#ifndef FOOTFALL_SCENE_DEF_H
#define FOOTFALL_SCENE_DEF_H

#include <footfall/control/controller.h>
#include <footfall/cut.h>
#include <footfall/load.h>
#include <footfall/sim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A material; the robot's shapes supply the numbers that are NAN.
typedef struct ff_scene_material {
  double stiffness;              ///< K [N/m], > 0, default NAN: the robot's
  double damping;                ///< B [N s/m], >= 0, default NAN: the robot's
  double friction;               ///< mu [-], >= 0, default NAN: the robot's
  double restitution;            ///< e [-], 0..1, hard steppers only, default NAN: the robot's
  double tangential_restitution; ///< e_T [-], 0..1, hard steppers only, default NAN: the robot's
  double torsional_friction;     ///< [m], >= 0, default NAN: the robot's
  double rolling_friction;       ///< [m], >= 0, default NAN: the robot's
} ff_scene_material;

/// A ground shape, `ground` or one of `ground: [...]`.
typedef struct ff_scene_ground {
  ff_shape_type type;         ///< plane (default), box or height field
  double position[3];         ///< of its frame [m], within 1e7, default 0
  double rpy[3];              ///< roll, pitch, yaw [rad], default 0
  double slope;               ///< additional pitch, x points downhill [rad], within 89 degrees, default 0
  double size[3];             ///< box, height field: as in ff_shape_def [m], > 0, default NAN: not given
  const double *heights;      ///< [rows x columns] of a height field [m], within 1e7
  int heights_count;          ///< rows x columns
  int rows;                   ///< of a height field, along y, 2..FF_MAX_FIELD, default 0
  int columns;                ///< of a height field, along x, 2..FF_MAX_FIELD, default 0
  double velocity[6];         ///< linear [m/s], then angular [rad/s], world axes, default 0
  ff_scene_material material; ///< of the pair; NAN: as in ff_scene_def.material
} ff_scene_ground;

/// Start of one joint, of `start.joints`.
typedef struct ff_scene_joint {
  const char *name; ///< of a joint with one coordinate
  double position;  ///< [rad or m], default NAN: that of the posture
  double velocity;  ///< [rad/s or m/s], default NAN: 0
} ff_scene_joint;

/// Gains of one motor.
typedef struct ff_scene_gain {
  const char *name; ///< of the joint
  double kp;        ///< [N m/rad or N/m], >= 0, default NAN: that of all motors
  double kd;        ///< [N m s/rad or N s/m], >= 0, default NAN: that of all motors
} ff_scene_gain;

/// State of the robot at time 0. It is set in this order; later fields override earlier ones: posture, q and v, base,
/// joints, on_ground.
typedef struct ff_scene_start {
  /// Default NULL: the start of the trajectory, if there is one; else "standing", the first posture, or neutral. `q`
  /// overrides it, but the model must have it
  const char *posture;
  double position[3];           ///< of the base [m], within 1e7, default NAN: that of the posture
  double quaternion[4];         ///< of the base, x y z w, length within 1e-6..1e6, default NAN: as position
  double rpy[3];                ///< in place of the quaternion [rad], default NAN
  double velocity[6];           ///< of the base in its frame, linear [m/s], then angular [rad/s], default 0
  const ff_scene_joint *joints; ///< [joints_count]
  int joints_count;             ///< default 0
  /// 1: the pose of the base is relative to the ground, which must be one plane: it is turned with the plane's slope,
  /// and moved along its normal until the lowest point touches. Applied last; default 0
  int on_ground;
  const double *q; ///< [nq] whole configuration; default NULL: the posture. Not in files
  const double *v; ///< [nv] all velocities; default NULL: 0. Not in files
} ff_scene_start;

/// Options for reading the model's file, see ff_load_def. A scene without a file only stores them.
typedef struct ff_scene_load_options {
  int fixed_base;                           ///< 1: fix the root of a URDF to the world; default 0
  ff_mimic_policy mimic;                    ///< default FF_MIMIC_COUPLE
  const char *const *mesh_paths;            ///< [mesh_paths_count] folders, relative to the scene's
  int mesh_paths_count;                     ///< default 0
  ff_contact_parameters contact_parameters; ///< default FF_CONTACT_PARAMETERS_STATED
  const char *srdf;            ///< default NULL: NAME.srdf beside NAME.urdf; relative to the scene's
  ff_massless_policy massless; ///< default FF_MASSLESS_LEAST
} ff_scene_load_options;

/// A contact point to add to the model, of `contact_points`.
typedef struct ff_scene_point {
  const char *link; ///< link that carries it
  const char *name; ///< default NULL
  double at[3];     ///< in the link's frame [m], within 1e7
} ff_scene_point;

/// Coordinates of the sim, see cut.h. Controller, log and result use those of the model.
typedef struct ff_scene_coordinates {
  ff_cut_set type;           ///< default FF_CUT_MINIMAL
  ff_cut_place place;        ///< default FF_CUT_AT_JOINTS
  const char *const *joints; ///< [joints_count] FF_CUT_LISTED: joints to cut
  int joints_count;          ///< default 0
} ff_scene_coordinates;

/// Random variation of a push by a seed, with uniform distributions.
typedef struct ff_scene_vary {
  double magnitude; ///< force times 1 +- this, 0..1, default 0
  double angle;     ///< direction turned about the vertical by +- this [rad], >= 0, default 0
  double tilt;      ///< direction turned up or down by +- this [rad], >= 0, default 0
  double place;     ///< `at` moved by +- this along each axis [m], >= 0, default 0
  double time;      ///< `from` later by up to this [s], >= 0, default 0
} ff_scene_vary;

/// A force in world axes on a point of a link, for some time.
typedef struct ff_scene_push {
  const char *link;   ///< link that is pushed
  double at[3];       ///< in the link's frame [m], within 1e7, default 0
  double force[3];    ///< [N], default NAN: not given
  double impulse[3];  ///< in place of a force: impulse of the whole duration [N s], default NAN: not given
  double from;        ///< start time [s], >= 0, default 0
  double duration;    ///< [s], > 0, default 0.1
  ff_scene_vary vary; ///< variation by the seed
} ff_scene_push;

/// All pushes, and the seed that varies them.
typedef struct ff_scene_pushes {
  int seed;                  ///< 0..2e9; 0 (default): as written, else varied
  const ff_scene_push *list; ///< [list_count]
  int list_count;            ///< 0..1000, default 0
} ff_scene_pushes;

/// A control that is held, of `controls`.
typedef struct ff_scene_value {
  const char *name; ///< of a control of the sim's world, see controls.h
  double value;     ///< in its unit, within 1e12, default 0
} ff_scene_value;

/// A field that differs from run to run of a batch, see scene/scene_batch.h.
typedef struct ff_scene_varied {
  const char *name;  ///< "material.friction"
  const char *range; ///< "0.3..1.0", "0.3,0.5,1", "0.1"
} ff_scene_varied;

/// Log of the command: file and spacing.
typedef struct ff_scene_log {
  const char *file; ///< default NULL: not given
  int every;        ///< steps between two rows, 1..1e9, default 1
} ff_scene_log;

/// Expectations: the run meets its task if all hold. NAN (default), and 0 for `upright`: not expected.
typedef struct ff_scene_expect {
  double com_error;   ///< upper bound [m], >= 0
  double steps;       ///< lower bound, >= 0
  double flight;      ///< lower bound [s], >= 0
  double speed[2];    ///< lower and upper bound [m/s]
  double advance;     ///< lower bound [m]
  double final_speed; ///< upper bound [m/s], >= 0
  int upright;        ///< 1: the robot never falls; default 0
  double penetration; ///< upper bound, of contacts older than FF_SCENE_GRACE [m], >= 0
  double drift;       ///< upper bound, of the constraints of joints and loops, moreau [m], >= 0
  double unconverged; ///< upper bound, fraction of all steps, 0..1
  double contacts;    ///< lower bound at the end, >= 0
  double fallen[2];   ///< lower and upper bound: floating bodies that have fallen over, >= 0
  double moved;       ///< upper bound: distance of a floating body from its start [m], >= 0
  double rise;        ///< lower bound: rise of the base from its start [m]
  double passed;      ///< upper bound: how often shapes tunnel, >= 0
} ff_scene_expect;

/// Type and options of the controller, see ff_controller_def.
typedef struct ff_scene_controller {
  ff_controller_type type; ///< default FF_CONTROLLER_NONE
  double period;      ///< control period, a whole number of steps [s], > 0, at most 1000, default NAN: dt
  int middle;         ///< as in ff_controller_def, default 0
  ff_tasks_def tasks; ///< defaults of ff_controller_def_default(); a contact weight below 0: strict
  double kp;          ///< posture-pd, posture [N m/rad or N/m], >= 0, default NAN: not given
  double kd;          ///< posture-pd, posture [N m s/rad or N s/m], >= 0, default NAN: not given
  const ff_scene_gain *joints; ///< [joints_count] posture-pd: gains of single motors
  int joints_count;            ///< default 0
  int gravity;                 ///< posture-pd: torques carry the weight, see ff_controller_def; default 0
  const char *const *feet;     ///< [feet_count] posture-pd with gravity: links that stand
  int feet_count;              ///< 0..64, default 0
  ff_squat_def squat;          ///< defaults of ff_controller_def_default()
  ff_walk_task_def walk;       ///< the same; `ground` follows from the scene's ground
  ff_trot_task_def trot;       ///< the same
  const char *trajectory;      ///< feedback: file, relative to the scene's folder; default NULL
  /// Feedback: the trajectory without a file; read at creation. Default NULL
  const ff_feedback_def *feedback;
} ff_scene_controller;

/// A whole scene, in SI units. Start from ff_scene_def_default().
typedef struct ff_scene_def {
  const char *title; ///< for people, default NULL
  /// Path of the model as written in the file, relative to the scene's folder; without a file, a name for messages,
  /// or NULL
  const char *model;
  ff_scene_load_options load; ///< options for reading the model
  /// [contact_points_count] added to those of the model when it is loaded
  const ff_scene_point *contact_points;
  int contact_points_count;         ///< 0..10000, default 0; 0 without a file
  const ff_scene_ground *ground;    ///< [ground_count]
  int ground_count;                 ///< 0..10000, default -1: the plane z = 0, or the model's own ground
  ff_scene_material material;       ///< of contacts with ground shapes that have no material of their own
  ff_scene_coordinates coordinates; ///< coordinates of the sim
  ff_scene_start start;             ///< posture, pose and velocities at time 0
  ff_scene_pushes pushes;           ///< external forces
  ff_scene_controller controller;   ///< controller of the joints
  /// [controls_count] held from the start to the end: torques and motors on frames add to the controller's, references
  /// replace it
  const ff_scene_value *controls;
  int controls_count; ///< default 0
  /// [vary_count] differ from run to run of a batch; a single run is as written
  const ff_scene_varied *vary;
  int vary_count;         ///< default 0
  double duration;        ///< [s], >= 0, at most 1e15 steps, default 10
  ff_scene_log log;       ///< log of the command
  ff_scene_expect expect; ///< expectations
  ff_sim_def sim; ///< stepper, dt and options, without ground and elements. The last field: it may grow
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
