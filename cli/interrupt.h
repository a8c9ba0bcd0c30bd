/// interrupt.h: Ctrl-C, being told to end, and a terminal that is closed: the first one is taken note of, so that work can end in order; a later one ends the program as it always does.
///
/// What comes within half a second of the first is the same wish: `timeout`, for one, sends its signal to the program and to its group.
#ifndef FFI_APPS_INTERRUPT_H
#define FFI_APPS_INTERRUPT_H

/// From now on.
void ffi_interrupt_watch(void);

/// The signal that asks to stop, 0: none.
int ffi_interrupt_got(void);

/// For work that keeps nothing of what was begun: says so, and returns the exit status.
int ffi_interrupt_tell(void);

/// For work that cannot look: the first one ends the program, with the status of that signal and without leaving a line of progress.
void ffi_interrupt_end(void);

#endif
