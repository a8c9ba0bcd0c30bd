/// live.h: footfall view --live: a scene that runs in real time, with a page that shows it and can push and change it.
///
///     live.c           the loop: steps, sends, receives
///     live_model.c     makes a scene for a model
///     live_sim.c       the scene: steps, pushes, changes of its fields while it runs
///     live_send.c      what is sent: the page, frames, settings
///     live_commands.c  what the page requests: play, pause, step, push, set
///     live_http.c      a small HTTP server on 127.0.0.1
///     live_parse.c     requests: bytes that a client sent, read and checked
///
/// The page is that of `footfall view` with one frame; more frames come as server-sent events. One thread does all: a
/// step is short compared with a frame.
#ifndef FFI_APPS_LIVE_H
#define FFI_APPS_LIVE_H

#include "cli/options/overrides.h"
#include "run/run.h"
#include "view/view.h"

// ---- A model ----------------------------------------------------------------------------------------------

/// A scene that `footfall new` wrote for a model.
typedef struct ffi_live_model {
  char folder[4096], scene[4128]; ///< "": there is none
} ffi_live_model;

/// Write the scene; `words` [count] are options, of which it takes those of footfall new. Returns the exit status,
/// after an error message unless it is FFI_EXIT_OK. Remove the scene either way.
int ffi_live_model_write(ffi_live_model *model, const char *path, char **words, int count);
void ffi_live_model_remove(ffi_live_model *model);

/// Remove the options that footfall new took. Returns how many are left.
int ffi_live_model_drop_options(char **words, int count);

// ---- The scene --------------------------------------------------------------------------------------------

enum { FFI_LIVE_FIELDS = 16, FFI_LIVE_VALUE_SIZE = 64 };

/// A push by the user: a spring between a point of a link and a point of the world.
typedef struct ffi_live_sim_push {
  int frame;                  ///< of the link, -1: no push
  double point[3], target[3]; ///< in the link, in the world [m]
  double stiffness;           ///< [N/m]
} ffi_live_sim_push;

typedef struct ffi_live_sim {
  const char *path;
  const ffi_overrides *given; ///< overrides of the command line
  char fields[FFI_LIVE_FIELDS][FFI_LIVE_VALUE_SIZE], values[FFI_LIVE_FIELDS][FFI_LIVE_VALUE_SIZE];
  int field_count; ///< overrides since then
  ff_scene *scene;
  ff_dynamics *dynamics;
  ffi_view_recorder *recorder;
  ffi_run_motor_forces motor_forces;
  ff_ground_def plane;   ///< the default ground, of scenes without one
  double *tau, *control; ///< [nv] of the next step, and the controller's part of it, owned
  double *jacobian;      ///< [3][nv], owned
  double control_until;  ///< [s]
  ffi_live_sim_push push;
} ffi_live_sim;

/// 0 with the error; close it either way.
int ffi_live_sim_open(ffi_live_sim *live, const char *path, const ffi_overrides *given, ff_error *error);
void ffi_live_sim_close(ffi_live_sim *live);

ff_status ffi_live_sim_step(ffi_live_sim *live, ff_error *error);
ff_status ffi_live_sim_reset(ffi_live_sim *live, ff_error *error);

/// Change a field of the scene, such as stepper.type, and go on from the present state. A failure changes nothing.
ff_status ffi_live_sim_set(ffi_live_sim *live, const char *field, const char *value, ff_error *error);

ffi_view_about ffi_live_sim_about(const ffi_live_sim *live);
ff_record_state ffi_live_sim_state(ffi_live_sim *live);

/// The material of contacts with the ground: the ground's if it gives one, else the robot's.
ff_material ffi_live_sim_material(const ffi_live_sim *live);

// ---- HTTP -------------------------------------------------------------------------------------------------

enum { FFI_LIVE_HTTP_CONNECTIONS = 32, FFI_LIVE_HTTP_REQUEST_SIZE = 8192, FFI_LIVE_PARSE_PATH_SIZE = 200 };

/// Bytes that may wait for a client, beside the answer to its request; a stream that has more of them to read misses
/// messages, and is closed before it misses a named event.
enum { FFI_LIVE_HTTP_WAITING = 1 << 20 };

