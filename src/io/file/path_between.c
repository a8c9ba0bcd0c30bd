// The path from one file's folder to another file.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // realpath
#endif

#include <footfall/files.h>

#include <stdlib.h>
#include <string.h>

// The folder of a file that need not be there yet, without links; NULL if there is no such folder, or no memory.
static char *folder_of(const char *file, int *is_short)
{
  const char *slash = strrchr(file, '/');
  const size_t length = slash ? (size_t)(slash - file) + 1 : 0;
  char *name = malloc(length + 2);
  *is_short = !name;
  if (!name)
    return NULL;
  memcpy(name, file, length);
  memcpy(name + length, ".", 2);
  char *found = realpath(name, NULL);
  free(name);
  return found;
}

// How long the folders are that two absolute paths begin with, with their last slash.
static size_t common_length(const char *folder, const char *path)
{
  size_t common = 0;
  for (size_t i = 0;; ++i) {
    const int folder_ends = folder[i] == '/' || !folder[i];
    if (folder_ends && path[i] == '/')
      common = i + 1;
    if (!folder[i] || folder[i] != path[i])
      return common;
  }
}

// "../" for every folder that is left behind, then the rest of the way.
static char *way(const char *folder, const char *path)
{
  const size_t common = common_length(folder, path), length = strlen(folder);
  size_t ups = 0;
  for (size_t i = common; i < length; ++i)
    ups += i == common || folder[i] == '/';
  char *out = malloc(3 * ups + strlen(path + common) + 1), *at = out;
  if (!out)
    return NULL;
  for (size_t i = 0; i < ups; ++i, at += 3)
    memcpy(at, "../", 3);
  strcpy(at, path + common);
  return out;
}

char *ff_path_between(const char *from, const char *to)
{
  int is_short = 0;
  char *folder = from && to ? folder_of(from, &is_short) : NULL, *path = folder ? realpath(to, NULL) : NULL;
  if (is_short)
    return NULL;
  if (path && strcmp(folder, "/") == 0)
    folder[0] = '\0'; // a slash begins what is left
  char *out = path ? way(folder, path) : strdup(to ? to : "");
  free(folder);
  free(path);
  return out;
}
