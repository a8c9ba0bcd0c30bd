// Forks workers, reads what they send, and replaces those that die.
#include "campaign/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORKERS = 16, WALL_FACTOR = 20 };

// What a worker sends: at the start of a scene with is_begin, then its result. Shorter than PIPE_BUF, so whole.
typedef struct letter {
  int is_begin;
  ffi_judge_result result;
} letter;

typedef struct worker {
  pid_t pid; ///< 0: none
  int pipe;
  long long next; ///< number of its next scene
  int is_open;    ///< a scene has begun and not ended
  letter last;
} worker;

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- In the worker ------------------------------------------------------------------------------------------

// End the process by a signal after so much processor time, or after far more of any time.
static void set_limit(int seconds)
{
  const struct itimerval limit = {.it_value.tv_sec = seconds};
  setitimer(ITIMER_PROF, &limit, NULL);
  alarm((unsigned)(WALL_FACTOR * seconds));
}

static void no_core_files(void)
{
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

static void send(int pipe, const letter *message)
{
  const char *at = (const char *)message;
  size_t left = sizeof *message;
  while (left > 0) {
    const ssize_t sent = write(pipe, at, left);
    if (sent <= 0)
      _exit(3); // nobody reads
    at += sent;
    left -= (size_t)sent;
  }
}

static void work(const ffi_crew_task *task, long long next, double deadline, int pipe)
{
  static ffi_recipe recipe;
  no_core_files();
  for (long long i = next; i < task->count && seconds_now() < deadline; i += task->workers) {
    letter message = {.is_begin = 1};
    ffi_draw(task->first + (uint64_t)i, task->which, task->stepper, &recipe);
    message.result = (ffi_judge_result){
        .seed = recipe.seed, .stepper = recipe.stepper, .is_wild = recipe.is_wild};
    send(pipe, &message);
    set_limit(FFI_JUDGE_SCENE_SECONDS);
    message.is_begin = 0;
    ffi_judge(&recipe, 0, &message.result);
    send(pipe, &message);
  }
  _exit(0);
}

// ---- In the parent ------------------------------------------------------------------------------------------

static int start(const ffi_crew_task *task, double deadline, worker *w)
{
  int ends[2];
  if (pipe(ends) != 0)
    return 0;
  fflush(NULL);
  w->pid = fork();
  if (w->pid == 0) {
    close(ends[0]);
    work(task, w->next, deadline, ends[1]);
  }
  close(ends[1]);
  w->pipe = ends[0];
  if (w->pid < 0)
    close(ends[0]);
  return w->pid > 0;
}

static int read_letter(int pipe, letter *out)
{
  char *at = (char *)out;
  size_t left = sizeof *out;
  while (left > 0) {
    const ssize_t got = read(pipe, at, left);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return 0;
    at += got;
    left -= (size_t)got;
  }
  return 1;
}

// How a process died, as a fault of its scene.
static void describe_death(int status, ffi_judge_result *out)
{
  const int is_limit = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
  out->faults = 1u << (is_limit ? FFI_JUDGE_HANG : FFI_JUDGE_CRASH);
  out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (is_limit)
    snprintf(out->message, sizeof out->message, "no end within the time limit");
  else if (out->signal)
    snprintf(out->message, sizeof out->message, "ended by signal %d (%s)", out->signal, strsignal(out->signal));
  else
    snprintf(out->message, sizeof out->message, "ended with exit status %d", WEXITSTATUS(status));
}

// The pipe is at its end: the worker is done, or dead.
static void bury(const ffi_crew_task *task, worker *w, ffi_crew_take take, void *user)
{
  int status = 0;
  close(w->pipe);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
  }
  w->pid = 0;
  if (w->is_open) {
    describe_death(status, &w->last.result);
    take(&w->last.result, user);
    w->next += task->workers;
  } else
    w->next = task->count; // it came to the end, or to the deadline
  w->is_open = 0;
}

static void hear(const ffi_crew_task *task, worker *w, ffi_crew_take take, void *user)
{
  if (!read_letter(w->pipe, &w->last)) {
    bury(task, w, take, user);
    return;
  }
  w->is_open = w->last.is_begin;
  if (!w->is_open) {
    take(&w->last.result, user);
    w->next += task->workers;
  }
}

// Start those that have something left to do. The number at work, -1 if one could not be started.
static int start_all(const ffi_crew_task *task, double deadline, worker *workers)
{
  int working = 0;
  for (int i = 0; i < task->workers; ++i) {
    const int has_more = workers[i].next < task->count && seconds_now() < deadline;
    if (workers[i].pid == 0 && has_more && !start(task, deadline, &workers[i]))
      return -1;
    working += workers[i].pid > 0;
  }
  return working;
}

int ffi_crew_run(const ffi_crew_task *task, ffi_crew_take take, void *user)
{
  worker workers[MOST_WORKERS] = {0};
  const double deadline = seconds_now() + task->seconds;
  for (int i = 0; i < task->workers; ++i)
    workers[i].next = i;
  int working;
  while ((working = start_all(task, deadline, workers)) > 0) {
    struct pollfd pipes[MOST_WORKERS];
    int of[MOST_WORKERS], count = 0;
    for (int i = 0; i < task->workers; ++i)
      if (workers[i].pid > 0) {
        pipes[count] = (struct pollfd){.fd = workers[i].pipe, .events = POLLIN};
        of[count++] = i;
      }
    poll(pipes, (nfds_t)count, -1);
    for (int k = 0; k < count; ++k)
      if (pipes[k].revents)
        hear(task, &workers[of[k]], take, user);
  }
  return working == 0;
}

void ffi_crew_judge(const ffi_recipe *recipe, int limit, ffi_judge_result *out)
{
  int ends[2], status = 0;
  letter message = {0};
  *out = (ffi_judge_result){.seed = recipe->seed, .stepper = recipe->stepper, .is_wild = recipe->is_wild};
  if (pipe(ends) != 0)
    return;
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    no_core_files();
    set_limit(limit);
    ffi_judge(recipe, 0, &message.result);
    send(ends[1], &message);
    _exit(0);
  }
  close(ends[1]);
  const int is_done = pid > 0 && read_letter(ends[0], &message);
  close(ends[0]);
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (is_done)
    *out = message.result;
  else
    describe_death(status, out);
}
