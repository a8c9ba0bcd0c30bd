/// log.h: what happened in a run, written as it happens and read again later. In the library footfall_io.
///
/// A log is an HDF5 file that stands alone: states, controls, contacts and energies row by row, the robot and the scene as they were, and full states
/// from which the run can go on. docs/guide/logs.md has its layout.
///
/// **Reading.** One row at a time, any row:
///
///     ff_log *log;
///     if (ff_log_open("out/solo-trot.h5", &log, &error) != FF_OK) ...
///     const ff_log_info *info = ff_log_get_info(log);
///     for (long long k = 0; k < info->rows; ++k) {
///       ff_log_row row;
///       if (ff_log_read(log, k, &row, &error) != FF_OK) ...
///       ... row.time, row.q, row.contacts ...             // valid until the next call
///     }
///     ff_log_close(log);
///
/// **Writing.** Rows are buffered. At least twice a second what is there goes to the file, rows and a full state together: a program that is killed
/// loses less than a second, and the file opens. A file of that name is replaced, not written over: whoever has it open keeps the old one.
///
///     ff_log_def def = ff_log_def_default();
///     def.model = model, def.sim = sim, def.files = files;
///     ff_log_writer *writer;
///     if (ff_log_create("out.h5", &def, &writer, &error) != FF_OK) ...
///     ff_log_write(writer, &row, &error);
///     ff_log_set_end(writer, "failed", "the motion runs away");   // or nothing, if all went well
///     ff_log_finish(writer, &error);
///
/// A log and a writer are each one thread's; HDF5 itself is not for several threads at once.
#ifndef FOOTFALL_LOG_H
#define FOOTFALL_LOG_H

#include <footfall/files.h>
#include <footfall/load.h>
#include <footfall/model.h>
#include <footfall/scene.h>
#include <footfall/sim.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_LOG_VERSION = 1 }; ///< layout of the file; another one is refused by ff_log_open()

/// The state after `step` steps, and what led to it.
typedef struct ff_log_row {
  double time;         ///< [s]
  long long step;      ///< taken since the start
  const double *q;     ///< [nq] in the model's coordinates
  const double *v;     ///< [nv] in the model's coordinates
  const double *tau;   ///< [nv] generalised forces of controller and pushes over the last step; NULL: none
  const double *motor; ///< [nv] those of motors that are elements, at this state; NULL: none
  ff_energy energy;    ///< at this state, and work since the start
  /// Of the last step; all zero at the start. `seconds`, `alpha`, `shortest` and `longest` are not kept
  ff_step_info info;
  /// [contact_count] at this state. Vectors have the precision of a float; `anchor`, `mean_force` and `tangent` are not kept.
  const ff_contact *contacts;
  int contact_count; ///< points in contact
} ff_log_row;

/// What a number of q (is_velocity 0) or v (1) is called, "knee" or "base.qx", and its unit: "rad", "m/s", ... A name longer than `size` is cut.
void ff_log_column(const ff_model *model, int is_velocity, int index, char *name, size_t size,
                   const char **unit);

// ---- Reading --------------------------------------------------------------------------------------------------------

/// A log that is open for reading. Whatever it returns belongs to it; ff_log_close() frees all.
typedef struct ff_log ff_log;

/// What a log says of itself.
typedef struct ff_log_info {
  const char *path;    ///< of the log
  const char *title;   ///< for people, never NULL: the scene's, else the robot's name
  const char *file;    ///< scene or model that was run, never NULL; it may be gone
  const char *stepper; ///< its name
  const char *program; ///< "footfall 0.1.0": that wrote it
  double dt;           ///< [s]
  int nq;              ///< coordinates of a row
  int nv;              ///< velocities of a row
  long long rows;      ///< that can be read
  long long contacts;  ///< of all rows together
  long long states;    ///< full ones
  double from;         ///< time of the first row [s]; 0 without rows
  double to;           ///< time of the last row [s]
  int is_whole;        ///< 0: it was not finished; the program was killed, or still runs
  /// How the run ended, as ff_log_set_end() was told: "finished", "failed", "interrupted", "missed", ...; "not ended in order" if nobody could.
  const char *outcome;
  const char *reason; ///< why, never NULL; "": there is nothing to say
  double ended;       ///< when [s]: the last row's time
} ff_log_info;

/// FF_ERROR_FILE: it cannot be opened; FF_ERROR_PARSE: it is no log, or damaged; FF_ERROR_UNSUPPORTED: of another version. One that is being
/// written, or whose writer was killed, opens: it has what was written.
ff_status ff_log_open(const char *path, ff_log **out, ff_error *error);
void ff_log_close(ff_log *log); ///< NULL is fine

