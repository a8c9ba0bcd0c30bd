/// record.h: a run thinned out for looking at it: frames that are drawn and signals that are plotted, as plain arrays.
///
/// States come in the order of time. Frames (where every link is, and what touches) are taken a hundred times
/// a second, rows of signals with every state. Where there are more than should be kept, every second one is
/// dropped and from then on half as many are taken: no run is too long, and nobody needs to know how long it
/// will be.
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
///         ff_record_skip(record);                             // nobody needs to compute contacts and energies for it
///       }
///       ... a step ...
///     }
///     const ff_record_data *data = ff_record_get(record);
///     ... data->frame_times, data->poses, data->signals, data->rows ...
///     ff_record_destroy(record);
///
/// log_record.h makes one of a log. The command `footfall view` is this, and a page.
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

/// A recording. For one thread; the caller destroys it, before its model.
typedef struct ff_record ff_record;

/// Start from ff_record_def_default(). Ground is copied.
typedef struct ff_record_def {
  size_t size;           ///< of this struct as the program was compiled; ff_record_def_init() sets it
  const ff_model *model; ///< needed
  const ff_ground_def
      *ground;          ///< [ground_count] as of ff_sim_def, for the friction of contacts; default NULL
  int ground_count;     ///< default 0
  int least_frames;     ///< that a short run has, if it has as many states; >= 1, default 50
  double spacing;       ///< between states that come [s]; default 0: not known, every state is a frame
  double duration;      ///< of the run, about [s]; default 0: not known
  double frame_spacing; ///< between frames [s], > 0, default 0.01
  size_t most_bytes;    ///< of frames, and of rows, beyond which they are thinned out; default 1600000
} ff_record_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_record_def_default() is shorter.
void ff_record_def_init(ff_record_def *def, size_t size);

/// A hundred frames a second, 1.6 MB of each; the model is still to be given.
static inline ff_record_def ff_record_def_default(void)
{
  ff_record_def def;
  ff_record_def_init(&def, sizeof def);
  return def;
}

/// A state in the model's own coordinates.
typedef struct ff_record_state {
  double time;                ///< [s]
  const double *q;            ///< [nq]
  const double *v;            ///< [nv]
  const double *tau;          ///< [nv] of the controller, over the last step; NULL: none
  const double *motor;        ///< [nv] of motors that are elements of the sim; NULL: none
  const ff_contact *contacts; ///< [contact_count]
  int contact_count;          ///< 0: nothing touches
  ff_energy energy;           ///< all zero: not known
} ff_record_state;

// ---- What is recorded -----------------------------------------------------------------------------------------------

/// A link that is drawn: it moves and carries a shape.
typedef struct ff_record_link {
  int link;      ///< of the model
  int parent;    ///< in this list; -1: none, or it is not drawn
  int can_touch; ///< 1: one of its shapes collides
} ff_record_link;

/// A shape and where it is.
typedef struct ff_record_shape {
  int shape;    ///< of the model
  int link;     ///< in the list of links; -1: it does not move
  ff_pose pose; ///< in the link's frame, or in the world
} ff_record_shape;

/// Something that can be plotted.
typedef struct ff_record_signal {
  const char *group; ///< "joint positions", "energy", or a floating body's name
  const char *name;  ///< "FL_KFE", "total", "x"
  const char *unit;  ///< "rad", "J", "1", ...
  int link;          ///< in the list of links that it belongs to; -1: none, or it is not drawn
} ff_record_signal;

enum {
  FF_RECORD_POSE = 7, ///< numbers of a pose: position [3], quaternion [4]
  FF_RECORD_CONTACT =
      /// numbers of a contact: link in the list or -1, ff_contact_mode, point [3], normal [3], force on the
  /// link [3], friction coefficient
  12,
};

/// What there is so far. It is the library's, fields are added at its end alone. Arrays are valid until the
/// next state comes; SI units, world axes.
typedef struct ff_record_data {
  const ff_record_link *links;     ///< [link_count]
  const ff_record_shape *shapes;   ///< [shape_count] link by link, then those that do not move
  const ff_record_signal *signals; ///< [signal_count]
  int link_count;                  ///< L
  int shape_count;                 ///< how many shapes
  int signal_count;                ///< S
  size_t frame_count;              ///< F
  const double *frame_times;       ///< [F] s
  const float *poses;              ///< [F][L][FF_RECORD_POSE]
  const size_t *contact_starts;    ///< [F + 1] how many contacts come before those of a frame
  const float *contacts;           ///< [contact_starts[F]][FF_RECORD_CONTACT]
  size_t row_count;                ///< R
  const double *row_times;         ///< [R] s
  const float *rows;               ///< [R][S]
  long long states;                ///< that came, those that were skipped too
  double last;                     ///< time of the last one that was added [s]
} ff_record_data;

// ---- Recording ------------------------------------------------------------------------------------------------------

/// A recording without states.
ff_status ff_record_create(const ff_record_def *def, ff_record **out, ff_error *error);
void ff_record_destroy(ff_record *record); ///< NULL is fine

/// Is the next state of use? Otherwise ff_record_skip() may stand for it.
int ff_record_wants(const ff_record *record);
void ff_record_skip(ff_record *record); ///< a state that is not looked at

/// The next state. `is_last`: it is kept, whether it is of use or not. After FF_ERROR_MEMORY the recording is
/// as it was.
ff_status ff_record_add(ff_record *record, const ff_record_state *state, int is_last, ff_error *error);

/// What there is so far.
const ff_record_data *ff_record_get(const ff_record *record);

/// One state as arrays that the caller has, and nothing is kept: poses [L][FF_RECORD_POSE], row [S], contacts
/// [contact_count][FF_RECORD_CONTACT].
void ff_record_snapshot(ff_record *record, const ff_record_state *state, float *poses, float *row,
                        float *contacts);

#ifdef __cplusplus
}
#endif
#endif
