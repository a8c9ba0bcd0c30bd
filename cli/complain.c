#define _POSIX_C_SOURCE 200809L
#include "cli/complain.h"

#include "cli/terminal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char last[2048]; // complaint; more than an ff_error holds

void ffi_complain(const char *format, ...)
{
  char *text = last;
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof last, format, list);
  va_end(list);
  ffi_text_tame(&(ffi_terminal){.unicode = 1}, text); // file names may hold anything
  fprintf(stderr, "footfall: %s\n", text);
}

const char *ffi_complained(void)
{
  return last[0] ? last : NULL;
}

static const char *last_part(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// A file of this kind of name that is there, in the same folder, to `out`; 0 if none is near.
static int find_near(const char *path, char *out, size_t size)
{
  const size_t length = (size_t)(last_part(path) - path);
  char *folder = ffi_need_memory(NULL, length + 2), meant[256] = "";
  memcpy(folder, path, length);
  memcpy(folder + length, ".", 2); // "" and "a/" alike
  ff_nearest nearest = {.word = last_part(path)};
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    const char *before = nearest.meant;
    if (entry->d_name[0] != '.')
      ff_nearest_try(&nearest, entry->d_name);
    if (nearest.meant != before) { // the name is gone with the next entry
      snprintf(meant, sizeof meant, "%s", entry->d_name);
      nearest.meant = meant;
    }
  }
  if (open)
    closedir(open);
  free(folder);
  return meant[0] && snprintf(out, size, "%.*s%s", (int)length, path, meant) < (int)size;
}

void ffi_complain_of_file(const char *path, const ff_error *error)
{
  char near[1024];
  struct stat about;
  if (error->status == FF_ERROR_FILE && *path && stat(path, &about) != 0 && strstr(error->message, path) &&
      find_near(path, near, sizeof near))
    ffi_complain("%s; did you mean '%s'?", error->message, near);
  else
    ffi_complain("%s", error->message);
}

void *ffi_need_memory(void *old, size_t size)
{
  void *memory = realloc(old, size ? size : 1);
  if (!memory) {
    ffi_complain("out of memory");
    exit(FFI_EXIT_FAILED);
  }
  return memory;
}

void ffi_begin(void)
{
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return; // no /dev/null: as it was
  signal(SIGXFSZ, SIG_IGN);
}

int ffi_finish(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  if (status == FFI_EXIT_OK || status == FFI_EXIT_MISSED)
    ffi_complain("the output could not be written");
  return status == FFI_EXIT_OK ? FFI_EXIT_FAILED : status;
}

static int stat_folder(const char *path, struct stat *out)
{
  const size_t length = (size_t)(last_part(path) - path);
  char *folder = ffi_need_memory(NULL, length + 2);
  memcpy(folder, path, length);
  memcpy(folder + length, ".", 2); // "" and "a/" alike
  const int is_there = stat(folder, out) == 0;
  free(folder);
  return is_there;
}

int ffi_is_same_file(const char *one, const char *other)
{
  struct stat a, b;
  const int is_there = stat(one, &a) == 0;
  if (is_there != (stat(other, &b) == 0))
    return 0;
  if (!is_there &&
      (strcmp(last_part(one), last_part(other)) != 0 || !stat_folder(one, &a) || !stat_folder(other, &b)))
    return strcmp(one, other) == 0;
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int ffi_spare_file(const char *path, const char *kind, const char *file, const char *output)
{
  if (!path || !file || strcmp(path, "-") == 0 || !ffi_is_same_file(path, file))
    return 1;
  ffi_complain("%s: is the %s; %s would replace it", path, kind, output);
  return 0;
}

int ffi_spare_model(const char *path, const char *model, const char *output)
{
  return ffi_spare_file(path, "model", model, output);
}
