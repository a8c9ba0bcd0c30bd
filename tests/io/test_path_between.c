// The way from one file's folder to another file, in folders made for it: what is found there, not what is printed.
#define _GNU_SOURCE // mkdtemp, realpath

#include <footfall/files.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folders(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/footfall_path_XXXXXX");
  FILE *file = NULL;
  const int is_made = mkdtemp(folder) && chdir(folder) == 0 && mkdir("a", 0777) == 0 &&
                      mkdir("a/b", 0777) == 0 && mkdir("ab", 0777) == 0 && symlink("a/b", "link") == 0 &&
                      (file = fopen("a/robot", "w"));
  return !(is_made && fclose(file) == 0);
}

static int remove_folders(void **state)
{
  (void)state;
  return remove("a/robot") || remove("link") || remove("a/b") || remove("a") || remove("ab") || rmdir(folder);
}

static void leads(const char *from, const char *to, const char *way)
{
  char *found = ff_path_between(from, to);
  assert_non_null(found);
  assert_string_equal(found, way);
  free(found);
}

static void the_way_is_found(void **state)
{
  (void)state;
  leads("scene", "a/robot", "a/robot");
  leads("a/scene", "a/robot", "robot");
  leads("a/b/scene", "a/robot", "../robot");
  leads("ab/scene", "a/robot", "../a/robot"); // that it begins alike does not make it the same folder
  leads("link/scene", "a/robot", "../robot"); // as the system walks it
  leads("./a/../a/scene", "a/b/../robot", "robot");
  char absolute[128];
  snprintf(absolute, sizeof absolute, "%s/a/robot", folder);
  leads("ab/scene", absolute, "../a/robot");
  leads("/scene", absolute, absolute + 1);
}

static void what_is_not_there_stays(void **state)
{
  (void)state;
  leads("a/scene", "nowhere/robot", "nowhere/robot");
  leads("nowhere/scene", "a/robot", "a/robot");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_way_is_found),
                                     cmocka_unit_test(what_is_not_there_stays)};
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
