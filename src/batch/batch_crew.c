// Threads that wait for work. They watch for it for some microseconds, since the next step often follows at once, and
// then sleep. docs/decisions/0029-steps-in-lanes.md
#define _GNU_SOURCE // processors that a thread may use
#include "batch/batch_crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// How often a waiting thread looks before it sleeps: some 20 us. Longer than a controller between two steps of a batch
// takes; much shorter than a time slice of the system. With more threads than processors none looks twice.
enum { LOOKS = 2000 };

typedef struct member {
  ffi_batch_crew *crew;
  int number;
  unsigned seen; // the last round before it was made
  pthread_t thread;
} member;

struct ffi_batch_crew {
  int threads;
  int pinned;
  int looks;
  int helpers;      // threads that exist, members 1 .. threads - 1 at first, then member 0
  int has_member_0; // one of them
  member *members;  // [threads]
  ffi_batch_crew_work work;
  void *user;
  int with_member_0; // the present work is for the helper that is member 0, too
  atomic_uint round; // of work, counted by the caller
  atomic_int left;   // helpers that have not finished it
  atomic_int ends;
  pthread_mutex_t mutex; // of the two below
  pthread_cond_t begun, done;
};

int ffi_batch_crew_processors(void)
{
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int)online : 1;
}

// The number-th processor that this process may use, again from the first where there are fewer.
static void pin(int number)
{
#if defined(__linux__)
  cpu_set_t may, one;
  if (sched_getaffinity(0, sizeof may, &may) != 0 || CPU_COUNT(&may) == 0)
    return;
  int left = number % CPU_COUNT(&may);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &may) && left-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      pthread_setaffinity_np(pthread_self(), sizeof one, &one);
      return;
    }
#else
  (void)number;
#endif
}

static void look_again(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// The next round of work after `seen`.
static unsigned wait_for_work(ffi_batch_crew *crew, unsigned seen)
{
  for (int k = 0; k < crew->looks; ++k) {
    const unsigned round = atomic_load_explicit(&crew->round, memory_order_acquire);
    if (round != seen)
      return round;
    look_again();
  }
  pthread_mutex_lock(&crew->mutex);
  while (atomic_load_explicit(&crew->round, memory_order_acquire) == seen)
    pthread_cond_wait(&crew->begun, &crew->mutex);
  pthread_mutex_unlock(&crew->mutex);
  return atomic_load_explicit(&crew->round, memory_order_acquire);
}

static void finish(ffi_batch_crew *crew)
{
  if (atomic_fetch_sub_explicit(&crew->left, 1, memory_order_acq_rel) != 1)
    return;
  pthread_mutex_lock(&crew->mutex);
  pthread_cond_signal(&crew->done);
  pthread_mutex_unlock(&crew->mutex);
}

static void *live(void *argument)
{
  const member *own = argument;
  ffi_batch_crew *crew = own->crew;
  unsigned seen = own->seen;
  if (crew->pinned)
    pin(own->number);
  for (;;) {
    seen = wait_for_work(crew, seen);
    if (atomic_load_explicit(&crew->ends, memory_order_acquire))
      return NULL;
    if (own->number > 0 || crew->with_member_0)
      crew->work(crew->user, own->number);
    finish(crew);
  }
}

static int add_helper(ffi_batch_crew *crew, int number)
{
  member *m = &crew->members[number];
  m->crew = crew;
  m->number = number;
  m->seen = atomic_load_explicit(&crew->round, memory_order_acquire);
  if (pthread_create(&m->thread, NULL, live, m) != 0)
    return 0;
  ++crew->helpers;
  return 1;
}

ffi_batch_crew *ffi_batch_crew_create(int threads, int pinned)
{
  ffi_batch_crew *crew = calloc(1, sizeof *crew);
  if (!crew)
    return NULL;
  crew->threads = threads;
  crew->pinned = pinned;
  crew->looks = threads <= ffi_batch_crew_processors() ? LOOKS : 1;
  pthread_mutex_init(&crew->mutex, NULL);
  pthread_cond_init(&crew->begun, NULL);
  pthread_cond_init(&crew->done, NULL);
  crew->members = calloc((size_t)threads, sizeof *crew->members);
  for (int k = 1; crew->members && k < threads; ++k)
    if (!add_helper(crew, k))
      break;
  if (crew->members && crew->helpers == threads - 1)
    return crew;
  ffi_batch_crew_destroy(crew);
  return NULL;
}

static void announce(ffi_batch_crew *crew)
{
  atomic_store_explicit(&crew->left, crew->helpers, memory_order_release);
  pthread_mutex_lock(&crew->mutex);
  atomic_fetch_add_explicit(&crew->round, 1, memory_order_acq_rel);
  pthread_cond_broadcast(&crew->begun);
  pthread_mutex_unlock(&crew->mutex);
}

void ffi_batch_crew_destroy(ffi_batch_crew *crew)
{
  if (!crew)
    return;
  atomic_store_explicit(&crew->ends, 1, memory_order_release);
  announce(crew);
  for (int k = 1, joined = 0; joined < crew->helpers - crew->has_member_0; ++k, ++joined)
    pthread_join(crew->members[k].thread, NULL);
  if (crew->has_member_0)
    pthread_join(crew->members[0].thread, NULL);
  pthread_cond_destroy(&crew->done);
  pthread_cond_destroy(&crew->begun);
  pthread_mutex_destroy(&crew->mutex);
  free(crew->members);
  free(crew);
}

void ffi_batch_crew_wait(ffi_batch_crew *crew)
{
  for (int k = 0; k < crew->looks; ++k) {
    if (atomic_load_explicit(&crew->left, memory_order_acquire) == 0)
      return;
    look_again();
  }
  pthread_mutex_lock(&crew->mutex);
  while (atomic_load_explicit(&crew->left, memory_order_acquire) > 0)
    pthread_cond_wait(&crew->done, &crew->mutex);
  pthread_mutex_unlock(&crew->mutex);
}

void ffi_batch_crew_run(ffi_batch_crew *crew, ffi_batch_crew_work work, void *user)
{
  crew->work = work;
  crew->user = user;
  crew->with_member_0 = 0;
  if (crew->helpers > 0)
    announce(crew);
  work(user, 0);
  if (crew->helpers > 0)
    ffi_batch_crew_wait(crew);
}

int ffi_batch_crew_begin(ffi_batch_crew *crew, ffi_batch_crew_work work, void *user)
{
  crew->work = work;
  crew->user = user;
  crew->with_member_0 = 1;
  if (!crew->has_member_0)
    crew->has_member_0 = add_helper(crew, 0);
  if (!crew->has_member_0)
    return 0;
  announce(crew);
  return 1;
}
