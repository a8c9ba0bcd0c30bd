/// bad_rows.h: a table of what users and machines do wrong to the command, and what it must answer.
///
/// A row is one call. It must end by itself, with the status that docs/guide/errors.md promises, say one line that
/// starts with "footfall: " and has the row's words in it, print nothing, and leave the scratch folder as it was:
/// nothing lost, no half file. A table has kinds of trouble; ffi_bad_cover() asks the command which subcommands it has
/// and fails where one has neither a row of a kind nor a reason to have none, so that a new subcommand cannot be
/// forgotten.
///
/// Rows are words for a shell, in which $T is the scratch folder with the files of ffi_bad_files(), $M and $S are
/// models/ and scenes/.
#ifndef FFI_TESTS_BAD_ROWS_H
#define FFI_TESTS_BAD_ROWS_H

#include <stddef.h>

typedef struct ffi_bad_row {
  const char *kind;
  const char *command;   ///< "run", "view --live", "bench all"; "" is no command at all
  const char *arguments; ///< after the command; may redirect
  int status;
  const char *words;  ///< that the message has, with '|' between them
  const char *prefix; ///< before the command, NULL: nothing
  int may_write; ///< files come out of it, or something on stdout: the status is 0, or it is not known at the start
} ffi_bad_row;

/// A row that is refused; one in other surroundings, such as "ulimit -f 1;"; one that is done all the same, and says
/// something about it; one that is refused late.
// clang-format off
#define FFI_BAD(k, c, a, s, w) {.kind = k, .command = c, .arguments = a, .status = s, .words = w}
#define FFI_BAD_IN(p, k, c, a, s, w) {.kind = k, .command = c, .arguments = a, .status = s, .words = w, .prefix = p}
#define FFI_BAD_DONE(k, c, a, w) {.kind = k, .command = c, .arguments = a, .words = w, .may_write = 1}
#define FFI_BAD_LATE(p, k, c, a, s, w) \
  {.kind = k, .command = c, .arguments = a, .status = s, .words = w, .prefix = p, .may_write = 1}
// clang-format on

/// Subcommands for which there is nothing of this kind to do wrong, with commas around each: ",help,bench all,"; no
/// command at all is "(none)". `reason` is for the reader.
typedef struct ffi_bad_exemption {
  const char *kind, *commands, *reason;
} ffi_bad_exemption;

/// Make the files that rows name.
int ffi_bad_files(void **state);
int ffi_bad_clean_up(void **state);

void ffi_bad_check(const ffi_bad_row *rows, size_t count);
void ffi_bad_cover(const ffi_bad_row *rows, size_t count, const ffi_bad_exemption *exemptions,
                   size_t exemption_count);

/// From now on programs that are started may not read what they may not read, nor have ports of the system, though it
/// is root who starts them. 0: that is not possible here.
int ffi_bad_obey_modes(void);

#endif
