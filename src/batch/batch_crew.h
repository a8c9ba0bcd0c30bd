/// batch_crew.h: threads that work on the same thing together, again and again.
///
/// A crew of n threads has n members: the thread that calls ffi_batch_crew_run() is member 0, the others wait for work.
/// ffi_batch_crew_begin() gives the work of member 0 to a thread of its own, so that the caller goes on.
#ifndef FFI_BATCH_BATCH_CREW_H
#define FFI_BATCH_BATCH_CREW_H

typedef struct ffi_batch_crew ffi_batch_crew;

/// What each member does; member: 0 .. threads - 1.
typedef void (*ffi_batch_crew_work)(void *user, int member);

/// pinned: member k stays on the k-th of the processors that this process may use, but for the caller's own thread.
/// NULL: no memory, or no thread.
ffi_batch_crew *ffi_batch_crew_create(int threads, int pinned);
void ffi_batch_crew_destroy(ffi_batch_crew *crew); ///< waits; NULL is fine

/// All members work; returns when the last is done.
void ffi_batch_crew_run(ffi_batch_crew *crew, ffi_batch_crew_work work, void *user);

/// The same without waiting; 0: no thread could be made for member 0. Before the next call comes ffi_batch_crew_wait().
int ffi_batch_crew_begin(ffi_batch_crew *crew, ffi_batch_crew_work work, void *user);
void ffi_batch_crew_wait(ffi_batch_crew *crew);

/// Processors that this process may use, at least 1.
int ffi_batch_crew_processors(void);

#endif
