#define _DEFAULT_SOURCE // struct winsize
#include "cli/progress.h"

#include "cli/terminal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double first_after = 0.5, then_every = 0.2; // [s]

enum { MOST_COLUMNS = 200, LEAST_BAR = 6, MOST_BAR = 40 };

static volatile sig_atomic_t is_there; // a line, for a handler that takes it away

double ffi_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Columns of the terminal, as it is now; it may have been made wider.
static int columns(void)
{
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
}

static void write_left(char *out, size_t size, double seconds)
{
  if (!(seconds < 86400))
    snprintf(out, size, "more than a day left");
  else if (seconds < 90)
    snprintf(out, size, "%.0f s left", ceil(seconds));
  else if (seconds < 5400)
    snprintf(out, size, "%.0f min left", ceil(seconds / 60));
  else
    snprintf(out, size, "%.1f h left", seconds / 3600);
}

// "[####....]  42 %  3 s left  what", cut where the terminal ends, which would begin a line that nobody takes away.
static void draw(double share, double seconds, const char *what)
{
  char left[32], words[256], bar[MOST_BAR + 1];
  const int width = columns() - 1;
  write_left(left, sizeof left, seconds);
  snprintf(words, sizeof words, " %3.0f %%  %s%s%s", 100 * share, left, *what ? "  " : "", what);
  int cells = width - 2 - ffi_text_width(words);
  cells = cells > MOST_BAR ? MOST_BAR : cells;
  if (cells < LEAST_BAR)
    cells = width > 40 ? LEAST_BAR : 0;
  for (int i = 0; i < cells; ++i)
    bar[i] = i < (int)(share * cells) ? '#' : '.';
  bar[cells] = '\0';
  const int room = cells ? width - 2 - cells : width;
  const size_t bytes = room > 0 ? ffi_text_bytes(words, room) : 0;
  is_there = 1;
  fprintf(stderr, "\r%s%s%s%.*s\033[K", cells ? "[" : "", bar, cells ? "]" : "", (int)bytes, words);
  fflush(stderr);
}

void ffi_progress_begin(ffi_progress *p, int is_wanted)
{
  *p = (ffi_progress){.is_shown = is_wanted && isatty(STDERR_FILENO), .start = ffi_seconds()};
  p->last = p->start + first_after - then_every;
}

int ffi_progress_is_due(const ffi_progress *p, double now)
{
  return p->is_shown && now - p->last >= then_every;
}

void ffi_progress_show(ffi_progress *p, double share, const char *what)
{
  const double now = ffi_seconds();
  if (!ffi_progress_is_due(p, now) || !(share > 0))
    return;
  p->last = now;
  draw(fmin(1, share), (now - p->start) * fmax(0, 1 - share) / share, what);
}

void ffi_progress_end(ffi_progress *p)
{
  if (p->is_shown)
    ffi_progress_wipe();
  p->is_shown = 0;
}

void ffi_progress_wipe(void)
{
  static const char wipe[] = "\r\033[K";
  if (is_there && write(STDERR_FILENO, wipe, sizeof wipe - 1) < 0)
    return; // there is nothing to be done
  is_there = 0;
}
