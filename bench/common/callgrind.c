// Runs this program again under valgrind's callgrind and reads the instruction counts of its sweeps.
#define _POSIX_C_SOURCE 200809L
#include "common/callgrind.h"

#include "common/temporary_folder.h"

#include <footfall/dynamics.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER = BENCH_TEMPORARY_FOLDER, PATH = FOLDER + 64, MOST_ARGUMENTS = 32, NO_VALGRIND = 127 };

// ---- The other run ------------------------------------------------------------------------------------------

static void redirect(const char *folder, const char *name, int file)
{
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened >= 0)
    dup2(opened, file);
}

// In the child: exec valgrind, or exit. Each sweep's counts go to a numbered file.
static _Noreturn void become_valgrind(const char *folder, const char *program, const char *const *arguments)
{
  char out[PATH + 32];
  const char *all[MOST_ARGUMENTS + 8] = {"valgrind",
                                         "--tool=callgrind",
                                         out,
                                         "--combine-dumps=no",
                                         "--zero-before=bench_timer_sweep",
                                         "--dump-after=bench_timer_sweep",
                                         program};
  int count = 7;
  for (int i = 0; arguments[i] && i < MOST_ARGUMENTS; ++i)
    all[count++] = arguments[i];
  snprintf(out, sizeof out, "--callgrind-out-file=%s/out", folder);
  redirect(folder, "names", STDOUT_FILENO);
  redirect(folder, "log", STDERR_FILENO);
  // Long fills and copies by "rep stosb", "rep movsb" would count once per byte.
  setenv("GLIBC_TUNABLES",
         "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000", 1);
  execvp(all[0], (char *const *)all); // exec does not write to the array
  _exit(NO_VALGRIND);
}

// Returns 1 if it succeeded.
static int run(const char *folder, const char *const *arguments, char *why, size_t size)
{
  char program[4096];
  int status = 0;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) {
    snprintf(why, size, "the path of this program cannot be read from /proc/self/exe");
    return 0;
  }
  program[length] = '\0';
  fflush(NULL); // else the child could write the buffered output a second time
  const pid_t child = fork();
  if (child == 0)
    become_valgrind(folder, program, arguments);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 1;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == NO_VALGRIND)
    snprintf(why, size, "the kernel allows no hardware counter, and valgrind is not installed");
  else
    snprintf(why, size, "the run under valgrind failed");
  return 0;
}

// ---- What it counted ----------------------------------------------------------------------------------------

// The total of a dump, 0 if there is none.
static double read_total(const char *folder, int number)
{
  char path[PATH], line[4096];
  double total = 0;
  snprintf(path, sizeof path, "%s/out.%d", folder, number);
  FILE *file = fopen(path, "r");
  while (file && total == 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "totals: %lf", &total) != 1 && sscanf(line, "summary: %lf", &total) != 1)
      total = 0;
  if (file)
    fclose(file);
  return total;
}

static int read_counts(const char *folder, bench_callgrind_take take, void *context)
{
  char path[PATH], line[256], which[64], metric[96];
  int count = 0, number = 0;
  snprintf(path, sizeof path, "%s/names", folder);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    double calls;
    if (sscanf(line, "%63s %95s %lf", which, metric, &calls) != 3)
      continue;
    const double total = read_total(folder, ++number);
    if (total > 0 && calls > 0) {
      take(context, which, metric, total / calls);
      ++count;
    }
  }
  if (file)
    fclose(file);
  return count;
}

int bench_callgrind(const char *const *arguments, bench_callgrind_take take, void *context, char *why,
                    size_t size)
{
  char folder[FOLDER];
  int count = 0;
  if (!bench_temporary_folder_make(folder)) {
    snprintf(why, size, "no folder for the counts could be created: %s", strerror(errno));
    return 0;
  }
  if (run(folder, arguments, why, size)) {
    count = read_counts(folder, take, context);
    if (count == 0)
      snprintf(why, size, "the run under valgrind counted nothing");
  }
  bench_temporary_folder_remove(folder);
  return count;
}

int bench_callgrind_again(bench_callgrind_job *job)
{
  const bench_command_request *r = job->request;
  job->isa = job->isa == FF_ISA_AVX512 ? FF_ISA_AVX2 : job->isa;
  const char *const given[][2] = {{"--models", r->models}, {"--scenes", r->scenes}, {"--case", r->chosen}};
  const char *arguments[11] = {job->bench, "--count", "--isa", ff_isa_name(job->isa)};
  int count = 4;
  for (int k = 0; k < 3; ++k)
    if (given[k][1]) {
      arguments[count++] = given[k][0];
      arguments[count++] = given[k][1];
    }
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\rcounting instructions under valgrind ");
  const int sweeps = bench_callgrind(arguments, job->take, job->context, job->why, sizeof job->why);
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r%60s\r", "");
  return sweeps;
}

void bench_callgrind_sweep(const bench_timer_task *task, const char *which, const char *metric)
{
  printf("%s %s %.0f\n", which, metric, task->calls);
  if (task->prepare)
    task->prepare(task->context);
  bench_timer_sweep(task);
}
