/// progress.h: a progress line on the terminal: how far the work is, and how long it still takes.
///
///     ffi_progress progress;
///     ffi_progress_begin(&progress, !is_quiet);
///     while (...)
///       ffi_progress_show(&progress, done, "what is done now");   // as often as you like
///     ffi_progress_end(&progress);                                // erases the line
///
/// It goes to stderr, and only if that is a terminal. It appears after half a second, so short work shows nothing.
#ifndef FFI_CLI_PROGRESS_H
#define FFI_CLI_PROGRESS_H

typedef struct ffi_progress {
  int is_shown;       ///< wanted, and there is a terminal
  double start, last; ///< [s]
} ffi_progress;

double ffi_progress_seconds(void); ///< of a monotonic clock

void ffi_progress_begin(ffi_progress *progress, int is_wanted);

/// Is a new line due? Ask before you format one.
int ffi_progress_is_due(const ffi_progress *progress, double now);

/// A share 0..1 is done; `what` says what is being done, may be "".
void ffi_progress_show(ffi_progress *progress, double share, const char *what);

void ffi_progress_end(ffi_progress *progress);

/// Erase the line. A signal handler may call it.
void ffi_progress_erase(void);

#endif
