// The hardware counter of instructions, by Linux's perf_event_open.
#include "common/instructions.h"

#include <stdlib.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct bench_instructions {
  int file;
};

bench_instructions *bench_instructions_open(void)
{
  struct perf_event_attr what;
  memset(&what, 0, sizeof what);
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.disabled = 1;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  const long file = syscall(SYS_perf_event_open, &what, 0, -1, -1, 0);
  if (file < 0)
    return NULL;
  bench_instructions *counter = malloc(sizeof *counter);
  if (!counter)
    close((int)file);
  else
    counter->file = (int)file;
  return counter;
}

void bench_instructions_close(bench_instructions *counter)
{
  if (counter)
    close(counter->file);
  free(counter);
}

void bench_instructions_start(bench_instructions *counter)
{
  ioctl(counter->file, PERF_EVENT_IOC_RESET, 0);
  ioctl(counter->file, PERF_EVENT_IOC_ENABLE, 0);
}

double bench_instructions_stop(bench_instructions *counter)
{
  uint64_t count = 0;
  ioctl(counter->file, PERF_EVENT_IOC_DISABLE, 0);
  if (read(counter->file, &count, sizeof count) != (long)sizeof count)
    return 0;
  return (double)count;
}

#else

bench_instructions *bench_instructions_open(void)
{
  return NULL;
}
void bench_instructions_close(bench_instructions *counter)
{
  (void)counter;
}
void bench_instructions_start(bench_instructions *counter)
{
  (void)counter;
}
double bench_instructions_stop(bench_instructions *counter)
{
  (void)counter;
  return 0;
}

#endif
