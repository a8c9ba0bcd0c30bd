/// record.h: what a recording consists of.
///
///     record.c          def, states that come, snapshots
///     record_track.c    items at times, of which every second one can be dropped
///     record_links.c    what is drawn: links and shapes
///     record_signals.c  what can be plotted, and its values at a state
#ifndef FFI_STUDY_RECORD_H
#define FFI_STUDY_RECORD_H

#include "base/arena.h"

#include <footfall/dynamics.h>
#include <footfall/record.h>

/// Items of one kind, each at a time and with its own number of floats.
typedef struct ffi_record_track {
  float *data; ///< [begins[count]]
  size_t data_room;
  double *times;  ///< [count]
  size_t *begins; ///< [count + 1]
  size_t count, room;
  long long every; ///< states between two items
} ffi_record_track;

/// Room for one more item of so many floats; 0: no memory, and nothing has changed.
int ffi_record_track_reserve(ffi_record_track *track, size_t floats);

/// Take one more, for which there is room: where its floats go.
float *ffi_record_track_add(ffi_record_track *track, double time, size_t floats);

size_t ffi_record_track_bytes(const ffi_record_track *track);
void ffi_record_track_thin(ffi_record_track *track); ///< keep every second item, the first among them
void ffi_record_track_free(ffi_record_track *track);

/// What counts of a piece of ground.
typedef struct ffi_record_ground {
  double friction;
  int gives_pair;
} ffi_record_ground;

struct ff_record {
  ff_record_data data; ///< as the user sees it; brought up to date with every state
  ff_record_def def;   ///< without what is the user's
  ffi_arena arena;     ///< lists and names
  ff_dynamics *dynamics;
  int *index; ///< [links of the model] into the list of links, -1: not drawn
  ffi_record_ground *ground;
  double *values; ///< [signals]
  size_t *starts; ///< [starts_room] of contacts, in contacts
  size_t starts_room;
  ffi_record_track poses, contacts, rows;
};

/// The links and shapes that are drawn. 0: no memory.
int ffi_record_links_find(ff_record *record);

/// Names of all signals. 0: no memory.
int ffi_record_signals_name(ff_record *record);

/// values [signals]; after kinematics of the state.
void ffi_record_signals_values(ff_record *record, const ff_record_state *state, double *values);

#endif
