/// run.h: footfall run: a model or a scene, set into motion.
///
///     run.c              the whole: read, set up, step, report
///     run_options.c      what was asked for
///     run_scene.c        model, ground, posture and motors become a sim
///     run_file.c         the same from a scene's file, which options change
///     run_motors.c       the motors that hold it, and the range of their gains
///     run_watch.c        what is observed on the way: energy, slip, penetration
///     run_resume.c       or from a log, to go on where it ends
///     run_log.c          the log: where it goes, which format; rows of HDF5
///     run_csv.c          columns and rows of CSV (csv_log.c writes them)
///     run_mcap.c         messages of MCAP (mcap.c writes them)
///     run_touch.c        contacts summed up, for both
///     run_drives.c       forces of motors
///     run_end.c          how it ended, for all of them
///     run_summary.c      the result as text; run_summary_json.c as JSON; run_notes.c what is odd about it
///
/// Order: ffi_run_read() fills the request, ffi_run_open() makes the scene from it, then steps are taken with ffi_run_watch_step() after
/// each, and ffi_run_summary() or ffi_run_summary_json() tells what happened.
#ifndef FFI_APPS_RUN_H
#define FFI_APPS_RUN_H

#include "cli/changes.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "load_options.h"
#include "run/csv_log.h"
#include "run/mcap.h"

#include <footfall/dynamics.h>
#include <footfall/log.h>
#include <footfall/scene.h>
#include <footfall/sim.h>

#include <stdio.h>

typedef struct ffi_run_scene ffi_run_scene;

// ---- What was asked for -----------------------------------------------------------------------------------

/// Numbers that were not given are NAN.
typedef struct ffi_run_request {
  const char *path;
  int is_scene;        ///< path is a scene's, not a model's
  ffi_changes changes; ///< scenes only
  ffi_load_request load;
  ff_sim_def sim; ///< stepper, dt, options of expo; the rest is set up by ffi_run_open()
  double duration;
  const char *posture; ///< NULL: not said
  double drop;         ///< of the lowest point above the ground [m]
  int is_on_ground;    ///< drop is 0 by --on-ground
  double slope;        ///< of the ground, about y: x is downhill [rad]
  int has_motors;      ///< hold the posture
  double kp, kd;
  double stiffness, damping, friction;
  const char *log;     ///< NULL: none; "-": stdout
  int has_no_log;      ///< by --no-log
  char *own_log;       ///< what `log` is if the command line does not say, owned
  long long log_every; ///< 0: not said, as the scene says
  int as_json, is_quiet, is_ascii;
  int failure; ///< exit status that goes with a complaint: was it about words, or about files?
  const char **
      arguments; ///< [argument_count] words that make the same run again, owned; the words are the command line's
  int argument_count;
  ff_files *files;    ///< all that was read, for the log, owned
  const char *resume; ///< a log to go on from, NULL: none
  ff_log *source;     ///< that log, owned
  double more;        ///< --duration beside --resume [s]; NAN: to the end of what was asked for then
  int is_resumed;
  int is_judged;       ///< though it was resumed: the log has what was observed before
  long long first;     ///< steps that were taken before
  long long remaining; ///< of a run that goes on
} ffi_run_request;

/// 0 after a complaint. Free it either way.
int ffi_run_read(int argc, char **argv, ffi_run_request *request);
void ffi_run_request_free(ffi_run_request *request);

/// Open the log to be resumed and take its words in place of those that were not said. 0 after a complaint.
int ffi_run_read_source(ffi_run_request *request);

/// Once the sim is made: bring it to where the log ends. 0 after a complaint.
int ffi_run_go_on(ffi_run_request *request, ffi_run_scene *scene);

/// Is the name, from an option or "log.file", one that a log may have? 0 after a complaint.
int ffi_run_check_log(const char *option, const char *path);

/// If nobody said where the log goes, and it is not to be left out: out/NAME.h5. 0 after a complaint.
int ffi_run_choose_log(ffi_run_request *request);

/// Do log and summary go together? Once both are known. 0 after a complaint.
int ffi_run_check_output(const ffi_run_request *request);

long long ffi_run_steps(const ffi_run_request *request);

// ---- What it is made into ---------------------------------------------------------------------------------

/// The gains of the joints that are held by us.
typedef struct ffi_run_motors {
  ff_element_def *elements; ///< [count], owned
  int count;
  int model_count;     ///< joints that the model's own servos hold
  double kp[2], kd[2]; ///< least and most of ours
} ffi_run_motors;

