/// broad_phase.h: from all pairs of colliders to the few that are close.
///
/// Every pair has a *probe*, a few bytes that decide from two centres whether its shapes can be within the margin of
/// each other. There are three kinds of probe:
///
///   - the second shape is a plane, or lies below one (a height field lies below its highest point): the bounding ball
///     of the first shape against the half space. For a point or a sphere on a plane this already is the touch;
///   - the second shape is a box of the ground, often wide and flat (a stair, a wall): the ball against its slabs;
///   - both shapes are bounded: ball against ball.
///
/// All probes are visited in order, at one to three nanoseconds each. From some thousands of pairs of balls on, a tree
/// (ball_tree.h) first marks the pairs that are worth a visit, a few more than are near. Only those are visited, in the
/// same order and with the same test, so the result is the same. docs/theory/detection.md, section 8
///
/// The lists are made with the colliders and const from then on. Centres and boundaries at one moment, the tree and its
/// marks are in an ffi_detect_memory: scratch that every detection writes before it reads it.
#ifndef FFI_CONTACT_BROAD_PHASE_H
#define FFI_CONTACT_BROAD_PHASE_H

#include "contact/detect/ball_tree.h"
#include "contact/detect/collider_pairs.h"
#include "contact/detect/detect.h"
#include "geometry/collide.h"

#include "base/block.h"
#include "math/vec3.h"

#include <math.h>
#include <stdint.h>

typedef enum ffi_broad_phase_probe_kind {
  FFI_PROBE_BALL,  ///< ball against ball
  FFI_PROBE_ABOVE, ///< ball against half space
  FFI_PROBE_POINT, ///< point or sphere on a plane: the probe is the touch
  FFI_PROBE_BOX,   ///< ball against a box of the ground
} ffi_broad_phase_probe_kind;

typedef struct ffi_broad_phase_probe {
  int kind;
  int a;        ///< collider
  int b;        ///< collider, half space, or box
  double reach; ///< sum of the radii; radius of a alone where b is not a ball [m]
} ffi_broad_phase_probe;

/// A collider on a moving body: its centre follows.
typedef struct ffi_broad_phase_follower {
  int collider, body;
  double centre[3]; ///< in the body
} ffi_broad_phase_follower;

/// z <= top in the frame of a collider.
typedef struct ffi_broad_phase_half_space {
  int collider, body, ground; ///< ground -1: none
  ffi_pose in;
  double top;
  double share; ///< least gap over height above the top: below 1 where triangles are inclined
} ffi_broad_phase_half_space;

/// The boundary of a half space at one moment: n x <= d in the world.
typedef struct ffi_broad_phase_boundary {
  double n[3], d;
  double share; ///< the half space's
} ffi_broad_phase_boundary;

/// A box of the ground.
typedef struct ffi_broad_phase_box {
  int collider, ground;
  double half[3]; ///< of its sides
} ffi_broad_phase_box;

struct ffi_broad_phase {
  ffi_broad_phase_probe *probes; ///< [pairs]
  int pair_count;
  ffi_broad_phase_follower *followers;
  int follower_count;
  ffi_broad_phase_half_space *half_spaces;
  int half_space_count;
  ffi_broad_phase_box *boxes;
  int box_count;
  int collider_count;
  int first_ground;    ///< the first ground's collider
  double (*centre)[3]; ///< [colliders] of shapes fixed in the world
  int ball_pairs;      ///< of kind FFI_PROBE_BALL
  int tree_from;       ///< number of those from which on the tree is used: FFI_BROAD_PHASE_TREE
  double widest;       ///< largest radius of those [m]
  double *radius;      ///< [colliders] of those in a pair of balls; else -1
  ffi_ball *balls;     ///< [ball_count] those
  int ball_count;
  int (*row)[2];    ///< [colliders] range of the pairs in which it is the first: begin, end
  int *partner;     ///< [pairs] the second collider
  uint64_t *always; ///< [words of pairs] bits of pairs of the other kinds
};

