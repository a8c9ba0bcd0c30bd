// A failing file is made smaller: pieces are left out as long as the verdict stays, first large ones, then lines and
// bytes.
#include "judge.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { MOST_SECONDS = 20, MOST_TRIES = 400 };

typedef struct search {
  mutate_format format;
  int command;
  judge_verdict verdict;
  time_t end; // when to stop
  int tries;  // left
} search;

static int is_same(const search *s, const bytes *b)
{
  const judge_report report =
      s->command < 0 ? judge_library(s->format, b) : judge_command(s->format, b, s->command);
  return report.verdict == s->verdict;
}

// Leave out each piece of `size` bytes in turn; 1 if any could go.
static int leave_out(search *s, bytes *b, size_t size)
{
  int is_smaller = 0;
  for (size_t at = 0; at < b->count && time(NULL) < s->end && s->tries > 0;) {
    const size_t length = size < b->count - at ? size : b->count - at;
    bytes less = bytes_of(b->at, b->count);
    bytes_replace(&less, at, length, "", 0);
    --s->tries;
    if (is_same(s, &less)) {
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
  search s = {format, command, verdict, time(NULL) + MOST_SECONDS, MOST_TRIES};
  size_t size = b->count / 2;
  while (size > 0 && s.tries > 0 && time(NULL) < s.end)
    if (!leave_out(&s, b, size) || size > b->count)
      size /= 2;
}
