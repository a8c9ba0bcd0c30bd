// A process for each case: a crash or a hang ends it alone. What it found comes back through shared memory.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "judge.h"

#include "heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
// From sanitizer/lsan_interface.h, which not every compiler brings along.
int __lsan_do_recoverable_leak_check(void);
const char *__lsan_default_suppressions(void);

// What HDF5 does not free after it has met a damaged record is not our leak.
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}
#endif

// Beyond the limits of reading: [s] of the processor for the few steps that follow, [s] of the clock for anything.
enum { LONGEST_USE = 10, LONGEST_WAIT = 30 };

typedef enum stage { READING, USING, FREEING, DONE } stage;

typedef struct shared {
  readers_result result;
  double seconds;
  size_t peak;
  stage stage;
  int has_leaked;
} shared;

static shared *board;
static char folder[512], case_path[600], words_path[600];

// ---- The folder -----------------------------------------------------------------------------------------------------

// As in the repository: folder/scenes/case.yaml finds ../models and data.
int judge_open(void)
{
  char path[700];
  snprintf(folder, sizeof folder, "%s/mutate.%ld", FFI_TEST_BINARY_DIR, (long)getpid());
  snprintf(words_path, sizeof words_path, "%s/words", folder);
  board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (board == MAP_FAILED || mkdir(folder, 0777) != 0)
    return 0;
  snprintf(path, sizeof path, "%s/scenes", folder);
  mkdir(path, 0777);
  snprintf(path, sizeof path, "%s/models", folder);
  const int has_models = symlink(FFI_TEST_SOURCE_DIR "/models", path);
  snprintf(path, sizeof path, "%s/scenes/data", folder);
  return has_models == 0 && symlink(FFI_TEST_SOURCE_DIR "/scenes/data", path) == 0;
}

void judge_close(void)
{
  char command[700];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0)
    print_message("%s is left\n", folder);
  munmap(board, sizeof *board);
}

const char *judge_path(mutate_format format)
{
  snprintf(case_path, sizeof case_path, "%s/scenes/case.%s", folder, mutate_format_ending(format));
  return case_path;
}

// ---- Limits ---------------------------------------------------------------------------------------------------------

static double longest(const bytes *b)
{
  return JUDGE_SLOWER * (0.5 + (double)b->count / 1e6);
}

// Where sanitizers count, with a fifth more: blocks are larger there, and the libraries are built with asserts.
static size_t largest(const bytes *b)
{
  const size_t most = ((size_t)64 << 20) + 50 * b->count;
  return JUDGE_SLOWER > 1 ? most + most / 5 : most;
}

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// SIGPROF and SIGALRM end the process.
static void end_after(double processor)
{
  const struct itimerval used = {
      .it_value = {(time_t)processor, (suseconds_t)(1e6 * (processor - floor(processor)))}};
  setitimer(ITIMER_PROF, &used, NULL);
  alarm(LONGEST_WAIT * JUDGE_SLOWER);
}

// What the process says, a sanitizer's report most likely, goes to a file.
static void send_words_to_file(void)
{
  const int words = open(words_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, 1);
  dup2(words, 2);
}

// ---- The process ----------------------------------------------------------------------------------------------------

static void read_and_use(mutate_format format, const bytes *b)
{
  const char *path = judge_path(format);
  end_after(1.5 * longest(b) + 0.5);
  heap_begin();
  const double begin = processor_seconds();
  readers_load(format, path, &board->result);
  board->seconds = processor_seconds() - begin;
  board->peak = heap_peak();
  board->stage = USING;
  end_after(LONGEST_USE * JUDGE_SLOWER);
  readers_use();
  board->stage = FREEING;
  readers_free();
#if defined(__SANITIZE_ADDRESS__)
  board->has_leaked = __lsan_do_recoverable_leak_check();
#endif
  board->stage = DONE;
}

static pid_t start_child(void)
{
  fflush(NULL);
  *board = (shared){0};
  const pid_t child = fork();
  if (child < 0)
    fail_msg("no further process");
  return child;
}

// The line of a report that names the fault.
static void quote_words(char *out, size_t size)
{
  static const char *const marks[] = {"runtime error", "ERROR: AddressSanitizer", "Assertion",
                                      "ERROR: LeakSanitizer"};
  FILE *file = fopen(words_path, "r");
  char line[500];
  out[0] = '\0';
  while (file && !out[0] && fgets(line, sizeof line, file))
    for (int i = 0; i < 4; ++i)
      if (strstr(line, marks[i]))
        snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
  if (file)
    fclose(file);
}

// ---- Messages -------------------------------------------------------------------------------------------------------

