// Comparisons of numbers, with messages that name the file and the element.
#include "mjcf_pair.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

void ffi_mjcf_pair_expect(const ffi_mjcf_pair *p, const char *what, const char *name, int index,
                          ffi_mjcf_pair_value v)
{
  const double tolerance = p->precision * (v.scale > 1 ? v.scale : 1);
  if (fabs(v.got - v.want) <= tolerance || v.got == v.want)
    return;
  fail_msg("%s: %s of '%s' [%d]: ours %.17g, MuJoCo's %.17g", p->what, what, name, index, v.got, v.want);
}

void ffi_mjcf_pair_expect_all(const ffi_mjcf_pair *p, const char *what, const char *name, int count,
                              const double *got, const double *want)
{
  double scale = 0;
  for (int i = 0; i < count; ++i)
    scale = fmax(scale, fabs(want[i]));
  for (int i = 0; i < count; ++i)
    ffi_mjcf_pair_expect(p, what, name, i, (ffi_mjcf_pair_value){got[i], want[i], scale});
}

const char *ffi_mjcf_pair_name(const ffi_mjcf_pair *p, int kind, const char *prefix, int id, char buffer[64])
{
  const char *name = mj_id2name(p->mj, kind, id);
  if (name && *name)
    return name;
  snprintf(buffer, 64, "%s%d", prefix, id);
  return buffer;
}

ff_joint_info ffi_mjcf_pair_joint(const ffi_mjcf_pair *p, int id)
{
  char buffer[64];
  ff_joint_info info;
  const char *name = ffi_mjcf_pair_name(p, mjOBJ_JOINT, "joint", id, buffer);
  const int found = ff_model_find_joint(p->ff, name);
  if (found < 0)
    fail_msg("%s: no joint '%s'", p->what, name);
  assert_int_equal(ff_model_joint(p->ff, found, &info), FF_OK);
  return info;
}
