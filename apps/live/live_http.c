// The part of HTTP/1.1 that a local page needs: GET and POST, one request per connection, server-sent events (WHATWG
// HTML, section 9.2).
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Of what was sent the system keeps this much for a client that does not read yet: little, so that it is noticed soon.
enum { SEND_BUFFER = 1 << 18 };

// ---- Open and close ---------------------------------------------------------------------------------------

// Close-on-exec: a browser that is started from here must not keep the port open after this program has ended.
static void keep_to_ourselves(int socket)
{
  fcntl(socket, F_SETFD, FD_CLOEXEC);
}

int ffi_live_http_open(ffi_live_http_server *server, int port)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  socklen_t size = sizeof address;
  const int yes = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    server->connections[i] = (ffi_live_http_connection){.socket = -1};
  server->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (server->socket < 0)
    return 0;
  keep_to_ourselves(server->socket);
  setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(server->socket, (const struct sockaddr *)&address, sizeof address) == 0 &&
      listen(server->socket, 16) == 0 && fcntl(server->socket, F_SETFL, O_NONBLOCK) == 0 &&
      getsockname(server->socket, (struct sockaddr *)&address, &size) == 0) {
    server->port = ntohs(address.sin_port);
    return 1;
  }
  const int reason = errno;
  close(server->socket);
  server->socket = -1;
  errno = reason;
  return 0;
}

static void hang_up(ffi_live_http_connection *c)
{
  close(c->socket);
  ffi_view_bytes_free(&c->out);
  *c = (ffi_live_http_connection){.socket = -1};
}

void ffi_live_http_close(ffi_live_http_server *server)
{
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    if (server->connections[i].socket >= 0)
      hang_up(&server->connections[i]);
  if (server->socket >= 0)
    close(server->socket);
  server->socket = -1;
}

// ---- Answers ----------------------------------------------------------------------------------------------

static void add_text(ffi_view_bytes *bytes, const char *text)
{
  ffi_view_bytes_add(bytes, text, strlen(text));
}

void ffi_live_http_reply(ffi_live_http_connection *c, const char *status, const char *type, const void *body,
                         size_t size)
{
  char head[400];
  snprintf(head, sizeof head,
           "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
           "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
           status, type, size);
  add_text(&c->out, head);
  ffi_view_bytes_add(&c->out, body, size);
}

static void refuse(ffi_live_http_connection *c, const char *status)
{
  ffi_live_http_reply(c, status, "text/plain; charset=utf-8", status, strlen(status));
}

void ffi_live_http_stream(ffi_live_http_connection *c)
{
  c->is_stream = 1;
  add_text(&c->out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n");
}

int ffi_live_http_streams(const ffi_live_http_server *server)
{
  int count = 0;
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i)
    count += server->connections[i].socket >= 0 && server->connections[i].is_stream;
  return count;
}

void ffi_live_http_event(ffi_live_http_server *server, ffi_live_http_connection *to, const char *name,
                         const char *data)
{
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i) {
    ffi_live_http_connection *c = &server->connections[i];
    if (c->socket < 0 || !c->is_stream || (to && to != c))
      continue;
    if (c->out.count - c->sent > FFI_LIVE_HTTP_WAITING) {
      if (name)
        hang_up(c);
      continue;
    }
    if (name) {
      add_text(&c->out, "event: ");
      add_text(&c->out, name);
      add_text(&c->out, "\n");
    }
    add_text(&c->out, "data: ");
    add_text(&c->out, data);
    add_text(&c->out, "\n\n");
  }
}

// ---- Requests ---------------------------------------------------------------------------------------------

static void look_at_request(ffi_live_http_server *server, ffi_live_http_connection *c)
{
  ffi_live_http_request request;
  const char *refusal = ffi_live_parse_request(c->in, c->in_count, server->port, &request);
  if (!refusal)
    server->answer(c, &request, server->user);
  else if (refusal[0])
    refuse(c, refusal);
  else if (c->in_count + 1 == sizeof c->in)
    refuse(c, "431 Request Header Fields Too Large");
}

static void receive(ffi_live_http_server *server, ffi_live_http_connection *c)
{
  char rest[256];
  const int is_answered = c->is_stream || c->out.count > 0;
  const ssize_t got = is_answered ? recv(c->socket, rest, sizeof rest, 0)
                                  : recv(c->socket, c->in + c->in_count, sizeof c->in - 1 - c->in_count, 0);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
    hang_up(c);
    return;
  }
  if (got < 0 || is_answered)
    return;
  c->in_count += (size_t)got;
  c->in[c->in_count] = '\0';
  look_at_request(server, c);
}

