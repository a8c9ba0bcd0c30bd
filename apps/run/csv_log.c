#define _POSIX_C_SOURCE 200809L
#include "run/csv_log.h"

#include "cli/complain.h"
#include "cli/put_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH_BYTES = 1 << 16, LONGEST_NUMBER = 32 };
static const double flush_seconds = 0.5;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int ffi_csv_open(ffi_csv_log *log, const char *path)
{
  *log = (ffi_csv_log){.path = path, .flushed = now()};
  if (strcmp(path, "-") == 0) {
    log->file = STDOUT_FILENO;
    return 1;
  }
  if (ffi_put_is_beside(path)) {
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
      return 0;
    log->part = ffi_part_of(path);
  }
  log->file = open(log->part ? log->part : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log->file >= 0)
    return 1;
  const int code = errno;
  free(log->part);
  log->part = NULL;
  errno = code;
  return 0;
}

static void append(ffi_csv_log *log, const char *text, size_t length)
{
  if (log->failed)
    return;
  if (log->used + length > log->room) {
    log->room = 2 * (log->used + length) + 4096;
    log->text = ffi_need_memory(log->text, log->room);
  }
  memcpy(log->text + log->used, text, length);
  log->used += length;
}

static void begin_cell(ffi_csv_log *log)
{
  if (log->cells++ > 0)
    append(log, ",", 1);
}

void ffi_csv_title(ffi_csv_log *log, const char *title)
{
  begin_cell(log);
  if (!strpbrk(title, ",\"\r\n")) {
    append(log, title, strlen(title));
    return;
  }
  append(log, "\"", 1);
  for (; *title; ++title) {
    if (*title == '"')
      append(log, "\"", 1);
    append(log, title, 1);
  }
  append(log, "\"", 1);
}

// Fifteen digits are enough for what people write, seventeen for every double.
void ffi_csv_number(ffi_csv_log *log, double value)
{
  char text[LONGEST_NUMBER];
  begin_cell(log);
  if (!isfinite(value))
    return;
  int length = snprintf(text, sizeof text, "%.15g", value);
  if (strtod(text, NULL) != value)
    length = snprintf(text, sizeof text, "%.17g", value);
  append(log, text, (size_t)length);
}

void ffi_csv_figure(ffi_csv_log *log, double value)
{
  char text[LONGEST_NUMBER];
  begin_cell(log);
  if (isfinite(value))
    append(log, text, (size_t)snprintf(text, sizeof text, "%.12g", value));
}

// After a write that stopped within a row: the file ends with the last row that is whole.
static void cut_torn_row(const ffi_csv_log *log, size_t written)
{
  size_t whole = written;
  while (whole > 0 && log->text[whole - 1] != '\n')
    --whole;
  const off_t end = lseek(log->file, 0, SEEK_CUR); // -1: a pipe
  if (end >= (off_t)(written - whole) && ftruncate(log->file, end - (off_t)(written - whole)) != 0)
    return; // a device; it has all that it took
}

static void flush(ffi_csv_log *log)
{
  size_t written = 0;
  while (written < log->row && !log->failed) {
    const ssize_t got = write(log->file, log->text + written, log->row - written);
    if (got >= 0)
      written += (size_t)got;
    else if (errno != EINTR)
      log->failed = errno;
  }
  if (log->part && !log->failed && !ffi_put_move(log->part, log->path))
    log->failed = errno;
  else if (log->part && log->failed)
    remove(log->part);
  free(log->part); // from the first row on it is in its place
  log->part = NULL;
  for (size_t k = 0; k < written; ++k)
    log->rows += log->text[k] == '\n';
  if (log->failed)
    cut_torn_row(log, written);
  memmove(log->text, log->text + log->row, log->used - log->row);
  log->used -= log->row;
  log->row = 0;
  log->flushed = now();
}

int ffi_csv_end_row(ffi_csv_log *log)
{
  append(log, "\n", 1);
  log->cells = 0;
  log->row = log->used;
  if (!log->failed && (log->part || log->row >= FLUSH_BYTES || now() - log->flushed > flush_seconds))
    flush(log);
  return !log->failed;
}

void ffi_csv_remark(ffi_csv_log *log, const char *text)
{
  append(log, text, strlen(text));
  ffi_csv_end_row(log);
}

int ffi_csv_close(ffi_csv_log *log)
{
  if (log->file < 0)
    return 1;
  if (!log->failed && log->row > 0)
    flush(log);
  if (log->file != STDOUT_FILENO && close(log->file) != 0 && !log->failed)
    log->failed = errno;
  log->file = -1;
  if (log->part)
    remove(log->part);
  free(log->part);
  free(log->text);
  log->text = log->part = NULL;
  errno = log->failed;
  return !log->failed;
}
