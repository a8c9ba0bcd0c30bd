// Tangents of a contact by one step of Gram-Schmidt.
#include "contact/law/contact_frame.h"

#include "math/vec3.h"

#include <math.h>

void ffi_contact_frame_tangents(const double n[3], double t1[3], double t2[3])
{
  const int axis = fabs(n[0]) < 0.9 ? 0 : 1;
  for (int i = 0; i < 3; ++i)
    t1[i] = (i == axis) - n[axis] * n[i];
  ffi_v3_scale(1 / ffi_v3_norm(t1), t1, t1);
  ffi_v3_cross(n, t1, t2);
}
