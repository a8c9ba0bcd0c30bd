/// complete.h: what may come next on a command line, for shells.
#ifndef FFI_APPS_COMPLETE_H
#define FFI_APPS_COMPLETE_H

#include <stdio.h>

/// `words` [count] are those after "footfall", the last of them begun or empty. Prints candidates, a line each, a tab
/// and what it is behind some; and a line ":files ENDINGS" or ":folders" if files or folders are. Those who begin
/// otherwise are left out.
void ffi_completion_words(int count, char **words, FILE *out);

#endif
