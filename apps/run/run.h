/// run.h: footfall run: simulates a model or a scene.
///
///     run.c               the loop: read options, make the scene, step, report
///     run_options.c       the options
///     run_option_values.c   values that need more than a unit
///     run_scene.c         the scene of a run
///     run_scene_model.c     made from a model: ground, posture and motors by options
///     run_scene_file.c      or loaded from its file, with overrides
///     run_resume.c        continues a run from its log
///     run_statistics.c    energy, slip, penetration over the run
///     run_log.c           the log: its file and format; rows of HDF5
///     run_csv.c           columns and rows of CSV (csv_log.c writes them)
///     run_mcap.c          messages of MCAP (mcap.c writes them); run_mcap.h lists its parts
///     run_contact_sums.c  sums over contacts, for CSV and MCAP
///     run_motor_forces.c  forces of motors, for all logs
///     run_end.c           how the run ended, for all logs
///     run_batch.h         many runs of one scene
///     run_summary.c       the summary as text; run_summary_json.c as JSON; run_notes.c the notes in both
///
/// Order: ffi_run_options_read() fills the request, ffi_run_scene_open() makes the scene. ffi_run_statistics_step()
/// follows each step. ffi_run_summary() or ffi_run_summary_json() prints the result.
#ifndef FFI_APPS_RUN_H
#define FFI_APPS_RUN_H

#include "cli/options/overrides.h"
#include "cli/text/progress.h"
#include "cli/text/terminal.h"
#include "load_options.h"
#include "run/csv_log.h"
#include "run/mcap.h"
#include "run/run_batch_options.h"

#include <footfall/dynamics.h>
#include <footfall/log.h>
#include <footfall/scene.h>
#include <footfall/scene/scene_batch.h>
#include <footfall/sim.h>

#include <stdio.h>

enum { FFI_RUN_OVERLAPS_SIZE = 280 };
typedef struct ffi_run_scene ffi_run_scene;

// ---- The request -----------------------------------------------------------------------------------

/// What the command line asks for. Numbers that were not given are NAN.
typedef struct ffi_run_request {
  const char *path;
  int is_scene;          ///< path leads to a scene, not to a model
  ffi_overrides changes; ///< scenes only
  ffi_load_options load;
  ff_sim_def sim; ///< stepper, dt, options of expo; the rest is set up by ffi_run_scene_open()
  double duration;
  const char *posture; ///< NULL: not given
  double drop;         ///< height of the lowest point above the ground [m]
  int is_on_ground;    ///< drop is 0 because of --on-ground
  double slope;        ///< of the ground, about y: x is downhill [rad]
  int has_slope;       ///< it was given
  int has_motors;      ///< hold the posture
  double kp, kd;
  double stiffness, damping, friction;
  const char *log;     ///< NULL: none; "-": stdout
  int has_no_log;      ///< by --no-log
  char *own_log;       ///< storage of `log` if the command line does not give it, owned
  long long log_every; ///< steps between rows; 0: as in the scene
  int as_json, is_quiet, is_ascii;
  int failure; ///< the exit status after an error message
  /// [argument_count] the arguments that repeat the run, owned; the strings are the command line's
  const char **arguments;
  int argument_count;
  ff_files *files;    ///< all files that were read, for the log, owned
  const char *resume; ///< the log to resume, NULL: none
  ff_log *source;     ///< that log, owned
  double more;        ///< --duration with --resume [s]; NAN: to the end of the original run
  ffi_run_many many;  ///< many runs, or one of them
  int is_resumed;
  int is_judged;       ///< the resumed log has all that the task's result needs
  long long first;     ///< steps before the resumed part
  long long remaining; ///< steps of the resumed part
} ffi_run_request;

/// 0 after an error message. Free it either way.
int ffi_run_options_read(int argc, char **argv, ffi_run_request *request);
void ffi_run_options_free(ffi_run_request *request);

/// Read KP,KD of --pd, and values of --slope and --drop. 0 after an error message.
int ffi_run_option_values_gains(const char *text, ffi_run_request *out);
int ffi_run_option_values_slope(const char *text, double *slope);
int ffi_run_option_values_drop(const char *text, double *drop);

