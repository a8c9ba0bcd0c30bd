// Standard streams at the begin and at the end of a program.
#define _POSIX_C_SOURCE 200809L
#include "cli/program.h"

#include "cli/error_message.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void ffi_program_begin(void)
{
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return; // there is no /dev/null: leave the streams closed
  signal(SIGXFSZ, SIG_IGN);
}

int ffi_program_end(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return status;
  if (status == FFI_EXIT_OK || status == FFI_EXIT_MISSED)
    ffi_error_message("the standard output could not be written");
  return status == FFI_EXIT_OK ? FFI_EXIT_FAILED : status;
}
