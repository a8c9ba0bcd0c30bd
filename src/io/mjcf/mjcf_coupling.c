// <joint> and <tendon> in <equality> of MJCF: couplings of joints and of fixed tendons.
#include "io/mjcf/mjcf.h"

#include <string.h>

static const ffi_mjcf_word coupling_words[] = {
    {"name", FFI_MJCF_READ, NULL},    {"class", FFI_MJCF_READ, NULL},    {"active", FFI_MJCF_READ, NULL},
    {"joint1", FFI_MJCF_READ, NULL},  {"joint2", FFI_MJCF_READ, NULL},   {"tendon1", FFI_MJCF_READ, NULL},
    {"tendon2", FFI_MJCF_READ, NULL}, {"polycoef", FFI_MJCF_READ, NULL}, {"solref", FFI_MJCF_QUIET, NULL},
    {"solimp", FFI_MJCF_QUIET, NULL}, // couplings are exact here
    {NULL, FFI_MJCF_READ, NULL},
};

// MuJoCo: y - y0 = sum a_k (x - x0)^k, with x0, y0 as written. Here: y = sum of powers of x.
static void expand(const double a[5], double x0, double y0, double out[5])
{
  memset(out, 0, 5 * sizeof *out);
  for (int k = 4; k >= 0; --k) { // Horner: out = out * (x - x0) + a_k
    for (int i = 4; i > 0; --i)
      out[i] = out[i - 1] - x0 * out[i];
    out[0] = a[k] - x0 * out[0];
  }
  out[0] += y0;
}

// The name of a joint of the model, and where it stands as written.
static const char *joint_of(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *written)
{
  const int id = ffi_mjcf_tendon_joint(m, node, attribute);
  if (id < 0)
    return NULL;
  *written = m->joints[id].ref;
  return m->joints[id].name;
}

// The builder's id of a fixed tendon; -1 if the coupling is to be left out, or after a failure.
static int tendon_of(ffi_mjcf *m, const xmlNode *node, const char *attribute, double *written)
{
  const int id = ffi_mjcf_tendon_find(m, node, attribute);
  if (id < 0)
    return -1;
  *written = m->tendons[id].reference;
  if (m->tendons[id].id < 0)
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<tendon> in <equality> of a spatial tendon");
  return m->tendons[id].id;
}

void ffi_mjcf_coupling_read(ffi_mjcf *m, const xmlNode *node)
{
  const int is_tendon = ffi_xml_is(node, "tendon");
  const char *const second = is_tendon ? "tendon2" : "joint2";
  const int has_leader = ffi_mjcf_value_text(node, second) != NULL;
  ff_element_def def = ff_element_def_default();
  double coefficients[5] = {0, 1, 0, 0, 0}, follower = 0, leader = 0;
  int active = m->classes[ffi_mjcf_class_of(m, node, "class", 0)].equality.active;
  const char *on = NULL, *to = NULL;
  ffi_mjcf_ignored_check(m, node, coupling_words);
  ffi_mjcf_value_flag(m, node, "active", &active);
  ffi_mjcf_value_numbers(m, node, "polycoef", 1, 5, coefficients);
  def.type = FF_ELEMENT_COUPLING;
  def.name = ffi_mjcf_value_text(node, "name");
  if (ffi_mjcf_failed(m))
    return;
  if (!active || !m->has_equality) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_LOOKS, "<%s> in <equality> that is switched off",
                         (const char *)node->name);
    return;
  }
  if (is_tendon) {
    def.tendon = tendon_of(m, node, "tendon1", &follower);
    def.leader_tendon = has_leader && def.tendon >= 0 ? tendon_of(m, node, second, &leader) : -1;
    if (def.tendon < 0 || (has_leader && def.leader_tendon < 0))
      return;
  } else {
    on = joint_of(m, node, "joint1", &follower);
    to = has_leader && on ? joint_of(m, node, second, &leader) : NULL;
  }
  if (ffi_mjcf_failed(m))
    return;
  if (!has_leader) // held where a0 says
    memset(coefficients + 1, 0, 4 * sizeof *coefficients);
  expand(coefficients, leader, follower, def.polynomial);
  ffi_mjcf_build_source(m, node);
  m->xml->status = ff_builder_add_element(m->builder, &def, on, to, m->xml->error);
}
