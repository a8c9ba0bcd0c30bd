// footfall help vary: the fields that can differ from run to run of a batch.
#include "cli/options/help.h"
#include "cli/text/text.h"

#include <footfall/scene/scene_batch.h>

#include <string.h>

enum { INDENT = 24 };

static const char introduction[] =
    "With 'footfall run SCENE --batch N' each run draws its own numbers: --vary FIELD=LO..HI is uniform between two "
    "bounds, FIELD=a,b,c one of a list, and FIELD=W is up to W to both sides of what the scene says, as in 'vary' of "
    "pushes. Numbers may have units; a unit at the end holds for all. Pushes with 'vary' in the scene vary in every "
    "run. What is drawn replaces what the scene says (set), is a factor of it (times), or is added to it (add).";

void ffi_help_vary(FILE *out)
{
  static const char *const hows[] = {
      [FF_SCENE_VARY_SETS] = "set", [FF_SCENE_VARY_SCALES] = "times", [FF_SCENE_VARY_ADDS] = "add"};
  ff_scene_variable v;
  fputs("What can differ from run to run\n\n", out);
  ffi_text_wrap_at(introduction, 0, 0, FFI_HELP_WIDTH, out);
  fputc('\n', out);
  for (int i = 0; ff_scene_variable_at(i, &v); ++i) {
    char text[256];
    snprintf(text, sizeof text, "%s%s%s: %s", hows[v.how], *v.unit ? ", " : "", v.unit, v.meaning);
    fprintf(out, "  %s%*s", v.name, INDENT - 2 - (int)strlen(v.name), "");
    ffi_text_wrap_at(text, INDENT, INDENT, FFI_HELP_WIDTH, out);
  }
}
