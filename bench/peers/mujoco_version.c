// The version of MuJoCo at run time.
#include "peers/mujoco_version.h"

#ifdef FF_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

const char *bench_mujoco_version(void)
{
#ifdef FF_HAVE_MUJOCO
  return mj_versionString();
#else
  return "";
#endif
}
