/// pose.h: position and orientation of a frame.
///
/// A pose places a frame B in a frame A: a point with coordinates x in B has coordinates R x + position in A.
/// Quaternions are (x, y, z, w), w last, as in q of a free joint. Spatial vectors everywhere in Footfall are (linear,
/// angular).
#ifndef FOOTFALL_POSE_H
#define FOOTFALL_POSE_H

#ifdef __cplusplus
extern "C" {
#endif

/// Position and orientation of a frame in another.
typedef struct ff_pose {
  double position[3];   ///< [m]
  double quaternion[4]; ///< x y z w; functions that create something normalise it and refuse zero length
} ff_pose;

/// A point fixed to a frame of a model.
typedef struct ff_point {
  int frame;        ///< of the model; 0 is the world
  double offset[3]; ///< in the frame [m]
} ff_point;

/// Position zero, no rotation.
ff_pose ff_pose_identity(void);

/// A pose from a position and roll, pitch, yaw [rad]: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF.
ff_pose ff_pose_from_rpy(const double position[3], const double rpy[3]);

/// A pose from a position and a rotation matrix R [3 x 3] row-major.
ff_pose ff_pose_from_rotation(const double position[3], const double R[9]);

/// a then b: the pose of C in A from the pose a of B in A and the pose b of C in B.
ff_pose ff_pose_compose(const ff_pose *a, const ff_pose *b);

/// The pose of A in B from the pose of B in A.
ff_pose ff_pose_inverse(const ff_pose *a);

/// The rotation matrix of a pose, R [3 x 3] row-major.
void ff_pose_rotation(const ff_pose *pose, double R[9]);

#ifdef __cplusplus
}
#endif
#endif
