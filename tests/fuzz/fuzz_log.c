// Whatever the bytes are, the reader of logs returns rows or an error. All of the file is read: what describes the run,
// every row, every full state, the checksums. The seeds are small logs, which tools/fuzz.sh makes:
//
//     fuzz_log -max_len=65536 CORPUS
//
// HDF5 reads files by their names, so each input is written to one. Fuzzers cannot guess checksums: in their build any
// is right (log_sum.h), so that damaged numbers come as far as the code that must not trust them.
#define _XOPEN_SOURCE 700 // mkstemp
#include <footfall/log.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// HDF5 does not free all of its memory after it has met a damaged record.
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

enum { MOST = 2000 }; // rows and states that are read of one

static void read_all(ff_log *log)
{
  const ff_log_info *info = ff_log_get_info(log);
  ff_error error = {0};
  ff_log_damage damage;
  ff_log_row row;
  ff_log_state state;
  int count;
  double sum = 0;
  if (info->rows <= MOST && info->states <= MOST && ff_log_check(log, &damage, &error) == FF_OK &&
      (damage.rows > info->rows || damage.states > info->states))
    abort();
  for (long long k = 0; k < info->rows && k < MOST; ++k) {
    if (ff_log_read(log, k, &row, &error) != FF_OK) {
      if (!error.message[0])
        abort();
      continue;
    }
    for (int i = 0; i < info->nq; ++i)
      sum += row.q[i];
    for (int i = 0; i < info->nv; ++i)
      sum += row.v[i] + row.tau[i] + row.motor[i];
    for (int i = 0; i < row.contact_count; ++i)
      sum += row.contacts[i].force[2];
  }
  for (long long k = 0; k < info->states && k < MOST; ++k)
    if (ff_log_read_state(log, k, &state, &error) == FF_OK)
      sum += state.state[state.state_size - 1] + (info->nq > 0 ? state.q[info->nq - 1] : 0);
  for (int i = 0; i < ff_files_count(ff_log_files(log)); ++i)
    sum += (double)strlen(ff_files_get(ff_log_files(log), i)->path);
  ff_log_ground(log, &count);
  for (int i = 0; i < count; ++i)
    sum += ff_log_ground_pose(log, i, 1).position[0];
  volatile double kept = sum; // all of it was read
  (void)kept;
}

static char path[] = "/tmp/footfall-fuzz-XXXXXX";

static void remove_file(void)
{
  unlink(path);
}

static void write_file(const uint8_t *data, size_t size)
{
  static int file = -1;
  if (file < 0) {
    file = mkstemp(path);
    atexit(remove_file);
  }
  if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ff_log *log = NULL;
  ff_error error = {0};
  write_file(data, size);
  const ff_status status = ff_log_open(path, &log, &error);
  if (status != FF_OK && (log || error.status != status || !error.message[0]))
    abort();
  if (log)
    read_all(log);
  ff_log_close(log);
  return 0;
}
