// Sizes of a joint by its type.
#include "model/joint_type.h"

int ffi_joint_type_nq(ff_joint_type type)
{
  switch (type) {
  case FF_JOINT_FIXED: return 0;
  case FF_JOINT_FREE: return 7;
  case FF_JOINT_PLANAR: return 3;
  case FF_JOINT_SPHERICAL: return 4;
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS:
  case FF_JOINT_PRISMATIC: return 1;
  }
  return -1;
}

int ffi_joint_type_nv(ff_joint_type type)
{
  int nq = ffi_joint_type_nq(type);
  return type == FF_JOINT_FREE || type == FF_JOINT_SPHERICAL ? nq - 1 : nq;
}

int ffi_joint_type_has_axis(ff_joint_type type)
{
  return ffi_joint_type_nq(type) == 1 || type == FF_JOINT_PLANAR;
}
