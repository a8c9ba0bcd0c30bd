// Moreau paper Algorithm 1, line by line.
#include "contact/law/flag_law.h"

#include "math/vec3.h"

static const double least_speed = FFI_FLAG_LAW_LEAST_SPEED;

static void tangential(const double n[3], const double a[3], double out[3])
{
  const double along = ffi_v3_dot(n, a);
  for (int k = 0; k < 3; ++k)
    out[k] = a[k] - along * n[k];
}

// From the spring's force F, of length `trial`, to sliding friction against the velocity.
static void begin_slip(double rim, const double ut[3], double trial, double F[3])
{
  const double speed = ffi_v3_norm(ut);
  if (speed > least_speed)
    ffi_v3_scale(-rim / speed, ut, F);
  else if (trial > 0) // no direction of its own
    ffi_v3_scale(rim / trial, F, F);
}

// Lines 7-9: the spring's force or, beyond the disc, sliding friction.
static int stick_or_slip(double K, double B, double rim, const double e[3], const double ut[3], double F[3])
{
  for (int k = 0; k < 3; ++k)
    F[k] = K * e[k] - B * ut[k];
  const double trial = ffi_v3_norm(F);
  if (trial < rim || trial == 0)
    return 0;
  begin_slip(rim, ut, trial, F);
  return 1;
}

// Normal force, and the tangential parts of offset and velocity. Eight arguments, no struct: as in flag_law.h.
static void begin(double K, double B, const double n[3], const double x[3], const double u[3], double e[3],
                  double ut[3], ffi_contact_law_result *law)
{
  tangential(n, x, e);
  ffi_v3_scale(-1, e, e); // anchor - point
  tangential(n, u, ut);
  law->push = -K * ffi_v3_dot(x, n) - B * ffi_v3_dot(u, n);
  law->normal_force = law->push > 0 ? law->push : 0;
}

static void end(const double n[3], const double F[3], int slips, ffi_contact_law_result *law)
{
  ffi_v3_copy(F, law->trial);
  law->trial_norm = ffi_v3_norm(F);
  law->mode = !(law->normal_force > 0) ? FF_CONTACT_RELEASED : slips ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
  for (int k = 0; k < 3; ++k)
    law->force[k] = law->normal_force > 0 ? law->normal_force * n[k] + F[k] : 0;
}

int ffi_flag_law(double K, double B, double mu, const double n[3], const double x[3], const double u[3],
                 const double last[3], int *slips, ffi_contact_law_result *law)
{
  double e[3], ut[3], F[3] = {0, 0, 0};
  int is_reset = 0;
  begin(K, B, n, x, u, e, ut, law);
  const double rim = mu * law->normal_force, speed = ffi_v3_norm(ut);
  if (*slips && (speed <= least_speed || (last && ffi_v3_dot(ut, last) > 0))) { // lines 3-4
    *slips = 0;
    is_reset = 1;
    ffi_v3_set(0, 0, 0, e);
  }
  if (*slips) // departs from the listing: follows normal force and velocity
    ffi_v3_scale(-rim / speed, ut, F);
  else
    *slips = stick_or_slip(K, B, rim, e, ut, F);
  end(n, F, *slips, law);
  return is_reset;
}

void ffi_flag_law_fixed(double K, double B, double mu, const double n[3], const double x[3],
                        const double u[3], int slips, ffi_contact_law_result *law)
{
  double e[3], ut[3], F[3];
  begin(K, B, n, x, u, e, ut, law);
  const double rim = mu * law->normal_force, speed = ffi_v3_norm(ut);
  for (int k = 0; k < 3; ++k)
    F[k] = slips ? -rim / (speed > least_speed ? speed : least_speed) * ut[k] : K * e[k] - B * ut[k];
  double trial[3];
  ffi_v3_copy(F, trial);
  const double size = ffi_v3_norm(F);
  if (size > rim)
    ffi_v3_scale(rim / size, F, F);
  end(n, F, slips, law);
  ffi_v3_copy(trial, law->trial);
  law->trial_norm = size;
}

void ffi_flag_law_begin_slip(double K, double B, double mu, const double n[3], const double x[3],
                             const double u[3], ffi_contact_law_result *law)
{
  double e[3], ut[3], F[3];
  begin(K, B, n, x, u, e, ut, law);
  for (int k = 0; k < 3; ++k)
    F[k] = K * e[k] - B * ut[k];
  begin_slip(mu * law->normal_force, ut, ffi_v3_norm(F), F);
  end(n, F, 1, law);
}
