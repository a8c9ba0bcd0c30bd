/// live.h: footfall view --live: a scene that runs while one looks at it, and that one can take hold of.
///
///     live.c        the whole: one loop that steps, talks and listens
///     live_model.c  a model gets a scene first
///     live_sim.c    the scene under hand: steps, pushes, changes of its fields while it runs
///     live_page.c   what is sent: the page, frames, settings
///     live_do.c     what is asked: play, pause, step, push, set
///     live_http.c   as much of HTTP as that takes, on 127.0.0.1 alone
///
/// The page is that of `footfall view` with one frame in it; more come as server-sent events. All in one thread: a step is short beside a frame.
#ifndef FFI_APPS_LIVE_H
#define FFI_APPS_LIVE_H

#include "run/run.h"
#include "view/view.h"

// ---- A model ----------------------------------------------------------------------------------------------

/// A scene that `footfall new` wrote for a model.
typedef struct ffi_live_model {
  char folder[4096], scene[4128]; ///< "": there is none
} ffi_live_model;

/// Returns an exit status, after a complaint if it is not FFI_EXIT_OK. words [count]: options as one word each, of which those are taken that go for models. Remove it either way.
int ffi_live_model_write(ffi_live_model *model, const char *path, char **words, int count);
void ffi_live_model_remove(ffi_live_model *model);

/// Leaves out the words that were taken. Returns how many are left.
int ffi_live_model_words(char **words, int count);

// ---- The scene --------------------------------------------------------------------------------------------

enum { FFI_LIVE_FIELDS = 16, FFI_LIVE_VALUE_SIZE = 64 };

/// A spring between a point of a link and a place in the world: what a hand does.
typedef struct ffi_live_push {
  int frame;                  ///< of the link, -1: nobody pushes
  double point[3], target[3]; ///< in the link, in the world [m]
  double stiffness;           ///< [N/m]
} ffi_live_push;

typedef struct ffi_live_sim {
  const char *path;
  const ffi_changes *given; ///< of the command line
  char fields[FFI_LIVE_FIELDS][FFI_LIVE_VALUE_SIZE], values[FFI_LIVE_FIELDS][FFI_LIVE_VALUE_SIZE];
  int field_count; ///< changed since
  ff_scene *scene;
  ff_dynamics *dynamics;
  ffi_view_recorder *recorder;
  ffi_run_drives drives;
  ff_ground_def plane;   ///< where the scene leaves the ground to the sim
  double *tau, *control; ///< [nv] of the next step, and the controller's part of it, owned
  double *jacobian;      ///< [3][nv], owned
  double control_until;  ///< [s]
  ffi_live_push push;
} ffi_live_sim;

/// 0 with the error; close it either way.
int ffi_live_open(ffi_live_sim *live, const char *path, const ffi_changes *given, ff_error *error);
void ffi_live_close(ffi_live_sim *live);

ff_status ffi_live_step(ffi_live_sim *live, ff_error *error);
ff_status ffi_live_reset(ffi_live_sim *live, ff_error *error);

/// Change a field of the scene, such as stepper.type, and go on from the present state. A failure changes nothing.
ff_status ffi_live_set(ffi_live_sim *live, const char *field, const char *value, ff_error *error);

ffi_view_about ffi_live_about(const ffi_live_sim *live);
ff_record_state ffi_live_state(ffi_live_sim *live);

/// What contacts with the ground have: the material of the pair if the ground gives it, else the robot's.
ff_material ffi_live_material(const ffi_live_sim *live);

// ---- HTTP -------------------------------------------------------------------------------------------------

enum { FFI_HTTP_CONNECTIONS = 32, FFI_HTTP_REQUEST_SIZE = 8192 };

typedef struct ffi_http_connection {
  int socket;                     ///< -1: none
  char in[FFI_HTTP_REQUEST_SIZE]; ///< what was asked so far
  size_t in_count;
  ffi_bytes out; ///< what is to be sent
  size_t sent;
  int is_stream; ///< stays open, for events
} ffi_http_connection;

typedef struct ffi_http_request {
  int is_post;
  const char *path; ///< without what follows a '?'
  const char *body; ///< ends with a zero
} ffi_http_request;

typedef struct ffi_http_server {
  int socket, port;
  ffi_http_connection connections[FFI_HTTP_CONNECTIONS];
  /// Answers, by ffi_http_reply() or ffi_http_stream().
  void (*answer)(ffi_http_connection *connection, const ffi_http_request *request, void *user);
  void *user;
} ffi_http_server;

/// Listens on 127.0.0.1; port 0: any. 0 with errno's reason. Who asks by another name than this address or localhost, as a page of somebody else's
/// might, is refused.
int ffi_http_open(ffi_http_server *server, int port);
void ffi_http_close(ffi_http_server *server);

/// Wait for at most so long [ms], and do what can be done.
void ffi_http_serve(ffi_http_server *server, int wait);

void ffi_http_reply(ffi_http_connection *connection, const char *status, const char *type, const void *body,
                    size_t size);
/// From now on it gets events.
void ffi_http_stream(ffi_http_connection *connection);
int ffi_http_streams(const ffi_http_server *server); ///< how many do

/// To one stream, or to all (NULL); `name` NULL: a message. One that does not read fast enough misses messages, but no named events.
void ffi_http_event(ffi_http_server *server, ffi_http_connection *to, const char *name, const char *data);

// ---- The loop ---------------------------------------------------------------------------------------------

enum { FFI_LIVE_WHY_SIZE = 800 };

typedef struct ffi_live {
  ffi_live_sim sim;
  ffi_http_server server;
  int is_playing;
  double speed; ///< times real time
  double rate;  ///< that is reached
  int is_stale; ///< something changed since the last frame
} ffi_live;

void ffi_live_answer(ffi_http_connection *connection, const ffi_http_request *request, void *user);
/// One line, such as "pause" or "set dt 1ms". Returns 0 with why it cannot be done.
int ffi_live_do(ffi_live *live, const char *line, char why[FFI_LIVE_WHY_SIZE]);

void ffi_live_send_page(ffi_live *live, ffi_http_connection *to);
void ffi_live_send_frame(ffi_live *live);
void ffi_live_send_settings(ffi_live *live, ffi_http_connection *to);
void ffi_live_send_words(ffi_live *live, const char *words); ///< for the user

typedef struct ffi_live_request {
  int port;              ///< 0: any
  int is_opened;         ///< the page is shown
  int as_json, is_quiet; ///< where it is, is said so, or not at all
} ffi_live_request;

/// Serve a scene until Ctrl-C. argv as of `footfall run`. Returns the exit status.
int ffi_view_live(int argc, char **argv, const ffi_live_request *asked);

#endif
