/// judge.h: a file is read in a process of its own, and what comes of it is judged.
///
/// Good is: it is read, or it is refused with a message of one line that names the file and, of a text, the line; in
/// 0.5 s and a second for each MB of processor time, with 64 MB and fifty times the file of memory. Under sanitizers it
/// may take JUDGE_SLOWER times as long. Memory that is reserved and never touched is not counted, see heap.h.
#ifndef FFI_TESTS_JUDGE_H
#define FFI_TESTS_JUDGE_H

#include "mutate.h"

typedef enum judge_verdict {
  JUDGE_LOADED,  ///< read, and a few steps taken
  JUDGE_REFUSED, ///< with a good message
  JUDGE_MUTE,    ///< refused, but the message lacks its file or line, or is not one line of text
  JUDGE_SLOW,
  JUDGE_LARGE, ///< took too much memory
  JUDGE_CRASH, ///< or a sanitizer's report, or a leak
  JUDGE_VERDICTS,
} judge_verdict;

#if defined(__SANITIZE_ADDRESS__)
enum { JUDGE_SLOWER = 10 }; ///< -O1 without inlining, checked: 3 to 8 times, measured on shipped files
#else
enum { JUDGE_SLOWER = 1 };
#endif

typedef struct judge_report {
  judge_verdict verdict;
  double seconds;   ///< of the processor, for reading
  size_t peak;      ///< bytes
  char words[1200]; ///< the message, or what went wrong
} judge_report;

/// Make the folder that cases are written to; 0: it cannot be made. Remove it in the end.
int judge_open(void);
void judge_close(void);
const char *judge_path(mutate_format format); ///< of the case, in that folder

/// Write the file and read it with the library; with `command`, which is its number, by the program footfall too.
judge_report judge_library(mutate_format format, const bytes *b);
judge_report judge_command(mutate_format format, const bytes *b, int command);

/// Make a failing file smaller as long as the verdict stays; for some seconds. `command` < 0: the library.
void judge_shrink(mutate_format format, int command, judge_verdict verdict, bytes *b);

/// The work of the process that reads: see readers.c. Returns 1 if it was loaded, 0 with `words`.
typedef struct readers_result {
  int is_loaded, status, line;
  char file[260], message[800];
} readers_result;

void readers_load(mutate_format format, const char *path, readers_result *out);
void readers_use(void); ///< what was loaded last: steps, rows
void readers_free(void);

#endif
