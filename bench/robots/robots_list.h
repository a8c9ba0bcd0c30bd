/// robots_list.h: the robots that `footfall bench robots` measures: description files of some folders.
#ifndef BENCH_ROBOTS_LIST_H
#define BENCH_ROBOTS_LIST_H

typedef struct bench_robots_file {
  char path[1024];
  char name[48]; ///< of the file: "quad.urdf"
} bench_robots_file;

typedef struct bench_robots_list {
  bench_robots_file *files; ///< by name
  int count;
} bench_robots_list;

/// All *.urdf and *.xml of `folder`; NULL: the shipped models, and the robots of the tests where this program was built
/// from source that is still there. 0 with errno set if a folder cannot be read or there is no memory.
int bench_robots_list_make(const char *folder, bench_robots_list *out);
void bench_robots_list_free(bench_robots_list *list);

#endif
