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
/// All probes are visited, one after another, at one to three nanoseconds each. A tree of boxes would pay from some thousands of pairs on.
///
/// Centres and half spaces are scratch: written by every detection before they are read.
#ifndef FFI_CONTACT_SWEEP_H
#define FFI_CONTACT_SWEEP_H

#include "contact/pairs.h"

#include "base/block.h"

typedef enum ffi_probe_kind {
  FFI_PROBE_BALL,  ///< ball against ball
  FFI_PROBE_ABOVE, ///< ball against half space
  FFI_PROBE_POINT, ///< point or sphere on a plane: the probe is the touch
  FFI_PROBE_CRATE, ///< ball against a box of the ground
} ffi_probe_kind;

typedef struct ffi_probe {
  int kind;
  int a;        ///< party
  int b;        ///< party, half space, or crate
  double reach; ///< radii added; of a alone where b is no ball [m]
} ffi_probe;

/// A party on a moving body: its centre follows.
typedef struct ffi_follower {
  int party, body;
  double centre[3]; ///< in the body
} ffi_follower;

/// z <= top in the frame of a party.
typedef struct ffi_half_space {
  int party, body, ground; ///< ground -1: none
  ffi_place in;
  double top;
  double share;   ///< of a height above the top that is gap, at least: below 1 where triangles lean
  double n[3], d; ///< scratch: n x <= d in the world
} ffi_half_space;

/// A box of the ground.
typedef struct ffi_crate {
  int party, ground;
  double half[3]; ///< of its sides
} ffi_crate;

typedef struct ffi_sweep {
  ffi_probe *probes; ///< [pairs]
  ffi_follower *followers;
  int follower_count;
  ffi_half_space *half_spaces;
  int half_space_count;
  ffi_crate *crates;
  int crate_count;
  int ground_party;    ///< the first ground's party
  double (*centre)[3]; ///< [parties] scratch; of the world's shapes constant
  ffi_touch *touches;  ///< [most of one pair] scratch
} ffi_sweep;

/// Places a sweep's arrays: run twice, counting and placing. The sweep itself is the first thing in the block.
ffi_sweep *ffi_sweep_layout(ffi_block *block, int parties, const ffi_pair_totals *totals);

/// Parties that move, half spaces, fixed centres.
void ffi_sweep_set_parties(ffi_sweep *sweep, const ffi_party *parties, int count);

/// The probe of a pair; after ffi_sweep_set_parties().
void ffi_sweep_set_probe(ffi_sweep *sweep, int pair, const ffi_paired *paired);

/// Where everything is now.
void ffi_sweep_update(ffi_sweep *sweep, const ffi_place *poses, const ffi_ground *grounds, int ground_count);

#endif
