// <geom> of MJCF: shapes.
#include "io/mjcf/mjcf_draft.h"
#include "io/mjcf/mjcf_hfield.h"

#include "base/grow.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

static const ffi_mjcf_word geom_words[] = {
    {"name", FFI_MJCF_READ, NULL},         {"class", FFI_MJCF_READ, NULL},
    {"type", FFI_MJCF_READ, NULL},         {"size", FFI_MJCF_READ, NULL},
    {"fromto", FFI_MJCF_READ, NULL},       {"pos", FFI_MJCF_READ, NULL},
    {"quat", FFI_MJCF_READ, NULL},         {"axisangle", FFI_MJCF_READ, NULL},
    {"xyaxes", FFI_MJCF_READ, NULL},       {"zaxis", FFI_MJCF_READ, NULL},
    {"euler", FFI_MJCF_READ, NULL},        {"mass", FFI_MJCF_READ, NULL},
    {"density", FFI_MJCF_READ, NULL},      {"shellinertia", FFI_MJCF_READ, NULL},
    {"friction", FFI_MJCF_READ, NULL},     {"contype", FFI_MJCF_READ, NULL},
    {"conaffinity", FFI_MJCF_READ, NULL},  {"group", FFI_MJCF_READ, NULL},
    {"rgba", FFI_MJCF_READ, NULL},         {"material", FFI_MJCF_READ, NULL},
    {"mesh", FFI_MJCF_READ, NULL},         {"hfield", FFI_MJCF_READ, NULL},
    {"fitscale", FFI_MJCF_READ, NULL},     {"user", FFI_MJCF_QUIET, NULL},
    {"condim", FFI_MJCF_READ, NULL},       {"priority", FFI_MJCF_READ, NULL},
    {"solmix", FFI_MJCF_READ, NULL},       {"solref", FFI_MJCF_READ, NULL},
    {"solimp", FFI_MJCF_READ, NULL},       {"margin", FFI_MJCF_READ, NULL},
    {"gap", FFI_MJCF_READ, NULL},          {"fluidshape", FFI_MJCF_PHYSICS, "none"},
    {"fluidcoef", FFI_MJCF_PHYSICS, NULL}, {NULL, FFI_MJCF_READ, NULL},
};

static const char *const geom_types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh",   "sdf",     NULL};

// ---- Attributes ---------------------------------------------------------------------------------------------

// Own position and orientation replace those of the class; so do end points.
static void read_place(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_place *place)
{
  const int has_points = ffi_mjcf_value_numbers(m, node, "fromto", 6, 6, place->fromto) > 0;
  if (has_points && ffi_xml_get(node, "pos"))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "both 'pos' and 'fromto' give its place: keep one");
  if (has_points || ffi_xml_get(node, "pos"))
    place->has_fromto = has_points;
  ffi_mjcf_value_pose(m, node, &place->pose);
}

static void read_size(ffi_mjcf *m, const xmlNode *node, double size[3])
{
  const int count = ffi_mjcf_value_numbers(m, node, "size", 1, 3, size);
  for (int i = 0; i < count; ++i) {
    if (size[i] < 0)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'size' is negative (%g)", size[i]);
  }
}

static void read_friction(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  double friction[3]; // sliding, turning, rolling
  const int count = ffi_mjcf_value_numbers(m, node, "friction", 1, 3, friction);
  for (int i = 0; i < count; ++i) {
    if (friction[i] < 0)
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'friction' is negative (%g)", friction[i]);
  }
  if (count > 0)
    geom->friction = friction[0];
  for (int i = 1; i < count; ++i)
    geom->turning[i - 1] = friction[i];
}

void ffi_mjcf_geom_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  int type = (int)geom->type;
  ffi_mjcf_ignored_check(m, node, geom_words);
  ffi_mjcf_value_keyword(m, node, "type", geom_types, &type);
  geom->type = (ffi_mjcf_geom_type)type;
  read_size(m, node, geom->size);
  read_place(m, node, &geom->place);
  read_friction(m, node, geom);
  ffi_mjcf_value_flag(m, node, "shellinertia", &geom->is_shell);
  ffi_mjcf_value_nonnegative(m, node, "fitscale", &geom->fit_scale);
  ffi_mjcf_softness_attributes(m, node, geom);
  ffi_mjcf_value_nonnegative(m, node, "margin", &geom->margin);
  ffi_mjcf_value_number(m, node, "gap", &geom->gap);
  geom->has_mass |= ffi_mjcf_value_nonnegative(m, node, "mass", &geom->mass);
  ffi_mjcf_value_nonnegative(m, node, "density", &geom->density);
  ffi_mjcf_value_integer(m, node, "contype", &geom->contype);
  ffi_mjcf_value_integer(m, node, "conaffinity", &geom->conaffinity);
  ffi_mjcf_value_integer(m, node, "group", &geom->group);
  ffi_mjcf_value_rgba(m, node, geom->rgba);
  if (ffi_mjcf_value_text(node, "material"))
    geom->material = ffi_mjcf_value_text(node, "material");
  if (ffi_mjcf_value_text(node, "mesh"))
    geom->mesh = ffi_mjcf_value_text(node, "mesh");
  if (ffi_mjcf_value_text(node, "hfield"))
    geom->hfield = ffi_mjcf_value_text(node, "hfield");
}