// Text in UTF-8 without control characters, those of two bytes (U+0080 to U+009F) included.
static int is_one_line(const char *text)
{
  const unsigned char *c = (const unsigned char *)text;
  while (*c) {
    const int more = *c < 0x80                 ? 0
                     : *c >= 0xc2 && *c < 0xe0 ? 1
                     : *c >= 0xe0 && *c < 0xf0 ? 2
                     : *c >= 0xf0 && *c < 0xf5 ? 3
                                               : -1;
    if (more < 0 || *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
      return 0;
    for (int i = 1; i <= more; ++i)
      if ((c[i] & 0xc0) != 0x80)
        return 0;
    c += 1 + more;
  }
  return c != (const unsigned char *)text;
}

// Refusals of a whole file: it is missing, empty, too large, or of another kind.
static int is_about_all(const char *message)
{
  static const char *const parts[] = {"the file is empty",   "larger than",
                                      ", not XML",           "is not STL",
                                      "there are no points", "scaled, its points are not finite",
                                      "not a scene"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
    if (strstr(message, parts[i]))
      return 1;
  return 0;
}

static const char *flaw_of(mutate_format format, const bytes *b, const readers_result *r)
{
  enum { FILE_STATUS = 3 };
  if (!is_one_line(r->message))
    return "the message is not one line of text";
  if (!r->file[0] || strncmp(r->message, r->file, strlen(r->file)) != 0)
    return "the message does not begin with a file";
  if (mutate_is_text(format, b) && r->line <= 0 && r->status != FILE_STATUS && !is_about_all(r->message))
    return "the message has no line";
  return NULL;
}

// ---- Verdicts -------------------------------------------------------------------------------------------------------

static void judge_end(int status, judge_report *report)
{
  static const char *const stages[] = {"reading", "using", "freeing", "ending"};
  const int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  report->verdict = signal_number == SIGPROF || signal_number == SIGALRM ? JUDGE_SLOW : JUDGE_CRASH;
  char quoted[600];
  quote_words(quoted, sizeof quoted);
  snprintf(report->words, sizeof report->words, "while %s it: %s, status %d: %s", stages[board->stage],
           signal_number ? strsignal(signal_number) : "exit", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           quoted);
}

judge_report judge_library(mutate_format format, const bytes *b)
{
  enum { NO_MEMORY = 2 };
  judge_report report = {.verdict = JUDGE_LOADED};
  int status = 0;
  bytes_write(b, judge_path(format));
  const pid_t child = start_child();
  if (child == 0) {
    send_words_to_file();
    read_and_use(format, b);
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child)
    fail_msg("a process is lost");
  const readers_result *r = &board->result;
  report.seconds = board->seconds;
  report.peak = board->peak;
  snprintf(report.words, sizeof report.words, "%s", r->message);
  const char *flaw = r->is_loaded ? NULL : flaw_of(format, b, r);
  if (board->stage != DONE || status != 0) {
    judge_end(status, &report);
  } else if (board->has_leaked) {
    report.verdict = JUDGE_CRASH;
    snprintf(report.words, sizeof report.words, "memory is lost");
  } else if (report.seconds > longest(b)) {
    report.verdict = JUDGE_SLOW;
    snprintf(report.words, sizeof report.words, "%.2f s for %zu bytes: %.700s", report.seconds, b->count,
             r->message);
  } else if (report.peak > largest(b) || r->status == NO_MEMORY) {
    report.verdict = JUDGE_LARGE;
    snprintf(report.words, sizeof report.words, "%zu bytes for %zu: %.700s", report.peak, b->count,
             r->message);
  } else if (flaw) {
    report.verdict = JUDGE_MUTE;
    snprintf(report.words, sizeof report.words, "%s: %s", flaw, r->message);
  } else if (!r->is_loaded) {
    report.verdict = JUDGE_REFUSED;
  }
  return report;
}

// ---- The command ----------------------------------------------------------------------------------------------------

static const struct {
  const char *words[8]; // FILE: the case
  double longest;       // [s], beyond that of reading
} commands[] = {
    {{"info", "FILE"}, 2},
    {{"info", "--json", "FILE"}, 2},
    {{"run", "--duration", "3ms", "--quiet", "FILE"}, 10},
    {{"view", "--quiet", "--no-open", "--out", "/dev/null", "FILE"}, 20},
    {{"convert", "--to", "urdf", "FILE", "/dev/null"}, 2},
    {{"new", "FILE"}, 20},
};

static void run_command(mutate_format format, const bytes *b, int command)
{
  char *arguments[10] = {FFI_TEST_COMMAND};
  const int which = command % (int)(sizeof commands / sizeof commands[0]);
  int count = 1;
  for (int i = 0; i < 8 && commands[which].words[i]; ++i) {
    const char *word = commands[which].words[i];
    arguments[count++] = (char *)(uintptr_t)(strcmp(word, "FILE") == 0 ? judge_path(format) : word);
  }
  send_words_to_file();
  if (chdir(folder) != 0) // `new` writes where it stands
    _exit(98);
  end_after(JUDGE_SLOWER * commands[which].longest + longest(b)); // timers outlive exec
  setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
  setenv("UBSAN_OPTIONS", "exitcode=99", 1);
  execv(arguments[0], arguments);
  _exit(98);
}

// Statuses up to 4 have a meaning; beyond that something broke.
judge_report judge_command(mutate_format format, const bytes *b, int command)
{
  judge_report report = {.verdict = JUDGE_LOADED};
  int status = 0;
  bytes_write(b, judge_path(format));
  const pid_t child = start_child();
  if (child == 0)
    run_command(format, b, command);
  if (waitpid(child, &status, 0) != child)
    fail_msg("a process is lost");
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 4)
    judge_end(status, &report);
  else if (WEXITSTATUS(status) > 0)
    report.verdict = JUDGE_REFUSED;
  return report;
}
