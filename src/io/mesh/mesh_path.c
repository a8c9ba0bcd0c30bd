#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // stat
#endif

#include "io/mesh/mesh_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDERS_ABOVE = 4 };

typedef struct search {
  ffi_arena *arena;
  const char *path;   // what to append to a folder
  const char *inside; // the same without its first part (a package's name), or NULL
  char *candidate;    // buffer
  size_t room;
  int is_out_of_memory;
} search;

static int is_file(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// Does folder[0..length)/path exist? If so it is left in s->candidate.
static int try_one(search *s, const char *folder, size_t length, const char *path)
{
  const size_t tail = strlen(path);
  if (!s->candidate || length + tail + 2 > s->room) {
    const size_t room = 2 * (length + tail + 2);
    char *larger = ffi_arena_take(s->arena, room, 1);
    if (!larger) {
      s->is_out_of_memory = 1;
      return 0;
    }
    s->candidate = larger;
    s->room = room;
  }
  char *at = s->candidate;
  memcpy(at, folder, length);
  at += length;
  if (length > 0 && folder[length - 1] != '/')
    *at++ = '/';
  memcpy(at, path, tail + 1);
  for (; *at; ++at)
    *at = *at == '\\' ? '/' : *at;
  return is_file(s->candidate);
}

static int try_folder(search *s, const char *folder, size_t length)
{
  return try_one(s, folder, length, s->path) || (s->inside && try_one(s, folder, length, s->inside));
}

// The folder of the description; for packages also those above it.
static int try_around(search *s, const char *file)
{
  static const char above[] = "../../../../";
  const char *slash = file ? strrchr(file, '/') : NULL;
  const size_t length = slash ? (size_t)(slash - file) + 1 : 0;
  if (try_folder(s, length ? file : "", length))
    return 1;
  if (!s->inside)
    return 0;
  char *folder = ffi_arena_take(s->arena, length + sizeof above, 1);
  if (!folder) {
    s->is_out_of_memory = 1;
    return 0;
  }
  if (length)
    memcpy(folder, file, length);
  memcpy(folder + length, above, sizeof above);
  for (size_t up = 1; up <= FOLDERS_ABOVE; ++up) {
    if (try_folder(s, folder, length + 3 * up))
      return 1;
  }
  return 0;
}

// The folders of a list with colons between them; empty ones are left out.
static int try_list(search *s, const char *list)
{
  while (list && *list) {
    const size_t length = strcspn(list, ":");
    if (length > 0 && try_folder(s, list, length))
      return 1;
    list += length + (list[length] == ':');
  }
  return 0;
}

static int try_everywhere(search *s, const char *file, const char *const *folders)
{
  if (s->path[0] == '/')
    return !s->inside && try_one(s, "", 0, s->path);
  if (try_around(s, file) || try_list(s, getenv("ROS_PACKAGE_PATH")))
    return 1;
  for (; folders && *folders; ++folders) {
    if (try_folder(s, *folders, strlen(*folders)))
      return 1;
  }
  return 0;
}

ff_status ffi_mesh_path_find(ffi_arena *arena, const char *file, const char *const *folders,
                             const char *reference, const char **out)
{
  search s = {.arena = arena, .path = reference};
  const char *scheme = strstr(reference, "://");
  *out = NULL;
  if (scheme) {
    const size_t length = (size_t)(scheme - reference);
    const int is_package =
        (length == 7 && !memcmp(reference, "package", 7)) || (length == 5 && !memcmp(reference, "model", 5));
    if (!is_package && !(length == 4 && !memcmp(reference, "file", 4)))
      return FF_OK;
    s.path = scheme + 3;
    const char *slash = strchr(s.path, '/');
    if (is_package && !slash)
      return FF_OK;
    s.inside = is_package ? slash + 1 : NULL;
  }
  if (s.path[0] && try_everywhere(&s, file, folders))
    *out = s.candidate;
  return s.is_out_of_memory ? FF_ERROR_MEMORY : FF_OK;
}
