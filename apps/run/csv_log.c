// Rows of CSV, buffered and flushed.
#define _POSIX_C_SOURCE 200809L
#include "run/csv_log.h"

#include "cli/memory.h"

#include <errno.h>
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

int ffi_csv_log_open(ffi_csv_log *log, const char *path)
{
  *log = (ffi_csv_log){.path = path, .flushed = now()};
  if (strcmp(path, "-") != 0)
    return ffi_growing_file_open(&log->file, path);
  log->file = (ffi_growing_file){.descriptor = STDOUT_FILENO, .is_moved = 1};
  return 1;
}

static void append(ffi_csv_log *log, const char *text, size_t length)
{
  if (log->failed)
    return;
  if (log->used + length > log->room) {
    log->room = 2 * (log->used + length) + 4096;
    log->text = ffi_memory_need(log->text, log->room);
  }
  memcpy(log->text + log->used, text, length);
  log->used += length;
}

static void begin_cell(ffi_csv_log *log)
{
  if (log->cells++ > 0)
    append(log, ",", 1);
}

void ffi_csv_log_title(ffi_csv_log *log, const char *title)
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
void ffi_csv_log_number(ffi_csv_log *log, double value)
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

void ffi_csv_log_figure(ffi_csv_log *log, double value)
{
  char text[LONGEST_NUMBER];
  begin_cell(log);
  if (isfinite(value))
    append(log, text, (size_t)snprintf(text, sizeof text, "%.12g", value));
}

// After a write that stopped within a row: cuts the file after its last complete row.
static void cut_torn_row(const ffi_csv_log *log, size_t written)
{
  size_t whole = written;
  while (whole > 0 && log->text[whole - 1] != '\n')
    --whole;
  const int file = log->file.descriptor;
  const off_t end = lseek(file, 0, SEEK_CUR); // -1: a pipe
  if (end >= (off_t)(written - whole) && ftruncate(file, end - (off_t)(written - whole)) != 0)
    return; // a device: what it took cannot be removed
}

static void flush(ffi_csv_log *log)
{
  size_t written = 0;
  while (written < log->row && !log->failed) {
    const ssize_t got = write(log->file.descriptor, log->text + written, log->row - written);
    if (got >= 0)
      written += (size_t)got;
    else if (errno != EINTR)
      log->failed = errno;
  }
  if (!log->failed && !ffi_growing_file_move(&log->file)) // at the first row
    log->failed = errno;
  for (size_t k = 0; k < written; ++k)
    log->rows += log->text[k] == '\n';
  if (log->failed)
    cut_torn_row(log, written);
  memmove(log->text, log->text + log->row, log->used - log->row);
  log->used -= log->row;
  log->row = 0;
  log->flushed = now();
}

int ffi_csv_log_end_row(ffi_csv_log *log)
{
  append(log, "\n", 1);
  log->cells = 0;
  log->row = log->used;
  if (!log->failed &&
      (!log->file.is_moved || log->row >= FLUSH_BYTES || now() - log->flushed > flush_seconds))
    flush(log);
  return !log->failed;
}

void ffi_csv_log_remark(ffi_csv_log *log, const char *text)
{
  append(log, text, strlen(text));
  ffi_csv_log_end_row(log);
}

int ffi_csv_log_close(ffi_csv_log *log)
{
  if (log->file.descriptor < 0)
    return 1;
  if (!log->failed && log->row > 0)
    flush(log);
  if (log->file.descriptor != STDOUT_FILENO && !ffi_growing_file_close(&log->file, !log->failed) &&
      !log->failed)
    log->failed = errno;
  log->file.descriptor = -1;
  free(log->text);
  log->text = NULL;
  errno = log->failed;
  return !log->failed;
}

void ffi_csv_log_free(ffi_csv_log *log)
{
  ffi_growing_file_free(&log->file);
}