/// A bare number of --dt is in seconds, and steps are milliseconds long: was it meant? 0 after an error message.
int ffi_run_option_values_is_meant(const char *text, double dt);

/// Open the log to be resumed. 0 after an error message.
int ffi_run_resume_open(ffi_run_request *request);

/// Once the sim is made: set the state of the log's end. 0 after an error message.
int ffi_run_resume_restore(ffi_run_request *request, ffi_run_scene *scene);

/// Can a log have this name, from an option or from "log.file"? 0 after an error message.
int ffi_run_log_check_name(const char *option, const char *path);

/// The default log, out/NAME.h5, unless there is a log or none is wanted. 0 after an error message.
int ffi_run_log_choose(ffi_run_request *request);

/// Once both are known: can log and summary be combined? 0 after an error message.
int ffi_run_options_check_output(const ffi_run_request *request);

long long ffi_run_options_steps(const ffi_run_request *request);

// ---- The scene ---------------------------------------------------------------------------------

/// What holds joints: motors of the scene, which are elements of the sim, and the model's servos.
typedef struct ffi_run_motors {
  int count;           ///< motors of the scene
  int model_count;     ///< joints that the model's own servos hold
  double kp[2], kd[2]; ///< least and most of the scene's motors
} ffi_run_motors;

enum { FFI_RUN_BASES = 8 }; // robots whose bases are followed

struct ffi_run_scene {
  ff_scene *scene;       ///< from its file, or made from a model; or of `batch`
  ff_scene_batch *batch; ///< of one run, --only; NULL: none
  ff_scene *whole;       ///< with a batch: the scene that it is a run of, owned
  int has_task;          ///< it is from a file: observed by ff_scene_watch(), with a result
  const ff_model *model;
  ff_model *own_model;                  ///< the same, NULL: the scene's
  ff_sim *sim;                          ///< the scene's
  const char *posture;                  ///< NULL: neutral
  const double *q;                      ///< [nq] at the start, the scene's
  int has_plane;                        ///< the ground is one plane
  ff_pose plane;                        ///< its z axis is the normal
  char overlaps[FFI_RUN_OVERLAPS_SIZE]; ///< links of one robot that overlap at the start; "": none
  double gap;  ///< of the lowest point above the plane at the start [m]; NAN: no plane or nothing to touch it
  double lift; ///< how far the robot was moved up to be there [m]
  double below; ///< how far a fixed robot reaches below z = 0 where it has no ground [m]
  double depth; ///< of the deepest contact with the world at the start [m], 0: none
  int deepest;  ///< link of that contact, -1: none
  int is_own;   ///< that contact is with a shape of the model, not with the scene's ground
  double push;  ///< of all contacts with the world at the start, in weights of what floats; 0: hard contact
  int can_fall; ///< something floats
  int base;     ///< the joint that floats, -1: none or several
  int bases
      [FFI_RUN_BASES]; ///< [base_count] `base`, or of several robots that float the joint of each, the first ones
  int base_count;
  ffi_run_motors motors;
};

/// One step of the scene, or of its run of a batch.
ff_status ffi_run_scene_step(ffi_run_scene *scene, ff_error *error);

/// The ground beside the model's own; `plane` is storage for the default one.
const ff_ground_def *ffi_run_scene_ground(const ffi_run_scene *scene, ff_ground_def *plane, int *count);

/// [nv] torques of controller and pushes in the last step; NULL: a model alone, which has neither.
const double *ffi_run_scene_tau(const ffi_run_scene *scene);

/// Make or load the scene; its time and log go into the request. 0 after an error message. Close it either way.
int ffi_run_scene_open(ffi_run_request *request, ffi_run_scene *scene);
void ffi_run_scene_close(ffi_run_scene *scene);

int ffi_run_scene_file_is_scene(const char *path); ///< by its ending
int ffi_run_scene_file_open(ffi_run_request *request, ffi_run_scene *scene);
int ffi_run_scene_model_open(ffi_run_request *request, ffi_run_scene *scene);
void ffi_run_scene_find_base(ffi_run_scene *scene);

