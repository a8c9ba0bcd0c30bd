// Reads folders.
#include "robots/robots_list.h"

#include "common/shipped_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BENCH_SOURCE
#define BENCH_SOURCE "."
#endif

static int is_robot(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".urdf") == 0 || strcmp(dot, ".xml") == 0);
}

static int add(bench_robots_list *list, const char *folder, const char *name)
{
  bench_robots_file *more = realloc(list->files, (size_t)(list->count + 1) * sizeof *more);
  if (!more)
    return 0;
  list->files = more;
  bench_robots_file *file = &more[list->count++];
  snprintf(file->name, sizeof file->name, "%.47s", name);
  return snprintf(file->path, sizeof file->path, "%s/%s", folder, name) < (int)sizeof file->path;
}

static int add_folder(bench_robots_list *list, const char *folder)
{
  DIR *all = opendir(folder);
  int is_read = all != NULL;
  for (struct dirent *one = NULL; is_read && (one = readdir(all));)
    if (is_robot(one->d_name))
      is_read = add(list, folder, one->d_name);
  if (all)
    closedir(all);
  return is_read;
}

static int compare(const void *a, const void *b)
{
  const bench_robots_file *x = a, *y = b;
  return strcmp(x->name, y->name);
}

int bench_robots_list_make(const char *folder, bench_robots_list *out)
{
  char path[1024];
  int is_made;
  *out = (bench_robots_list){0};
  errno = ENOMEM;
  if (folder)
    is_made = add_folder(out, folder);
  else {
    bench_shipped_file_model(NULL, "solo12.urdf", path, sizeof path);
    *strrchr(path, '/') = '\0';
    is_made = add_folder(out, path);
    if (is_made)
      add_folder(out, BENCH_SOURCE "/tests/new_user/robots");
  }
  if (is_made)
    qsort(out->files, (size_t)out->count, sizeof *out->files, compare);
  else
    bench_robots_list_free(out);
  return is_made;
}

void bench_robots_list_free(bench_robots_list *list)
{
  free(list->files);
  *list = (bench_robots_list){0};
}
