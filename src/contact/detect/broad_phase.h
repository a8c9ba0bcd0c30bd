/// sweep.h: the broad phase: from all pairs to the few that are close.
///
/// Every pair has a *probe*, a few bytes that decide, from where two centres are, whether its shapes can be within the margin of each
/// other. Three kinds:
///
///   - the second shape is a plane, or lies below one (a height field below its highest point): the first one's ball against the half
///     space. For a point or a sphere on a plane this already is the touch;
///   - the second shape is a box of the ground, often wide and flat, a stair or a wall: the first one's ball against its slabs;
///   - both are bounded: ball against ball.
///
/// All probes are visited, one after another, at one to three nanoseconds each. From some thousands of pairs of balls on, a tree (ball_tree.h) first marks the
/// pairs that are worth it, a few more than are near, and only those are visited, in the same order and with the same test: what is found is the same.
///
/// The lists are made with the scene and const from then on. Where centres and boundaries are at one moment, the tree
/// and its marks are in an ffi_detect_memory:
/// scratch, written by every detection before it is read.
#ifndef FFI_CONTACT_SWEEP_H
#define FFI_CONTACT_SWEEP_H

#include "contact/detect/ball_tree.h"
#include "contact/detect/collider_pairs.h"

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
  int a;        ///< party
  int b;        ///< party, half space, or crate
  double reach; ///< radii added; of a alone where b is no ball [m]
} ffi_broad_phase_probe;

/// A party on a moving body: its centre follows.
typedef struct ffi_broad_phase_follower {
  int party, body;
  double centre[3]; ///< in the body
} ffi_broad_phase_follower;

/// z <= top in the frame of a party.
typedef struct ffi_broad_phase_half_space {
  int party, body, ground; ///< ground -1: none
  ffi_pose in;
  double top;
  double share; ///< of a height above the top that is gap, at least: below 1 where triangles lean
} ffi_broad_phase_half_space;

/// The boundary of a half space at one moment: n x <= d in the world.
typedef struct ffi_broad_phase_boundary {
  double n[3], d;
  double share; ///< the half space's
} ffi_broad_phase_boundary;

/// A box of the ground.
typedef struct ffi_broad_phase_box {
  int party, ground;
  double half[3]; ///< of its sides
} ffi_broad_phase_box;

struct ffi_broad_phase {
  ffi_broad_phase_probe *probes; ///< [pairs]
  int pair_count;
  ffi_broad_phase_follower *followers;
  int follower_count;
  ffi_broad_phase_half_space *half_spaces;
  int half_space_count;
  ffi_broad_phase_box *crates;
  int crate_count;
  int party_count;
  int ground_party;    ///< the first ground's party
  double (*centre)[3]; ///< [parties] of the world's shapes
  int ball_pairs;      ///< of kind FFI_PROBE_BALL
  int tree_from;       ///< how many of those are enough for the tree: FFI_BROAD_PHASE_TREE
  double widest;       ///< largest radius of those [m]
  double *radius;      ///< [parties], of those that are in a pair of balls; else -1
  ffi_ball *balls;     ///< [ball_count] those
  int ball_count;
  int (*row)[2];    ///< [parties] the pairs that each is first in: from the one to before the other
  int *partner;     ///< [pairs] the second party
  uint64_t *always; ///< [words of pairs] bits of those of other kinds
};

/// What one detection works in.
struct ffi_detect_memory {
  double (*centre)[3];                ///< [parties]
  ffi_broad_phase_boundary *boundary; ///< [half spaces]
  ffi_touch *touches;                 ///< [most of one pair]
  ffi_ball_tree tree;
  uint64_t *marks; ///< [words of pairs]
};

/// Pairs of balls from which on the tree is quicker; see docs/theory/detection.md, section 8.
enum { FFI_BROAD_PHASE_TREE = 3000 };

/// Places a sweep's arrays: run twice, counting and placing. The sweep itself is the first thing in the block.
ffi_broad_phase *ffi_broad_phase_layout(ffi_block *block, int parties,
                                        const ffi_collider_pairs_totals *totals);

/// Parties that move, half spaces, fixed centres.
void ffi_broad_phase_set_colliders(ffi_broad_phase *sweep, const ffi_collider *parties, int count);

/// The probe of a pair, one after another; after ffi_broad_phase_set_colliders().
void ffi_broad_phase_set_probe(ffi_broad_phase *sweep, int pair, const ffi_collider_pairs_cursor *paired);

/// Where everything is now.
void ffi_broad_phase_update(const ffi_broad_phase *sweep, const ffi_poses *at, int ground_count,
                            ffi_detect_memory *room);

/// Marks the pairs that have to be visited if shapes count as close within `margin`, and those of a party, where `grow` [parties] is not NULL, within grow more. NULL: all have to be; else
/// a bit for each pair.
const uint64_t *ffi_broad_phase_mark(const ffi_broad_phase *sweep, const double *grow, double margin,
                                     ffi_detect_memory *room);

/// The next pair to visit after `pair`, -1 to begin with; `count` or more after the last. marks: of ffi_broad_phase_mark().
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

/// Is the ball more than `reach` beside a box? Height, which tells most often, comes first.
static inline int ffi_broad_phase_is_beside(const double half[3], const ffi_pose *place,
                                            const double centre[3], double reach)
{
  const double *R = place->R;
  const double x = centre[0] - place->p[0], y = centre[1] - place->p[1], z = centre[2] - place->p[2];
  return !(fabs(R[2] * x + R[5] * y + R[8] * z) <= half[2] + reach &&
           fabs(R[0] * x + R[3] * y + R[6] * z) <= half[0] + reach &&
           fabs(R[1] * x + R[4] * y + R[7] * z) <= half[1] + reach);
}

/// Can a pair be within the margin? What is not a number never is. `gap`: of half spaces only; of FFI_PROBE_POINT it is the touch's.
static inline int ffi_broad_phase_is_near(const ffi_broad_phase *sweep, const ffi_detect_memory *room,
                                          const ffi_pose *ground, const ffi_broad_phase_probe *probe,
                                          double margin, double *gap)
{
  const double *centre = room->centre[probe->a];
  if (probe->kind == FFI_PROBE_BALL) {
    const double *other = room->centre[probe->b];
    const double x = centre[0] - other[0], y = centre[1] - other[1], z = centre[2] - other[2];
    const double reach = probe->reach + margin;
    return x * x + y * y + z * z <= reach * fabs(reach);
  }
  if (probe->kind == FFI_PROBE_BOX) {
    const ffi_broad_phase_box *crate = &sweep->crates[probe->b];
    return !ffi_broad_phase_is_beside(crate->half, &ground[crate->ground], centre, probe->reach + margin);
  }
  const ffi_broad_phase_boundary *below = &room->boundary[probe->b];
  *gap = (ffi_v3_dot(below->n, centre) - below->d) * below->share - probe->reach;
  return *gap <= margin;
}

#endif
