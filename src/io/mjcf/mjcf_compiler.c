// <compiler> and <option> of MJCF: units, angles, limits, gravity.
#include "io/mjcf/mjcf.h"

#include <stddef.h>
#include <string.h>

// ---- <compiler> ---------------------------------------------------------------------------------------------

static const ffi_mjcf_word compiler_words[] = {
    {"angle", FFI_MJCF_READ, NULL},           {"eulerseq", FFI_MJCF_READ, NULL},
    {"autolimits", FFI_MJCF_READ, NULL},      {"coordinate", FFI_MJCF_READ, NULL},
    {"inertiafromgeom", FFI_MJCF_READ, NULL}, {"inertiagrouprange", FFI_MJCF_READ, NULL},
    {"boundmass", FFI_MJCF_READ, NULL},       {"boundinertia", FFI_MJCF_READ, NULL},
    {"balanceinertia", FFI_MJCF_READ, NULL},  {"settotalmass", FFI_MJCF_READ, NULL},
    {"meshdir", FFI_MJCF_READ, NULL},         {"assetdir", FFI_MJCF_READ, NULL},
    {"strippath", FFI_MJCF_READ, NULL},       {"texturedir", FFI_MJCF_QUIET, NULL},
    {"discardvisual", FFI_MJCF_QUIET, NULL},  {"fusestatic", FFI_MJCF_QUIET, NULL},
    {"convexhull", FFI_MJCF_QUIET, NULL},     {"usethread", FFI_MJCF_QUIET, NULL},
    {"fitaabb", FFI_MJCF_READ, NULL},         {"exactmeshinertia", FFI_MJCF_READ, NULL},
    {"saveinertial", FFI_MJCF_QUIET, NULL},   {"alignfree", FFI_MJCF_PHYSICS, "false"},
    {"conflict", FFI_MJCF_QUIET, NULL},       {NULL, FFI_MJCF_READ, NULL},
};

static void read_eulerseq(ffi_mjcf *m, const xmlNode *section)
{
  const char *text = ffi_xml_get(section, "eulerseq");
  if (!text)
    return;
  if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, section,
                  "attribute 'eulerseq' must be three of the letters xyzXYZ, not '%.20s'", text);
  else
    strcpy(m->compiler.eulerseq, text);
}

static void read_inertia_settings(ffi_mjcf *m, const xmlNode *section)
{
  ffi_mjcf_compiler *c = &m->compiler;
  double groups[2];
  ffi_mjcf_value_limit(m, section, "inertiafromgeom", &c->inertia_from_geom);
  ffi_mjcf_value_nonnegative(m, section, "boundmass", &c->bound_mass);
  ffi_mjcf_value_nonnegative(m, section, "boundinertia", &c->bound_inertia);
  ffi_mjcf_value_flag(m, section, "balanceinertia", &c->balance_inertia);
  ffi_mjcf_value_number(m, section, "settotalmass", &c->total_mass);
  if (!ffi_mjcf_value_numbers(m, section, "inertiagrouprange", 2, 2, groups))
    return;
  for (int i = 0; i < 2; ++i) {
    if (!(groups[i] >= 0 && groups[i] <= 1000)) {
      ffi_mjcf_fail(m, FF_ERROR_MODEL, section, "attribute 'inertiagrouprange' must be two groups, not %g %g",
                    groups[0], groups[1]);
      return;
    }
    c->inertia_groups[i] = (int)groups[i];
  }
}

void ffi_mjcf_compiler_read(ffi_mjcf *m, const xmlNode *section)
{
  static const char *const angles[] = {"radian", "degree", NULL};
  static const char *const coordinates[] = {"local", "global", NULL};
  ffi_mjcf_compiler *c = &m->compiler;
  int coordinate = 0;
  ffi_mjcf_ignored_check(m, section, compiler_words);
  ffi_mjcf_value_keyword(m, section, "angle", angles, &c->degrees);
  ffi_mjcf_value_keyword(m, section, "coordinate", coordinates, &coordinate);
  if (coordinate == 1)
    ffi_mjcf_fail(
        m, FF_ERROR_UNSUPPORTED, section,
        "coordinate=\"global\" is not supported: save the model from MuJoCo to have local coordinates");
  ffi_mjcf_value_flag(m, section, "autolimits", &c->autolimits);
  ffi_mjcf_value_flag(m, section, "strippath", &c->strip_path);
  ffi_mjcf_value_flag(m, section, "fitaabb", &c->fit_aabb);
  ffi_mjcf_value_flag(m, section, "exactmeshinertia", &c->exact_mesh_inertia);
  read_eulerseq(m, section);
  read_inertia_settings(m, section);
  if (ffi_mjcf_value_text(section, "meshdir"))
    c->mesh_folder = ffi_mjcf_value_text(section, "meshdir");
  if (ffi_mjcf_value_text(section, "assetdir"))
    c->asset_folder = ffi_mjcf_value_text(section, "assetdir");
}

// ---- <option> -----------------------------------------------------------------------------------------------