/// Belongs to the log; it is as of the moment of opening, also while somebody still writes.
const ff_log_info *ff_log_get_info(const ff_log *log);

/// What was run: scene, model, meshes. Complete.
const ff_files *ff_log_files(const ff_log *log);

/// Words that were given to the program, [count]; see ff_log_def.
const char *const *ff_log_arguments(const ff_log *log, int *count);

/// The robot, read from the log. It belongs to the log.
ff_status ff_log_model(ff_log *log, const ff_model **out, ff_error *error);

/// Pieces of ground that are not part of the model; they belong to the log.
const ff_ground_def *ff_log_ground(const ff_log *log, int *count);

/// Where a piece of ground is at a time: it moves with its constant velocity from time 0 on.
ff_pose ff_log_ground_pose(const ff_log *log, int ground, double time);

/// What a row has is valid until the next call. FF_ERROR_ARGUMENT if there is no such row.
ff_status ff_log_read(ff_log *log, long long row, ff_log_row *out, ff_error *error);

/// A full state to go on from.
typedef struct ff_log_state {
  long long step;       ///< taken since the start
  long long row;        ///< of the log, at the same time
  double time;          ///< [s]
  const double *state;  ///< [state_size] as of ff_sim_get_state()
  int state_size;       ///< doubles
  const double *q;      ///< [nq] in the model's coordinates
  const double *tau;    ///< [nv] that the controller holds
  const double *memory; ///< [memory_size] as of ff_scene_get_memory(); NULL: there is none
  int memory_size;      ///< doubles; 0: there is no memory
} ff_log_state;

/// State `index` of ff_log_info.states, in the order of time; the last is where the log ends. Valid until the next call.
ff_status ff_log_read_state(ff_log *log, long long index, ff_log_state *out, ff_error *error);

// ---- Writing --------------------------------------------------------------------------------------------------------

/// A log that is being written. ff_log_finish() closes it and frees the writer.
typedef struct ff_log_writer ff_log_writer;

/// Start from ff_log_def_default(). All is copied, but sim and scene, which are asked for their full state now and then.
typedef struct ff_log_def {
  size_t size;                 ///< of this struct as the program was compiled; ff_log_def_init() sets it
  const ff_model *model;       ///< whose coordinates rows have; needed
  const ff_sim *sim;           ///< needed
  const ff_scene *scene;       ///< default NULL: none; what it has observed goes with full states
  const char *title;           ///< default NULL: the model's name
  const char *file;            ///< scene or model, default NULL: ""
  const ff_ground_def *ground; ///< [ground_count] beside what the model brings, as it is at time 0
  int ground_count;            ///< default 0
  const ff_load_def *load;     ///< how the model is read from `files`; default NULL: the default
  /// Scene, model and all they name; default NULL: none, and then the log cannot be resumed
  const ff_files *files;
  const char *const
      *arguments;     ///< [argument_count] by which a program finds the same run again, default NULL
  int argument_count; ///< default 0
  long long rows; ///< about how many there will be, so that a short log is a small file; default 0: not known
  double state_interval; ///< a full state so often [s] of the sim's time, > 0, default 1
} ff_log_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_log_def_default() is shorter.
void ff_log_def_init(ff_log_def *def, size_t size);

/// A full state each second and no files; model and sim are still to be given.
static inline ff_log_def ff_log_def_default(void)
{
  ff_log_def def;
  ff_log_def_init(&def, sizeof def);
  return def;
}

/// FF_ERROR_FILE with the reason if it cannot be written.
ff_status ff_log_create(const char *path, const ff_log_def *def, ff_log_writer **out, ff_error *error);

/// Rows come in the order of time, the sim in the state of the row. After a failure what reached the file stays, and further rows are refused.
ff_status ff_log_write(ff_log_writer *writer, const ff_log_row *row, ff_error *error);

long long ff_log_written(const ff_log_writer *writer); ///< rows that reached the file

/// How the run ended, before ff_log_finish(): one word, and why, both cut if they are long. If nobody says it is "finished", for no reason. A log that was not finished says "not ended in order".
void ff_log_set_end(ff_log_writer *writer, const char *outcome, const char *reason);

/// Writes what is left and closes. The writer is gone, whatever happens. `writer` may be NULL.
ff_status ff_log_finish(ff_log_writer *writer, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
