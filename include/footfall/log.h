/// log.h: write the results of a run to a file, and read them. In the library footfall_io.
///
/// A log is a self-contained HDF5 file: rows of states, controls, contacts and energies, copies of the robot and the
/// scene, and full states from which the run can be resumed. docs/guide/logs.md describes its layout.
///
/// **Reading.** Rows can be read in any order:
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
/// **Recording.** A log as a recording (record.h), one state per row:
///
///     ff_record_def def = ff_record_def_default();
///     if (ff_log_record_def(log, &def, &error) != FF_OK || ff_record_create(&def, &record, &error) != FF_OK) ...
///     if (ff_log_record(log, record, &error) != FF_OK) ...
///     ff_record_destroy(record);                            // before the log, which owns the model
///
/// **Writing.** Rows are buffered. At least twice a second the buffered rows and a full state go to the file
/// together. So a killed program loses less than a second, and its file can be opened. An existing file of the same
/// name is replaced, not overwritten: programs that have it open keep the old one. Until the new log is finished the
/// old one is called FILE~. Two writers of one file are refused.
///
///     ff_log_def def = ff_log_def_default();
///     def.model = model, def.sim = sim, def.files = files;
///     ff_log_writer *writer;
///     if (ff_log_create("out.h5", &def, &writer, &error) != FF_OK) ...
///     ff_log_write(writer, &row, &error);
///     ff_log_set_end(writer, "failed", "the motion runs away");   // not needed if the run succeeded
///     ff_log_finish(writer, &error);
///
/// Use a log and a writer from one thread each. HDF5 itself must not be used by several threads at once.
#ifndef FOOTFALL_LOG_H
#define FOOTFALL_LOG_H

#include <footfall/files.h>
#include <footfall/load.h>
#include <footfall/model.h>
#include <footfall/record.h>
#include <footfall/scene.h>
#include <footfall/sim.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_LOG_VERSION = 1 }; ///< layout version of the file; ff_log_open() refuses any other

/// The state after `step` steps, and what led to it.
typedef struct ff_log_row {
  double time;         ///< [s]
  long long step;      ///< steps taken since the start
  const double *q;     ///< [nq] in the model's coordinates
  const double *v;     ///< [nv] in the model's coordinates
  const double *tau;   ///< [nv] generalised forces of controller and pushes over the last step; NULL: none
  const double *motor; ///< [nv] generalised forces of motors (PD elements) at this state; NULL: none
  ff_energy energy;    ///< at this state, and work since the start
  /// Of the last step; all zero at the start. `seconds`, `alpha`, `shortest` and `longest` are not stored
  ff_step_info info;
  /// [contact_count] at this state. Vectors are stored as float; `anchor`, `mean_force` and `tangent` are not stored.
  const ff_contact *contacts;
  int contact_count; ///< number of contact points
} ff_log_row;

/// Name and unit of a component of q (is_velocity 0) or v (1): "knee" or "base.qx", and "rad", "m/s", ... A name
/// longer than `size` is truncated.
void ff_log_column(const ff_model *model, int is_velocity, int index, char *name, size_t size,
                   const char **unit);

// ---- Reading --------------------------------------------------------------------------------------------------------

/// A log open for reading. It owns everything that it returns; ff_log_close() frees all.
typedef struct ff_log ff_log;

/// Description of a log.
typedef struct ff_log_info {
  const char *path;    ///< of the log
  const char *title;   ///< for people, never NULL: the scene's title, else the robot's name
  const char *file;    ///< scene or model of the run, never NULL; the file may no longer exist
  const char *stepper; ///< name of the stepper
  const char *program; ///< program that wrote it: "footfall 0.1.0"
  double dt;           ///< [s]
  int nq;              ///< coordinates of a row
  int nv;              ///< velocities of a row
  long long rows;      ///< number of rows
  long long contacts;  ///< number of contacts of all rows together
  long long states;    ///< number of full states
  double from;  ///< time of the first row that is not damaged [s]; 0 without rows, NaN if all are damaged
  double to;    ///< time of the last row that is not damaged [s]
  int is_whole; ///< 0: the log was not finished; the program was killed or is still running
  /// Outcome of the run from ff_log_set_end(): "finished", "failed", "interrupted", "missed", ...; "not ended in
  /// order" if the log was not finished
  const char *outcome;
  const char *reason; ///< reason of the outcome, never NULL; "": none
  double ended;       ///< time of the end [s]: the last row's time
  int has_sums;       ///< 0: an older version wrote it, without checksums; damage may go unnoticed
  /// Path of a file of the run that cannot be read as it was written, never NULL; "": all can. ff_log_files() lacks it.
  /// The rest of the log can be read, without its robot if that needs the file; the run cannot be resumed.
  const char *damaged_file;
} ff_log_info;

/// Open a log. FF_ERROR_FILE: it cannot be opened; FF_ERROR_PARSE: it is not a log, or damaged; FF_ERROR_UNSUPPORTED:
/// another version. A log that is still being written, or whose writer was killed, opens with the rows written so
/// far. All that describes the run is compared with its checksums; rows and full states are when they are read.
ff_status ff_log_open(const char *path, ff_log **out, ff_error *error);
void ff_log_close(ff_log *log); ///< NULL is fine

/// Description of the log as of its opening, even if another program still writes. Belongs to the log.
const ff_log_info *ff_log_get_info(const ff_log *log);

/// All files of the run: scene, model, meshes.
const ff_files *ff_log_files(const ff_log *log);

/// Arguments of the program that wrote the log, [count]; see ff_log_def.
const char *const *ff_log_arguments(const ff_log *log, int *count);

