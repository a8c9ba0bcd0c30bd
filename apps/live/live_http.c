// HTTP/1.1 as far as one page on one machine needs it: GET and POST, one request to a connection, server-sent events (WHATWG HTML, section 9.2).
#define _POSIX_C_SOURCE 200809L
#include "cli/complain.h"
#include "live/live.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_WAITING = 1 << 20 }; // bytes that a stream may be behind

// ---- Open and close ---------------------------------------------------------------------------------------

// A browser that is started from here must not hold the port after we are gone.
static void keep_to_ourselves(int socket)
{
  fcntl(socket, F_SETFD, FD_CLOEXEC);
}

int ffi_http_open(ffi_http_server *server, int port)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  socklen_t size = sizeof address;
  const int yes = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i)
    server->connections[i] = (ffi_http_connection){.socket = -1};
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

static void hang_up(ffi_http_connection *c)
{
  close(c->socket);
  ffi_bytes_free(&c->out);
  *c = (ffi_http_connection){.socket = -1};
}

void ffi_http_close(ffi_http_server *server)
{
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i)
    if (server->connections[i].socket >= 0)
      hang_up(&server->connections[i]);
  if (server->socket >= 0)
    close(server->socket);
  server->socket = -1;
}

// ---- Answers ----------------------------------------------------------------------------------------------

static void add_text(ffi_bytes *bytes, const char *text)
{
  ffi_bytes_add(bytes, text, strlen(text));
}

void ffi_http_reply(ffi_http_connection *c, const char *status, const char *type, const void *body,
                    size_t size)
{
  char head[400];
  snprintf(head, sizeof head,
           "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
           "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
           status, type, size);
  add_text(&c->out, head);
  ffi_bytes_add(&c->out, body, size);
}

static void refuse(ffi_http_connection *c, const char *status)
{
  ffi_http_reply(c, status, "text/plain; charset=utf-8", status, strlen(status));
}

void ffi_http_stream(ffi_http_connection *c)
{
  c->is_stream = 1;
  add_text(&c->out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n");
}

int ffi_http_streams(const ffi_http_server *server)
{
  int count = 0;
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i)
    count += server->connections[i].socket >= 0 && server->connections[i].is_stream;
  return count;
}

void ffi_http_event(ffi_http_server *server, ffi_http_connection *to, const char *name, const char *data)
{
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i) {
    ffi_http_connection *c = &server->connections[i];
    if (c->socket < 0 || !c->is_stream || (to && to != c) || (!name && c->out.count - c->sent > MOST_WAITING))
      continue;
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

// The value of a header field, copied; "" if there is none. `head` ends with an empty line.
static void field_of(const char *head, const char *name, char *value, size_t size)
{
  const size_t length = strlen(name);
  value[0] = '\0';
  for (const char *line = strstr(head, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, name, length) != 0 || line[2 + length] != ':')
      continue;
    const char *begin = line + 3 + length + strspn(line + 3 + length, " \t");
    snprintf(value, size, "%.*s", (int)strcspn(begin, "\r\n"), begin);
    return;
  }
}

// Pages of others may reach this port too; they cannot choose what their browser says about them.
static int is_ours(const ffi_http_server *server, const char *head)
{
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char host[200], origin[200], expected[64], port[16] = "";
  if (server->port != 80) // which browsers leave out
    snprintf(port, sizeof port, ":%d", server->port);
  field_of(head, "Host", host, sizeof host);
  field_of(head, "Origin", origin, sizeof origin);
  for (int i = 0; i < 2; ++i) {
    snprintf(expected, sizeof expected, "http://%s%s", names[i], port);
    if (strcmp(host, expected + 7) == 0 && (!origin[0] || strcmp(origin, expected) == 0))
      return 1;
  }
  return 0;
}

// A picture or a script in a page of somebody else's names no origin, but browsers say that it is from elsewhere. The page itself may be linked to.
static int is_meddling(const char *head, const char *path)
{
  char site[32];
  field_of(head, "Sec-Fetch-Site", site, sizeof site);
  return site[0] && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 && strcmp(path, "/") != 0;
}

