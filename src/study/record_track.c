// Items at times. Where there are too many, every second one is dropped.
#include "study/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *enlarge(void *old, size_t *room, size_t needed, size_t size, size_t least)
{
  const size_t larger = needed > *room ? 2 * needed + least : *room;
  if (larger == *room && old)
    return old;
  if (larger > SIZE_MAX / size)
    return NULL;
  void *more = realloc(old, larger * size);
  if (more)
    *room = larger;
  return more;
}

// Times and begins share a room: the second follows the first.
static int reserve_items(ffi_record_track *t)
{
  size_t times_room = t->room, begins_room = t->room;
  double *times = enlarge(t->times, &times_room, t->count + 2, sizeof *times, 256);
  if (!times)
    return 0;
  t->times = times;
  size_t *begins = enlarge(t->begins, &begins_room, t->count + 2, sizeof *begins, 256);
  if (!begins)
    return 0;
  t->begins = begins;
  if (t->count == 0)
    t->begins[0] = 0;
  t->room = begins_room;
  return 1;
}

int ffi_record_track_reserve(ffi_record_track *t, size_t floats)
{
  const size_t used = t->count > 0 ? t->begins[t->count] : 0;
  float *data = enlarge(t->data, &t->data_room, used + floats, sizeof *data, 1024);
  if (!data)
    return 0;
  t->data = data;
  return reserve_items(t);
}

float *ffi_record_track_add(ffi_record_track *t, double time, size_t floats)
{
  const size_t used = t->begins[t->count];
  t->times[t->count] = time;
  t->begins[++t->count] = used + floats;
  return t->data + used;
}

size_t ffi_record_track_bytes(const ffi_record_track *t)
{
  return t->count > 0 ? t->begins[t->count] * sizeof *t->data : 0;
}

void ffi_record_track_thin(ffi_record_track *t)
{
  size_t kept = 0, used = 0;
  for (size_t i = 0; i < t->count; i += 2) {
    const size_t begin = t->begins[i], floats = t->begins[i + 1] - begin;
    memmove(t->data + used, t->data + begin, floats * sizeof *t->data);
    t->times[kept] = t->times[i];
    t->begins[kept++] = used;
    used += floats;
  }
  t->count = kept;
  t->begins[kept] = used;
  t->every *= 2;
}

void ffi_record_track_free(ffi_record_track *t)
{
  free(t->data);
  free(t->times);
  free(t->begins);
}
