// The processor's name as the system tells it, and today's date. The commit is in a file that the build writes.
#define _POSIX_C_SOURCE 200809L
#include "common/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined __x86_64__
static const char architecture[] = "x86-64";
#elif defined __aarch64__
static const char architecture[] = "arm64";
#else
static const char architecture[] = "unknown machine";
#endif

void bench_machine_name(char *name, size_t size)
{
  char line[256];
  snprintf(name, size, "%s", architecture);
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    const char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !value)
      continue;
    value += 1 + strspn(value + 1, " ");
    line[strcspn(line, "\n")] = '\0';
    snprintf(name, size, "%s", value);
    break;
  }
  if (file)
    fclose(file);
}

void bench_machine_date(char *date, size_t size)
{
  const time_t now = time(NULL);
  struct tm day;
  date[0] = '\0';
  if (localtime_r(&now, &day))
    strftime(date, size, "%Y-%m-%d", &day);
}
