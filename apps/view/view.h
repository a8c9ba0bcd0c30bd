/// view.h: footfall view: runs as one page for the browser, which needs no other file.
///
///     view.c           the options; records runs and writes the page
///     view_log.c       records a log
///     view_scene.c     simulates a model or a scene, and records it
///     view_record.c    a recording (footfall/record.h) as a header and arrays
///     view_model.c     links, shapes and ground for the page
///     view_decimate.c  fewer triangles where meshes are big
///     view_page.c      writes the page: the viewer's own text with the recordings put in
///     view_bytes.c     growing arrays of bytes, deflate, base64
///     live.c           footfall view --live: a scene that runs meanwhile; live.h says which file does what
///     view_open.c      opens a file in the browser
///     view_absent.c    stands in for the viewer's own text where it was not built
///
/// docs/guide/view.md says what the page shows, viewer/FORMAT.md what it reads. The page has no kinematics: poses are
/// computed here.
#ifndef FFI_APPS_VIEW_H
#define FFI_APPS_VIEW_H

#include "cli/text/json.h"

#include <footfall/files.h>
#include <footfall/record.h>
#include <footfall/scene.h>
#include <footfall/sim.h>

#include <stddef.h>
#include <stdio.h>

// ---- Bytes ------------------------------------------------------------------------------------------------

typedef struct ffi_view_bytes {
  unsigned char *at; ///< owned
  size_t count, room;
} ffi_view_bytes;

void ffi_view_bytes_add(ffi_view_bytes *bytes, const void *data, size_t count);
void ffi_view_bytes_add_float(ffi_view_bytes *bytes, double value); ///< four bytes, little-endian
/// Rows of `width` floats as columns: of each column the first bytes of all its numbers, then the second, and so on
/// (viewer/FORMAT.md).
void ffi_view_bytes_add_columns(ffi_view_bytes *bytes, const ffi_view_bytes *rows, size_t width);
void ffi_view_bytes_deflate(const ffi_view_bytes *bytes,
                            ffi_view_bytes *out); ///< RFC 1950; in place of what `out` had
void ffi_view_bytes_free(ffi_view_bytes *bytes);
void ffi_view_bytes_base64(const ffi_view_bytes *bytes, FILE *out);

// ---- A recording ------------------------------------------------------------------------------------------

/// A run as the page reads it: a header, and the arrays that it refers to. It is independent of its source.
typedef struct ffi_view_recording {
  char *header; ///< JSON, owned
  char *robot;  ///< names of all links that are drawn, to check that runs are of the same robot; owned
  ffi_view_bytes arrays; ///< what is drawn
  ffi_view_bytes rows;   ///< what is plotted; the page reads it later
} ffi_view_recording;

void ffi_view_record_free(ffi_view_recording *data);

/// About a recording. Texts are copied.
typedef struct ffi_view_about {
  const ff_model *model;
  const ff_ground_def *ground; ///< [ground_count]
  int ground_count;
  const ff_files *files; ///< that hold the meshes, NULL: on the disk
  const ff_scene *scene; ///< whose pushes are drawn, NULL: none
  const char *title;     ///< NULL: the model's name
  const char *file;      ///< the log, model or scene
  const char *stepper;   ///< name
  double dt;             ///< [s]
  double spacing;        ///< between states [s]
  double duration;       ///< of the run, approximate [s]; 0: not known
  size_t most;           ///< bytes of frames, and of rows, beyond which both are thinned
} ffi_view_about;

typedef struct ffi_view_recorder ffi_view_recorder;

/// NULL after an error message.
ffi_view_recorder *ffi_view_record_begin(const ffi_view_about *about);

/// The record behind it, for those who add or skip states themselves.
ff_record *ffi_view_record_of(ffi_view_recorder *recorder);

/// Add a state. `is_last`: it is kept in any case.
void ffi_view_record_state(ffi_view_recorder *recorder, const ff_record_state *state, int is_last);

/// A state as a live page gets it (viewer/FORMAT.md). Nothing is recorded.
void ffi_view_record_snapshot(ffi_view_recorder *recorder, const ff_record_state *state, ffi_view_bytes *out);

void ffi_view_record_drop(ffi_view_recorder *recorder); ///< frees it

/// How a run ended; both may be NULL.
typedef struct ffi_view_outcome {
  const char *failure; ///< why it ended early
  const char *warning; ///< of a run that came to its end: a missed task, tunnelling
} ffi_view_outcome;

/// Frees the recorder.
void ffi_view_record_end(ffi_view_recorder *recorder, const ffi_view_outcome *outcome,
                         ffi_view_recording *out);

// ---- Parts of it ------------------------------------------------------------------------------------------

/// Writes "links", "scenery", "ground" and "pushes" of the header; corners and mesh files go to `arrays`.
void ffi_view_model_write(ffi_json *json, const ffi_view_about *about, const ff_record_data *data,
                          ffi_view_bytes *arrays);

/// A mesh file, of `from` or of the disk, with this share of its triangles, but at least a thousand, as a binary STL at
/// the end of `out`. 0, and nothing, if it has no more than that or cannot be read.
int ffi_view_decimate(const char *path, const ff_files *from, double share, ffi_view_bytes *out);

/// Is this file a log, by its name or its content?
int ffi_view_log_is_log(const char *path);
/// 0 after an error message.
int ffi_view_log(const char *path, size_t most, ffi_view_recording *out);

/// Simulate as `footfall run` with these arguments, and record it. Returns the exit status, after an error message
/// unless it is FFI_EXIT_OK. A run that fails is recorded up to its end; after Ctrl-C there is no page.
int ffi_view_scene_run(int argc, char **argv, size_t most, ffi_view_recording *out);

/// Was the viewer built? 0 after an error message, which says what to do.
int ffi_view_page_is_built(void);

/// 0 after an error message.
int ffi_view_page_write(const char *path, const ffi_view_recording *runs, int count);

/// Write the page to a stream; the viewer must have been built.
void ffi_view_page_write_text(FILE *out, const ffi_view_recording *runs, int count, int is_live);

/// The viewer's own text, NULL: it was not built.
const char *ffi_view_text(size_t *length);

/// Open a file or an address in the browser. 0 if that failed within `patience` [ms].
int ffi_view_open(const char *path, int patience);

#endif
