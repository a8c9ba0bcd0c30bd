/// scene.h: which shapes can touch, and where they are near each other now.
///
/// At creation every pair of collision shapes that may touch is listed once: shapes of moving bodies against shapes fixed in the
/// world and against ground; shapes of different trees against each other; with self_collision also shapes of one tree, unless
/// their bodies are the same or parent and child. A robot's fixed base counts as part of the robot, and pieces that a robot was cut into (cut.h) as one tree. Each pair owns a range of ids, one per feature that can touch (a corner, an end
/// of a capsule), so a contact keeps its id from step to step and needs no matching.
///
/// A scene is const once it is made, and threads share it. Detection is a function of the places alone: it works in the
/// caller's ffi_detect_memory, and nothing
/// there is remembered from one call to the next.
#ifndef FFI_CONTACT_SCENE_H
#define FFI_CONTACT_SCENE_H

#include "base/block.h"
#include "geometry/collide.h"

#include <footfall/sim.h>

/// Pose of a body in the world: layout of ffi_body_pose with one lane.
typedef struct ffi_pose {
  double R[9]; ///< to world, row-major
  double p[3];
} ffi_pose;

/// A *party* is a collision shape of the model or a piece of ground, seen as something that can touch. Parties are numbered: the
/// model's collision shapes in its order, then the ground.
typedef struct ffi_collider {
  ffi_solid solid;
  ffi_pose in;       ///< its frame in its body's internal frame; ground: identity
  int body;          ///< of the model's kernels; 0: the world, and all ground
  int root;          ///< body that its robot begins with, across joints that were cut; 0 for the world
  int shape, ground; ///< of the model, or of the def; the other one is -1
  const ff_material *material; ///< as it was defined
  int gives_pair;              ///< ground only: its material is that of the pair
} ffi_collider;

/// Two parties that may touch. There may be very many pairs, so what belongs to a party stays there. What material the
/// two make together is a robot's own matter:
/// ffi_pair_materials().
typedef struct ffi_collider_pair {
  const ffi_collider *a, *b;
  int body_a, body_b;   ///< bodies of the model's kernels, 0: the world
  int shape_a, shape_b; ///< of the model; shape_b -1: ground
  int ground;           ///< -1: none
  int first_id, most;   ///< ids first_id .. first_id + most - 1
  double reach;         ///< bounding radii added [m]; infinite if one is unbounded
} ffi_collider_pair;

static inline int ffi_pair_materials_is_bouncing(const ff_material *of_pair)
{
  return of_pair->restitution > 0 || of_pair->tangential_restitution > 0;
}

/// A piece of ground as it was defined. Where it is at some moment, and how it moves, belongs to a state.
typedef struct ffi_ground {
  ff_ground_def def;
  ffi_pose start; ///< where a reset puts it
} ffi_ground;

/// Where everything is at one moment.
typedef struct ffi_poses {
  const ffi_pose *body;   ///< [body_count] of the model's kernels
  const ffi_pose *ground; ///< [ground_count]
} ffi_poses;

/// A feature of one body near a surface of another. `a` is the body that carries the witness point, `b` the one whose surface it is
/// near: if the pair's touch had owner 1 the two are swapped here and the normal is turned around.
typedef struct ffi_detect_candidate {
  int id, pair;
  int flipped;      ///< a is the pair's b
  int a, b;         ///< bodies, 0: the world (or ground)
  double point[3];  ///< witness, on a
  double normal[3]; ///< unit, from b to a
  double gap;       ///< < 0: overlap
  int roll;         ///< FFI_ROLL_*, how the witness moves over a
  double centre[3], axis[3];
} ffi_detect_candidate;

typedef struct ffi_broad_phase ffi_broad_phase;     ///< the broad phase's lists, see sweep.h
typedef struct ffi_detect_memory ffi_detect_memory; ///< what a detection works in, one per thread

typedef struct ffi_colliders {
  const ff_model *model;
  ffi_collider *parties;
  int party_count;
  ffi_collider_pair *pairs;
  int pair_count;
  ffi_ground *grounds;
  int ground_count;
  int id_count;     ///< ids are 0 .. id_count - 1
  int most_near;    ///< most entries ffi_detect can give
  int most_of_pair; ///< most of one pair
  const ffi_broad_phase *sweep;
  void *memory; ///< the one allocation, for ffi_colliders_free()
  size_t bytes; ///< of it
} ffi_colliders;

/// Lists pairs and grounds. Errors: a ground that is no plane, box or height field, sizes or materials that make no sense.
ff_status ffi_colliders_create(const ff_model *model, const ff_sim_def *def, ffi_colliders *out,
                               ff_error *error);
void ffi_colliders_free(ffi_colliders *scene);

/// Materials of all pairs, to out [pair_count], from those of the parties [party_count]; an error names two whose
/// material makes no sense.
ff_status ffi_pair_materials(const ffi_colliders *scene, const ff_material *party, ff_material *out,
                             ff_error *error);

/// Places what detection works in (run twice: counting, placing).
ffi_detect_memory *ffi_detect_layout(const ffi_colliders *scene, ffi_block *block);

/// All features with gap <= margin, in increasing order of id, to out [most_near]; returns how many.
int ffi_detect(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at, double margin,
               ffi_detect_candidate *out);

/// The same, and every pair that is no farther apart than the margin has a feature within `slack` of its signed distance: where none was, the first one is put at the place of that distance
/// (ffi_collide_nearest() in collide.h). For steppers that let nothing through.
int ffi_detect_nearest(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at,
                       double margin, double slack, ffi_detect_candidate *out);

/// The pairs that may touch if every party [party_count] moves by no more than its own grow [m], >= 0 or infinite: those whose bounding balls, or what takes their place (sweep.h), are
/// no farther apart than what both move. In increasing order to out [pair_count]; returns how many.
int ffi_detect_close_pairs(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at,
                           const double *grow, int *out);

/// Pair rule: springs in series (1/K = 1/Ka + 1/Kb), dampers likewise, smaller mu, larger restitutions. Infinite values (rigid ground)
/// leave the other's.
void ffi_pair_materials_combine(const ff_material *a, const ff_material *b, ff_material *out);

/// Two unit vectors that make a right-handed frame (t1, t2, n) with the unit vector n: t1 as near to the x axis as can be, to y where n is nearly x.
void ffi_contact_frame_tangents(const double n[3], double t1[3], double t2[3]);

/// Velocity of the point x of a ground that is at `place` and moves with `motion` [6], world axes.
void ffi_ground_velocity(const ffi_pose *place, const double *motion, const double x[3], double velocity[3]);

/// Where a ground with a constant velocity [6] is after dt.
void ffi_ground_move(const ffi_pose *from, const double velocity[6], double dt, ffi_pose *to);

#endif
