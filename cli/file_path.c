// Name and folder of a file.
#include "cli/file_path.h"

#include "cli/memory.h"

#include <string.h>

const char *ffi_file_path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *ffi_file_path_folder(const char *path)
{
  const size_t length = (size_t)(ffi_file_path_name(path) - path);
  char *folder = ffi_memory_need(NULL, length + 2);
  memcpy(folder, path, length);
  memcpy(folder + length, ".", 2);
  return folder;
}
