// The places where shipped models and scenes are looked for.
#include "common/shipped_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef BENCH_SOURCE
#define BENCH_SOURCE "."
#endif

static int try_folder(const char *front, const char *folder, const char *file, char *path, size_t size)
{
  const int length = snprintf(path, size, "%s%s/%s", front, folder, file);
  return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

// In `folder`, else in the folder `room` of the project or of an installation.
static int find(const char *room, const char *folder, const char *file, char *path, size_t size)
{
  static const char *const near[] = {"../", "../share/footfall/", "../../share/footfall/"};
  char self[1024], front[1200];
  if (folder)
    return try_folder("", folder, file, path, size);
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
      slash[1] = '\0';
    for (int k = 0; slash && k < 3; ++k) {
      snprintf(front, sizeof front, "%s%s", self, near[k]);
      if (try_folder(front, room, file, path, size))
        return 1;
    }
  }
  if (try_folder("", room, file, path, size))
    return 1;
  return try_folder(BENCH_SOURCE "/", room, file, path, size);
}

int bench_shipped_file_model(const char *folder, const char *file, char *path, size_t size)
{
  return find("models", folder, file, path, size);
}

int bench_shipped_file_scene(const char *folder, const char *file, char *path, size_t size)
{
  return find("scenes", folder, file, path, size);
}
