/// line.h: the scalar coordinate that a joint element acts on: that of one joint, or the weighted sum of a tendon's.
///
/// A line's position is sum of weight[k] q[k], its velocity the same sum of velocities, and a force F on it puts
/// weight[k] F on each of them. Belongs to the elements of a world, and never changes.
#ifndef FFI_CONTACT_LINE_H
#define FFI_CONTACT_LINE_H

#include <footfall/model.h>

#include <math.h>

typedef struct ffi_line {
  int count;    ///< 0: nothing, at position 0
  const int *q; ///< [count] coordinates; -1: one of a joint with several velocities, which has no position
  const int *v; ///< [count] velocities, increasing
  const double *weight; ///< [count]; 1 for a joint
  int single_q;         ///< the coordinate of a line that is just that coordinate; -1: it is not
  int single_v;         ///< the same for its velocity
} ffi_line;

/// A line of these numbers.
ffi_line ffi_line_make(int count, const int *q, const int *v, const double *weight);

static inline double ffi_line_position(const ffi_line *line, const double *q)
{
  double sum = 0;
  if (line->single_q >= 0) // nearly always
    return q[line->single_q];
  for (int k = 0; k < line->count; ++k)
    sum += line->q[k] < 0 ? 0 : line->weight[k] * q[line->q[k]];
  return sum;
}

/// The sum over velocities, accelerations, or displacements: x [nv].
static inline double ffi_line_rate(const ffi_line *line, const double *x)
{
  double sum = 0;
  if (line->single_v >= 0)
    return x[line->single_v];
  for (int k = 0; k < line->count; ++k)
    sum += line->weight[k] * x[line->v[k]];
  return sum;
}

/// The largest that the rate can be, if each x is within +-|x|.
static inline double ffi_line_rate_bound(const ffi_line *line, const double *x)
{
  double sum = 0;
  for (int k = 0; k < line->count; ++k)
    sum += fabs(line->weight[k] * x[line->v[k]]);
  return sum;
}

/// out [nv] += the forces of `force` on the line.
static inline void ffi_line_push(const ffi_line *line, double force, double *out)
{
  for (int k = 0; k < line->count; ++k)
    out[line->v[k]] += line->weight[k] * force;
}

/// The deepest velocity of two lines; -1 if both are empty.
int ffi_line_deepest(const ff_model *model, const ffi_line *a, const ffi_line *b);

/// Do the velocities of both lie on the path from the root to the deepest of them?
int ffi_line_are_on_path(const ff_model *model, const ffi_line *a, const ffi_line *b);

/// The velocities of both, in increasing order; returns how many. out [a->count + b->count]
int ffi_line_merge(const ffi_line *a, const ffi_line *b, int *out);

/// What a line weighs a velocity with; 0: it is not in it.
double ffi_line_weight(const ffi_line *line, int v);

/// The velocities of both with all before them in the tree, in increasing order; returns how many, at most nv. mark
/// [nv] is zero before and after.
int ffi_line_reach(const ff_model *model, const ffi_line *a, const ffi_line *b, unsigned char *mark,
                   int *out);

#endif