/// What one detection works in.
struct ffi_detect_memory {
  double (*centre)[3];                ///< [colliders]
  ffi_broad_phase_boundary *boundary; ///< [half spaces]
  ffi_touch *touches;                 ///< [most of one pair]
  ffi_ball_tree tree;
  uint64_t *marks; ///< [words of pairs]
  uint64_t *work;  ///< [1] cost of narrow phases, see ffi_detect_work()
};

/// Pairs of balls from which on the tree is faster; docs/theory/detection.md, section 8.
enum { FFI_BROAD_PHASE_TREE = 3000 };

/// Places the arrays (run twice: counting, placing). The ffi_broad_phase itself comes first in the block.
ffi_broad_phase *ffi_broad_phase_layout(ffi_block *block, int colliders,
                                        const ffi_collider_pairs_totals *totals);

/// Sets moving colliders, half spaces, boxes and fixed centres.
void ffi_broad_phase_set_colliders(ffi_broad_phase *phase, const ffi_collider *colliders, int count);

/// Sets the probe of a pair. Call in the order of pairs, after ffi_broad_phase_set_colliders().
void ffi_broad_phase_set_probe(ffi_broad_phase *phase, int pair, const ffi_collider_pairs_cursor *paired);

/// Centres and boundaries at these poses.
void ffi_broad_phase_update(const ffi_broad_phase *phase, const ffi_poses *at, int ground_count,
                            ffi_detect_memory *memory);

/// Marks the pairs to visit if shapes count as close within `margin`, plus grow [colliders] of each of the two where
/// `grow` is not NULL. Returns a bit for each pair, or NULL: visit all.
const uint64_t *ffi_broad_phase_mark(const ffi_broad_phase *phase, const double *grow, double margin,
                                     ffi_detect_memory *memory);

/// The next pair to visit after `pair` (-1 to begin with); `count` or more after the last. marks: from
/// ffi_broad_phase_mark().
static inline int ffi_broad_phase_next(const uint64_t *marks, int pair, int count)
{
  ++pair;
  if (!marks)
    return pair;
  while (pair < count) {
    const uint64_t left = marks[pair / 64] >> (pair % 64);
    if (left & 1)
      return pair;
    pair = left ? pair + __builtin_ctzll(left) : (pair / 64 + 1) * 64;
  }
  return pair;
}

/// Is the ball's centre more than `reach` beside a box? Height decides most often and comes first.
static inline int ffi_broad_phase_is_beside(const double half[3], const ffi_pose *place,
                                            const double centre[3], double reach)
{
  const double *R = place->R;
  const double x = centre[0] - place->p[0], y = centre[1] - place->p[1], z = centre[2] - place->p[2];
  return !(fabs(R[2] * x + R[5] * y + R[8] * z) <= half[2] + reach &&
           fabs(R[0] * x + R[3] * y + R[6] * z) <= half[0] + reach &&
           fabs(R[1] * x + R[4] * y + R[7] * z) <= half[1] + reach);
}

/// Can a pair be within the margin? NaN gives no. `gap` is set for half spaces only; for FFI_PROBE_POINT it is the gap
/// of the touch.
static inline int ffi_broad_phase_is_near(const ffi_broad_phase *phase, const ffi_detect_memory *memory,
                                          const ffi_pose *ground, const ffi_broad_phase_probe *probe,
                                          double margin, double *gap)
{
  const double *centre = memory->centre[probe->a];
  if (probe->kind == FFI_PROBE_BALL) {
    const double *other = memory->centre[probe->b];
    const double x = centre[0] - other[0], y = centre[1] - other[1], z = centre[2] - other[2];
    const double reach = probe->reach + margin;
    return x * x + y * y + z * z <= reach * fabs(reach);
  }
  if (probe->kind == FFI_PROBE_BOX) {
    const ffi_broad_phase_box *box = &phase->boxes[probe->b];
    return !ffi_broad_phase_is_beside(box->half, &ground[box->ground], centre, probe->reach + margin);
  }
  const ffi_broad_phase_boundary *below = &memory->boundary[probe->b];
  *gap = (ffi_v3_dot(below->n, centre) - below->d) * below->share - probe->reach;
  return *gap <= margin;
}

#endif
