// A sound log in memory, damaged copies of it, and the comparison of both.
#include "cli/log/known_log.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What HDF5 does not free after it has met a damaged record is not our leak.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

ffi_known_log ffi_known_log_read(const char *path)
{
  ffi_known_log known = {0};
  ff_error error = {0};
  ff_log_damage damage;
  if (ff_log_open(path, &known.log, &error) != FF_OK || ff_log_check(known.log, &damage, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_true(damage.rows == 0 && damage.states == 0 && !damage.list);
  assert_true(ff_log_get_info(known.log)->rows > 10 && ff_log_get_info(known.log)->states > 1);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  known.size = (size_t)ftell(file);
  rewind(file);
  known.bytes = malloc(known.size);
  assert_non_null(known.bytes);
  assert_int_equal(fread(known.bytes, 1, known.size, file), known.size);
  fclose(file);
  return known;
}

void ffi_known_log_free(ffi_known_log *known)
{
  ff_log_close(known->log);
  free(known->bytes);
  *known = (ffi_known_log){0};
}

// ---- Damage ---------------------------------------------------------------------------------------------------------

// A third of the places are in the first 32 kB, where HDF5 keeps nearly all of its own records.
const char *ffi_known_log_damage(const ffi_known_log *known, ffi_random *random, const char *path, size_t *at)
{
  static const struct {
    const char *name;
    size_t length; // 0: a bit
    int value;     // -1: cut off
  } kinds[] = {{"a bit", 0, 0},      {"a bit", 0, 0},         {"zeros", 64, 0},  {"ones", 16, 0xff},
               {"a block", 4096, 0}, {"a cluster", 65536, 0}, {"cut off", 0, -1}};
  const int kind = ffi_random_below(random, (int)(sizeof kinds / sizeof kinds[0]));
  const int is_early = ffi_random_chance(random, 0.33) && known->size > 32768;
  *at = (size_t)ffi_random_below(random, is_early ? 32768 : (int)known->size);
  unsigned char *bytes = malloc(known->size);
  assert_non_null(bytes);
  memcpy(bytes, known->bytes, known->size);
  const size_t left = known->size - *at, length = kinds[kind].length < left ? kinds[kind].length : left;
  if (length > 0)
    memset(bytes + *at, kinds[kind].value, length);
  else if (kinds[kind].value == 0)
    bytes[*at] ^= (unsigned char)(1 << ffi_random_below(random, 8));
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  const size_t size = kinds[kind].value < 0 ? *at : known->size;
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
  return kinds[kind].name;
}

void ffi_known_log_flip(const ffi_known_log *known, size_t at, const char *path)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(known->bytes, 1, known->size, file), known->size);
  fseek(file, (long)at, SEEK_SET);
  fputc(known->bytes[at] ^ 4, file);
  assert_int_equal(fclose(file), 0);
}

// ---- Comparison -----------------------------------------------------------------------------------------------------

