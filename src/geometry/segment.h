/// segment.h: segments against points, boxes and other segments: the axes of capsules and cylinders, the edges of boxes.
#ifndef FFI_GEOMETRY_SEGMENT_H
#define FFI_GEOMETRY_SEGMENT_H

/// A segment that may cross an edge of a box, in the box's frame. Its ends have touches of their own.
typedef struct ffi_edge_crossing_edge {
  const double *from, *to;
  double ends[2]; ///< distances from the box that `from` and `to` are taken to have
  const double *
      centre; ///< the middle of the body that it is an edge of; NULL for an axis. A face of the box that the edge runs along, and
              ///< that the middle lies behind, is no way out
} ffi_edge_crossing_edge;

/// Where the inside of a segment comes nearest to a box.
typedef struct ffi_crossing {
  double point[3];  ///< on the segment
  double axis[3];   ///< unit, along it
  double normal[3]; ///< unit, away from the box
  double gap; ///< signed distance of the segment from the box there, raised where the ends say it as well
} ffi_crossing;

/// A box's edge under the middle of a segment, which no end of it sees. Looks for gaps up to `most`; returns 0 if there is none, or
/// if the ends already tell all. The gap and the normal change continuously with the poses, except where the
/// segment passes right through the box so deeply that the way out changes. docs/theory/detection.md, section 3.
int ffi_edge_crossing_find(const double half[3], const ffi_edge_crossing_edge *edge, double most,
                           ffi_crossing *out);

/// A segment by its middle, a unit direction and half its length.
typedef struct ffi_segment {
  double middle[3], axis[3], half;
} ffi_segment;

/// The place on a segment nearest to x, as a distance from its middle along its axis: -half .. half.
double ffi_segment_nearest(const ffi_segment *s, const double x[3]);

/// The point there.
void ffi_segment_point(const ffi_segment *s, double at, double out[3]);

/// Where two segments come nearest, as distances from their middles. For parallel ones, where that is no single place, the one
/// nearest to both middles; in between a mixture, so that the places move continuously when the segments do.
void ffi_segment_segment(const ffi_segment *a, const ffi_segment *b, double *on_a, double *on_b);

#endif
