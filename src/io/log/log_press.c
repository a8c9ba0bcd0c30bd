#define _POSIX_C_SOURCE 200809L
#include "io/log/log_press.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { JOBS = 128 }; // a robot's columns fill up all at once

// Of deflate, 1 to 9: its tables are cleared for each chunk, and for chunks as short as ours the usual 8 takes longer and finds no more.
enum { MEMORY = 6 };

typedef struct job {
  hid_t dataset;
  hsize_t at[2];
  unsigned char *raw, *packed;
  size_t room, bytes, element; // room: of both, see room_for()
  size_t packed_bytes;         // 0: as it is
} job;

// A ring: jobs from `taken` on are done up to `done`, waiting up to `given`. The worker moves `done`, the owner the others.
struct ffi_log_press {
  job jobs[JOBS];
  long long taken, done, given;
  z_stream stream;
  unsigned char *shuffled; // the worker's
  size_t shuffled_room;
  int has_stream, has_thread, is_ending;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t has_work, has_result;
};

// ---- Compression ----------------------------------------------------------------------------------------------------

// Compressed, noise may take a little more: blocks have heads, and one begins wherever the level changes.
static size_t packed_room(size_t bytes)
{
  return bytes + bytes / 8 + 4096;
}

// Byte j of word i becomes byte i of word j, bytes counted from the low end: halves change places, then halves of these, and again.
static void turn_square(uint64_t x[8])
{
  static const uint64_t low[3] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff};
  for (int round = 0, apart = 4; round < 3; ++round, apart /= 2)
    for (int i = 0; i < 8; ++i)
      if (!(i & apart)) {
        const uint64_t swap = ((x[i] >> (8 * apart)) ^ x[i + apart]) & low[round];
        x[i + apart] ^= swap;
        x[i] ^= swap << (8 * apart);
      }
}

// Bytes `byte` to `byte` + 7 of the first elements, eight of them at a time; how many were done.
static size_t shuffle_eight(const unsigned char *from, size_t count, size_t element, size_t byte,
                            unsigned char *to)
{
  size_t done = 0;
  for (; done + 8 <= count; done += 8) {
    uint64_t x[8];
    for (size_t i = 0; i < 8; ++i)
      memcpy(&x[i], from + (done + i) * element + byte, sizeof x[i]);
    turn_square(x);
    for (size_t j = 0; j < 8; ++j)
      memcpy(to + (byte + j) * count + done, &x[j], sizeof x[j]);
  }
  return done;
}

// As HDF5's filter does it: first bytes of all elements, then second ones. The last eight of an element may be some of those before once more.
static void shuffle(const unsigned char *from, size_t count, size_t element, unsigned char *to)
{
  size_t done = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (size_t byte = 0; element >= 8 && byte < element; byte += 8)
    done = shuffle_eight(from, count, element, byte + 8 <= element ? byte : element - 8, to);
#endif
  for (size_t byte = 0; byte < element; ++byte)
    for (size_t i = done; i < count; ++i)
      to[byte * count + i] = from[i * element + byte];
}

// Would deflate find nothing? Two bytes chosen at random are then equal once in 256 times; what it can shorten by a tenth has them equal far more often. A part of them
// is looked at, from all over.
static int is_noise(const unsigned char *bytes, size_t count)
{
  enum { LOOKS = 512 };
  unsigned histogram[256] = {0}, equal = 0;
  if (count < 2 * LOOKS)
    return 0;
  const size_t stride = count / LOOKS;
  for (size_t i = 0; i < LOOKS; ++i)
    equal += histogram[bytes[i * stride]]++; // pairs
  return equal < LOOKS * (LOOKS - 1) / 2 / 100;
}

