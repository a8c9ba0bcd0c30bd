// The warnings of a model that are about its motion.
#include "cli/warn_model.h"

#include "cli/error_message.h"

#include <string.h>

enum { MOST = 6 };

// What is left out or made up and changes the motion; the other warnings are about the robot as it is, or do no harm.
static int is_about_motion(const char *warning)
{
  const char *ignored = strstr(warning, ": ignored ");
  if (ignored)
    return strncmp(ignored, ": ignored settings of a simulator", 33) != 0 &&
           strncmp(ignored, ": ignored without effect", 24) != 0;
  static const char *const parts[] = {"touches nothing", "touch nothing", "moving links without mass",
                                      "the mass matrix is singular", "is left out"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
    if (strstr(warning, parts[i]))
      return 1;
  return 0;
}

void ffi_warn_model(const ff_model *model, const char *path)
{
  const int count = ff_model_get_size(model).warnings;
  int shown = 0, more = 0;
  for (int i = 0; i < count; ++i) {
    const char *warning = ff_model_warning(model, i);
    if (!is_about_motion(warning))
      continue;
    if (shown == MOST) {
      ++more;
      continue;
    }
    ffi_error_message("%s", warning);
    ++shown;
  }
  if (more && path)
    ffi_error_message("%d more warnings: 'footfall info %s' lists them", more, path);
  else if (more)
    ffi_error_message("%d more warnings of the model", more);
}
