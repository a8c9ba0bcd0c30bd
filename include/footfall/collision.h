/// collision.h: which shapes of a model may collide, and why others do not.
///
/// For two shapes the first rule that applies decides:
///
///     1  drawn          one of them is only drawn: its purpose lacks FF_SHAPE_COLLISION
///     2  one body       they cannot move against each other: one body, or both fixed in the world
///     3  listed         the description lists the pair: they collide (ff_model_pair)
///     4  masked         no bit of contype of one is in conaffinity of the other
///     5  excluded       the description excludes their links (ff_model_exclusion)
///     6  parent         one carries the other, a joint away, and ff_parent_rule spares it
///     7  self           they are of one robot (ff_link_info.robot), and self_collision is off
///     8  unsupported    there is no contact between such shapes, as between two points
///     9  yes            they collide
///
/// Massless links without collision shapes between two bodies are part of the joint: such bodies are parent and child.
/// The ground of a sim (ff_sim_def.ground, or the default one) collides with every moving collision shape that has a
/// bit of contype or conaffinity set. Pairs that do not collide take no memory and no time in a sim.
#ifndef FOOTFALL_COLLISION_H
#define FOOTFALL_COLLISION_H

#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Do two shapes collide? The rules above.
typedef enum ff_collision {
  FF_COLLISION_YES,         ///< they collide
  FF_COLLISION_LISTED,      ///< they collide, because the pair is listed
  FF_COLLISION_DRAWN,       ///< one is only drawn
  FF_COLLISION_ONE_BODY,    ///< they cannot move against each other
  FF_COLLISION_MASKED,      ///< by contype and conaffinity
  FF_COLLISION_EXCLUDED,    ///< their links are excluded
  FF_COLLISION_PARENT,      ///< one carries the other
  FF_COLLISION_SELF,        ///< they are of one robot
  FF_COLLISION_UNSUPPORTED, ///< nothing touches there
  FF_COLLISION_COUNT,       ///< number of values
} ff_collision;

/// "yes", "listed", "drawn", "one body", "masked", "excluded", "parent", "self", "unsupported". Never NULL.
const char *ff_collision_name(ff_collision collision);

/// Do two shapes of a model collide in a sim with this self_collision? A shape and itself are one body; an index out of
/// range counts as drawn.
ff_collision ff_model_collision(const ff_model *model, int shape_a, int shape_b, int self_collision);

/// Number of pairs of collision shapes for each answer; drawn shapes are not counted.
void ff_model_collisions(const ff_model *model, int self_collision, long long counts[FF_COLLISION_COUNT]);

#ifdef __cplusplus
}
#endif
#endif
