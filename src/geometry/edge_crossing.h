/// edge_crossing.h: where the inside of a segment comes nearest to a box: the axis of a capsule or cylinder, or an edge
/// of another box, over an edge of the box.  docs/theory/detection.md, section 3
#ifndef FFI_GEOMETRY_EDGE_CROSSING_H
#define FFI_GEOMETRY_EDGE_CROSSING_H

/// A segment in the box's frame. Its ends have touches of their own.
typedef struct ffi_edge_crossing_segment {
  const double *from, *to;
  double ends[2]; ///< distances of `from` and `to` from the box
  const double
      *centre; ///< the middle of the body whose edge it is; NULL for an axis. A face of the box that the edge
               ///< runs along, and that the middle lies behind, is not a way out
} ffi_edge_crossing_segment;

typedef struct ffi_edge_crossing {
  double point[3];  ///< on the segment
  double axis[3];   ///< unit, along it
  double normal[3]; ///< unit, away from the box
  double gap; ///< signed distance of the segment from the box there, raised where the ends already show it
} ffi_edge_crossing;

/// Finds a crossing with a gap up to `most`; returns 0 if there is none, or if the ends already show it. Gap and normal
/// change continuously with the poses, except where the segment passes through the box so deeply that the way out
/// changes.
int ffi_edge_crossing_find(const double half[3], const ffi_edge_crossing_segment *segment, double most,
                           ffi_edge_crossing *out);

#endif
