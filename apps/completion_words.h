/// completion_words.h: what may come next on a command line, for completion in shells.
#ifndef FFI_APPS_COMPLETION_WORDS_H
#define FFI_APPS_COMPLETION_WORDS_H

#include <stdio.h>

/// `words` [count]: those after "footfall"; the last is incomplete or empty. Prints the candidates that begin with it,
/// one per line, some with a tab and a description behind it; and ":files ENDINGS" or ":folders" where these are
/// candidates.
void ffi_completion_words(int count, char **words, FILE *out);

#endif
