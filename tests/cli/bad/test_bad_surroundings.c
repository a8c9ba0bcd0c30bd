// What a subcommand does when the machine is not as it should be: its output goes nowhere, streams are closed, ports
// are taken, there is no display, somebody presses Ctrl-C.
// bad_rows.h says what is checked.
#define _GNU_SOURCE
#include "cli/bad/bad_rows.h"
#include "cli/run_command.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FULL "standard output that is full"
#define CLOSED "standard output that is closed"
#define PIPE "a reader that goes away"
#define INPUT "standard input that is closed"
#define PORT "a port that cannot be had"
#define DISPLAY "no display, no browser"
#define LOST "the standard output could not be written"

#define RUN "$T/ball.urdf --duration 2ms --no-log "
#define HEAD "| sh -c 'head -1 <&3' 3<&0" // what follows would be read in place of the pipe
#define VIEW "$T/log.h5 --no-open -o $T/made.html "

static const ffi_bad_row rows[] = {
    FFI_BAD(FULL, "run", RUN ">/dev/full", 1, LOST),
    FFI_BAD(FULL, "run", RUN "--json >/dev/full", 1, LOST),
    FFI_BAD(FULL, "compare", "--help >/dev/full", 1, LOST),
    FFI_BAD_LATE("", FULL, "view", VIEW ">/dev/full", 1, LOST),
    FFI_BAD(FULL, "view --live", "$T/ball.yaml --no-open >/dev/full", 1, LOST),
    FFI_BAD(FULL, "info", "$T/ball.urdf >/dev/full", 1, LOST),
    FFI_BAD(FULL, "bench", "--help >/dev/full", 1, LOST),
    FFI_BAD(FULL, "bench all", "--help >/dev/full", 1, LOST),
    FFI_BAD_LATE("", FULL, "new", "$T/ball.urdf -o $T/made.yaml --force >/dev/full", 1, LOST),
    FFI_BAD_LATE("", FULL, "convert", "$T/ball.urdf $T/made.xml --force >/dev/full", 1, LOST),
    FFI_BAD(FULL, "plan", "--help >/dev/full", 1, LOST),
    FFI_BAD(FULL, "completion", "bash >/dev/full", 1, LOST),
    FFI_BAD(FULL, "help", ">/dev/full", 1, LOST),
    FFI_BAD(FULL, "", "--version >/dev/full", 1, LOST),

    FFI_BAD(CLOSED, "run", RUN ">&-", 1, LOST),
    FFI_BAD(CLOSED, "compare", "--help >&-", 1, LOST),
    FFI_BAD_LATE("", CLOSED, "view", VIEW ">&-", 1, LOST),
    FFI_BAD(CLOSED, "view --live", "$T/ball.yaml --no-open >&-", 1, LOST),
    FFI_BAD(CLOSED, "info", "$T/ball.urdf >&-", 1, LOST),
    FFI_BAD(CLOSED, "bench", "--help >&-", 1, LOST),
    FFI_BAD(CLOSED, "bench all", "--help >&-", 1, LOST),
    FFI_BAD_LATE("", CLOSED, "new", "$T/ball.urdf -o $T/made.yaml --force >&-", 1, LOST),
    FFI_BAD_LATE("", CLOSED, "convert", "$T/ball.urdf $T/made.xml --force >&-", 1, LOST),
    FFI_BAD(CLOSED, "plan", "--help >&-", 1, LOST),
    FFI_BAD(CLOSED, "completion", "bash >&-", 1, LOST),
    FFI_BAD(CLOSED, "help", ">&-", 1, LOST),
    FFI_BAD(CLOSED, "", "--version >&-", 1, LOST),

    FFI_BAD_DONE(PIPE, "run", "$T/ball.urdf --duration 1 --dt 1ms --out - 2>/dev/null " HEAD, "time [s]"),
    FFI_BAD_DONE(PIPE, "info", "$M/romeo.urdf --json 2>/dev/null " HEAD, "{"),
    FFI_BAD_DONE(PIPE, "completion", "man 2>/dev/null " HEAD, ".TH"),
    FFI_BAD_DONE(PIPE, "help", "2>/dev/null " HEAD, "Footfall"),

    FFI_BAD_DONE(INPUT, "run", RUN "<&-", "2 steps"),
    FFI_BAD_DONE(INPUT, "compare", "--help <&-", "footfall compare"),
    FFI_BAD_DONE(INPUT, "view", VIEW "<&-", "made.html"),
    FFI_BAD_DONE(INPUT, "info", "$T/ball.urdf <&-", "ball"),
    FFI_BAD_DONE(INPUT, "bench", "--help <&-", "dynamics"),
    FFI_BAD_DONE(INPUT, "bench all", "--help <&-", "--html"),
    FFI_BAD_DONE(INPUT, "new", "$T/ball.urdf -o $T/made.yaml --force <&-", "made.yaml"),
    FFI_BAD_DONE(INPUT, "convert", "$T/ball.urdf $T/made.xml --force <&-", "made.xml: MJCF"),
    FFI_BAD_DONE(INPUT, "completion", "bash <&-", "complete"),
    FFI_BAD_DONE(INPUT, "help", "<&-", "footfall COMMAND"),

    FFI_BAD(PORT, "view --live", "$T/ball.yaml --port $P", 1,
            "of 127.0.0.1 cannot be used: Address already in use"),

    FFI_BAD_DONE(DISPLAY, "view", "$T/log.h5 -o $T/made.html", "made.html|open the file in one"),
    FFI_BAD_LATE("env DISPLAY=:9 PATH=$T/none", DISPLAY, "view", "$T/log.h5 -o $T/made.html", 0,
                 "made.html|open the file in one"),
    FFI_BAD_LATE("env DISPLAY=:9 PATH=$T/refuses:$PATH", DISPLAY, "view", "$T/log.h5 -o $T/made.html", 0,
                 "made.html|open the file in one"),
    FFI_BAD_LATE("env DISPLAY=:9 PATH=$T/stays:$PATH", DISPLAY, "view", "$T/log.h5 -o $T/made.html", 0,
                 "made.html"),
};

