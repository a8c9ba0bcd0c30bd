// The places where shipped models and scenes are looked for.
#include "common/shipped_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef BENCH_SOURCE
#define BENCH_SOURCE "."
#endif
#ifndef BENCH_BINARY
#define BENCH_BINARY "build"
#endif

typedef struct bench_shipped_file_path {
  char *text;
  size_t size;
} bench_shipped_file_path;

static int try_folder(const char *front, const char *folder, const char *file, char *path, size_t size)
{
  const int length = snprintf(path, size, "%s%s/%s", front, folder, file);
  return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

// In the folder `room` of one of the places near this program.
static int find_near(const char *const *near, int count, const char *room, const char *file,
                     bench_shipped_file_path *path)
{
  char self[1024], front[1200];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    return 0;
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  if (slash)
    slash[1] = '\0';
  for (int k = 0; slash && k < count; ++k) {
    snprintf(front, sizeof front, "%s%s", self, near[k]);
    if (try_folder(front, room, file, path->text, path->size))
      return 1;
  }
  return 0;
}

// In `folder`, else in the folder `room` of the project or of an installation.
static int find(const char *room, const char *folder, const char *file, char *path, size_t size)
{
  static const char *const near[] = {"../", "../share/footfall/", "../../share/footfall/"};
  bench_shipped_file_path to = {path, size};
  if (folder)
    return try_folder("", folder, file, path, size);
  if (find_near(near, 3, room, file, &to) || try_folder("", room, file, path, size))
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

int bench_shipped_file_peer(const char *file, char *path, size_t size)
{
  static const char *const near[] = {"", "../libexec/footfall/"};
  bench_shipped_file_path to = {path, size};
  return find_near(near, 2, "peers", file, &to) || try_folder(BENCH_BINARY "/", "peers", file, path, size);
}
