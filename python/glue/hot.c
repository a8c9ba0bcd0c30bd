// The module footfall._hot: what is called so often that a microsecond counts. By hand, in the stable ABI of CPython
// 3.11; docs/decisions/0031-python-by-cffi.md has the measurement.
//
//   Turn    the lock of an object, as a context manager; turn.h
//   Memory  memory of the C library for numpy: a buffer that keeps its owner alive
//   Steps   base of Sim and Batch: step() itself
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include "turn.h"

#include <footfall/batch.h>

#include <string.h>

// ---- Turn -----------------------------------------------------------------------------------------------------------

static void free_object(PyObject *object)
{
  PyTypeObject *type = Py_TYPE(object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static PyObject *turn_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  (void)args, (void)keywords;
  turn *t = (turn *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (t && !(t->lock = PyThread_allocate_lock())) {
    Py_DECREF(t);
    return PyErr_NoMemory();
  }
  return (PyObject *)t;
}

static void turn_free(PyObject *self)
{
  if (((turn *)self)->lock)
    PyThread_free_lock(((turn *)self)->lock);
  free_object(self);
}

static PyObject *turn_enter(PyObject *self, PyObject *unused)
{
  (void)unused;
  turn_take((turn *)self);
  return Py_NewRef(self);
}

static PyObject *turn_exit(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
  (void)args, (void)count;
  turn_give((turn *)self);
  Py_RETURN_NONE;
}

static PyMethodDef turn_methods[] = {
    {"__enter__", turn_enter, METH_NOARGS, "Wait for the turn."},
    {"__exit__", (PyCFunction)(void (*)(void))turn_exit, METH_FASTCALL, "End it."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot turn_slots[] = {
    {Py_tp_new, turn_new}, {Py_tp_dealloc, turn_free}, {Py_tp_methods, turn_methods}, {0, NULL}};
static PyType_Spec turn_spec = {"footfall._hot.Turn", sizeof(turn), 0, Py_TPFLAGS_DEFAULT, turn_slots};

// ---- Memory ---------------------------------------------------------------------------------------------------------

typedef struct memory {
  PyObject_HEAD //
      void *address;
  Py_ssize_t bytes;
  PyObject *owner;
} memory;

static PyObject *memory_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  unsigned long long address;
  Py_ssize_t bytes;
  PyObject *owner;
  (void)keywords;
  if (!PyArg_ParseTuple(args, "KnO", &address, &bytes, &owner))
    return NULL;
  memory *m = (memory *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (m) {
    m->address = (void *)(uintptr_t)address;
    m->bytes = bytes;
    m->owner = Py_NewRef(owner);
  }
  return (PyObject *)m;
}

static void memory_free(PyObject *self)
{
  Py_XDECREF(((memory *)self)->owner);
  free_object(self);
}

static int memory_buffer(PyObject *self, Py_buffer *view, int flags)
{
  const memory *m = (memory *)self;
  return PyBuffer_FillInfo(view, self, m->address, m->bytes, 1, flags); // read-only
}

static PyType_Slot memory_slots[] = {
    {Py_tp_new, memory_new}, {Py_tp_dealloc, memory_free}, {Py_bf_getbuffer, memory_buffer}, {0, NULL}};
static PyType_Spec memory_spec = {"footfall._hot.Memory", sizeof(memory), 0, Py_TPFLAGS_DEFAULT,
                                  memory_slots};

// ---- Steps ----------------------------------------------------------------------------------------------------------

// A sim and a batch are stepped by functions of the same form; footfall/_native.py passes their addresses.
typedef ff_status (*give)(void *object, const double *numbers, ff_error *error);
#define IS_GIVE(function, object)                                                                            \
  _Static_assert(                                                                                            \
      __builtin_types_compatible_p(__typeof__(function), ff_status(object *, const double *, ff_error *)),   \
      #function " is no longer what Steps.step() calls")
IS_GIVE(ff_sim_set_controls, ff_sim);
IS_GIVE(ff_sim_step, ff_sim);
IS_GIVE(ff_batch_set_controls, ff_batch);
IS_GIVE(ff_batch_step, ff_batch);

typedef struct steps {
  PyObject_HEAD //
      turn *turn;
  void *object; ///< ff_sim or ff_batch; NULL: closed
  give set_controls, step;
  ff_error *error;
  Py_ssize_t robots; ///< rows of an input; 0: it is a vector
  Py_ssize_t nu, nv;
} steps;

static void steps_free(PyObject *self)
{
  Py_XDECREF((PyObject *)((steps *)self)->turn);
  free_object(self);
}

static PyObject *steps_ready(PyObject *self, PyObject *args)
{
  steps *s = (steps *)self;
  unsigned long long object, set_controls, step, error;
  PyObject *turn_given;
  if (!PyArg_ParseTuple(args, "OKKKKnnn", &turn_given, &object, &set_controls, &step, &error, &s->robots,
                        &s->nu, &s->nv))
    return NULL;
  Py_XDECREF((PyObject *)s->turn);
  s->turn = (turn *)Py_NewRef(turn_given);
  s->object = (void *)(uintptr_t)object;
  s->set_controls = (give)(uintptr_t)set_controls;
  s->step = (give)(uintptr_t)step;
  s->error = (ff_error *)(uintptr_t)error;
  Py_RETURN_NONE;
}

static PyObject *steps_forget(PyObject *self, PyObject *unused)
{
  (void)unused;
  ((steps *)self)->object = NULL;
  Py_RETURN_NONE;
}

// Are these doubles in the order and number that C expects? 1: yes, and `view` is held.
static int fits(const steps *s, PyObject *given, Py_ssize_t width, Py_buffer *view)
{
  if (PyObject_GetBuffer(given, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return 0;
  }
  const int dimensions = s->robots > 0 ? 2 : 1;
  if (view->ndim == dimensions && view->format && strcmp(view->format, "d") == 0 &&
      view->shape[dimensions - 1] == width && (dimensions == 1 || view->shape[0] == s->robots))
    return 1;
  PyBuffer_Release(view);
  return 0;
}

// An argument of step(): as it is, or what _convert() of the subclass makes of it. NULL: it raised.
static PyObject *take(steps *s, const char *name, PyObject *given, Py_ssize_t width, Py_buffer *view)
{
  if (fits(s, given, width, view))
    return Py_NewRef(given);
  PyObject *made = PyObject_CallMethod((PyObject *)s, "_convert", "sOn", name, given, width);
  if (!made || fits(s, made, width, view))
    return made;
  Py_DECREF(made);
  PyErr_SetString(PyExc_TypeError, "_convert() returned no array of doubles");
  return NULL;
}

typedef struct input {
  PyObject *object; ///< NULL: not given
  Py_buffer view;
} input;

static const double *numbers(const input *in)
{
  return in->object ? (const double *)in->view.buf : NULL;
}

static void release(input *in)
{
  if (in->object)
    PyBuffer_Release(&in->view);
  Py_XDECREF(in->object);
}

static int accept(steps *s, const char *name, PyObject *given, Py_ssize_t width, input *in)
{
  if (!given || Py_IsNone(given))
    return 1;
  in->object = take(s, name, given, width, &in->view);
  return in->object != NULL;
}

// step(u=None, *, tau=None): which argument is which. 0: it raised.
static int sort_arguments(PyObject *const *args, Py_ssize_t count, PyObject *names, PyObject *given[2])
{
  if (count > 1) {
    PyErr_Format(PyExc_TypeError, "step() takes one argument without a name, not %zd", count);
    return 0;
  }
  given[0] = count > 0 ? args[0] : NULL;
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject *name = PyTuple_GetItem(names, i);
    const int is_u = PyUnicode_CompareWithASCIIString(name, "u") == 0;
    if ((!is_u && PyUnicode_CompareWithASCIIString(name, "tau") != 0) || (is_u && given[0])) {
      PyErr_Format(PyExc_TypeError, "step() got an unexpected argument '%U'", name);
      return 0;
    }
    given[!is_u] = args[count + i];
  }
  return 1;
}

static ff_status advance(steps *s, const double *u, const double *tau)
{
  ff_status status = FF_OK;
  PyThreadState *state = PyEval_SaveThread();
  if (u)
    status = s->set_controls(s->object, u, s->error);
  if (status == FF_OK)
    status = s->step(s->object, tau, s->error);
  PyEval_RestoreThread(state);
  return status;
}

static PyObject *steps_step(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
  steps *s = (steps *)self;
  PyObject *given[2] = {NULL, NULL}, *result = NULL;
  input u = {0}, tau = {0};
  if (!sort_arguments(args, count, names, given))
    return NULL;
  if (!s->object)
    return PyObject_CallMethod(self, "_refuse", NULL);
  if (!accept(s, "u", given[0], s->nu, &u) || !accept(s, "tau", given[1], s->nv, &tau)) {
    release(&u);
    return NULL;
  }
  turn_take(s->turn);
  if (!s->object)
    result = PyObject_CallMethod(self, "_refuse", NULL); // closed while this thread waited
  else if (advance(s, numbers(&u), numbers(&tau)) == FF_OK)
    result = Py_NewRef(Py_None);
  else
    result = PyObject_CallMethod(self, "_fail", NULL); // raises
  turn_give(s->turn);
  release(&u);
  release(&tau);
  return result;
}

static PyMethodDef steps_methods[] = {
    {"step", (PyCFunction)(void (*)(void))steps_step, METH_FASTCALL | METH_KEYWORDS,
     "step(self, u=None, *, tau=None)\n--\n\n"
     "Advance by one step of dt.\n\n"
     "u: controls as the world defines them (World.controls), [nu], for a batch [robots, nu]; references\n"
     "from now on, torques for this step. None: none are set.\n"
     "tau: generalised forces [nv], for a batch [robots, nv], added to those of controls and elements.\n\n"
     "Arrays of float64 in C order are read where they are; other numbers are converted. The interpreter's\n"
     "lock is released. A sim whose step fails raises NumericError and keeps the state from before; of a\n"
     "batch the robots that fail stop, see Batch.status."},
    {"_ready", steps_ready, METH_VARARGS, "Set what step() calls."},
    {"_forget", steps_forget, METH_NOARGS, "From now on it is closed."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot steps_slots[] = {
    {Py_tp_new, PyType_GenericNew}, {Py_tp_dealloc, steps_free}, {Py_tp_methods, steps_methods}, {0, NULL}};
static PyType_Spec steps_spec = {"footfall._hot.Steps", sizeof(steps), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, steps_slots};

// ---- The module -----------------------------------------------------------------------------------------------------

static int add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
  PyObject *type = PyType_FromSpec(spec);
  const int status = type ? PyModule_AddObjectRef(module, name, type) : -1;
  Py_XDECREF(type);
  return status;
}

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "footfall._hot",
                                        "What is called so often that a microsecond counts.",
                                        -1,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__hot(void)
{
  PyObject *module = PyModule_Create(&definition);
  if (module && add_type(module, "Turn", &turn_spec) == 0 && add_type(module, "Memory", &memory_spec) == 0 &&
      add_type(module, "Steps", &steps_spec) == 0)
    return module;
  Py_XDECREF(module);
  return NULL;
}
