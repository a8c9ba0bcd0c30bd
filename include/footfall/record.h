/// record.h: a decimated recording of a run: frames for drawing and signals for plotting, as plain arrays.
///
/// States arrive in the order of time. A frame (the poses of all links, and the contacts) is taken a hundred times a
/// second, a row of signals with every state. When there are more frames or rows than the limit, every second one is
/// dropped, and from then on only half as many are taken. So a run may have any length, which need not be known in
/// advance.
///
///     ff_record_def def = ff_record_def_default();
///     def.model = model, def.spacing = ff_sim_dt(sim);
///     ff_record *record;
///     if (ff_record_create(&def, &record, &error) != FF_OK) ...
///     for (int k = 0; k <= steps; ++k) {                      // the start too
///       if (k == steps || ff_record_wants(record)) {
///         ff_record_state now = {.time = ff_sim_time(sim), .q = ff_sim_q(sim), .v = ff_sim_v(sim)};
///         now.contacts = ff_sim_contacts(sim, &now.contact_count);
///         ff_record_add(record, &now, k == steps, &error);
///       } else {
///         ff_record_skip(record);                             // saves computing its contacts and energies
///       }
///       ... a step ...
///     }
///     const ff_record_data *data = ff_record_get(record);
///     ... data->frame_times, data->poses, data->signals, data->rows ...
///     ff_record_destroy(record);
///
/// log.h converts a log. The command `footfall view` shows a recording in a web page.
#ifndef FOOTFALL_RECORD_H
#define FOOTFALL_RECORD_H

#include <footfall/model.h>
#include <footfall/pose.h>
#include <footfall/sim.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A recording. Use it from one thread at a time. The caller destroys it before its model.
typedef struct ff_record ff_record;

/// Options of a recording. Start from ff_record_def_default(). Ground is copied.
typedef struct ff_record_def {
  size_t size;           ///< of this struct as the program was compiled; ff_record_def_init() sets it
  const ff_model *model; ///< required
  /// [ground_count] as in ff_sim_def, for the friction of contacts; default NULL
  const ff_ground_def *ground;
  int ground_count;     ///< default 0
  int least_frames;     ///< least number of frames of a short run, if it has as many states; >= 1, default 50
  double spacing;       ///< time between states [s]; default 0: unknown, every state is a frame
  double duration;      ///< approximate duration of the run [s]; default 0: unknown
  double frame_spacing; ///< time between frames [s], > 0, default 0.01
  size_t most_bytes;    ///< limit for frames, and for rows, above which they are decimated; default 1600000
} ff_record_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_record_def_default() is shorter.
void ff_record_def_init(ff_record_def *def, size_t size);

/// A hundred frames a second, 1.6 MB each for frames and rows. The caller must set the model.
static inline ff_record_def ff_record_def_default(void)
{
  ff_record_def def;
  ff_record_def_init(&def, sizeof def);
  return def;
}

/// A state in the model's coordinates.
typedef struct ff_record_state {
  double time;                ///< [s]
  const double *q;            ///< [nq]
  const double *v;            ///< [nv]
  const double *tau;          ///< [nv] of the controller, over the last step; NULL: none
  const double *motor;        ///< [nv] of motors (PD elements); NULL: none
  const ff_contact *contacts; ///< [contact_count]
  int contact_count;          ///< 0: no contact
  ff_energy energy;           ///< all zero: unknown
} ff_record_state;

// ---- What is recorded -----------------------------------------------------------------------------------------------

/// A drawn link: it moves and carries a shape.
typedef struct ff_record_link {
  int link;      ///< of the model
  int parent;    ///< index in this list; -1: none, or the parent is not drawn
  int can_touch; ///< 1: one of its shapes collides
} ff_record_link;

/// A shape and its pose.
typedef struct ff_record_shape {
  int shape;    ///< of the model
  int link;     ///< index in the list of links; -1: it does not move
  ff_pose pose; ///< in the link's frame, or in the world
} ff_record_shape;

/// A signal for plotting.
typedef struct ff_record_signal {
  const char *group; ///< "joint positions", "energy", or a floating body's name
  const char *name;  ///< "FL_KFE", "total", "x"
  const char *unit;  ///< "rad", "J", "1", ...
  int link;          ///< its link, index in the list of links; -1: none, or not drawn
} ff_record_signal;

enum {
  FF_RECORD_POSE = 7, ///< numbers of a pose: position [3], quaternion [4]
  /// numbers of a contact: link in the list or -1, ff_contact_mode, point [3], normal [3], force on the link [3],
  /// friction coefficient
  FF_RECORD_CONTACT = 12,
};

/// The recording so far. The library allocates it; new fields are added at its end only. Arrays are valid until the
/// next state is added. SI units, world axes.
typedef struct ff_record_data {
  const ff_record_link *links;     ///< [link_count]
  const ff_record_shape *shapes;   ///< [shape_count] link by link, then those that do not move
  const ff_record_signal *signals; ///< [signal_count]
  int link_count;                  ///< L
  int shape_count;                 ///< number of shapes
  int signal_count;                ///< S
  size_t frame_count;              ///< F
  const double *frame_times;       ///< [F] s
  const float *poses;              ///< [F][L][FF_RECORD_POSE]
  const size_t *contact_starts;    ///< [F + 1] number of contacts before those of a frame
  const float *contacts;           ///< [contact_starts[F]][FF_RECORD_CONTACT]
  size_t row_count;                ///< R
  const double *row_times;         ///< [R] s
  const float *rows;               ///< [R][S]
  long long states;                ///< states added or skipped
  double last;                     ///< time of the last added state [s]
} ff_record_data;

// ---- Recording ------------------------------------------------------------------------------------------------------

/// Create an empty recording.
ff_status ff_record_create(const ff_record_def *def, ff_record **out, ff_error *error);
void ff_record_destroy(ff_record *record); ///< NULL is fine

/// 1 if the recording needs the next state. Otherwise ff_record_skip() may replace ff_record_add().
int ff_record_wants(const ff_record *record);
void ff_record_skip(ff_record *record); ///< count a state without recording it

/// Add the next state. `is_last`: keep it in any case. After FF_ERROR_MEMORY the recording is unchanged.
ff_status ff_record_add(ff_record *record, const ff_record_state *state, int is_last, ff_error *error);

/// The recording so far.
const ff_record_data *ff_record_get(const ff_record *record);

/// Convert one state to arrays of the caller without recording it: poses [L][FF_RECORD_POSE], row [S], contacts
/// [contact_count][FF_RECORD_CONTACT].
void ff_record_snapshot(ff_record *record, const ff_record_state *state, float *poses, float *row,
                        float *contacts);

#ifdef __cplusplus
}
#endif
#endif
