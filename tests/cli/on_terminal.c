// on_terminal.c: opens a pseudo-terminal, starts the program on it and collects what it writes.
#define _DEFAULT_SOURCE // struct winsize
#define _XOPEN_SOURCE 700
#include "cli/on_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int run(int stream, int columns, const char *until, const char *const *arguments, char *out,
               size_t size)
{
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0)
    skip(); // a container without pseudo-terminals
  assert_int_equal(grantpt(master), 0);
  assert_int_equal(unlockpt(master), 0);
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  assert_true(slave >= 0);
  const struct winsize wide = {.ws_row = 24, .ws_col = (unsigned short)columns};
  assert_int_equal(ioctl(slave, TIOCSWINSZ, &wide), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(slave, stream);
    close(master);
    close(slave);
    execvp(arguments[0], (char *const *)arguments);
    _exit(127);
  }
  // our end of the terminal stays open until the program is gone and all is read: closing the last one may lose what
  // was written just before
  size_t used = 0;
  int ended = 0, is_gone = 0;
  for (;;) {
    struct pollfd ready = {.fd = master, .events = POLLIN};
    if (used + 1 < size && poll(&ready, 1, 50) > 0) {
      const ssize_t got = read(master, out + used, size - used - 1);
      used += got > 0 ? (size_t)got : 0;
      out[used] = '\0';
      if (until && strstr(out, until)) {
        kill(child, SIGINT);
        until = NULL;
      }
    } else if (is_gone) {
      break;
    } else {
      is_gone = waitpid(child, &ended, WNOHANG) == child;
    }
  }
  out[used] = '\0';
  close(slave);
  close(master);
  assert_true(WIFEXITED(ended));
  return WEXITSTATUS(ended);
}

int ffi_run_on_terminal(int stream, const char *const *arguments, char *out, size_t size)
{
  return run(stream, 80, NULL, arguments, out, size);
}

int ffi_run_on_wide_terminal(int columns, const char *until, const char *const *arguments, char *out,
                             size_t size)
{
  return run(STDERR_FILENO, columns, until, arguments, out, size);
}
