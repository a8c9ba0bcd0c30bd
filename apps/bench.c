// footfall bench, footfall compare: become the program footfall-bench. It is a program of its own because it links what
// the command must not need, such as MuJoCo for comparison.
#define _POSIX_C_SOURCE 200809L
#include "cli/memory.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// The folder of the running program, without a slash at its end. Returns 0 if the system does not tell.
static int own_folder(char folder[PATH_SIZE])
{
  const ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
  if (length <= 0 || length >= PATH_SIZE - 1)
    return 0;
  folder[length] = '\0';
  char *slash = strrchr(folder, '/');
  if (!slash)
    return 0;
  *slash = '\0';
  return 1;
}

// Run footfall-bench with these arguments, and `first` before them unless it is NULL.
static int become_bench(const char *first, int argc, char **argv)
{
  static const char *const places[] = {"/footfall-bench", "/../libexec/footfall/footfall-bench"};
  char folder[PATH_SIZE], path[PATH_SIZE + 64];
  char **arguments = ffi_memory_need(NULL, ((size_t)argc + 3) * sizeof *arguments);
  int known = own_folder(folder), count = 0;
  arguments[count++] = "footfall-bench";
  if (first)
    arguments[count++] = (char *)first;
  for (int i = 0; i < argc; ++i)
    arguments[count++] = argv[i];
  arguments[count] = NULL;
  for (size_t i = 0; known && i < sizeof places / sizeof places[0]; ++i) {
    snprintf(path, sizeof path, "%s%s", folder, places[i]);
    if (access(path, X_OK) == 0)
      execv(path, arguments); // returns only if it failed
  }
  free(arguments);
  if (known)
    ffi_error_message("the program 'footfall-bench' is not in %s; build it with './dev build'", folder);
  else
    ffi_error_message("the program 'footfall-bench' cannot be found: /proc/self/exe cannot be read");
  return FFI_EXIT_FAILED;
}

int ffi_bench_command(int argc, char **argv)
{
  return become_bench(NULL, argc, argv);
}

int ffi_bench_compare_command(int argc, char **argv)
{
  return become_bench("compare", argc, argv);
}