/// The link of bases[which] where more than one thing moves, else NULL: nobody asks which.
const char *ffi_run_scene_base_name(const ffi_run_scene *scene, int which);

/// Once the scene is made: collect what the summary needs. `counts_servos`: the model's servos hold joints too.
void ffi_run_scene_describe(ffi_run_scene *scene, int counts_servos);

// ---- The result ----------------------------------------------------------------------------------------

typedef enum ffi_run_outcome {
  FFI_RUN_FINISHED,
  FFI_RUN_FAILED,
  FFI_RUN_INTERRUPTED,
  FFI_RUN_UNWRITTEN
} ffi_run_outcome;

/// What became of a base.
typedef struct ffi_run_base {
  double start[3], end[3];         ///< position [m]
  double height_start, height_end; ///< above the plane or z = 0 [m]
  double tilt;                     ///< of its z axis against its start [rad]
} ffi_run_base;

typedef struct ffi_run_result {
  ffi_run_outcome outcome;
  ff_error error;        ///< of a failed step
  long long steps;       ///< taken
  double wall, stepping; ///< seconds: of the whole loop, of steps alone
  long long rows;        ///< in the log, without titles
  double began;          ///< the sim's time before the first step [s]
  double control;        ///< seconds of them in the controller
  ff_scene_result task;  ///< of a scene

  // Statistics.
  double energy_start, energy_end, energy_most; ///< total [J]
  double work;                                  ///< by motors, at the end [J]
  double slip;                                  ///< path length of all slipping contacts together [m]
  double penetration;                           ///< deepest [m]
  int contacts_most;
  long long events_capped;           ///< steps
  long long iterations;              ///< of all steps
  int iterations_most;               ///< of one
  long long fallbacks;               ///< moreau: all
  ffi_run_base bases[FFI_RUN_BASES]; ///< [base_count of the scene]
} ffi_run_result;

/// Statistics while a run goes on.
typedef struct ffi_run_statistics {
  double dt;
  long long energy_every; ///< steps between samples of the energy
  ff_contact *contacts;   ///< [contact_count] at the last step at which some slipped, owned
  int contact_count, contact_room;
  long long contact_step;
} ffi_run_statistics;

void ffi_run_statistics_begin(const ffi_run_scene *scene, long long steps, ffi_run_statistics *statistics,
                              ffi_run_result *result);
/// After a step.
void ffi_run_statistics_step(const ffi_run_scene *scene, ffi_run_statistics *statistics,
                             ffi_run_result *result);
void ffi_run_statistics_end(const ffi_run_scene *scene, ffi_run_statistics *statistics,
                            ffi_run_result *result);

/// Did a standing robot, the one of bases[which], fall? Its base is tilted by more than 45 degrees, or at less than
/// half its height.
int ffi_run_statistics_has_fallen(const ffi_run_scene *scene, const ffi_run_result *result, int which);

// ---- The log ----------------------------------------------------------------------------------------------

/// Forces of motors that are elements of the sim, of joints that sim and model share.
typedef struct ffi_run_motor_forces {
  int *element, *velocity; ///< [count] index in the sim; index of the velocity in the model; owned
  int count;
  double *force; ///< [nv], owned
} ffi_run_motor_forces;

void ffi_run_motor_forces_begin(ffi_run_motor_forces *forces, ff_scene *scene);
const double *ffi_run_motor_forces_get(ffi_run_motor_forces *forces, ff_scene *scene); ///< NULL: none
void ffi_run_motor_forces_end(ffi_run_motor_forces *forces);

/// Sums over the contacts of a row.
typedef struct ffi_run_contact_sums {
  int *links; ///< [link_count] with collision shapes, owned
  int link_count;
  double *forces; ///< [all links][3] of all contacts on each, owned
  int count, slipping;
  double penetration, normal_force; ///< deepest; sum
} ffi_run_contact_sums;

void ffi_run_contact_sums_begin(ffi_run_contact_sums *sums, const ff_model *model);
void ffi_run_contact_sums_update(ffi_run_contact_sums *sums, const ffi_run_scene *scene);
void ffi_run_contact_sums_end(ffi_run_contact_sums *sums);

