/// progress.h: one line on the terminal that says how far long work is and how long it still takes. Nothing into files and pipes.
///
///     ffi_progress progress;
///     ffi_progress_begin(&progress, !is_quiet);
///     while (...)
///       ffi_progress_show(&progress, done, "what is done now");   // as often as you like
///     ffi_progress_end(&progress);                                // the line is gone
///
/// It is on stderr, as wide as the terminal, and there only after half a second: short work shows nothing.
#ifndef FFI_APPS_PROGRESS_H
#define FFI_APPS_PROGRESS_H

typedef struct ffi_progress {
  int is_shown;       ///< wanted, and there is a terminal
  double start, last; ///< [s]
} ffi_progress;

double ffi_seconds(void); ///< since some moment

void ffi_progress_begin(ffi_progress *progress, int is_wanted);

/// Is it time for a new line? Ask before making words for it.
int ffi_progress_is_due(const ffi_progress *progress, double now);

/// A share 0..1 is done, of which `what` says more; may be "".
void ffi_progress_show(ffi_progress *progress, double share, const char *what);

void ffi_progress_end(ffi_progress *progress);

/// Take the line away, from wherever the program is: a signal's handler may call it.
void ffi_progress_wipe(void);

#endif
