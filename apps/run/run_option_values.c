// Values of options of footfall run that need more than a unit.
#include "cli/error_message.h"
#include "cli/options/option_value.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

int ffi_run_option_values_gains(const char *text, ffi_run_request *out)
{
  char kp[64];
  const char *comma = strchr(text, ',');
  const size_t length = comma ? (size_t)(comma - text) : 0;
  if (!comma || length >= sizeof kp) {
    ffi_error_message("'--pd %s' must be two gains separated by a comma, such as 40,0.5", text);
    return 0;
  }
  memcpy(kp, text, length);
  kp[length] = '\0';
  return ffi_option_value_quantity_above("--pd", kp, FF_QUANTITY_KP, 0, 1, &out->kp) &&
         ffi_option_value_quantity_above("--pd", comma + 1, FF_QUANTITY_KD, 0, 1, &out->kd);
}

int ffi_run_option_values_slope(const char *text, double *slope)
{
  if (!ffi_option_value_quantity("--slope", text, FF_QUANTITY_ANGLE, slope))
    return 0;
  if (fabs(*slope) < 1.5533430342749532) // 89 degrees
    return 1;
  ffi_error_message("'--slope %s' must be less than 89 degrees", text);
  return 0;
}

int ffi_run_option_values_drop(const char *text, double *drop)
{
  if (!ffi_option_value_quantity("--drop", text, FF_QUANTITY_LENGTH, drop))
    return 0;
  if (fabs(*drop) <= 1e7)
    return 1;
  ffi_error_message("'--drop %s' must be at most 1e7 m", text);
  return 0;
}

int ffi_run_option_values_is_meant(const char *text, double dt)
{
  const size_t length = strlen(text);
  if (dt < 0.1 || length == 0 || !strchr("0123456789.", text[length - 1]))
    return 1;
  ffi_error_message("'--dt %s' is %g s; did you mean '--dt %sms'? For seconds write '--dt %ss'", text, dt,
                    text, text);
  return 0;
}
