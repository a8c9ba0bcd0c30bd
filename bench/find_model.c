#include "find_model.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef BENCH_SOURCE_MODELS
#define BENCH_SOURCE_MODELS "models"
#endif

static int try_folder(const char *front, const char *folder, const char *file, char *path, size_t size)
{
  const int length = snprintf(path, size, "%s%s/%s", front, folder, file);
  return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

int bench_find_model(const char *folder, const char *file, char *path, size_t size)
{
  static const char *const near[] = {"../models", "../share/footfall/models", "../../share/footfall/models"};
  char self[1024];
  if (folder)
    return try_folder("", folder, file, path, size);
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
      slash[1] = '\0';
    for (int k = 0; slash && k < 3; ++k)
      if (try_folder(self, near[k], file, path, size))
        return 1;
  }
  if (try_folder("", "models", file, path, size))
    return 1;
  return try_folder("", BENCH_SOURCE_MODELS, file, path, size);
}
