/// turn.h: a lock of one object for one thread, which may take it several times. A sim, a batch or a dynamics is for
/// one thread at a time; here threads take turns. Everything but the waiting is done with the interpreter's lock held.
#ifndef FFP_TURN_H
#define FFP_TURN_H

#include <Python.h>

#include <pythread.h>

typedef struct turn {
  PyObject_HEAD //
      PyThread_type_lock lock;
  unsigned long owner; ///< thread that has it, if depth > 0
  int depth;           ///< how often that thread has taken it
} turn;

/// Wait for the turn. It cannot fail.
static inline void turn_take(turn *t)
{
  const unsigned long me = PyThread_get_thread_ident();
  if (t->depth > 0 && t->owner == me) {
    ++t->depth;
    return;
  }
  if (!PyThread_acquire_lock(t->lock, 0)) {
    PyThreadState *state = PyEval_SaveThread();
    PyThread_acquire_lock(t->lock, 1);
    PyEval_RestoreThread(state);
  }
  t->owner = me;
  t->depth = 1;
}

static inline void turn_give(turn *t)
{
  if (t->depth > 0 && --t->depth == 0)
    PyThread_release_lock(t->lock);
}

#endif
