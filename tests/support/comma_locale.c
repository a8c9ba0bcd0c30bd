// Makes the locale with localedef and switches to it.
#define _XOPEN_SOURCE 700
#include "support/comma_locale.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/footfall-locale-XXXXXX";

// A locale of nothing but a comma; localedef warns of all that is missing, and -c makes it go on.
static const char make[] = "cd '%s' && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\n"
                           "grouping -1\\nEND LC_NUMERIC\\n' >source && "
                           "localedef -c -i ./source -f ANSI_X3.4-1968 ./comma >log 2>&1; test -d comma";

int ffi_comma_locale_begin(void)
{
  char line[600];
  snprintf(folder, sizeof folder, "/tmp/footfall-locale-XXXXXX");
  if (!mkdtemp(folder))
    return 0;
  snprintf(line, sizeof line, make, folder);
  const int is_made = system(line) == 0;
  setenv("LOCPATH", folder, 1);
  const int is_set = is_made && setlocale(LC_NUMERIC, "comma") && localeconv()->decimal_point[0] == ',';
  snprintf(line, sizeof line, "rm -r '%s'", folder);
  return system(line) == 0 && is_set; // it is in memory by now
}

void ffi_comma_locale_end(void)
{
  setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
}