static int same(const double *a, const double *b, int count)
{
  return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// b may lack the file that it says is damaged.
static int same_files(ff_log *log_a, ff_log *log_b)
{
  const ff_files *a = ff_log_files(log_a), *b = ff_log_files(log_b);
  const char *lacks = ff_log_get_info(log_b)->damaged_file;
  int is_same = ff_files_count(a) == ff_files_count(b) + (lacks[0] != '\0');
  for (int i = 0, k = 0; is_same && i < ff_files_count(a); ++i) {
    const ff_file *x = ff_files_get(a, i), *y = ff_files_get(b, k);
    if (strcmp(x->path, lacks) == 0)
      continue;
    ++k;
    is_same = y && x->kind == y->kind && strcmp(x->name, y->name) == 0 && strcmp(x->path, y->path) == 0 &&
              x->size == y->size && memcmp(x->data, y->data, x->size) == 0;
  }
  return is_same;
}

static int same_head(ff_log *a, ff_log *b)
{
  const ff_log_info *x = ff_log_get_info(a), *y = ff_log_get_info(b);
  int count_a, count_b;
  const char *const *words_a = ff_log_arguments(a, &count_a), *const *words_b = ff_log_arguments(b, &count_b);
  int is_same = strcmp(x->title, y->title) == 0 && strcmp(x->file, y->file) == 0 &&
                strcmp(x->stepper, y->stepper) == 0 && strcmp(x->program, y->program) == 0 &&
                x->dt == y->dt && x->nq == y->nq && x->nv == y->nv && x->rows == y->rows &&
                x->contacts == y->contacts && x->states == y->states && x->is_whole == y->is_whole &&
                strcmp(x->outcome, y->outcome) == 0 && strcmp(x->reason, y->reason) == 0 &&
                (!x->is_whole || x->ended == y->ended) && x->has_sums == y->has_sums && count_a == count_b &&
                same_files(a, b);
  for (int i = 0; is_same && i < count_a; ++i)
    is_same = strcmp(words_a[i], words_b[i]) == 0;
  const ff_ground_def *ground_a = ff_log_ground(a, &count_a), *ground_b = ff_log_ground(b, &count_b);
  for (int i = 0; is_same && i < count_a; ++i)
    is_same = count_a == count_b && ground_a[i].shape.type == ground_b[i].shape.type &&
              same(ground_a[i].shape.size, ground_b[i].shape.size, 3) &&
              same(ground_a[i].velocity, ground_b[i].velocity, 6);
  return is_same;
}

static int same_contact(const ff_contact *a, const ff_contact *b)
{
  return a->id == b->id && a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->ground == b->ground &&
         a->link_a == b->link_a && a->link_b == b->link_b && a->mode == b->mode &&
         same(a->point, b->point, 3) && same(a->normal, b->normal, 3) && same(a->force, b->force, 3) &&
         same(a->slip, b->slip, 2) && same(&a->penetration, &b->penetration, 1);
}

static int same_row(const ff_log_row *a, const ff_log_row *b, const ff_log_info *info)
{
  int is_same = same(&a->time, &b->time, 1) && a->step == b->step && same(a->q, b->q, info->nq) &&
                same(a->v, b->v, info->nv) && same(a->tau, b->tau, info->nv) &&
                same(a->motor, b->motor, info->nv) && memcmp(&a->energy, &b->energy, sizeof a->energy) == 0 &&
                memcmp(&a->info, &b->info, sizeof a->info) == 0 && a->contact_count == b->contact_count;
  for (int i = 0; is_same && i < a->contact_count; ++i)
    is_same = same_contact(&a->contacts[i], &b->contacts[i]);
  return is_same;
}

static const char *compare_rows(ff_log *known, ff_log *log, const ff_log_damage *damage)
{
  const ff_log_info *info = ff_log_get_info(known), *given = ff_log_get_info(log);
  long long bad = 0, first = -1, last = -1;
  double from = (double)NAN, to = (double)NAN;
  for (long long k = 0; k < info->rows; ++k) {
    ff_log_row a, b;
    if (ff_log_read(known, k, &a, NULL) != FF_OK)
      return "the sound log cannot be read";
    if (ff_log_read(log, k, &b, NULL) == FF_OK) {
      if (!same_row(&a, &b, info))
        return "a row has changed, and nobody said so";
      from = isnan(from) ? a.time : from;
      to = a.time;
      continue;
    }
    first = first < 0 ? k : first;
    last = k;
    ++bad;
  }
  if (bad != damage->rows || (bad > 0 && (first != damage->first_row || last != damage->last_row)))
    return "it counts the damaged rows wrongly";
  return same(&from, &given->from, 1) && same(&to, &given->to, 1) ? NULL : "its first or last time is wrong";
}

static const char *compare_states(ff_log *known, ff_log *log, const ff_log_damage *damage)
{
  const ff_log_info *info = ff_log_get_info(known);
  long long bad = 0, last = -1;
  for (long long k = 0; k < info->states; ++k) {
    ff_log_state a, b;
    if (ff_log_read_state(known, k, &a, NULL) != FF_OK)
      return "the sound log cannot be read";
    if (ff_log_read_state(log, k, &b, NULL) != FF_OK) {
      ++bad;
      continue;
    }
    if (a.step != b.step || a.row != b.row || a.time != b.time || a.state_size != b.state_size ||
        a.memory_size != b.memory_size || !same(a.state, b.state, a.state_size) ||
        !same(a.q, b.q, info->nq) || !same(a.tau, b.tau, info->nv) ||
        (a.memory_size > 0 && !same(a.memory, b.memory, a.memory_size)))
      return "a full state has changed, and nobody said so";
    last = k;
  }
  return bad == damage->states && last == damage->last_state ? NULL : "it counts the damaged states wrongly";
}

const char *ffi_known_log_compare(const ffi_known_log *known, const char *path, ffi_known_log_answer *out)
{
  ff_log *log;
  ff_error error = {0};
  ff_log_damage damage;
  *out = FFI_KNOWN_LOG_REFUSED;
  if (ff_log_open(path, &log, &error) != FF_OK)
    return strncmp(error.message, path, strlen(path)) == 0 && strchr(error.message, '\n') == NULL &&
                   (strstr(error.message, "damaged") || strstr(error.message, "is not a log"))
               ? NULL
               : "the message does not say what is wrong";
  const char *wrong = NULL;
  if (ff_log_check(log, &damage, &error) != FF_OK)
    wrong = "it could not be checked";
  else if (!same_head(known->log, log))
    wrong = "what describes the run has changed, and nobody said so";
  else if (!(wrong = compare_rows(known->log, log, &damage)))
    wrong = compare_states(known->log, log, &damage);
  const int lacks_file = ff_log_get_info(log)->damaged_file[0] != '\0';
  *out = damage.rows > 0 || damage.states > 0 || damage.list || lacks_file ? FFI_KNOWN_LOG_DAMAGED
                                                                           : FFI_KNOWN_LOG_SOUND;
  ff_log_close(log);
  return wrong;
}
