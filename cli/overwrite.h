/// overwrite.h: which files an output may replace: not its own input, and others only with --force.
#ifndef FFI_CLI_OVERWRITE_H
#define FFI_CLI_OVERWRITE_H

/// Do two paths lead to the same file? If neither file exists: would they?
int ffi_overwrite_is_same_file(const char *one, const char *other);

/// Is `path` another file than `file`, the "model", "scene" or "trajectory" (`kind`) that the output is made from?
/// 0 after an error message, which calls the output `output`: "the log". 1 if `path` or `file` is NULL, or `path` is
/// "-", stdout.
int ffi_overwrite_spares_file(const char *path, const char *kind, const char *file, const char *output);
int ffi_overwrite_spares_model(const char *path, const char *model, const char *output);

/// May a file be written to `path`? Over an existing file only if `is_forced`. 0 after an error message.
int ffi_overwrite_is_allowed(const char *path, int is_forced);

#endif
