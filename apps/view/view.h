/// view.h: footfall view: a run as one page for the browser, which needs nothing but itself.
///
///     view.c           the whole: what was asked for, runs become recordings, recordings become a page
///     view_log.c       a log becomes a recording
///     view_scene.c     runs a model or a scene, and records that
///     view_record.c    a recording (footfall/record.h) as a header and arrays
///     view_model.c     links, shapes and ground, described for the page
///     view_page.c      writes the page: the viewer's own text with the recordings put in
///     view_bytes.c     bytes that grow, and base64
///     live.c           footfall view --live: a scene that runs meanwhile; live.h says which file does what
///     view_open.c      asks the desktop to show a file
///     view_absent.c    in place of the viewer's own text where it was not built
///
/// docs/guide/view.md says what the page shows, viewer/FORMAT.md what it reads. The page has no kinematics: poses are computed here.
#ifndef FFI_APPS_VIEW_H
#define FFI_APPS_VIEW_H

#include "cli/json.h"

#include <footfall/files.h>
#include <footfall/record.h>
#include <footfall/scene.h>
#include <footfall/sim.h>

#include <stddef.h>
#include <stdio.h>

// ---- Bytes ------------------------------------------------------------------------------------------------

typedef struct ffi_bytes {
  unsigned char *at; ///< owned
  size_t count, room;
} ffi_bytes;

void ffi_bytes_add(ffi_bytes *bytes, const void *data, size_t count);
void ffi_bytes_add_float(ffi_bytes *bytes, double value); ///< four bytes, little-endian
/// Rows of `width` floats as columns: of each the first bytes of all its numbers, then the second, and so on. viewer/FORMAT.md says so too.
void ffi_bytes_add_columns(ffi_bytes *bytes, const ffi_bytes *rows, size_t width);
void ffi_bytes_deflate(const ffi_bytes *bytes, ffi_bytes *out); ///< RFC 1950; in place of what `out` had
void ffi_bytes_free(ffi_bytes *bytes);
void ffi_bytes_base64(const ffi_bytes *bytes, FILE *out);

// ---- A recording ------------------------------------------------------------------------------------------

/// A run as the page reads it: a header and the arrays that it points into. Needs nothing that it was made from.
typedef struct ffi_view_data {
  char *header;     ///< JSON, owned
  char *robot;      ///< names of all links that are drawn, by which runs are known to be of one robot; owned
  ffi_bytes arrays; ///< what is drawn
  ffi_bytes rows;   ///< what is plotted: read later, since there is more of it
} ffi_view_data;

void ffi_view_data_free(ffi_view_data *data);

/// What a recording is told once. Texts are not kept.
typedef struct ffi_view_about {
  const ff_model *model;
  const ff_ground_def *ground; ///< [ground_count]
  int ground_count;
  const ff_files *files; ///< in which meshes are, NULL: on the disk
  const ff_scene *scene; ///< whose pushes are drawn, NULL: none
  const char *title;     ///< NULL: the model's name
  const char *file;      ///< what it was made from
  const char *stepper;   ///< name
  double dt;             ///< [s]
  double spacing;        ///< between states that come [s]
  double duration;       ///< of the run, about [s]; 0: not known
  size_t most;           ///< bytes of frames, and of rows, beyond which both are thinned out
} ffi_view_about;

typedef struct ffi_view_recorder ffi_view_recorder;

/// NULL after a complaint.
ffi_view_recorder *ffi_view_record_begin(const ffi_view_about *about);

/// Whose states are asked for, skipped, or added by others.
ff_record *ffi_view_record_of(ffi_view_recorder *recorder);

/// `is_last`: it is kept, whether it is of use or not.
void ffi_view_record_state(ffi_view_recorder *recorder, const ff_record_state *state, int is_last);

/// What a live page gets of a state, as viewer/FORMAT.md has it. Nothing is kept.
void ffi_view_record_snapshot(ffi_view_recorder *recorder, const ff_record_state *state, ffi_bytes *out);

void ffi_view_record_drop(ffi_view_recorder *recorder); ///< frees it

/// How a run went, beside what is seen. NULL: nothing to be said.
typedef struct ffi_view_outcome {
  const char *failure; ///< why it ended early
  const char *warning; ///< what is to be known of a run that did not: what went through what
} ffi_view_outcome;

/// Frees the recorder.
void ffi_view_record_end(ffi_view_recorder *recorder, const ffi_view_outcome *outcome, ffi_view_data *out);

// ---- Parts of it ------------------------------------------------------------------------------------------

/// "links", "scenery", "ground" and "pushes" of the header; corners and files of meshes go to `arrays`.
void ffi_view_write_model(ffi_json *json, const ffi_view_about *about, const ff_record_data *data,
                          ffi_bytes *arrays);

/// Is this file a log? By what is in it.
int ffi_view_is_log(const char *path);
/// 0 after a complaint.
int ffi_view_log(const char *path, size_t most, ffi_view_data *out);

/// Run it as `footfall run` would with these arguments, and record it. The exit status, after a complaint unless it is FFI_EXIT_OK. A run that fails is recorded as
/// far as it came; Ctrl-C is the wish for no page.
int ffi_view_run(int argc, char **argv, size_t most, ffi_view_data *out);

/// 0 after a complaint, which says what to do.
int ffi_view_is_built(void);

/// 0 after a complaint.
int ffi_view_write_page(const char *path, const ffi_view_data *runs, int count);

/// The page into a stream; the viewer's own text must be there.
void ffi_view_write_text(FILE *out, const ffi_view_data *runs, int count, int is_live);

/// The viewer's own text, NULL: it was not built.
const char *ffi_view_text(size_t *length);

/// A file or an address. Returns 0 if there is no way to show it, as far as that is known after so long [ms].
int ffi_view_open(const char *path, int patience);

#endif