/// A client that has something to read, and reads nothing of it for so long, is gone [s].
#define FFI_LIVE_HTTP_PATIENCE 10.0

typedef struct ffi_live_http_connection {
  int socket;                          ///< -1: none
  char in[FFI_LIVE_HTTP_REQUEST_SIZE]; ///< the request so far
  size_t in_count;
  ffi_view_bytes out; ///< what is to be sent
  size_t sent;
  int is_stream; ///< stays open, for events
  double since;  ///< when it was accepted [s]
  double active; ///< when it last took bytes, or had none to take [s]
} ffi_live_http_connection;

typedef struct ffi_live_http_request {
  int is_post;
  char path[FFI_LIVE_PARSE_PATH_SIZE]; ///< without the query
  const char *body;                    ///< [body_size] among the bytes of the request
  size_t body_size;
} ffi_live_http_request;

typedef struct ffi_live_http_server {
  int socket, port;
  ffi_live_http_connection connections[FFI_LIVE_HTTP_CONNECTIONS];
  /// Answers a request, by ffi_live_http_reply() or ffi_live_http_stream().
  void (*answer)(ffi_live_http_connection *connection, const ffi_live_http_request *request, void *user);
  void *user;
  double (*clock)(void); ///< [s]
} ffi_live_http_server;

/// Read a request to the server on `port`: the `count` bytes that have arrived, with a zero behind them. Returns NULL
/// if it is complete and in order, "" if more must come, else the status to refuse it with, such as "400 Bad Request".
const char *ffi_live_parse_request(const char *bytes, size_t count, int port, ffi_live_http_request *out);

/// Listen on 127.0.0.1; port 0: any. 0 with the reason in errno. Requests under another name than this address or
/// localhost are refused, as pages of other sites could send them.
int ffi_live_http_open(ffi_live_http_server *server, int port);
void ffi_live_http_close(ffi_live_http_server *server);

/// Wait for at most `wait` [ms], then accept, receive, answer and send. A new client always gets in: if all places are
/// taken, one that has sent no request yet goes, else one that does not read, else the oldest.
void ffi_live_http_serve(ffi_live_http_server *server, int wait);

void ffi_live_http_reply(ffi_live_http_connection *connection, const char *status, const char *type,
                         const void *body, size_t size);
/// Keep the connection open for events.
void ffi_live_http_stream(ffi_live_http_connection *connection);
int ffi_live_http_streams(const ffi_live_http_server *server); ///< number of these connections

/// Send an event to one stream, or to all (NULL); `name` NULL: a message. A stream that reads too slowly misses
/// messages; one that is so slow that it would miss a named event is closed.
void ffi_live_http_event(ffi_live_http_server *server, ffi_live_http_connection *to, const char *name,
                         const char *data);

// ---- The loop ---------------------------------------------------------------------------------------------

enum { FFI_LIVE_WHY_SIZE = 800, FFI_LIVE_LINE_SIZE = 1024 };

typedef struct ffi_live {
  ffi_live_sim sim;
  ffi_live_http_server server;
  int is_playing;
  double speed; ///< relative to real time
  double rate;  ///< reached, relative to real time
  int is_stale; ///< something changed since the last frame
} ffi_live;

void ffi_live_commands_answer(ffi_live_http_connection *connection, const ffi_live_http_request *request,
                              void *user);
/// Do one request, such as "pause" or "set dt 1ms". Returns 0 with the reason in `why`.
int ffi_live_commands_do(ffi_live *live, const char *line, char why[FFI_LIVE_WHY_SIZE]);

void ffi_live_send_page(ffi_live *live, ffi_live_http_connection *to);
void ffi_live_send_frame(ffi_live *live);
void ffi_live_send_settings(ffi_live *live, ffi_live_http_connection *to);
void ffi_live_send_message(ffi_live *live, const char *words); ///< shown to the user

typedef struct ffi_live_request {
  int port;              ///< 0: any
  int is_opened;         ///< open the page in the browser
  int is_of_model;       ///< the scene was made from a model that the user gave
  int as_json, is_quiet; ///< how the address is printed, or not at all
} ffi_live_request;

/// Serve a scene until Ctrl-C. argv as of `footfall run`. Returns the exit status.
int ffi_live_serve(int argc, char **argv, const ffi_live_request *asked);

#endif
