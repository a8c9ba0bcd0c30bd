// The server of live pages, with real sockets on 127.0.0.1: who gets in, who is dropped, what is refused.
#include "live/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static ffi_live_http_server server; // too large for the stack
static double now;                  // [s], what the server's clock says

static double read_clock(void)
{
  return now;
}

static void answer(ffi_live_http_connection *connection, const ffi_live_http_request *request, void *user)
{
  (void)user;
  if (strcmp(request->path, "/events") == 0)
    ffi_live_http_stream(connection);
  else
    ffi_live_http_reply(connection, "200 OK", "text/plain", request->body, request->body_size);
}

static int set_up(void **state)
{
  (void)state;
  now = 100;
  server = (ffi_live_http_server){.answer = answer, .clock = read_clock};
  return ffi_live_http_open(&server, 0) ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  ffi_live_http_close(&server);
  return 0;
}

static void serve(int times)
{
  for (int i = 0; i < times; ++i)
    ffi_live_http_serve(&server, 0);
}

// ---- Clients --------------------------------------------------------------------------------------------------------

// A client that sends `text` after its Host, "" for nothing at all.
static int connect_and_send(const char *line, const char *rest)
{
  const struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((unsigned short)server.port),
                                      .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  char text[9000];
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  assert_true(client >= 0);
  assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
  snprintf(text, sizeof text, "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", line, server.port, rest);
  if (line[0])
    assert_int_equal(send(client, text, strlen(text), 0), strlen(text));
  fcntl(client, F_SETFL, O_NONBLOCK);
  serve(3);
  return client;
}

static int open_stream(void)
{
  return connect_and_send("GET /events", "\r\n");
}

// What the server sent, until it has no more; 0 if it has closed the connection.
static int receive(int client, char *text, size_t size)
{
  size_t count = 0;
  text[0] = '\0';
  for (int i = 0; i < 50; ++i) {
    const ssize_t got = recv(client, text + count, size - 1 - count, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN))
      return 0;
    count += got > 0 ? (size_t)got : 0;
    text[count] = '\0';
    serve(1);
  }
  return 1;
}

static void expect_answer(const char *line, const char *rest, const char *status)
{
  char text[2000];
  const int client = connect_and_send(line, rest);
  receive(client, text, sizeof text);
  if (strncmp(text, "HTTP/1.1 ", 9) != 0 || strncmp(text + 9, status, strlen(status)) != 0)
    fail_msg("'%.60s' with '%.60s': expected %s, got '%.80s'", line, rest, status, text);
  close(client);
  serve(2);
}

static int is_open(int client)
{
  char text[200000];
  return receive(client, text, sizeof text);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

static void a_new_page_gets_in_among_streams_that_nobody_reads(void **state)
{
  (void)state;
  int clients[2 * FFI_LIVE_HTTP_CONNECTIONS];
  for (int i = 0; i < 2 * FFI_LIVE_HTTP_CONNECTIONS; ++i, now += 0.01)
    clients[i] = open_stream();
  assert_int_equal(ffi_live_http_streams(&server), FFI_LIVE_HTTP_CONNECTIONS);
  expect_answer("GET /", "\r\n", "200 OK");
  const int stream = open_stream();
  ffi_live_http_event(&server, NULL, "settings", "{}");
  char text[1000];
  assert_true(receive(stream, text, sizeof text));
  assert_non_null(strstr(text, "event: settings\ndata: {}\n\n"));
  assert_true(is_open(clients[2 * FFI_LIVE_HTTP_CONNECTIONS - 1])); // the latest stayed, the oldest went
  assert_false(is_open(clients[0]));
  close(stream);
  for (int i = 0; i < 2 * FFI_LIVE_HTTP_CONNECTIONS; ++i)
    close(clients[i]);
}

// One that reads, however old, stays where others do not.
static void who_reads_stays(void **state)
{
  (void)state;
  static char text[4 << 20], message[60001];
  int clients[FFI_LIVE_HTTP_CONNECTIONS];
  memset(message, 'x', sizeof message - 1);
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    clients[i] = open_stream();
  for (int i = 0; i < 400; ++i, now += 0.02) { // 24 MB: more than the system keeps for a client
    ffi_live_http_event(&server, NULL, NULL, message);
    serve(1);
    assert_true(receive(clients[0], text, sizeof text));
  }
  const int late[2] = {open_stream(), open_stream()};
  assert_true(is_open(clients[0]));
  assert_true(is_open(late[0]) && is_open(late[1]));
  close(late[0]);
  close(late[1]);
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    close(clients[i]);
}

static void who_does_not_read_is_dropped_in_time(void **state)
{
  (void)state;
  static char message[60001];
  memset(message, 'x', sizeof message - 1);
  const int silent = open_stream(), other = open_stream();
  for (int i = 0; i < 400; ++i) {
    ffi_live_http_event(&server, NULL, NULL, message);
    serve(1);
    is_open(other);
  }
  assert_int_equal(ffi_live_http_streams(&server), 2);
  now += FFI_LIVE_HTTP_PATIENCE - 1;
  serve(2);
  assert_int_equal(ffi_live_http_streams(&server), 2);
  now += 2;
  serve(2);
  assert_int_equal(ffi_live_http_streams(&server), 1);
  assert_true(is_open(other));
  now += 1000; // with nothing to read one may be silent
  serve(2);
  assert_true(is_open(other));
  close(silent);
  close(other);
}

// Named events are for all; a stream that could keep them only in memory without bound is closed.
static void what_waits_is_bounded(void **state)
{
  (void)state;
  static char message[60001];
  memset(message, 'x', sizeof message - 1);
  const int silent = open_stream();
  size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    ffi_live_http_event(&server, NULL, "words", message);
    serve(1);
    for (int k = 0; k < FFI_LIVE_HTTP_CONNECTIONS; ++k)
      most = server.connections[k].out.count > most ? server.connections[k].out.count : most;
  }
  assert_int_equal(ffi_live_http_streams(&server), 0);
  assert_in_range(most, FFI_LIVE_HTTP_WAITING, 2 * FFI_LIVE_HTTP_WAITING + 2 * sizeof message);
  close(silent);
}