// ---- Finishing ----------------------------------------------------------------------------------------------

// A geom has its material's colour unless its own is something else than MuJoCo's grey.
static void finish_colour(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  const double *c = geom->rgba;
  const int is_grey = c[0] == 0.5 && c[1] == 0.5 && c[2] == 0.5 && c[3] == 1;
  const int id = geom->material ? ffi_names_find(&m->material_names, geom->material) : -1;
  if (geom->material && id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "material '%.100s' is not defined in <asset>", geom->material);
  if (id >= 0 && is_grey)
    memcpy(geom->rgba, m->materials[id].rgba, sizeof geom->rgba);
  for (int i = 0; i < 4; ++i)
    geom->rgba[i] = fmin(fmax(geom->rgba[i], 0), 1);
}

static void finish_mesh(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  if (geom->type == FFI_MJCF_SDF)
    ffi_mjcf_fail(m, FF_ERROR_UNSUPPORTED, node, "type=\"sdf\" is not supported");
  if (geom->type == FFI_MJCF_MESH && !geom->mesh)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "type=\"mesh\" needs an attribute 'mesh'");
  if (!geom->mesh)
    return;
  geom->mesh_id = ffi_names_find(&m->mesh_names, geom->mesh);
  if (geom->mesh_id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "mesh '%.100s' is not defined in <asset>", geom->mesh);
  else if (geom->type == FFI_MJCF_MESH && (geom->contype || geom->conaffinity))
    ffi_mjcf_mesh_make_hull(m, &m->meshes[geom->mesh_id]);
}

// Between two points z runs along them, and the size across is the first number.
static void finish_fromto(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  const int is_round = geom->type == FFI_MJCF_CAPSULE || geom->type == FFI_MJCF_CYLINDER;
  double half_length;
  if (!is_round && geom->type != FFI_MJCF_BOX && geom->type != FFI_MJCF_ELLIPSOID) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                  "'fromto' is for capsules, cylinders, boxes and ellipsoids, not for a %s",
                  geom_types[geom->type]);
    return;
  }
  if (!ffi_mjcf_value_fromto(&geom->place, &half_length)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the two points of 'fromto' must differ");
    return;
  }
  geom->size[2] = is_round ? 0 : half_length;
  geom->size[1] = is_round ? half_length : geom->size[0];
}

static void check_size(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_geom *geom)
{
  static const int needed[] = {0, 0, 1, 2, 3, 2, 3, 0, 0}; // in the order of the types
  for (int i = 0; i < needed[geom->type]; ++i) {
    if (!(geom->size[i] > 0)) {
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "a %s needs %d size%s above zero", geom_types[geom->type],
                    needed[geom->type], needed[geom->type] > 1 ? "s" : "");
      return;
    }
  }
}

// MuJoCo pushes from a distance of margin - gap on; less the gap, contacts are only listed there.
static void check_margin(ffi_mjcf *m, const xmlNode *node, const ffi_mjcf_geom *geom)
{
  if (geom->margin > geom->gap && (geom->contype || geom->conaffinity))
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "attribute 'margin' of <geom>");
}

