// A request of HTTP/1.1 as far as a local page needs it: a line, fields, a body of a stated length. A pure function of
// the bytes that came, so that any bytes can be tried on it.
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char malformed[] = "400 Bad Request";

// The value of a header field, copied; "" if there is none. `head` ends with an empty line. Returns how many fields
// have this name.
static int field_of(const char *head, const char *name, char *value, size_t size)
{
  const size_t length = strlen(name);
  int count = 0;
  value[0] = '\0';
  for (const char *line = strstr(head, "\r\n"); line && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, name, length) != 0 || line[2 + length] != ':')
      continue;
    const char *begin = line + 3 + length + strspn(line + 3 + length, " \t");
    if (count++ == 0)
      snprintf(value, size, "%.*s", (int)strcspn(begin, "\r\n"), begin);
  }
  return count;
}

// Pages of other sites can reach this port too, but cannot forge the Host and Origin that the browser sends.
static int is_ours(const char *head, int port)
{
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char host[200], origin[200], expected[64], suffix[16] = "";
  if (port != 80) // which browsers leave out
    snprintf(suffix, sizeof suffix, ":%d", port);
  if (field_of(head, "Host", host, sizeof host) > 1 || field_of(head, "Origin", origin, sizeof origin) > 1)
    return 0;
  for (int i = 0; i < 2; ++i) {
    snprintf(expected, sizeof expected, "http://%s%s", names[i], suffix);
    if (strcmp(host, expected + 7) == 0 && (!origin[0] || strcmp(origin, expected) == 0))
      return 1;
  }
  return 0;
}

// An image or a script in a page of another site has no Origin, but browsers send Sec-Fetch-Site. Links to the page
// itself are allowed.
static int is_meddling(const char *head, const char *path)
{
  char site[32];
  field_of(head, "Sec-Fetch-Site", site, sizeof site);
  return site[0] && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 && strcmp(path, "/") != 0;
}

// "GET /path?query HTTP/1.1": the method and the path. NULL, or why not.
static const char *read_line(const char *head, int *is_post, char path[FFI_LIVE_PARSE_PATH_SIZE])
{
  const size_t method = strcspn(head, " \r\n"), at = method + 1;
  if (head[method] != ' ')
    return malformed;
  const size_t whole = strcspn(head + at, " \r\n"), length = strcspn(head + at, " \r\n?");
  if (whole == 0 || head[at] != '/' || strncmp(head + at + whole, " HTTP/1.", 8) != 0)
    return malformed;
  if (length >= FFI_LIVE_PARSE_PATH_SIZE)
    return "414 URI Too Long";
  memcpy(path, head + at, length);
  path[length] = '\0';
  *is_post = method == 4 && strncmp(head, "POST", method) == 0;
  return *is_post || (method == 3 && strncmp(head, "GET", method) == 0) ? NULL : "405 Method Not Allowed";
}

// The length of the body. NULL, or why not.
static const char *read_length(const char *head, size_t room, size_t *length)
{
  char text[32], coding[8];
  const int count = field_of(head, "Content-Length", text, sizeof text);
  *length = 0;
  if (field_of(head, "Transfer-Encoding", coding, sizeof coding) > 0)
    return "501 Not Implemented";
  if (count == 0)
    return NULL;
  const size_t digits = strspn(text, "0123456789");
  if (count > 1 || digits == 0 || text[digits + strspn(text + digits, " \t")] != '\0')
    return malformed;
  const unsigned long value = strtoul(text, NULL, 10);
  *length = value > room ? 0 : value;
  return value > room ? "413 Content Too Large" : NULL;
}

const char *ffi_live_parse_request(const char *bytes, size_t count, int port, ffi_live_http_request *out)
{
  const char *end = strstr(bytes, "\r\n\r\n");
  size_t length;
  *out = (ffi_live_http_request){.body = ""};
  if (!end)
    return strlen(bytes) < count ? malformed : "";
  const size_t head = (size_t)(end - bytes) + 4;
  const char *refusal = read_line(bytes, &out->is_post, out->path);
  if (!refusal && (!is_ours(bytes, port) || is_meddling(bytes, out->path)))
    refusal = "403 Forbidden";
  if (!refusal)
    refusal = read_length(bytes, FFI_LIVE_HTTP_REQUEST_SIZE - 1 - head, &length);
  if (refusal)
    return refusal;
  if (count - head < length)
    return "";
  out->body = bytes + head;
  out->body_size = length;
  return NULL;
}
