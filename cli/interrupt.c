// Signal handlers.
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"

#include "cli/error_message.h"
#include "cli/progress.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t noted;
static struct timespec when; // of the first signal; written before `noted` is

static const double same_signal = 0.5; // [s]

static void note(int number)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!noted) {
    when = now;
    noted = number;
  } else if ((double)(now.tv_sec - when.tv_sec) + 1e-9 * (double)(now.tv_nsec - when.tv_nsec) > same_signal) {
    ffi_progress_erase();
    signal(number, SIG_DFL);
    raise(number);
  }
}

static void end(int number)
{
  ffi_progress_erase();
  _exit(128 + number);
}

static void handle(void (*handler)(int))
{
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) // nohup keeps its effect
    sigaction(SIGHUP, &action, NULL);
}

void ffi_interrupt_catch(void)
{
  handle(note);
}

void ffi_interrupt_exit_at_once(void)
{
  handle(end);
}

int ffi_interrupt_report(void)
{
  ffi_error_message("interrupted; nothing was written");
  return 128 + (int)noted;
}

int ffi_interrupt_signal(void)
{
  return (int)noted;
}
