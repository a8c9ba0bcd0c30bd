// Read a trajectory, line by line: the format's name, the counts in their order, then states, controls and gains.
#include "io/trajectory/trajectory.h"

#include "base/decimal.h"
#include "base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 1000000 };

typedef struct reader {
  char *next; ///< the text that is left
  const char *name;
  int line; ///< of what was read last
  ff_trajectory *out;
  ff_error *error;
} reader;

static ff_status fail(const reader *r, ff_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static ff_status fail(const reader *r, ff_status status, const char *format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return ffi_fail(r->error, status, r->name, r->line, NULL, "%s", text);
}

// ---- Lines --------------------------------------------------------------------------------------------------------

// The next line, its end replaced by a zero; NULL at the end of the text.
static char *take_line(reader *r)
{
  char *line = r->next;
  if (!*line)
    return NULL;
  char *end = strchr(line, '\n');
  r->next = end ? end + 1 : line + strlen(line);
  if (end)
    *end = 0;
  const size_t length = strlen(line);
  if (length && line[length - 1] == '\r')
    line[length - 1] = 0;
  ++r->line;
  return line;
}

static ff_status keep_note(reader *r, const char *line)
{
  ff_trajectory *t = r->out;
  line += line[0] == ' ';
  const size_t length = strlen(line);
  char *longer = realloc(t->notes, t->notes_length + length + 2);
  if (!longer)
    return fail(r, FF_ERROR_MEMORY, "no memory for notes");
  memcpy(longer + t->notes_length, line, length);
  memcpy(longer + t->notes_length + length, "\n", 2);
  t->notes = longer;
  t->notes_length += length + 1;
  return FF_OK;
}

// Go on to the next line that is neither empty nor a note.
static ff_status skip_notes(reader *r)
{
  while (*r->next == '#' || *r->next == '\n' || *r->next == '\r') {
    const char *line = take_line(r);
    if (line[0] == '#' && keep_note(r, line + 1) != FF_OK)
      return FF_ERROR_MEMORY;
  }
  return FF_OK;
}

// The next line that is neither empty nor a note. Its first word must be `word`; the rest goes to *rest.
static ff_status take(reader *r, const char *word, char **rest)
{
  const ff_status status = skip_notes(r);
  *rest = r->next;
  if (status != FF_OK)
    return status;
  char *line = take_line(r);
  if (!line)
    return fail(r, FF_ERROR_PARSE, "the file ends; expected '%s'", word);
  const size_t length = strcspn(line, " \t");
  if (length != strlen(word) || strncmp(line, word, length) != 0)
    return fail(r, FF_ERROR_PARSE, "'%.*s'; expected '%s'", length > 40 ? 40 : (int)length, line, word);
  *rest = line + length;
  return FF_OK;
}

// ---- Numbers ------------------------------------------------------------------------------------------------------

// One number from *at, which moves on.
static ff_status take_number(reader *r, char **at, double *out)
{
  char *from = *at + strspn(*at, " \t");
  const size_t length = strcspn(from, " \t");
  const int shown = length > 40 ? 40 : (int)length;
  if (!length)
    return fail(r, FF_ERROR_PARSE, "there are too few numbers");
  if (!ffi_decimal_read(from, length, out))
    return fail(r, FF_ERROR_PARSE, "'%.*s' is not a number", shown, from);
  if (!isfinite(*out))
    return fail(r, FF_ERROR_PARSE, "'%.*s' is not finite", shown, from);
  *at = from + length;
  return FF_OK;
}

static ff_status expect_end(const reader *r, const char *at)
{
  at += strspn(at, " \t");
  return *at ? fail(r, FF_ERROR_PARSE, "'%.40s' is superfluous", at) : FF_OK;
}

// A line `word` with `count` numbers.
static ff_status take_row(reader *r, const char *word, int count, double *out)
{
  char *at;
  ff_status status = take(r, word, &at);
  for (int i = 0; status == FF_OK && i < count; ++i)
    status = take_number(r, &at, &out[i]);
  return status == FF_OK ? expect_end(r, at) : status;
}

// A line `word` with a whole number within limits.
static ff_status take_count(reader *r, const char *word, int least, int most, int *out)
{
  double value;
  const ff_status status = take_row(r, word, 1, &value);
  if (status != FF_OK)
    return status;
  if (!(value >= least && value <= most) || value != floor(value))
    return fail(r, FF_ERROR_PARSE, "'%s' must be a whole number from %d to %d", word, least, most);
  *out = (int)value;
  return FF_OK;
}

// ---- Parts of a file ----------------------------------------------------------------------------------------------

static ff_status read_format(reader *r)
{
  const char *line = take_line(r);
  if (line && strcmp(line, FFI_TRAJECTORY_FORMAT) == 0)
    return FF_OK;
  r->line = 1;
  return fail(r, FF_ERROR_PARSE, "not a trajectory: the first line must be '%s'", FFI_TRAJECTORY_FORMAT);
}

static ff_status read_robot(reader *r, const ff_model *model)
{
  char *robot;
  const ff_status status = take(r, "robot", &robot);
  if (status != FF_OK)
    return status;
  robot += strspn(robot, " \t");
  if (strcmp(robot, ff_model_name(model)) != 0)
    return fail(r, FF_ERROR_MODEL, "it is for the robot '%.60s', not for '%.60s'", robot,
                ff_model_name(model));
  return FF_OK;
}

// A count that must be the model's.
static ff_status read_size(reader *r, const char *word, int models)
{
  int count = 0;
  const ff_status status = take_count(r, word, 0, MOST_STATES, &count);
  if (status == FF_OK && count != models)
    return fail(r, FF_ERROR_MODEL, "it has %d %s, the robot %d", count, word, models);
  return status;
}

static int comes_next(const reader *r, const char *word)
{
  return strncmp(r->next, word, strlen(word)) == 0;
}

static ff_status read_head(reader *r, const ff_model *model)
{
  ff_trajectory *t = r->out;
  ff_status status = read_format(r);
  if (status == FF_OK)
    status = read_robot(r, model);
  if (status == FF_OK)
    status = read_size(r, "coordinates", t->nq);
  if (status == FF_OK)
    status = read_size(r, "velocities", t->nv);
  if (status == FF_OK)
    status = read_size(r, "controls", t->nu);
  if (status == FF_OK)
    status = take_row(r, "interval", 1, &t->def.interval);
  if (status == FF_OK && !(t->def.interval > 0))
    return fail(r, FF_ERROR_PARSE, "the interval must be positive");
  if (status == FF_OK)
    status = take_count(r, "states", 2, MOST_STATES, &t->def.states);
  if (status == FF_OK)
    status = skip_notes(r);
  if (status == FF_OK && comes_next(r, "repeat-from")) {
    t->def.repeats = 1;
    status = take_count(r, "repeat-from", 0, t->def.states - 2, &t->def.repeat_from);
  }
  return status;
}

static ff_status read_state(reader *r, int k)
{
  ff_trajectory *t = r->out;
  const size_t at = (size_t)k, nq = (size_t)t->nq, nv = (size_t)t->nv;
  char *rest;
  ff_status status = take(r, "x", &rest);
  for (size_t i = 0; status == FF_OK && i < nq; ++i)
    status = take_number(r, &rest, &t->q[at * nq + i]);
  for (size_t i = 0; status == FF_OK && i < nv; ++i)
    status = take_number(r, &rest, &t->v[at * nv + i]);
  return status == FF_OK ? expect_end(r, rest) : status;
}

static ff_status read_interval(reader *r, int k)
{
  ff_trajectory *t = r->out;
  const size_t nu = (size_t)t->nu, nx = 2 * (size_t)t->nv;
  double *gain = t->gain + (size_t)k * nu * nx;
  ff_status status = take_row(r, "u", t->nu, t->control + (size_t)k * nu);
  for (size_t i = 0; status == FF_OK && i < nu; ++i)
    status = take_row(r, "K", (int)nx, gain + i * nx);
  return status;
}

// A file has at least a character and a space for each number, and a letter for each line. So one that is too short is
// refused before memory is allocated.
static size_t least_length(const ff_trajectory *t)
{
  const size_t nx = (size_t)t->nq + (size_t)t->nv, nu = (size_t)t->nu, states = (size_t)t->def.states;
  const size_t gains = nu * 2 * (size_t)t->nv;
  return states * (1 + 2 * nx) + (states - 1) * (1 + 2 * nu + nu + 2 * gains);
}

static ff_status read_all(reader *r, const ff_model *model)
{
  ff_trajectory *t = r->out;
  ff_status status = read_head(r, model);
  if (status != FF_OK)
    return status;
  if (strlen(r->next) < least_length(t))
    return fail(r, FF_ERROR_PARSE, "the file is too short for %d states", t->def.states);
  if (ffi_trajectory_allocate(t) != FF_OK)
    return fail(r, FF_ERROR_MEMORY, "no memory for %d states", t->def.states);
  for (int k = 0; status == FF_OK && k < t->def.states; ++k) {
    status = read_state(r, k);
    if (status == FF_OK && k < t->def.states - 1)
      status = read_interval(r, k);
  }
  for (const char *line; status == FF_OK && (line = take_line(r)) != NULL;)
    if (*line)
      status = fail(r, FF_ERROR_PARSE, "unexpected text after the last of %d states", t->def.states);
  return status;
}

ff_status ffi_trajectory_read(char *text, const char *name, const ff_model *model, ff_trajectory *out,
                              ff_error *error)
{
  const ff_model_size size = ff_model_get_size(model);
  *out = (ff_trajectory){
      .def = ff_feedback_def_default(), .nq = size.nq, .nv = size.nv, .nu = ffi_trajectory_controls(model)};
  reader r = {.next = text, .name = name, .out = out, .error = error};
  return read_all(&r, model);
}
