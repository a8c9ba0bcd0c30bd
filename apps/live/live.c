// footfall view --live SCENE: steps in real time while a page is open.
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"

#include "cli/interrupt.h"
#include "cli/options/overrides.h"
#include "cli/warn_meshes.h"
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const double frame_time = 1.0 / 60, longest_work = 0.012, farthest_behind = 0.1; // [s]
enum { FIRST_PORT = 8417, QUIET_WAIT = 200 };                                           // [ms]

// Steps until `until`, but for at most longest_work. If a step fails, the scene pauses and the page shows why.
static void step_until(ffi_live *live, double until)
{
  const ff_sim *sim;
  const double begin = ffi_progress_seconds();
  ff_error error = {0};
  while ((sim = ff_scene_sim(live->sim.scene)), ff_sim_time(sim) + 0.5 * ff_sim_dt(sim) < until) {
    if (ffi_live_sim_step(&live->sim, &error) != FF_OK) {
      live->is_playing = 0;
      ffi_live_send_message(live, error.message);
      break;
    }
    if (ffi_progress_seconds() - begin > longest_work)
      break;
  }
  live->is_stale = 1;
}

// The time that the scene should have reached: it advances with the clock, unless the scene cannot keep up.
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
  const double now = ffi_progress_seconds(), passed = now - p->wall;
  const int is_seen = ffi_live_http_streams(&live->server) > 0;
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
  pace p = {.wall = ffi_progress_seconds()};
  while (!ffi_interrupt_signal()) {
    const int is_busy = ffi_live_http_streams(&live->server) > 0 && (live->is_playing || live->is_stale);
    ffi_live_http_serve(&live->server, is_busy ? 4 : QUIET_WAIT);
    go_on(live, &p);
  }
}

// Listens on the requested port, or else on FIRST_PORT, or else on any. 0 after an error message.
static int listen_somewhere(ffi_live *live, int port)
{
  live->server.answer = ffi_live_commands_answer;
  live->server.user = live;
  live->server.clock = ffi_progress_seconds;
  if (ffi_live_http_open(&live->server, port > 0 ? port : FIRST_PORT) ||
      (port <= 0 && ffi_live_http_open(&live->server, 0)))
    return 1;
  ffi_error_message("port %d of 127.0.0.1 cannot be used: %s", port, strerror(errno));
  return 0;
}

static void print_place(const ffi_live_request *asked, const char *address, int port)
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
  ffi_interrupt_catch(); // before the address is printed
  signal(SIGPIPE, SIG_IGN);
  if (!listen_somewhere(live, asked->port))
    return FFI_EXIT_FAILED;
  snprintf(address, sizeof address, "http://127.0.0.1:%d/", live->server.port);
  print_place(asked, address, live->server.port);
  if (ferror(stdout)) { // nobody gets the address; ffi_program_end() reports it
    ffi_live_http_close(&live->server);
    return FFI_EXIT_OK;
  }
  if (asked->is_opened)
    ffi_view_open(address, 0); // without waiting: the browser asks for the page at once
  loop(live);
  ffi_live_http_event(&live->server, NULL, "end", "{}");
  ffi_live_http_serve(&live->server, 0); // sends what the sockets take at once
  ffi_live_http_close(&live->server);
  return FFI_EXIT_OK;
}

int ffi_live_serve(int argc, char **argv, const ffi_live_request *asked)
{
  static ffi_live live; // too large for the stack: the buffers of all connections
  ffi_run_request request;
  ff_error error = {0};
  int status = FFI_EXIT_FAILED;
  live = (ffi_live){.is_playing = 1, .speed = 1, .server = {.socket = -1}};
  if (!ffi_run_options_read(argc, argv, &request)) {
    status = request.failure;
  } else {
    if (ffi_live_sim_open(&live.sim, request.path, &request.changes, &error)) {
      ffi_warn_meshes(ff_scene_model(live.sim.scene), !asked->is_of_model);
      ffi_overrides_print_warnings(live.sim.scene);
      status = ffi_overrides_check(&request.changes, ff_scene_get_def(live.sim.scene)->sim.stepper)
                   ? serve(&live, asked)
                   : FFI_EXIT_USAGE;
    } else {
      ffi_error_message("%s", error.message);
      status = ffi_overrides_exit_status(&request.changes, &error);
    }
    ffi_live_sim_close(&live.sim);
  }
  ffi_run_options_free(&request);
  return status;
}