// Removes sent bytes from the buffer, which never becomes empty on a stream that is always a little behind.
static void forget_sent(ffi_live_http_connection *c)
{
  if (c->sent < FFI_LIVE_HTTP_WAITING)
    return;
  memmove(c->out.at, c->out.at + c->sent, c->out.count - c->sent);
  c->out.count -= c->sent;
  c->sent = 0;
}

static void transmit(ffi_live_http_connection *c, double now)
{
  const ssize_t got = send(c->socket, c->out.at + c->sent, c->out.count - c->sent, 0);
  if (got < 0 && errno != EAGAIN && errno != EINTR) {
    hang_up(c);
    return;
  }
  if (got > 0) {
    c->sent += (size_t)got;
    c->active = now;
  }
  if (c->sent < c->out.count) {
    forget_sent(c);
    return;
  }
  if (!c->is_stream) {
    hang_up(c);
    return;
  }
  c->out.count = c->sent = 0;
}

// ---- Who may stay -----------------------------------------------------------------------------------------

static int is_waiting(const ffi_live_http_connection *c)
{
  return c->out.count > c->sent;
}

// For how long a client has not read what there is for it [s].
static double silence(const ffi_live_http_connection *c, double now)
{
  return is_waiting(c) ? now - c->active : 0;
}

static void hang_up_the_silent(ffi_live_http_server *server, double now)
{
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i) {
    ffi_live_http_connection *c = &server->connections[i];
    if (c->socket < 0)
      continue;
    if (silence(c, now) > FFI_LIVE_HTTP_PATIENCE)
      hang_up(c);
    else if (!is_waiting(c))
      c->active = now;
  }
}

static int has_asked(const ffi_live_http_connection *c)
{
  return c->is_stream || c->out.count > 0;
}

// Does `a` go before `b`? First those without a request yet, then those that have not read for a second and more, the
// longest first; of others the oldest.
static int goes_before(const ffi_live_http_connection *a, const ffi_live_http_connection *b, double now)
{
  const double silent_a = silence(a, now), silent_b = silence(b, now);
  if (has_asked(a) != has_asked(b))
    return has_asked(b);
  if (silent_a > 1 || silent_b > 1)
    return silent_a > silent_b;
  return a->since < b->since;
}

// A place for a new connection: a free one, or that of the connection that goes first.
static ffi_live_http_connection *find_place(ffi_live_http_server *server, double now)
{
  ffi_live_http_connection *first = &server->connections[0];
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i) {
    ffi_live_http_connection *c = &server->connections[i];
    if (c->socket < 0)
      return c;
    if (goes_before(c, first, now))
      first = c;
  }
  hang_up(first);
  return first;
}

static void welcome(ffi_live_http_server *server, double now)
{
  const int socket = accept(server->socket, NULL, NULL), size = SEND_BUFFER;
  if (socket < 0)
    return;
  fcntl(socket, F_SETFL, O_NONBLOCK);
  keep_to_ourselves(socket);
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  *find_place(server, now) = (ffi_live_http_connection){.socket = socket, .since = now, .active = now};
}

void ffi_live_http_serve(ffi_live_http_server *server, int wait)
{
  struct pollfd polls[FFI_LIVE_HTTP_CONNECTIONS + 1] = {{.fd = server->socket, .events = POLLIN}};
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i) {
    const ffi_live_http_connection *c = &server->connections[i]; // a descriptor of -1 is passed over
    polls[i + 1] = (struct pollfd){.fd = c->socket, .events = POLLIN};
    if (c->out.count > c->sent)
      polls[i + 1].events |= POLLOUT;
  }
  const int ready = poll(polls, FFI_LIVE_HTTP_CONNECTIONS + 1, wait);
  const double now = server->clock();
  hang_up_the_silent(server, now);
  if (ready <= 0)
    return;
  if (polls[0].revents & POLLIN)
    welcome(server, now);
  for (int i = 0; i < FFI_LIVE_HTTP_CONNECTIONS; ++i) {
    ffi_live_http_connection *c = &server->connections[i];
    if (polls[i + 1].fd < 0 || polls[i + 1].fd != c->socket || !polls[i + 1].revents)
      continue;
    if (polls[i + 1].revents & (POLLIN | POLLHUP | POLLERR))
      receive(server, c);
    if (c->socket >= 0 && c->out.count > c->sent)
      transmit(c, now);
  }
}
