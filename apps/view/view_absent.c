// In place of the viewer's own text, in a build without Node.js; CMakeLists.txt chooses.
#include "view/view.h"

const char *ffi_view_text(size_t *length)
{
  *length = 0;
  return NULL;
}
