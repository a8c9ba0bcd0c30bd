// A failing file is made smaller: pieces are left out as long as the verdict stays, first large ones, then lines and
// bytes.
#include "judge.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { MOST_SECONDS = 20, MOST_TRIES = 400 };

static int is_same(mutate_format format, int command, judge_verdict verdict, const bytes *b)
{
  const judge_report report = command < 0 ? judge_library(format, b) : judge_command(format, b, command);
  return report.verdict == verdict;
}

// Leave out each piece of `size` bytes in turn; 1 if any could go.
static int leave_out(mutate_format format, int command, judge_verdict verdict, bytes *b, size_t size,
                     time_t end, int *tries)
{
  int is_smaller = 0;
  for (size_t at = 0; at < b->count && time(NULL) < end && *tries > 0;) {
    const size_t length = size < b->count - at ? size : b->count - at;
    bytes less = bytes_of(b->at, b->count);
    bytes_replace(&less, at, length, "", 0);
    --*tries;
    if (is_same(format, command, verdict, &less)) {
      bytes_free(b);
      *b = less;
      is_smaller = 1;
    } else {
      bytes_free(&less);
      at += length;
    }
  }
  return is_smaller;
}

void judge_shrink(mutate_format format, int command, judge_verdict verdict, bytes *b)
{
  const time_t end = time(NULL) + MOST_SECONDS;
  int tries = MOST_TRIES;
  size_t size = b->count / 2;
  while (size > 0 && tries > 0 && time(NULL) < end)
    if (!leave_out(format, command, verdict, b, size, end, &tries) || size > b->count)
      size /= 2;
}