static int press_part(z_stream *z, const unsigned char *bytes, size_t count, int level, int flush)
{
  if (deflateParams(z, level, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  z->next_in = (unsigned char *)(uintptr_t)bytes;
  z->avail_in = (uInt)count;
  const int result = deflate(z, flush);
  return z->avail_in == 0 && (flush == Z_FINISH ? result == Z_STREAM_END : result == Z_OK);
}

// Parts that are treated alike go together.
static int press_bytes(z_stream *z, const unsigned char *shuffled, size_t count, size_t element)
{
  int level = -1;
  size_t from = 0;
  for (size_t byte = 0; byte < element; ++byte) {
    const int next = is_noise(shuffled + byte * count, count) ? 0 : 1;
    if (level >= 0 && next != level) {
      if (!press_part(z, shuffled + from, byte * count - from, level, Z_NO_FLUSH))
        return 0;
      from = byte * count;
    }
    level = next;
  }
  return press_part(z, shuffled + from, element * count - from, level, Z_FINISH);
}

static void press(ffi_log_press *p, job *j)
{
  z_stream *z = &p->stream;
  j->packed_bytes = 0;
  if (j->bytes > p->shuffled_room) {
    unsigned char *larger = realloc(p->shuffled, j->bytes);
    if (!larger)
      return;
    p->shuffled = larger;
    p->shuffled_room = j->bytes;
  }
  if (!p->has_stream || deflateReset(z) != Z_OK)
    return;
  const size_t room = packed_room(j->bytes);
  z->next_out = j->packed;
  z->avail_out = (uInt)room;
  shuffle(j->raw, j->bytes / j->element, j->element, p->shuffled);
  if (press_bytes(z, p->shuffled, j->bytes / j->element, j->element) && room - z->avail_out < j->bytes)
    j->packed_bytes = room - z->avail_out;
}

// ---- The worker -----------------------------------------------------------------------------------------------------

static void *work(void *data)
{
  ffi_log_press *p = data;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (p->done == p->given && !p->is_ending)
      pthread_cond_wait(&p->has_work, &p->lock);
    if (p->is_ending)
      break;
    job *next = &p->jobs[p->done % JOBS];
    pthread_mutex_unlock(&p->lock);
    press(p, next);
    pthread_mutex_lock(&p->lock);
    ++p->done;
    pthread_cond_signal(&p->has_result);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

ffi_log_press *ffi_log_press_create(void)
{
  ffi_log_press *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->has_stream = deflateInit2(&p->stream, 1, Z_DEFLATED, 15, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->has_work, NULL);
  pthread_cond_init(&p->has_result, NULL);
  sigset_t all, before; // signals are the program's
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  p->has_thread = pthread_create(&p->thread, NULL, work, p) == 0; // without one it is done in place
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return p;
}

void ffi_log_press_destroy(ffi_log_press *p)
{
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->is_ending = 1;
  pthread_cond_signal(&p->has_work);
  pthread_mutex_unlock(&p->lock);
  if (p->has_thread)
    pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->has_work);
  pthread_cond_destroy(&p->has_result);
  pthread_mutex_destroy(&p->lock);
  if (p->has_stream)
    deflateEnd(&p->stream);
  for (int i = 0; i < JOBS; ++i) {
    free(p->jobs[i].raw);
    free(p->jobs[i].packed);
  }
  free(p->shuffled);
  free(p);
}

// ---- Giving and taking ----------------------------------------------------------------------------------------------

static int write_job(const job *j)
{
  enum { AS_IT_IS = 3 }; // a bit for each filter that was left out
  return H5Dwrite_chunk(j->dataset, H5P_DEFAULT, j->packed_bytes > 0 ? 0 : AS_IT_IS, j->at,
                        j->packed_bytes > 0 ? j->packed_bytes : j->bytes,
                        j->packed_bytes > 0 ? j->packed : j->raw) >= 0;
}

// Write what is done; with `least` jobs or more, wait for them.
static int take(ffi_log_press *p, long long least)
{
  pthread_mutex_lock(&p->lock);
  while (p->done - p->taken < least)
    pthread_cond_wait(&p->has_result, &p->lock);
  const long long done = p->done;
  pthread_mutex_unlock(&p->lock);
  int is_good = 1;
  for (; p->taken < done && is_good; ++p->taken)
    is_good = write_job(&p->jobs[p->taken % JOBS]);
  return is_good;
}

int ffi_log_press_take(ffi_log_press *p)
{
  return take(p, p->given - p->taken);
}

static int room_for(job *j, size_t bytes)
{
  if (bytes <= j->room)
    return 1;
  free(j->raw);
  free(j->packed);
  j->raw = malloc(bytes);
  j->packed = malloc(packed_room(bytes));
  j->room = j->raw && j->packed ? bytes : 0;
  return j->room > 0;
}

int ffi_log_press_give(ffi_log_press *p, hid_t dataset, const hsize_t at[2], const void *chunk, size_t bytes,
                       size_t element)
{
  if (p->given - p->taken == JOBS && !take(p, JOBS / 2))
    return 0;
  job *j = &p->jobs[p->given % JOBS];
  if (!room_for(j, bytes))
    return 0;
  j->dataset = dataset;
  j->at[0] = at[0];
  j->at[1] = at[1];
  j->bytes = bytes;
  j->element = element;
  memcpy(j->raw, chunk, bytes);
  if (!p->has_thread)
    press(p, j);
  pthread_mutex_lock(&p->lock);
  ++p->given;
  p->done += !p->has_thread;
  pthread_cond_signal(&p->has_work);
  pthread_mutex_unlock(&p->lock);
  return 1;
}