static const ffi_mjcf_word option_words[] = {
    {"gravity", FFI_MJCF_READ, NULL},
    {"wind", FFI_MJCF_PHYSICS, "0 0 0"},
    {"density", FFI_MJCF_PHYSICS, "0"},
    {"viscosity", FFI_MJCF_PHYSICS, "0"},
    {"magnetic", FFI_MJCF_QUIET, NULL},
    {"o_margin", FFI_MJCF_PHYSICS, NULL},
    {"o_solref", FFI_MJCF_PHYSICS, NULL},
    {"o_solimp", FFI_MJCF_PHYSICS, NULL},
    {"o_friction", FFI_MJCF_PHYSICS, NULL},
    {"timestep", FFI_MJCF_SETTING, NULL}, // see least_time
    {"apirate", FFI_MJCF_QUIET, NULL},
    {"impratio", FFI_MJCF_SETTING, NULL},
    {"tolerance", FFI_MJCF_SETTING, NULL},
    {"ls_tolerance", FFI_MJCF_SETTING, NULL},
    {"noslip_tolerance", FFI_MJCF_SETTING, NULL},
    {"mpr_tolerance", FFI_MJCF_SETTING, NULL},
    {"ccd_tolerance", FFI_MJCF_SETTING, NULL},
    {"sleep_tolerance", FFI_MJCF_SETTING, NULL},
    {"integrator", FFI_MJCF_SETTING, NULL},
    {"collision", FFI_MJCF_PHYSICS, "all"},
    {"cone", FFI_MJCF_SETTING, NULL},
    {"jacobian", FFI_MJCF_SETTING, NULL},
    {"solver", FFI_MJCF_SETTING, NULL},
    {"iterations", FFI_MJCF_SETTING, NULL},
    {"ls_iterations", FFI_MJCF_SETTING, NULL},
    {"noslip_iterations", FFI_MJCF_SETTING, NULL},
    {"mpr_iterations", FFI_MJCF_SETTING, NULL},
    {"ccd_iterations", FFI_MJCF_SETTING, NULL},
    {"sdf_iterations", FFI_MJCF_SETTING, NULL},
    {"sdf_initpoints", FFI_MJCF_SETTING, NULL},
    {"actuatorgroupdisable", FFI_MJCF_PHYSICS, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

// Switching a <flag> off changes the physics; switching one on, and the other flags, change how it is computed.
static const ffi_mjcf_word flag_words[] = {
    {"gravity", FFI_MJCF_READ, NULL},          {"constraint", FFI_MJCF_PHYSICS, "enable"},
    {"equality", FFI_MJCF_READ, NULL},         {"frictionloss", FFI_MJCF_PHYSICS, "enable"},
    {"limit", FFI_MJCF_PHYSICS, "enable"},     {"contact", FFI_MJCF_PHYSICS, "enable"},
    {"passive", FFI_MJCF_PHYSICS, "enable"},   {"spring", FFI_MJCF_PHYSICS, "enable"},
    {"damper", FFI_MJCF_PHYSICS, "enable"},    {"clampctrl", FFI_MJCF_PHYSICS, "enable"},
    {"actuation", FFI_MJCF_PHYSICS, "enable"}, {"filterparent", FFI_MJCF_READ, NULL},
    {"override", FFI_MJCF_PHYSICS, "disable"}, {"warmstart", FFI_MJCF_SETTING, NULL},
    {"refsafe", FFI_MJCF_SETTING, NULL},       {"sensor", FFI_MJCF_LOOKS, NULL},
    {"midphase", FFI_MJCF_SETTING, NULL},      {"nativeccd", FFI_MJCF_SETTING, NULL},
    {"eulerdamp", FFI_MJCF_SETTING, NULL},     {"autoreset", FFI_MJCF_SETTING, NULL},
    {"island", FFI_MJCF_SETTING, NULL},        {"energy", FFI_MJCF_LOOKS, NULL},
    {"fwdinv", FFI_MJCF_LOOKS, NULL},          {"invdiscrete", FFI_MJCF_SETTING, NULL},
    {"sensornoise", FFI_MJCF_LOOKS, NULL},     {"multiccd", FFI_MJCF_SETTING, NULL},
    {"sleep", FFI_MJCF_SETTING, NULL},         {NULL, FFI_MJCF_READ, NULL},
};

static void read_flag(ffi_mjcf *m, const xmlNode *flag)
{
  static const char *const words[] = {"disable", "enable", NULL};
  int gravity = 1, equality = 1, refsafe = 1, filterparent = 1;
  ffi_mjcf_ignored_check(m, flag, flag_words);
  ffi_mjcf_value_keyword(m, flag, "gravity", words, &gravity);
  ffi_mjcf_value_keyword(m, flag, "equality", words, &equality);
  ffi_mjcf_value_keyword(m, flag, "refsafe", words, &refsafe);
  ffi_mjcf_value_keyword(m, flag, "filterparent", words, &filterparent);
  if (!gravity)
    m->has_gravity = 0;
  if (!equality)
    m->has_equality = 0;
  if (!filterparent)
    m->has_filterparent = 0;
  m->has_refsafe &= refsafe;
}

// What the softness of contacts depends on.
static void read_softness(ffi_mjcf *m, const xmlNode *section)
{
  static const char *const cones[] = {"pyramidal", "elliptic", NULL};
  double impratio = 1, timestep;
  ffi_mjcf_value_keyword(m, section, "cone", cones, &m->is_elliptic);
  if (ffi_mjcf_value_number(m, section, "impratio", &impratio) && impratio > 0)
    m->impratio = impratio;
  if (ffi_mjcf_value_number(m, section, "timestep", &timestep) && timestep > 0)
    m->least_time = 2 * timestep;
}

void ffi_mjcf_compiler_read_option(ffi_mjcf *m, const xmlNode *section)
{
  read_softness(m, section);
  ffi_mjcf_ignored_check(m, section, option_words);
  ffi_mjcf_value_numbers(m, section, "gravity", 3, 3, m->gravity);
  for (const xmlNode *child = ffi_mjcf_include_child(m, section); child;
       child = ffi_mjcf_include_next(m, child)) {
    if (ffi_xml_is(child, "flag"))
      read_flag(m, child);
    else
      ffi_mjcf_fail(m, FF_ERROR_PARSE, child, "is not an element of <option>");
  }
}
