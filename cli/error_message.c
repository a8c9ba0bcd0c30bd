// Prints messages, and looks for files with similar names.
#define _POSIX_C_SOURCE 200809L
#include "cli/error_message.h"

#include "cli/file_path.h"
#include "cli/terminal.h"
#include "cli/text.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char last[2048]; // message; more than an ff_error holds

void ffi_error_message(const char *format, ...)
{
  char *text = last;
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof last, format, list);
  va_end(list);
  ffi_text_sanitize(&(ffi_terminal){.unicode = 1}, text); // file names may hold anything
  fprintf(stderr, "footfall: %s\n", text);
}

const char *ffi_error_message_last(void)
{
  return last[0] ? last : NULL;
}

// An existing file of the same folder whose name is similar, to `out`; 0 if there is none.
static int find_near(const char *path, char *out, size_t size)
{
  const char *name = ffi_file_path_name(path);
  char *folder = ffi_file_path_folder(path), meant[256] = "";
  ff_nearest nearest = {.word = name};
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
  return meant[0] && snprintf(out, size, "%.*s%s", (int)(name - path), path, meant) < (int)size;
}

void ffi_error_message_of_file(const char *path, const ff_error *error)
{
  char near[1024];
  struct stat about;
  if (error->status == FF_ERROR_FILE && *path && stat(path, &about) != 0 && strstr(error->message, path) &&
      find_near(path, near, sizeof near))
    ffi_error_message("%s; did you mean '%s'?", error->message, near);
  else
    ffi_error_message("%s", error->message);
}
