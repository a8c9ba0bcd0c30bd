// footfall view --live SCENE: step in real time while somebody looks.
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"
#include "cli/interrupt.h"
#include "cli/warn_meshes.h"
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const double frame_time = 1.0 / 60, longest_work = 0.012, farthest_behind = 0.1; // [s]
enum { FIRST_PORT = 8417, QUIET_WAIT = 200 };                                           // [ms]

// Steps until `until`, but for no longer than a frame has room for. A step that fails pauses, and says why.
static void step_until(ffi_live *live, double until)
{
  const ff_sim *sim;
  const double begin = ffi_seconds();
  ff_error error = {0};
  while ((sim = ff_scene_sim(live->sim.scene)), ff_sim_time(sim) + 0.5 * ff_sim_dt(sim) < until) {
    if (ffi_live_step(&live->sim, &error) != FF_OK) {
      live->is_playing = 0;
      ffi_live_send_words(live, error.message);
      break;
    }
    if (ffi_seconds() - begin > longest_work)
      break;
  }
  live->is_stale = 1;
}

// How far the scene should be: as much farther as time has passed, unless it cannot keep up.
typedef struct pace {
  double wall, aim, shown;     // [s]
  double rate_wall, rate_time; // since when the rate is measured
} pace;

static void measure_rate(ffi_live *live, pace *p, double now, double time)
{
  if (now - p->rate_wall < 0.5)
    return;
  live->rate = time >= p->rate_time ? (time - p->rate_time) / (now - p->rate_wall) : 0;
  p->rate_wall = now;
  p->rate_time = time;
}

static void go_on(ffi_live *live, pace *p)
{
  const double now = ffi_seconds(), passed = now - p->wall;
  const int is_seen = ffi_http_streams(&live->server) > 0;
  double time = ff_sim_time(ff_scene_sim(live->sim.scene));
  p->wall = now;
  if (is_seen && live->is_playing) {
    p->aim += live->speed * (passed < farthest_behind ? passed : farthest_behind);
    step_until(live, p->aim);
    time = ff_sim_time(ff_scene_sim(live->sim.scene));
  }
  if (!live->is_playing || p->aim - time > farthest_behind * live->speed || p->aim < time)
    p->aim = time;
  measure_rate(live, p, now, time);
  if (is_seen && live->is_stale && now - p->shown >= frame_time) {
    ffi_live_send_frame(live);
    p->shown = now;
  }
}

static void loop(ffi_live *live)
{
  pace p = {.wall = ffi_seconds()};
  while (!ffi_interrupt_got()) {
    const int is_busy = ffi_http_streams(&live->server) > 0 && (live->is_playing || live->is_stale);
    ffi_http_serve(&live->server, is_busy ? 4 : QUIET_WAIT);
    go_on(live, &p);
  }
}

// The port asked for, or else the usual one, or else any. 0 after a complaint.
static int listen_somewhere(ffi_live *live, int port)
{
  live->server.answer = ffi_live_answer;
  live->server.user = live;
  if (ffi_http_open(&live->server, port > 0 ? port : FIRST_PORT) ||
      (port <= 0 && ffi_http_open(&live->server, 0)))
    return 1;
  ffi_complain("port %d of 127.0.0.1 cannot be used: %s", port, strerror(errno));
  return 0;
}

static void tell(const ffi_live_request *asked, const char *address, int port)
{
  ffi_json json;
  if (asked->as_json) {
    ffi_json_begin(&json, stdout);
    ffi_json_open(&json, '{', 0);
    ffi_json_put_text(&json, "address", address);
    ffi_json_put_integer(&json, "port", port);
    ffi_json_close(&json, '}');
    ffi_json_end(&json);
  } else if (!asked->is_quiet) {
    printf("%s (Ctrl-C ends it)\n", address);
  }
  fflush(stdout);
}

static int serve(ffi_live *live, const ffi_live_request *asked)
{
  char address[64];
  ffi_interrupt_watch(); // before anybody can know that we are there
  signal(SIGPIPE, SIG_IGN);
  if (!listen_somewhere(live, asked->port))
    return FFI_EXIT_FAILED;
  snprintf(address, sizeof address, "http://127.0.0.1:%d/", live->server.port);
  tell(asked, address, live->server.port);
  if (ferror(stdout)) { // nobody would know where it is; the end of the program says so
    ffi_http_close(&live->server);
    return FFI_EXIT_OK;
  }
  if (asked->is_opened)
    ffi_view_open(address, 0); // it asks for the page at once, so nobody waits for it here
  loop(live);
  ffi_http_event(&live->server, NULL, "end", "{}");
  ffi_http_serve(&live->server, 0); // what it can take at once
  ffi_http_close(&live->server);
  return FFI_EXIT_OK;
}

int ffi_view_live(int argc, char **argv, const ffi_live_request *asked)
{
  static ffi_live live; // connections with their requests: too much for a stack
  ffi_run_request request;
  ff_error error = {0};
  int status = FFI_EXIT_FAILED;
  live = (ffi_live){.is_playing = 1, .speed = 1, .server = {.socket = -1}};
  if (!ffi_run_read(argc, argv, &request)) {
    status = request.failure;
  } else {
    if (ffi_live_open(&live.sim, request.path, &request.changes, &error)) {
      ffi_warn_meshes(ff_scene_model(live.sim.scene));
      ffi_changes_warn(live.sim.scene);
      status = ffi_changes_check(&request.changes, ff_scene_get_def(live.sim.scene)->sim.stepper)
                   ? serve(&live, asked)
                   : FFI_EXIT_USAGE;
    } else {
      ffi_complain("%s", error.message);
      status = ffi_changes_status(&request.changes, &error);
    }
    ffi_live_close(&live.sim);
  }
  ffi_run_request_free(&request);
  return status;
}
