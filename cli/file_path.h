/// file_path.h: the parts of a file's path.
#ifndef FFI_CLI_FILE_PATH_H
#define FFI_CLI_FILE_PATH_H

const char *ffi_file_path_name(const char *path); ///< what follows the last slash

/// The folder of a file, with "." behind it: "a/." of "a/b", "." of "b". The caller frees it.
char *ffi_file_path_folder(const char *path);

#endif
