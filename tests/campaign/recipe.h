/// recipe.h: a scene of the campaign as plain numbers: robots, shapes, elements, ground, options, start, torques.
///
/// A recipe is a pure function of its seed (draw.h) and of the cuts that shrinking made (cut.h). It holds no pointers,
/// so copies are independent. recipe.c makes a model and a def of it, judge.h runs it.
#ifndef FFI_TESTS_RECIPE_H
#define FFI_TESTS_RECIPE_H

#include <footfall/builder.h>
#include <footfall/sim.h>

#include <stdint.h>

enum {
  FFI_RECIPE_LINKS = 12,
  FFI_RECIPE_SHAPES = 24,
  FFI_RECIPE_GROUNDS = 3,
  FFI_RECIPE_ELEMENTS = 16,
  FFI_RECIPE_TENDONS = 2,
  FFI_RECIPE_TENDON_LINKS = 3,
  FFI_RECIPE_OPTIONS = 80,
  FFI_RECIPE_VERTICES = 12, ///< of a hull
  FFI_RECIPE_GRID = 5,      ///< rows and columns of a height field
};

/// A link, its joint, and the start of its joint.
typedef struct ffi_recipe_link {
  int parent; ///< an earlier link, or FF_WORLD
  ff_joint_type type;
  ff_pose pose;
  double axis[3];
  int has_limits;
  double lower, upper, damping, friction, armature, stiffness, spring_reference;
  ff_inertia inertia;
  int has_servo; ///< a position actuator
  double gear, kp, kv, force_range;
  double q[7], v[6];
  double tau; ///< size of the generalised forces on all of its coordinates; 0: none
} ffi_recipe_link;

typedef struct ffi_recipe_shape {
  int link; ///< or FF_WORLD
  ff_shape_type type;
  double size[3];
  ff_pose pose;
  int purpose;
  ff_material material;
  double vertices[3 * FFI_RECIPE_VERTICES]; ///< hull
  double heights[FFI_RECIPE_GRID * FFI_RECIPE_GRID];
} ffi_recipe_shape;

typedef struct ffi_recipe_ground {
  ffi_recipe_shape shape;
  double velocity[6];
  int gives_pair;
} ffi_recipe_ground;

typedef struct ffi_recipe_element {
  ff_element_type type;
  int a, b;      ///< links; b may be FF_WORLD. Joint elements: a is the link whose joint it acts on
  int is_closed; ///< the ends meet at the start
  int is_rigid;
  double offset_a[3], offset_b[3], axis[3];
  double stiffness, damping, angular_stiffness, angular_damping;
  double reference, reference_velocity, effort, lower, upper, delay;
  /// Of a coupling a is the follower and b the leader, or nothing. 1 + the number of a tendon in their place; 0: none
  int tendon, leader_tendon;
  double polynomial[5]; ///< of a coupling; the first is chosen so that it begins without a gap
} ffi_recipe_element;

/// A weighted sum of the coordinates of joints; elements act on it, and a position actuator if has_servo.
typedef struct ffi_recipe_tendon {
  int count;
  int links[FFI_RECIPE_TENDON_LINKS];
  double weights[FFI_RECIPE_TENDON_LINKS];
  int has_servo;
  double gear, kp, kv, force_range;
} ffi_recipe_tendon;

/// An option of the table that is not at its default.
typedef struct ffi_recipe_option {
  int index; ///< of ff_option_at()
  double value;
} ffi_recipe_option;

typedef struct ffi_recipe {
  uint64_t seed;
  int is_wild;    ///< else mild
  int is_deaf;    ///< for tests of the campaign itself: the reports of steps are not heard
  int is_passive; ///< no torques, nothing moves by itself: the total energy must not grow
  ff_stepper stepper;
  double dt;
  int steps;
  double gravity[3];
  int torque_period;    ///< steps after which torques change their signs
  int reference_period; ///< steps after which the references of motors change, 0: they stay
  int ground_period;    ///< the same for the poses of the ground, and in wild scenes its velocities
  double reference_size, ground_size; ///< of these changes [rad] or [m]; [m]
  int link_count, shape_count, ground_count, element_count, option_count, tendon_count;
  ffi_recipe_link links[FFI_RECIPE_LINKS];
  ffi_recipe_shape shapes[FFI_RECIPE_SHAPES];
  ffi_recipe_ground grounds[FFI_RECIPE_GROUNDS]; ///< ground_count -1: the default ground
  ffi_recipe_element elements[FFI_RECIPE_ELEMENTS];
  ffi_recipe_option options[FFI_RECIPE_OPTIONS];
  ffi_recipe_tendon tendons[FFI_RECIPE_TENDONS];
} ffi_recipe;

/// What a recipe makes. Start from zeros; ffi_recipe_free() frees it.
typedef struct ffi_recipe_made {
  ff_model *model;
  ff_sim_def def; ///< its ground and elements point into this struct, which must stay where it is
  ff_ground_def grounds[FFI_RECIPE_GROUNDS];
  ff_element_def elements[FFI_RECIPE_ELEMENTS];
  int joint_of[FFI_RECIPE_LINKS]; ///< of the model, -1: fixed
  double *q, *v, *tau;            ///< start, and the torques of the first steps
} ffi_recipe_made;

/// Make the model, the def and the start. A refusal of the library is a status with its message.
ff_status ffi_recipe_make(const ffi_recipe *recipe, ffi_recipe_made *out, ff_error *error);
void ffi_recipe_free(ffi_recipe_made *made);

/// A builder with links, shapes, servos and gravity of the recipe; the caller finishes it. NULL on refusal.
ff_builder *ffi_recipe_builder(const ffi_recipe *recipe, ff_error *error);

/// Where link b of a loop that is closed at the start has its end, with the axes of link a; 0: it has none.
int ffi_recipe_loop_end(const ffi_recipe *recipe, int element, const ffi_recipe_made *made, ff_pose *pose);

/// The shape as the library wants it, with pointers into the recipe's.
ff_shape_def ffi_recipe_shape_def(const ffi_recipe_shape *shape);

void ffi_recipe_link_name(int link, char name[16]); ///< "L3"; its joint is "J3"
int ffi_recipe_nq(ff_joint_type type);              ///< coordinates of a joint
int ffi_recipe_nv(ff_joint_type type);              ///< velocities of a joint

/// Print everything, one thing a line.
void ffi_recipe_print(const ffi_recipe *recipe);

#endif