// Everything of a request is there: answer it.
static void answer(ffi_http_server *server, ffi_http_connection *c, char *body)
{
  char method[8], path[200];
  if (sscanf(c->in, "%7s %199s HTTP/1.", method, path) != 2) {
    refuse(c, "400 Bad Request");
    return;
  }
  path[strcspn(path, "?")] = '\0';
  const int is_post = strcmp(method, "POST") == 0;
  if (!is_ours(server, c->in) || is_meddling(c->in, path))
    refuse(c, "403 Forbidden");
  else if (!is_post && strcmp(method, "GET") != 0)
    refuse(c, "405 Method Not Allowed");
  else
    server->answer(c, &(ffi_http_request){.is_post = is_post, .path = path, .body = body}, server->user);
}

static void look_at_request(ffi_http_server *server, ffi_http_connection *c)
{
  char length[32];
  char *end = strstr(c->in, "\r\n\r\n");
  if (!end) {
    if (c->in_count + 1 == sizeof c->in)
      refuse(c, "431 Request Header Fields Too Large");
    return;
  }
  char *body = end + 4;
  field_of(c->in, "Content-Length", length, sizeof length);
  const unsigned long size = strtoul(length, NULL, 10),
                      room = (unsigned long)(c->in + sizeof c->in - 1 - body);
  if (size > room)
    refuse(c, "413 Content Too Large");
  else if ((unsigned long)(c->in + c->in_count - body) >= size)
    answer(server, c, body);
}

static void receive(ffi_http_server *server, ffi_http_connection *c)
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

// What was sent goes, now and then: a stream that is always a little behind never comes to its end.
static void forget_sent(ffi_http_connection *c)
{
  if (c->sent < MOST_WAITING)
    return;
  memmove(c->out.at, c->out.at + c->sent, c->out.count - c->sent);
  c->out.count -= c->sent;
  c->sent = 0;
}

static void transmit(ffi_http_connection *c)
{
  const ssize_t got = send(c->socket, c->out.at + c->sent, c->out.count - c->sent, 0);
  if (got < 0 && errno != EAGAIN && errno != EINTR) {
    hang_up(c);
    return;
  }
  c->sent += got > 0 ? (size_t)got : 0;
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

// A place for one more: a free one, or that of somebody who has not asked anything yet. NULL: all are busy.
static ffi_http_connection *find_place(ffi_http_server *server)
{
  ffi_http_connection *silent = NULL;
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i) {
    ffi_http_connection *c = &server->connections[i];
    if (c->socket < 0)
      return c;
    if (!silent && !c->is_stream && c->out.count == 0)
      silent = c;
  }
  if (silent)
    hang_up(silent);
  return silent;
}

static void welcome(ffi_http_server *server)
{
  const int socket = accept(server->socket, NULL, NULL);
  ffi_http_connection *place = socket >= 0 ? find_place(server) : NULL;
  if (place) {
    fcntl(socket, F_SETFL, O_NONBLOCK);
    keep_to_ourselves(socket);
    *place = (ffi_http_connection){.socket = socket};
  } else if (socket >= 0) {
    close(socket);
  }
}

void ffi_http_serve(ffi_http_server *server, int wait)
{
  struct pollfd polls[FFI_HTTP_CONNECTIONS + 1] = {{.fd = server->socket, .events = POLLIN}};
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i) {
    const ffi_http_connection *c = &server->connections[i]; // a descriptor of -1 is passed over
    polls[i + 1] = (struct pollfd){.fd = c->socket, .events = POLLIN};
    if (c->out.count > c->sent)
      polls[i + 1].events |= POLLOUT;
  }
  if (poll(polls, FFI_HTTP_CONNECTIONS + 1, wait) <= 0)
    return;
  if (polls[0].revents & POLLIN)
    welcome(server);
  for (int i = 0; i < FFI_HTTP_CONNECTIONS; ++i) {
    ffi_http_connection *c = &server->connections[i];
    if (polls[i + 1].fd < 0 || polls[i + 1].fd != c->socket)
      continue;
    if (polls[i + 1].revents & (POLLIN | POLLHUP | POLLERR))
      receive(server, c);
    if (c->socket >= 0 && c->out.count > c->sent)
      transmit(c);
  }
}