/// The robot, read from the log. It belongs to the log.
ff_status ff_log_model(ff_log *log, const ff_model **out, ff_error *error);

/// Ground shapes that are not part of the model; they belong to the log.
const ff_ground_def *ff_log_ground(const ff_log *log, int *count);

/// Pose of a ground shape at a time; it moves with its constant velocity from time 0 on.
ff_pose ff_log_ground_pose(const ff_log *log, int ground, double time);

/// Read a row; its arrays are valid until the next call. FF_ERROR_ARGUMENT if the row does not exist, FF_ERROR_PARSE if
/// it is damaged.
ff_status ff_log_read(ff_log *log, long long row, ff_log_row *out, ff_error *error);

/// A full state from which a run can be resumed.
typedef struct ff_log_state {
  long long step;       ///< steps taken since the start
  long long row;        ///< row of the log at the same time
  double time;          ///< [s]
  const double *state;  ///< [state_size] as of ff_sim_get_state()
  int state_size;       ///< doubles
  const double *q;      ///< [nq] in the model's coordinates
  const double *tau;    ///< [nv] torques of the present control period
  const double *memory; ///< [memory_size] as of ff_scene_get_memory(); NULL: none
  int memory_size;      ///< doubles; 0: none
} ff_log_state;

/// Read full state `index` of ff_log_info.states, in the order of time; the last is at the end of the log. Valid
/// until the next call. FF_ERROR_PARSE if it is damaged; an earlier one may not be.
ff_status ff_log_read_state(ff_log *log, long long index, ff_log_state *out, ff_error *error);

/// What is damaged in a log that could be opened. All zero, except the last two: nothing is.
typedef struct ff_log_damage {
  long long rows;       ///< number of rows that cannot be read, or are not as they were written
  long long first_row;  ///< the first of them
  long long last_row;   ///< the last of them
  long long states;     ///< number of full states that are damaged
  const char *list;     ///< a damaged list of names or units, such as "names/q"; NULL: none is
  long long last_state; ///< the last full state that can be resumed from; -1: none
  double last_time;     ///< its time [s]
} ff_log_damage;

/// Read all of a log and compare it with its checksums, which takes some seconds for a million rows of a quadruped.
/// A log without checksums (ff_log_info.has_sums) has damage only where it cannot be read at all. FF_ERROR_MEMORY if
/// memory is short; damage is not an error.
ff_status ff_log_check(ff_log *log, ff_log_damage *out, ff_error *error);

// ---- Writing --------------------------------------------------------------------------------------------------------

/// A log open for writing. ff_log_finish() closes it and frees the writer.
typedef struct ff_log_writer ff_log_writer;

/// What to log. Start from ff_log_def_default(). All of it is copied, except sim and scene: the writer reads their
/// full state from time to time.
typedef struct ff_log_def {
  size_t size;           ///< of this struct as the program was compiled; ff_log_def_init() sets it
  const ff_model *model; ///< rows have its coordinates; required
  const ff_sim *sim;     ///< required
  const ff_scene *scene; ///< default NULL: none; its observations are stored with full states
  const char *title;     ///< default NULL: the model's name
  const char *file;      ///< scene or model, default NULL: ""
  /// [ground_count] ground that is not part of the model, as at time 0; default NULL
  const ff_ground_def *ground;
  int ground_count;        ///< default 0
  const ff_load_def *load; ///< how the model is read from `files`; default NULL: the default
  /// Scene, model and all files they name; default NULL: none, and the log cannot be resumed
  const ff_files *files;
  /// [argument_count] arguments with which a program repeats the run, default NULL
  const char *const *arguments;
  int argument_count;    ///< default 0
  long long rows;        ///< expected number of rows, so that a short log is a small file; default 0: unknown
  double state_interval; ///< simulated time between full states [s], > 0, default 1
} ff_log_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_log_def_default() is shorter.
void ff_log_def_init(ff_log_def *def, size_t size);

/// A full state each second and no files. The caller must set model and sim.
static inline ff_log_def ff_log_def_default(void)
{
  ff_log_def def;
  ff_log_def_init(&def, sizeof def);
  return def;
}

/// Create a log. FF_ERROR_FILE with the reason if the file cannot be written, or if another program is writing it.
ff_status ff_log_create(const char *path, const ff_log_def *def, ff_log_writer **out, ff_error *error);

/// Append a row. Rows must be in the order of time, and the sim in the state of the row. After a failure the file
/// keeps what was written, and further rows are refused.
ff_status ff_log_write(ff_log_writer *writer, const ff_log_row *row, ff_error *error);

long long ff_log_written(const ff_log_writer *writer); ///< rows written to the file

/// Set the outcome of the run, one word, and its reason, before ff_log_finish(). Both are truncated if they are long.
/// Default: "finished" without a reason. A log that was not finished has the outcome "not ended in order".
void ff_log_set_end(ff_log_writer *writer, const char *outcome, const char *reason);

/// Write the remaining rows, close the file and free the writer, also on failure. `writer` may be NULL.
ff_status ff_log_finish(ff_log_writer *writer, ff_error *error);

// ---- Recordings -------------------------------------------------------------------------------------------

/// Set model, ground, spacing and duration of an initialised def from a log. Fails as ff_log_model() does.
ff_status ff_log_record_def(ff_log *log, ff_record_def *def, ff_error *error);

/// Add all rows of a log to a recording. If a row cannot be read, the recording has the rows before it and the status
/// is that failure.
ff_status ff_log_record(ff_log *log, ff_record *record, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
