#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"

#include "cli/complain.h"
#include "cli/progress.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static struct timespec when; // of the first; written before `got` is

static const double one_wish = 0.5; // [s]

static void take(int number)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!got) {
    when = now;
    got = number;
  } else if ((double)(now.tv_sec - when.tv_sec) + 1e-9 * (double)(now.tv_nsec - when.tv_nsec) > one_wish) {
    ffi_progress_wipe();
    signal(number, SIG_DFL);
    raise(number);
  }
}

static void end(int number)
{
  ffi_progress_wipe();
  _exit(128 + number);
}

static void handle(void (*handler)(int))
{
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) // nohup stays what it is
    sigaction(SIGHUP, &action, NULL);
}

void ffi_interrupt_watch(void)
{
  handle(take);
}

void ffi_interrupt_end(void)
{
  handle(end);
}

int ffi_interrupt_tell(void)
{
  ffi_complain("interrupted; nothing was written");
  return 128 + (int)got;
}

int ffi_interrupt_got(void)
{
  return (int)got;
}