#define ALL_BUT_VIEW ",run,compare,info,bench,bench all,new,convert,plan,completion,help,(none),"
static const ffi_bad_exemption exemptions[] = {
    {PIPE, ",compare,view,view --live,bench,bench all,new,convert,plan,(none),",
     "say a line, or what the others do"},
    {INPUT, ",view --live,plan,(none),", "the first is tried below; the second takes seconds"},
    {PORT, ALL_BUT_VIEW ",view,", "have none"},
    {DISPLAY, ALL_BUT_VIEW ",view --live,", "show nothing; the last is tried below"},
};

static void every_subcommand_is_tried(void **state)
{
  (void)state;
  ffi_bad_cover(rows, COUNT(rows), exemptions, COUNT(exemptions));
}

// A port of 127.0.0.1 that we have ourselves, in $P.
static int take_port(void)
{
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  char number[16];
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int taken = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(taken >= 0);
  assert_int_equal(bind(taken, (struct sockaddr *)&address, sizeof address), 0);
  assert_int_equal(listen(taken, 1), 0);
  assert_int_equal(getsockname(taken, (struct sockaddr *)&address, &size), 0);
  snprintf(number, sizeof number, "%d", ntohs(address.sin_port));
  setenv("P", number, 1);
  return taken;
}

static void surroundings_are_told(void **state)
{
  (void)state;
  assert_int_equal(
      system("mkdir $T/refuses $T/stays && printf '#!/bin/sh\\nexit 3\\n' >$T/refuses/xdg-open && "
             "printf '#!/bin/sh\\nexec sleep 4\\n' >$T/stays/xdg-open && chmod +x $T/*/xdg-open"),
      0);
  const int port = take_port();
  ffi_bad_check(rows, COUNT(rows));
  close(port);
  assert_int_equal(system("rm -r $T/refuses $T/stays"), 0);
}

// Ports below some number are the system's.
static void a_port_of_the_system_is_told(void **state)
{
  static const ffi_bad_row row[] = {FFI_BAD(PORT, "view --live", "$T/ball.yaml --port 80", 1,
                                            "port 80 of 127.0.0.1 cannot be used: Permission denied")};
  int first = 0;
  FILE *file = fopen("/proc/sys/net/ipv4/ip_unprivileged_port_start", "r");
  const int is_read = file && fscanf(file, "%d", &first) == 1;
  (void)state;
  if (file)
    fclose(file);
  if (!is_read || first <= 80 || !ffi_bad_obey_modes())
    skip();
  ffi_bad_check(row, 1);
}