static void those_who_ask_nothing_do_not_keep_others_out(void **state)
{
  (void)state;
  int clients[3 * FFI_LIVE_HTTP_CONNECTIONS];
  const int stream = open_stream();
  for (int i = 0; i < 3 * FFI_LIVE_HTTP_CONNECTIONS; ++i, now += 0.01)
    clients[i] = connect_and_send("", "");
  expect_answer("GET /", "\r\n", "200 OK");
  assert_true(is_open(stream));
  close(stream);
  for (int i = 0; i < 3 * FFI_LIVE_HTTP_CONNECTIONS; ++i)
    close(clients[i]);
}

static void malformed_requests_are_refused(void **state)
{
  (void)state;
  char many[8200], path[300];
  memset(many, 'a', sizeof many - 1);
  many[sizeof many - 1] = '\0';
  snprintf(path, sizeof path, "GET /%.250s", many);
  expect_answer("GET /", "\r\n", "200");
  expect_answer("POST /do", "Content-Length: 4\r\n\r\nplay", "200");
  expect_answer("POST /do", "content-length:  4 \r\n\r\nplay", "200");
  expect_answer("PUT /", "\r\n", "405");
  expect_answer("GET", "\r\n", "400");
  expect_answer("GET do", "\r\n", "400");
  expect_answer("GET / x", "\r\n", "400");
  expect_answer(path, "\r\n", "414");
  expect_answer("GET /", many, "431");
  expect_answer("POST /do", "Content-Length: 9000\r\n\r\n", "413");
  expect_answer("POST /do", "Content-Length: 99999999999999999999999\r\n\r\n", "413");
  expect_answer("POST /do", "Content-Length: -1\r\n\r\n", "400");
  expect_answer("POST /do", "Content-Length: four\r\n\r\n", "400");
  expect_answer("POST /do", "Content-Length: 4 4\r\n\r\nplay", "400");
  expect_answer("POST /do", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nplay", "400");
  expect_answer("POST /do", "Transfer-Encoding: chunked\r\n\r\n4\r\nplay\r\n0\r\n\r\n", "501");
  expect_answer("GET /", "Host: evil.example\r\n\r\n", "403");
  expect_answer("GET /", "Origin: http://evil.example\r\n\r\n", "403");
  expect_answer("GET /do", "Sec-Fetch-Site: cross-site\r\n\r\n", "403");
}

// A body has the length that was stated; what follows it is no part of it.
static void a_body_ends_where_it_says(void **state)
{
  (void)state;
  char text[1000];
  const int client = connect_and_send("POST /do", "Content-Length: 4\r\n\r\nplay and more");
  receive(client, text, sizeof text);
  assert_non_null(strstr(text, "\r\n\r\nplay"));
  assert_null(strstr(text, "more"));
  close(client);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_new_page_gets_in_among_streams_that_nobody_reads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_reads_stays, set_up, tear_down),
      cmocka_unit_test_setup_teardown(who_does_not_read_is_dropped_in_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_waits_is_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(those_who_ask_nothing_do_not_keep_others_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(malformed_requests_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_body_ends_where_it_says, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