void ffi_mjcf_geom_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id, const ff_pose *frame)
{
  ffi_mjcf_geom geom = m->classes[ffi_mjcf_class_of(m, node, "class", class_id)].geom;
  geom.node = node;
  geom.body = body;
  geom.name = ffi_mjcf_value_text(node, "name");
  ffi_mjcf_geom_attributes(m, node, &geom);
  if (ffi_mjcf_include_child(m, node))
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<%.40s> in <geom>",
                         (const char *)ffi_mjcf_include_child(m, node)->name);
  if (ffi_mjcf_failed(m))
    return;
  finish_colour(m, node, &geom);
  finish_mesh(m, node, &geom);
  if (geom.type == FFI_MJCF_HFIELD)
    ffi_mjcf_hfield_find(m, node, &geom);
  if (geom.place.has_fromto)
    finish_fromto(m, node, &geom);
  if (geom.mesh && geom.type != FFI_MJCF_MESH && !ffi_mjcf_failed(m))
    ffi_mjcf_mesh_fit(m, &geom);
  check_size(m, node, &geom);
  check_margin(m, node, &geom);
  geom.place.pose = ff_pose_compose(frame, &geom.place.pose);
  ffi_mjcf_name_remember(m, &m->geom_names, node, geom.name, m->geom_count);
  if (m->geom_count >= FF_MAX_LINKS)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d geoms", FF_MAX_LINKS);
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_geom *grown = ffi_grow(m->geoms, m->geom_count, &m->geom_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->geoms = grown;
  m->geoms[m->geom_count++] = geom;
  m->bodies[body].geom_count++;
}

// ---- Geoms as shapes ----------------------------------------------------------------------------------------

// A collision mesh becomes its convex hull; a visual one is kept by name.
static void mesh_shape(const ffi_mjcf_mesh *mesh, ff_shape_def *shape)
{
  const int is_hull = mesh->hull && (shape->purpose & FF_SHAPE_COLLISION);
  shape->pose = ff_pose_compose(&shape->pose, &mesh->pose);
  shape->type = mesh->file && !is_hull ? FF_SHAPE_MESH : FF_SHAPE_HULL;
  shape->mesh_file = mesh->file;
  memcpy(shape->scale, mesh->scale, sizeof shape->scale);
  shape->vertices = is_hull ? mesh->hull : mesh->vertices;
  shape->vertex_count = is_hull ? mesh->hull_count : mesh->vertex_count;
}

// MuJoCo draws groups 0 to 2; by convention pure collision geoms are in group 3, and ff_model_save_text() puts them
// there.
static int purpose_of(const ffi_mjcf_geom *geom)
{
  const int touches = geom->contype || geom->conaffinity || geom->is_paired,
            is_drawn = geom->group <= 2 || !touches;
  return (is_drawn ? FF_SHAPE_VISUAL : 0) | (touches ? FF_SHAPE_COLLISION : 0);
}

int ffi_mjcf_geom_shape(const ffi_mjcf *m, const ffi_mjcf_geom *geom, ff_shape_def *shape)
{
  const double *s = geom->size;
  *shape = ff_shape_def_default();
  shape->name = geom->name;
  shape->pose = geom->place.pose;
  shape->purpose = purpose_of(geom);
  shape->material.friction = geom->friction;
  shape->material.torsional_friction = geom->turning[0];
  shape->material.rolling_friction = geom->turning[1];
  shape->contype = geom->contype;
  shape->conaffinity = geom->conaffinity;
  if (geom->stiffness > 0) {
    shape->material.stiffness = geom->stiffness;
    shape->material.damping = geom->damping;
  }
  memcpy(shape->rgba, geom->rgba, sizeof shape->rgba);
  switch (geom->type) {
  case FFI_MJCF_HFIELD: ffi_mjcf_hfield_shape(&m->hfields[geom->hfield_id], shape); return 1;
  case FFI_MJCF_PLANE: shape->type = FF_SHAPE_PLANE; return 1;
  case FFI_MJCF_SPHERE: shape->type = FF_SHAPE_SPHERE; break;
  case FFI_MJCF_CAPSULE: shape->type = FF_SHAPE_CAPSULE; break;
  case FFI_MJCF_CYLINDER: shape->type = FF_SHAPE_CYLINDER; break;
  case FFI_MJCF_BOX: shape->type = FF_SHAPE_BOX; break;
  case FFI_MJCF_MESH: mesh_shape(&m->meshes[geom->mesh_id], shape); return 1;
  case FFI_MJCF_ELLIPSOID:
    shape->type = FF_SHAPE_ELLIPSOID;
    memcpy(shape->size, s, sizeof shape->size);
    return 1;
  default: return 0;
  }
  // Radii are the same; MuJoCo gives half of other sizes.
  shape->size[0] = geom->type == FFI_MJCF_BOX ? 2 * s[0] : s[0];
  shape->size[1] = geom->type == FFI_MJCF_SPHERE ? 0 : 2 * s[1];
  shape->size[2] = geom->type == FFI_MJCF_BOX ? 2 * s[2] : 0;
  return 1;
}
