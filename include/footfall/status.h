/// status.h: how Footfall says that something went wrong.
///
/// Every function that can fail returns an ff_status and takes a last argument `ff_error *error`, which may
/// be NULL. On failure the error is filled with a message a person can act on, and with the file, line
/// and thing it concerns where there are any; on success it is left alone. Queries of a model by index, such as
/// ff_model_joint(), return the status alone: they fail only with FF_ERROR_ARGUMENT. The library never prints
/// and never exits.
///
///     ff_error error;
///     if (ff_model_load("robot.urdf", NULL, &model, &error) != FF_OK)
///       fprintf(stderr, "%s\n", error.message);
#ifndef FOOTFALL_STATUS_H
#define FOOTFALL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of failure it was. The values are stable: they are the ABI.
typedef enum ff_status {
  FF_OK = 0,                ///< it worked
  FF_ERROR_ARGUMENT = 1,    ///< a caller's argument makes no sense (a NULL, an id out of range)
  FF_ERROR_MEMORY = 2,      ///< memory could not be had
  FF_ERROR_FILE = 3,        ///< a file could not be opened or read
  FF_ERROR_PARSE = 4,       ///< a file is not well formed: bad XML, a number that is none
  FF_ERROR_MODEL = 5,       ///< the description is well formed but describes no valid robot
  FF_ERROR_UNSUPPORTED = 6, ///< valid, but not something this version can represent
  FF_ERROR_LIMIT = 7,       ///< larger than the stated limits (counts, nesting, sizes)
  FF_ERROR_NUMERIC = 8,     ///< the numbers went wrong: a singular matrix, a non-finite state
  FF_ERROR_STOPPED = 9,     ///< a callback of the caller's asked to stop
} ff_status;

/// The whole story of one failure. `message` alone is fit to print: it starts with "file:line: " where a
/// file is known, names the thing, says what is wrong and, where it helps, what to do.
typedef struct ff_error {
  ff_status status;  ///< same as the value returned
  int line;          ///< 1-based line in `file`, 0 if none
  char file[256];    ///< path as the caller gave it, "" if none; its tail if longer
  char thing[128];   ///< what it concerns: "joint 'FL_HAA'", "" if nothing in particular
  char message[768]; ///< one line, no newline at its end
} ff_error;

/// For messages: which known word may have been meant by one that is not known? Start with {.word = "typ"}, try all that are known; `meant` is the nearest of
/// them, the first of several, or NULL if none is near.
typedef struct ff_nearest {
  const char *word;  ///< that is not known
  const char *meant; ///< the nearest so far
  int distance;      ///< letters in which they differ
} ff_nearest;

/// One more known word; it is not copied.
void ff_nearest_try(ff_nearest *nearest, const char *known);

/// The name of a status in words: "ok", "bad argument", ... Never NULL.
const char *ff_status_name(ff_status status);

#ifdef __cplusplus
}
#endif
#endif