struct ffi_run_scene {
  ff_scene *file; ///< NULL: from a model
  const ff_model *model;
  ff_model *own_model; ///< NULL: the file's
  ff_sim *sim;
  const char *posture;  ///< NULL: neutral
  double *q;            ///< [nq] at the start
  int has_plane;        ///< the ground is ours, a plane; 0: the model brings its own
  ff_pose plane;        ///< its z axis is the normal
  ff_ground_def ground; ///< that plane as the sim has it, if it is ours
  double gap;  ///< of the lowest point above the plane at the start [m]; NAN: no plane or nothing to touch it
  double lift; ///< how far the robot was moved up to be there [m]
  int can_fall; ///< something floats
  int base;     ///< the joint that floats, -1: none or several
  ffi_run_motors motors;
};

/// The present state and contacts in the model's own coordinates, whichever the sim steps in.
const double *ffi_run_q(const ffi_run_scene *scene);
const double *ffi_run_v(const ffi_run_scene *scene);
const ff_contact *ffi_run_contacts(const ffi_run_scene *scene, int *count);

/// 0 after a complaint. Close it either way. What a scene's file says about time and log goes into the request.
int ffi_run_open(ffi_run_request *request, ffi_run_scene *scene);
void ffi_run_close(ffi_run_scene *scene);

int ffi_run_is_scene(const char *path); ///< by its ending
int ffi_run_open_file(ffi_run_request *request, ffi_run_scene *scene);

/// Elements that hold the joints at q. Gains are `kp` and `kd`, or by rule where these are NAN.
void ffi_run_motors_make(const ff_model *model, ff_dynamics *dynamics, const double *q, double kp, double kd,
                         ffi_run_motors *out);

// ---- What happened ----------------------------------------------------------------------------------------

typedef enum ffi_run_outcome {
  FFI_RUN_FINISHED,
  FFI_RUN_FAILED,
  FFI_RUN_INTERRUPTED,
  FFI_RUN_UNWRITTEN
} ffi_run_outcome;

typedef struct ffi_run_result {
  ffi_run_outcome outcome;
  ff_error error;        ///< of a failed step
  long long steps;       ///< taken
  double wall, stepping; ///< seconds: of the whole loop, of steps alone
  long long rows;        ///< in the log, without titles
  double began;          ///< the sim's time before the first step [s]
  double control;        ///< seconds of them in the controller
  ff_scene_result task;  ///< of a scene

  // Observed on the way.
  double energy_start, energy_end, energy_most; ///< total [J]
  double work;                                  ///< by motors, at the end [J]
  double slip;                                  ///< way of all contacts together [m]
  double penetration;                           ///< deepest [m]
  int contacts_most;
  long long events_capped;           ///< steps
  long long iterations;              ///< of all steps
  int iterations_most;               ///< of one
  long long fallbacks;               ///< moreau: all
  double base_start[3], base_end[3]; ///< position of the base [m]
  double height_start, height_end;   ///< of the base above the plane or z = 0 [m]
  double tilt;                       ///< of the base's z axis against its start [rad]
} ffi_run_result;

/// What is observed from step to step.
typedef struct ffi_run_watch {
  double dt;
  long long energy_every; ///< steps between looks at the energy
  ff_contact *contacts;   ///< [contact_count] at the last step at which some slipped, owned
  int contact_count, contact_room;
  long long contact_step;
} ffi_run_watch;

void ffi_run_watch_begin(const ffi_run_scene *scene, long long steps, ffi_run_watch *watch,
                         ffi_run_result *result);
/// After a step.
void ffi_run_watch_step(const ffi_run_scene *scene, ffi_run_watch *watch, ffi_run_result *result);
void ffi_run_watch_end(const ffi_run_scene *scene, ffi_run_watch *watch, ffi_run_result *result);

/// Did a robot that stood fall over? Its base is tilted by more than 45 degrees, or at less than half its height.
int ffi_run_has_fallen(const ffi_run_scene *scene, const ffi_run_result *result);

// ---- The log ----------------------------------------------------------------------------------------------

/// Motors that are elements of the sim: those of joints that it shares with the model.
typedef struct ffi_run_drives {
  int *element, *velocity; ///< [count] of the sim; where its force goes; owned
  int count;
  double *force; ///< [nv], owned
} ffi_run_drives;

void ffi_run_drives_begin(ffi_run_drives *drives, const ffi_run_scene *scene);
const double *ffi_run_drives_force(ffi_run_drives *drives, const ffi_run_scene *scene); ///< NULL: none
void ffi_run_drives_end(ffi_run_drives *drives);

