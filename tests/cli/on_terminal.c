#define _XOPEN_SOURCE 700
#include "on_terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int ffi_run_on_terminal(int stream, const char *const *arguments, char *out, size_t size)
{
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0)
    skip(); // a container without pseudo-terminals
  assert_int_equal(grantpt(master), 0);
  assert_int_equal(unlockpt(master), 0);
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  assert_true(slave >= 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(slave, stream);
    close(master);
    close(slave);
    execvp(arguments[0], (char *const *)arguments);
    _exit(127);
  }
  close(slave);
  size_t used = 0;
  for (ssize_t got; used + 1 < size && (got = read(master, out + used, size - used - 1)) > 0;)
    used += (size_t)got; // ends with an error once the other side is closed
  out[used] = '\0';
  close(master);
  int ended = 0;
  assert_int_equal(waitpid(child, &ended, 0), child);
  assert_true(WIFEXITED(ended));
  return WEXITSTATUS(ended);
}
