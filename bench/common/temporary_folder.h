/// temporary_folder.h: a folder for files of a run, removed with all files in it.
#ifndef BENCH_TEMPORARY_FOLDER_H
#define BENCH_TEMPORARY_FOLDER_H

enum { BENCH_TEMPORARY_FOLDER = 512 }; ///< bytes of its longest path

/// Make a folder in $TMPDIR or /tmp. 0 with errno set if that fails.
int bench_temporary_folder_make(char folder[BENCH_TEMPORARY_FOLDER]);
void bench_temporary_folder_remove(const char *folder);

#endif