/// Contacts of a row, summed up.
typedef struct ffi_run_touch {
  int *links; ///< [link_count] those that can touch something, owned
  int link_count;
  double *forces; ///< [all links][3] of all contacts on each, owned
  int count, slipping;
  double penetration, normal_force; ///< deepest; sum
} ffi_run_touch;

void ffi_run_touch_begin(ffi_run_touch *touch, const ff_model *model);
void ffi_run_touch_sum(ffi_run_touch *touch, const ffi_run_scene *scene);
void ffi_run_touch_end(ffi_run_touch *touch);

typedef struct ffi_run_csv {
  ffi_csv_log file;
  ffi_run_touch touch;
} ffi_run_csv;

/// Writes the titles. 0 after a complaint.
int ffi_run_csv_open(ffi_run_csv *csv, const char *path, const ff_model *model);
int ffi_run_csv_row(ffi_run_csv *csv, const ffi_run_scene *scene); ///< 0 if it could not be written
typedef struct ffi_run_end ffi_run_end;

/// 0 after a complaint. `rows` that reached the file, without titles. What did not end well says so in a last line.
int ffi_run_csv_close(ffi_run_csv *csv, const ffi_run_end *end, long long *rows);

typedef struct ffi_run_mcap {
  ffi_mcap file;
  const char *path;
  char **q_names, **v_names; ///< owned
  ffi_run_touch touch;
  ffi_run_drives drives;
  ff_dynamics *dynamics; ///< for where links are
  double newton;         ///< length of the arrow of a force of 1 N [m]
  double next_picture;   ///< when poses and forces are due [s]
} ffi_run_mcap;

/// As for CSV. `file` is what was run; `files` go into it too.
int ffi_run_mcap_open(ffi_run_mcap *mcap, const char *path, const char *file, const ff_files *files,
                      const ffi_run_scene *scene);
int ffi_run_mcap_row(ffi_run_mcap *mcap, const ffi_run_scene *scene, long long step);
int ffi_run_mcap_close(ffi_run_mcap *mcap, const ffi_run_end *end, long long *rows);

typedef enum ffi_run_format { FFI_RUN_NO_LOG, FFI_RUN_CSV, FFI_RUN_HDF5, FFI_RUN_MCAP } ffi_run_format;

/// Pieces of ground beside what the model brings; `plane` is where one is put that nobody gave.
const ff_ground_def *ffi_run_ground(const ffi_run_scene *scene, ff_ground_def *plane, int *count);

typedef struct ffi_run_log {
  ffi_run_format format;
  const char *path;
  ffi_run_csv csv;
  ffi_run_mcap mcap;
  ff_log_writer *hdf5;
  ffi_run_drives drives;
  int has_failed;
  ff_error error; ///< of what failed first
  long long rows; ///< that reached the file
} ffi_run_log;

ffi_run_format ffi_run_format_of(const char *path); ///< by its ending; NULL: none

/// Begins it, if one is asked for. 0 after a complaint.
int ffi_run_log_open(ffi_run_log *log, const ffi_run_request *request, const ffi_run_scene *scene);

/// A row for the present state after `step` steps since the start; 0 if it could not be written.
int ffi_run_log_row(ffi_run_log *log, const ffi_run_scene *scene, long long step);

/// How a run ended, for its log.
struct ffi_run_end {
  const char *outcome; ///< "finished", "failed", "interrupted", "missed" or "unwritten"
  char reason[800];    ///< "": there is nothing to say
  double time;         ///< [s]
};

ffi_run_end ffi_run_how_ended(const ffi_run_scene *scene, const ffi_run_result *result);

/// Tells the log how the run ended. 0 after a complaint. Closing one that is not open is fine.
int ffi_run_log_close(ffi_run_log *log, const ffi_run_end *end);

// ---- On the terminal --------------------------------------------------------------------------------------

void ffi_run_summary(const ffi_run_request *request, const ffi_run_scene *scene, const ffi_run_result *result,
                     const ffi_terminal *terminal, FILE *out);
void ffi_run_summary_json(const ffi_run_request *request, const ffi_run_scene *scene,
                          const ffi_run_result *result, FILE *out);

/// What the user should know, one sentence each into `text`; how many.
enum { FFI_RUN_NOTES = 16, FFI_RUN_NOTE_SIZE = 400 };
int ffi_run_notes(const ffi_run_request *request, const ffi_run_scene *scene, const ffi_run_result *result,
                  char text[FFI_RUN_NOTES][FFI_RUN_NOTE_SIZE]);

#endif
