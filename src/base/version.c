// Which library was linked.
#include <footfall/version.h>

const char *ff_version(void)
{
  return FF_VERSION;
}
