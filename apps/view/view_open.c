// Show a file with whatever the desktop opens such files with.
#define _XOPEN_SOURCE 700
#include "view/view.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// In the child: become the opener, silently, and in a group of its own, so that Ctrl-C is not meant for the browser. Never returns.
static void become_opener(const char *path)
{
#ifdef __APPLE__
  static const char program[] = "open";
#else
  static const char program[] = "xdg-open";
#endif
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    if (nothing > STDERR_FILENO)
      close(nothing);
  }
  setsid();
  signal(SIGPIPE, SIG_DFL);
  execlp(program, program, path, (char *)NULL);
  _exit(127);
}

// Where no browser runs yet the opener may become one, and go on until that is closed: who has not failed by then shows it.
static int has_shown(pid_t opener, int patience)
{
  enum { PAUSE = 20 }; // [ms]
  static const struct timespec pause = {.tv_nsec = PAUSE * 1000000};
  for (int waited = 0; waited < patience; waited += PAUSE) {
    int status;
    const pid_t ended = waitpid(opener, &status, WNOHANG);
    if (ended != 0)
      return ended == opener && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    nanosleep(&pause, NULL);
  }
  return 1;
}

int ffi_view_open(const char *path, int patience)
{
  char below[4200];
#ifndef __APPLE__
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
    return 0;
#endif
  snprintf(below, sizeof below, "%s%s", *path == '-' ? "./" : "", path); // not an option
  const pid_t child = fork();
  if (child == 0)
    become_opener(below);
  return child > 0 && has_shown(child, patience);
}
