/// status.h: error reporting.
///
/// Every function that can fail returns an ff_status and takes a last argument `ff_error *error`, which may be NULL.
/// On failure it fills the error with a message that a person can act on, and with the file, line and subject where
/// they are known. On success it leaves the error unchanged. Queries of a model by index, such as ff_model_joint(),
/// return the status alone: they fail only with FF_ERROR_ARGUMENT. The library never prints and never exits.
///
///     ff_error error;
///     if (ff_model_load("robot.urdf", NULL, &model, &error) != FF_OK)
///       fprintf(stderr, "%s\n", error.message);
#ifndef FOOTFALL_STATUS_H
#define FOOTFALL_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of failure. The values are part of the ABI and do not change.
typedef enum ff_status {
  FF_OK = 0,                 ///< success
  FF_ERROR_ARGUMENT = 1,     ///< invalid argument of the caller (a NULL, an index out of range)
  FF_ERROR_MEMORY = 2,       ///< out of memory
  FF_ERROR_FILE = 3,         ///< a file cannot be opened, read or written
  FF_ERROR_PARSE = 4,        ///< a file is not well formed: bad XML, a malformed value
  FF_ERROR_MODEL = 5,        ///< the description is well formed but not a valid robot
  FF_ERROR_UNSUPPORTED = 6,  ///< valid, but this version does not support it
  FF_ERROR_LIMIT = 7,        ///< larger than the stated limits (counts, nesting, sizes)
  FF_ERROR_NUMERIC = 8,      ///< numerical failure: a singular matrix, a state that is not finite
  FF_ERROR_STOPPED = 9,      ///< a callback of the caller asked to stop
  FF_ERROR_INTERRUPTED = 10, ///< a step was ended by ff_sim_interrupt() or by ff_sim_def.time_limit
} ff_status;

/// One failure in full. `message` alone is fit to print: it starts with "file:line: " where a file is known, names
/// the subject, says what is wrong and, where it helps, what to do.
typedef struct ff_error {
  ff_status status;  ///< same as the value returned
  int line;          ///< line in `file`, counted from 1; 0 if none
  char file[256];    ///< path as the caller gave it, "" if none; the end of the path if it is longer
  char thing[128];   ///< the subject: "joint 'FL_HAA'"; "" if there is none
  char message[768]; ///< one line without a newline
} ff_error;

/// Search for the known word nearest to an unknown one, for messages ("did you mean ..."). Start with {.word = "typ"}
/// and call ff_nearest_try() with every known word.
typedef struct ff_nearest {
  const char *word;  ///< the unknown word
  const char *meant; ///< the nearest known word so far, the first of several; NULL if none is near
  int distance;      ///< number of letters in which they differ
} ff_nearest;

/// Compare one more known word. The word is not copied.
void ff_nearest_try(ff_nearest *nearest, const char *known);

/// Name of a status: "ok", "bad argument", ... Never NULL.
const char *ff_status_name(ff_status status);

#ifdef __cplusplus
}
#endif
#endif