typedef struct ffi_run_csv {
  ffi_csv_log file;
  ffi_run_contact_sums contact_sums;
} ffi_run_csv;

/// Writes the titles. 0 after an error message.
int ffi_run_csv_open(ffi_run_csv *csv, const char *path, const ff_model *model);
int ffi_run_csv_row(ffi_run_csv *csv, const ffi_run_scene *scene); ///< 0 if it could not be written
typedef struct ffi_run_end ffi_run_end;

/// 0 after an error message. `rows`: those in the file, without the titles. A run that ended early gets a last line.
int ffi_run_csv_close(ffi_run_csv *csv, const ffi_run_end *end, long long *rows);

typedef struct ffi_run_mcap {
  ffi_mcap file;
  const char *path;
  char **q_names, **v_names; ///< owned
  ffi_run_contact_sums contact_sums;
  ffi_run_motor_forces motor_forces;
  ff_dynamics *dynamics; ///< for the poses of links
  double newton;         ///< length of the arrow of a force of 1 N [m]
  double next_picture;   ///< when poses and forces are due [s]
} ffi_run_mcap;

/// As for CSV. `file` is the model or scene; `files` are attached.
int ffi_run_mcap_open(ffi_run_mcap *mcap, const char *path, const char *file, const ff_files *files,
                      const ffi_run_scene *scene);
int ffi_run_mcap_row(ffi_run_mcap *mcap, const ffi_run_scene *scene, long long step);
int ffi_run_mcap_close(ffi_run_mcap *mcap, const ffi_run_end *end, long long *rows);

typedef enum ffi_run_log_format {
  FFI_RUN_LOG_NONE,
  FFI_RUN_LOG_CSV,
  FFI_RUN_LOG_HDF5,
  FFI_RUN_LOG_MCAP
} ffi_run_log_format;

typedef struct ffi_run_log {
  ffi_run_log_format format;
  const char *path;
  ffi_run_csv csv;
  ffi_run_mcap mcap;
  ff_log_writer *hdf5;
  ffi_run_motor_forces motor_forces;
  int has_failed;
  ff_error error; ///< of what failed first
  long long rows; ///< that reached the file
} ffi_run_log;

ffi_run_log_format ffi_run_log_format_of(const char *path); ///< by its ending; NULL: none

/// Open the log, if one is wanted. 0 after an error message.
int ffi_run_log_open(ffi_run_log *log, const ffi_run_request *request, const ffi_run_scene *scene);

/// A row for the present state after `step` steps since the start; 0 if it could not be written.
int ffi_run_log_row(ffi_run_log *log, const ffi_run_scene *scene, long long step);

/// How a run ended, for its log.
struct ffi_run_end {
  const char *outcome; ///< "finished", "failed", "interrupted", "missed" or "unwritten"
  char reason[800];    ///< may be ""
  double time;         ///< [s]
};

ffi_run_end ffi_run_end_of(const ffi_run_scene *scene, const ffi_run_result *result);

/// Write how the run ended, and close the log. 0 after an error message. A log that is not open may be closed.
int ffi_run_log_close(ffi_run_log *log, const ffi_run_end *end);

// ---- The summary --------------------------------------------------------------------------------------

void ffi_run_summary(const ffi_run_request *request, const ffi_run_scene *scene, const ffi_run_result *result,
                     const ffi_terminal *terminal, FILE *out);
void ffi_run_summary_json(const ffi_run_request *request, const ffi_run_scene *scene,
                          const ffi_run_result *result, FILE *out);

/// Which links of one robot overlap now, the worst three by name; "": none.
void ffi_run_overlaps(const ffi_run_scene *scene, char *text, size_t room);

/// Notes, one sentence each, into `text`; returns their number.
enum { FFI_RUN_NOTES = 16, FFI_RUN_NOTE_SIZE = 400 };
int ffi_run_notes(const ffi_run_request *request, const ffi_run_scene *scene, const ffi_run_result *result,
                  char text[FFI_RUN_NOTES][FFI_RUN_NOTE_SIZE]);

#endif
