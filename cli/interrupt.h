/// interrupt.h: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// The first signal is noted, so that work can end in order; a later one ends the program. Signals within half a second
/// of the first count as the same one: `timeout`, for one, sends its signal to the program and to its process group.
#ifndef FFI_CLI_INTERRUPT_H
#define FFI_CLI_INTERRUPT_H

/// Note signals from now on.
void ffi_interrupt_catch(void);

/// The signal that was noted, 0: none.
int ffi_interrupt_signal(void);

/// For work that keeps no partial result: prints so, and returns the exit status.
int ffi_interrupt_report(void);

/// For work that does not ask ffi_interrupt_signal(): the first signal erases the progress line and ends the program
/// with 128 + its number.
void ffi_interrupt_exit_at_once(void);

#endif
