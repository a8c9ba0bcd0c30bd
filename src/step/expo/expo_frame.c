// The turn of a contact's axes in a substep: that of b, and the shortest that takes the normal along.
#include "step/expo/expo_frame.h"

#include "math/mat3.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"

// A normal that turns over b by more than this cosine in a substep has changed to another face.
static const double turned = 0.99;

// Q = (the shortest turn from m to n) Q
static void turn_along(const double m[3], const double n[3], double Q[9])
{
  double axis[3], K[9], K2[9], R[9], before[9];
  const double cosine = ffi_v3_dot(m, n);
  ffi_v3_cross(m, n, axis);
  ffi_m3_skew(axis, K);
  ffi_m3_mul(K, K, K2);
  for (int k = 0; k < 9; ++k)
    R[k] = (k % 4 == 0) + K[k] + K2[k] / (1 + cosine);
  ffi_m3_copy(Q, before);
  ffi_m3_mul(R, before, Q);
}

// 0: the axes do not turn, and Q is not set.
static int find_turn(const ffi_system *s, const ffi_evaluation *from, const ffi_evaluation *to, int contact,
                     double Q[9])
{
  const ffi_detect_candidate *before = &from->contact[contact].near, *after = &to->contact[contact].near;
  if (before->pair < 0 || after->pair < 0)
    return 0;
  const double *R = ffi_anchor_frame(s, &from->at, before)->R, *S = ffi_anchor_frame(s, &to->at, after)->R;
  const int is_still = ffi_m3_is_equal(R, S);
  if (is_still && ffi_v3_is_equal(before->normal, after->normal))
    return 0;
  double carried[3], transposed[9];
  ffi_m3_transpose(R, transposed);
  if (is_still)
    ffi_m3_identity(Q);
  else
    ffi_m3_mul(S, transposed, Q);
  ffi_m3_mulv(Q, before->normal, carried);
  if (ffi_v3_dot(carried, after->normal) > turned)
    turn_along(carried, after->normal, Q);
  else if (is_still)
    return 0;
  return 1;
}

void ffi_expo_frame_forward(const ffi_system *s, const ffi_evaluation *from, const ffi_evaluation *to,
                            int contact, double x[3])
{
  double Q[9], y[3];
  if (!find_turn(s, from, to, contact, Q))
    return;
  ffi_m3_mulv(Q, x, y);
  ffi_v3_copy(y, x);
}

void ffi_expo_frame_back(const ffi_system *s, const ffi_evaluation *from, const ffi_evaluation *to,
                         int contact, double x[3])
{
  double Q[9], y[3];
  if (!find_turn(s, from, to, contact, Q))
    return;
  ffi_m3_tmulv(Q, x, y);
  ffi_v3_copy(y, x);
}
