/// suggest.h: the known word that a mistyped one may stand for.
#ifndef FFI_CLI_SUGGEST_H
#define FFI_CLI_SUGGEST_H

/// The known word nearest to `word`, NULL if none is near.
const char *ffi_suggest(const char *word, const char *const *known, int count);

#endif