// A link stays one: what it leads to is replaced, and who may read it may go on doing so.
static void links_and_modes_are_kept(void **state)
{
  (void)state;
  assert_int_equal(system("umask 022; echo old >$T/aim.svg; chmod 640 $T/aim.svg; ln -s aim.svg $T/link.svg"),
                   0);
  ffi_output output = ffi_run("", "info $T/ball.urdf --svg $T/link.svg");
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  assert_int_equal(
      system("test -L $T/link.svg && grep -q '<svg' $T/aim.svg && test \"$(stat -c %a $T/aim.svg)\" = 640"),
      0);
}

// With stdout closed a log would get its number, and the summary within.
static void a_log_is_no_standard_output(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "run $T/ball.urdf --duration 20ms --out $T/made.h5 >&-");
  assert_int_equal(output.status, 1);
  ffi_output_free(&output);
  output = ffi_run("", "run --resume $T/made.h5 --duration 2ms --no-log");
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
}

// ---- Ctrl-C ----------------------------------------------------------------------------------------------------

// Started in a folder of its own process; what it prints goes to a pipe, of which `out` is the end to read.
static pid_t start(const char *arguments, int *out)
{
  char line[1024];
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  snprintf(line, sizeof line, "exec '%s' %s 2>&1", ffi_command_path(), arguments);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  *out = ends[0];
  return child;
}

static void rest(double seconds)
{
  const struct timespec time = {.tv_sec = (time_t)seconds,
                                .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
}

// As a shell tells it: 128 and the signal for one that it ended. -1: it did not end within some seconds.
static int status_of(pid_t child)
{
  int ended;
  for (int tries = 0; tries < 1000; ++tries) {
    if (waitpid(child, &ended, WNOHANG) == child)
      return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    rest(0.02);
  }
  kill(child, SIGKILL);
  waitpid(child, &ended, 0);
  return -1;
}

static int is_kept(const char *name)
{
  char path[512], text[16] = "";
  struct stat about;
  snprintf(path, sizeof path, "%s/%s.part", ffi_scratch_folder(), name);
  if (stat(path, &about) == 0)
    return 0;
  snprintf(path, sizeof path, "%s/%s", ffi_scratch_folder(), name);
  FILE *file = fopen(path, "r");
  const int is_read = file && fgets(text, sizeof text, file) != NULL;
  if (file)
    fclose(file);
  return is_read && strcmp(text, "kept\n") == 0;
}

// Work of minutes that is ended within a second leaves what was there.
static void interrupted_work_loses_nothing(void **state)
{
  static const struct {
    const char *arguments, *kept;
  } works[] = {
      {"view $T/ball.urdf --dt 1us --duration 1000 -o $T/keep.html", "keep.html"},
      {"compare $S/solo-trot.yaml --json $T/keep.json --svg $T/keep.svg", "keep.json"},
      {"bench dynamics --json $T/keep.json", "keep.json"},
      {"bench ess-paper --html $T/keep.html", "keep.html"},
      {"plan trot $M/solo12.urdf --out $T/keep.txt", "keep.txt"},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(works); ++i) {
    int out;
    const pid_t child = start(works[i].arguments, &out);
    rest(0.2);
    kill(child, SIGINT);
    const int status = status_of(child);
    close(out);
    if (status != 130 && strncmp(works[i].arguments, "view", 4) != 0) // it may have been built without
      fail_msg("%s: status %d", works[i].arguments, status);
    if (!is_kept(works[i].kept))
      fail_msg("%s: %s is not as it was", works[i].arguments, works[i].kept);
  }
}

// Without a display a live scene is served all the same, says where, and ends in order.
static void a_live_scene_says_where_it_is(void **state)
{
  char text[256] = "";
  int out;
  (void)state;
  const pid_t child = start("view --live $T/ball.yaml <&-", &out);
  const ssize_t got = read(out, text, sizeof text - 1);
  assert_true(got > 0);
  if (strstr(text, "built without")) {
    status_of(child);
    skip();
  }
  assert_non_null(strstr(text, "http://127.0.0.1:"));
  rest(0.1);
  kill(child, SIGINT);
  const int status = status_of(child);
  close(out);
  assert_int_equal(status, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_subcommand_is_tried),      cmocka_unit_test(surroundings_are_told),
      cmocka_unit_test(links_and_modes_are_kept),       cmocka_unit_test(a_log_is_no_standard_output),
      cmocka_unit_test(interrupted_work_loses_nothing), cmocka_unit_test(a_live_scene_says_where_it_is),
      cmocka_unit_test(a_port_of_the_system_is_told),
  };
  return cmocka_run_group_tests(tests, ffi_bad_files, ffi_bad_clean_up);
}
