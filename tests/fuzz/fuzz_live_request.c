// Fuzz target: what a client sends to a live scene. Whatever it is, the parser says the same of it when it comes in two
// parts, and what it takes lies within what came.
#include "live/live.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PORT = 8417 };

static char bytes[FFI_LIVE_HTTP_REQUEST_SIZE];

// What the parser says of the first `count` bytes; a zero lies behind them, as in the server.
static const char *parse(const uint8_t *data, size_t count, ffi_live_http_request *request)
{
  memcpy(bytes, data, count);
  bytes[count] = 0;
  return ffi_live_parse_request(bytes, count, PORT, request);
}

static void check(const ffi_live_http_request *request, const char *refusal, size_t size)
{
  if (refusal)
    return;
  const size_t at = (size_t)(request->body - bytes);
  if (at > size || request->body_size > size - at || request->path[0] != '/' ||
      !memchr(request->path, 0, sizeof request->path))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ffi_live_http_request request, earlier;
  if (size >= FFI_LIVE_HTTP_REQUEST_SIZE)
    size = FFI_LIVE_HTTP_REQUEST_SIZE - 1;
  // An answer that was given to the beginning is given to all: it does not depend on how the bytes arrive.
  const char *before = parse(data, size / 2, &earlier);
  check(&earlier, before, size / 2);
  const char *refusal = parse(data, size, &request);
  check(&request, refusal, size);
  if (!before && (refusal || request.is_post != earlier.is_post || request.body_size != earlier.body_size))
    abort();
  return 0;
}
