// Does the root of a URDF float? The file does not say; the rules are in include/footfall/propose.h.
#include "propose/propose.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double overhang_most =
    0.25; // of its height: so far out the centre of mass of what stands may be

// ---- Names ----------------------------------------------------------------------------------------------------------

static int has_word(const char *name, const char *const *words)
{
  char low[128];
  size_t n = 0;
  for (; name[n] && n + 1 < sizeof low; ++n)
    low[n] = (char)tolower((unsigned char)name[n]);
  low[n] = 0;
  for (; *words; ++words)
    if (strstr(low, *words))
      return 1;
  return 0;
}

// The share of the links that carry no other whose name, or whose joint's name, has one of these words.
static double share_of_ends(const ff_model *model, const char *const *words)
{
  ff_link_info link, other;
  int ends = 0, found = 0;
  for (int i = 0; ff_model_link(model, i, &link) == FF_OK; ++i) {
    ff_joint_info joint = {0};
    int carries = link.joint < 0;
    for (int k = i + 1; !carries && ff_model_link(model, k, &other) == FF_OK; ++k)
      carries = other.parent == i;
    if (carries)
      continue;
    ff_model_joint(model, link.joint, &joint);
    ++ends;
    found += has_word(link.name, words) || (joint.name && has_word(joint.name, words));
  }
  return ends > 0 ? (double)found / ends : 0;
}

static int is_hand(const ff_model *model)
{
  static const char *const roots[] = {"palm", "hand_base", "gripper", NULL};
  ff_link_info root;
  static const char *const words[] = {"finger", "thumb", "gripper", "knuckle",
                                      "distal", "index", "pinky",   NULL};
  const int is_palm = ff_model_link(model, 0, &root) == FF_OK && has_word(root.name, roots);
  return is_palm || share_of_ends(model, words) > 0.85; // a humanoid has feet and a head too
}

static const char *warning_of(const ff_model *model, const char *words)
{
  const char *warning;
  for (int i = 0; (warning = ff_model_warning(model, i)) != NULL; ++i)
    if (strstr(warning, words))
      return warning;
  return NULL;
}

// By the names of its links, or motors that push frames.
static int has_rotors(const ff_model *model)
{
  static const char *const words[] = {"rotor", "propeller", "prop_", "_prop", "thruster", NULL};
  ff_actuator_info actuator;
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i)
    if (actuator.frame >= 0)
      return 1;
  return share_of_ends(model, words) >= 0.5;
}

// Meshes that were not found: what it would stand on is not known.
static int lacks_meshes(const ff_model *model)
{
  return warning_of(model, "touches nothing") || warning_of(model, "touch nothing");
}

// The floating joint would move nothing of its own, as that of the rail of a cart: all that has mass slides or turns on
// it. The reader gave it a little.
static int lacks_mass(const ffi_propose *p)
{
  char quoted[128];
  ff_joint_info base;
  const char *warning = warning_of(p->model, "joints that move no mass");
  if (!warning || ff_model_joint(p->model, p->result.base, &base) != FF_OK)
    return 0;
  snprintf(quoted, sizeof quoted, "'%s'", base.name);
  return strstr(warning, quoted) != NULL;
}

// ---- What it stands on ----------------------------------------------------------------------------------------------

static int is_on_wheels(const ffi_propose *p, const ffi_propose_support *s)
{
  ff_link_info link;
  ff_joint_info joint;
  for (int i = 0; i < s->count; ++i)
    if (ff_model_link(p->model, s->links[i], &link) == FF_OK &&
        ff_model_joint(p->model, link.joint, &joint) == FF_OK && joint.nv == 1 && !joint.has_limits &&
        joint.type != FF_JOINT_PRISMATIC)
      return 1;
  return 0;
}

static int stands_at(ffi_propose *p, double share)
{
  ffi_propose_support s;
  if (!ffi_propose_start_share(p, share) || !ffi_propose_feet_find(p, &s))
    return 0;
  const int lies = 2 * s.count >= ff_model_get_size(p->model).links;
  return is_on_wheels(p, &s) || lies || (!s.has_root && s.off <= overhang_most * s.height);
}

// Why the root is fixed; NULL: it floats.
static const char *reason_to_fix(ffi_propose *p)
{
  static const double shares[] = {0, 1, 0.5};
  if (lacks_mass(p))
    return "its root has no mass";
  if (ff_model_get_size(p->model).joints < 2 || has_rotors(p->model) || lacks_meshes(p->model))
    return NULL;
  if (is_hand(p->model))
    return "it is a hand or a gripper";
  for (size_t i = 0; i < sizeof shares / sizeof shares[0]; ++i)
    if (stands_at(p, shares[i]))
      return NULL;
  return "it has neither wheels nor feet below its centre of mass";
}

// ---- The decision ---------------------------------------------------------------------------------------------------

static void forget_model(ffi_propose *p)
{
  ff_model_destroy(p->model);
  free(p->points);
  p->model = NULL;
  p->points = NULL;
  p->result.point_count = 0;
}

// Does one of its postures put the base somewhere? Those of an SRDF are of joints alone.
static int has_placed_base(ffi_propose *p)
{
  ff_joint_info base;
  const double *q;
  if (ff_model_joint(p->model, p->result.base, &base) != FF_OK)
    return 0;
  ff_model_neutral(p->model, p->end);
  for (int i = 0; (q = ff_model_posture(p->model, i)) != NULL; ++i)
    for (int k = base.q; k < base.q + 7; ++k)
      if (q[k] != p->end[k])
        return 1;
  return 0;
}

// Read it again with another base.
static ff_status read_again(ffi_propose *p, const char *reason, ff_error *error)
{
  forget_model(p);
  p->load.fixed_base = p->result.fixes_base = reason != NULL;
  p->result.fixed_because = reason;
  return ffi_propose_model_load(p, error);
}

ff_status ffi_propose_base_decide(ffi_propose *p, ff_error *error)
{
  ff_error why;
  p->result.has_unused_rotors = p->result.floating > 0 && has_rotors(p->model);
  if (p->load.fixed_base || p->def.base_rule == FF_PROPOSAL_BASE_FLOATING || p->result.floating != 1 ||
      has_placed_base(p))
    return FF_OK;
  ff_status status = ff_dynamics_create(p->model, NULL, &p->dynamics, &why);
  if (status != FF_OK)
    return status == FF_ERROR_MEMORY ? ffi_propose_no_memory(p, error) : FF_OK; // reported later
  const char *reason = reason_to_fix(p);
  ff_dynamics_destroy(p->dynamics);
  p->dynamics = NULL;
  if (p->is_short)
    return ffi_propose_no_memory(p, error);
  if (!reason)
    return FF_OK;
  status = read_again(p, reason, error);
  if (status == FF_OK && p->result.floating == 0)
    return FF_OK;
  return status == FF_ERROR_MEMORY ? status
                                   : read_again(p, NULL, error); // the file itself says that it floats
}
