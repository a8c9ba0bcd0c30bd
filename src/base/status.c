// The names of the statuses.
#include <footfall/status.h>

const char *ff_status_name(ff_status status)
{
  switch (status) {
  case FF_OK: return "ok";
  case FF_ERROR_ARGUMENT: return "bad argument";
  case FF_ERROR_MEMORY: return "out of memory";
  case FF_ERROR_FILE: return "file error";
  case FF_ERROR_PARSE: return "parse error";
  case FF_ERROR_MODEL: return "bad model";
  case FF_ERROR_UNSUPPORTED: return "not supported";
  case FF_ERROR_LIMIT: return "over a limit";
  case FF_ERROR_NUMERIC: return "numerical failure";
  case FF_ERROR_STOPPED: return "stopped";
  case FF_ERROR_INTERRUPTED: return "interrupted";
  }
  return "unknown status";
}
