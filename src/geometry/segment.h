/// segment.h: nearest points of segments: the axes of capsules.
#ifndef FFI_GEOMETRY_SEGMENT_H
#define FFI_GEOMETRY_SEGMENT_H

/// A segment by its middle, a unit direction and half its length.
typedef struct ffi_segment {
  double middle[3], axis[3], half;
} ffi_segment;

/// The place on a segment nearest to x, as a distance from its middle along its axis: -half .. half.
double ffi_segment_nearest(const ffi_segment *s, const double x[3]);

/// The point at that place.
void ffi_segment_point(const ffi_segment *s, double at, double out[3]);

/// The nearest places of two segments, as distances from their middles. For parallel segments, where these are not
/// unique, the places nearest to both middles; in between a mixture, so that the places move continuously with the
/// segments.  docs/theory/detection.md, section 4
void ffi_segment_segment(const ffi_segment *a, const ffi_segment *b, double *on_a, double *on_b);

#endif
