// Makes and removes temporary folders.
#define _XOPEN_SOURCE 700 // mkdtemp
#include "common/temporary_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int bench_temporary_folder_make(char folder[BENCH_TEMPORARY_FOLDER])
{
  const char *place = getenv("TMPDIR");
  const int length =
      snprintf(folder, BENCH_TEMPORARY_FOLDER, "%s/footfall-bench-XXXXXX", place && *place ? place : "/tmp");
  return length < BENCH_TEMPORARY_FOLDER && mkdtemp(folder);
}

void bench_temporary_folder_remove(const char *folder)
{
  DIR *all = opendir(folder);
  for (struct dirent *one = NULL; all && (one = readdir(all));) {
    char path[BENCH_TEMPORARY_FOLDER + sizeof one->d_name + 1];
    snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
    unlink(path); // fails on "." and "..", as it should
  }
  if (all)
    closedir(all);
  rmdir(folder);
}
