// <asset> of MJCF: meshes and materials by name.
#include "io/mjcf/mjcf_attach.h"
#include "io/mjcf/mjcf_hfield.h"

#include "base/grow.h"
#include "io/mesh/mesh_path.h"
#include "math/quaternion.h"

#include <math.h>
#include <string.h>

static const ffi_mjcf_word mesh_words[] = {
    {"name", FFI_MJCF_READ, NULL},
    {"class", FFI_MJCF_READ, NULL},
    {"file", FFI_MJCF_READ, NULL},
    {"scale", FFI_MJCF_READ, NULL},
    {"vertex", FFI_MJCF_READ, NULL},
    {"refpos", FFI_MJCF_READ, NULL},
    {"refquat", FFI_MJCF_READ, NULL},
    {"content_type", FFI_MJCF_QUIET, NULL},
    {"inertia", FFI_MJCF_READ, NULL},
    {"smoothnormal", FFI_MJCF_QUIET, NULL},
    {"maxhullvert", FFI_MJCF_QUIET, NULL},
    {"normal", FFI_MJCF_QUIET, NULL},
    {"texcoord", FFI_MJCF_QUIET, NULL},
    {"face", FFI_MJCF_READ, NULL},
    {"material", FFI_MJCF_QUIET, NULL},
    {"octree_maxdepth", FFI_MJCF_QUIET, NULL},
    {"octree_depth", FFI_MJCF_QUIET, NULL},
    {"needsdf", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

static const ffi_mjcf_word material_words[] = {
    {"name", FFI_MJCF_READ, NULL},       {"class", FFI_MJCF_READ, NULL},
    {"rgba", FFI_MJCF_READ, NULL},       {"texture", FFI_MJCF_QUIET, NULL},
    {"texrepeat", FFI_MJCF_QUIET, NULL}, {"texuniform", FFI_MJCF_QUIET, NULL},
    {"emission", FFI_MJCF_QUIET, NULL},  {"specular", FFI_MJCF_QUIET, NULL},
    {"shininess", FFI_MJCF_QUIET, NULL}, {"reflectance", FFI_MJCF_QUIET, NULL},
    {"metallic", FFI_MJCF_QUIET, NULL},  {"roughness", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

// ---- Paths --------------------------------------------------------------------------------------------------

// folder/rest, with a '/' in between where one is missing; in the arena.
static const char *join(ffi_mjcf *m, const char *folder, const char *rest)
{
  const size_t length = strlen(folder);
  const int needs_slash = length && folder[length - 1] != '/';
  char *path = ffi_arena_take(&m->arena, length + strlen(rest) + 2, 1);
  if (!path) {
    ffi_mjcf_no_memory(m);
    return rest;
  }
  strcpy(path, folder);
  strcat(path, needs_slash ? "/" : "");
  strcat(path, rest);
  return path;
}

static const char *after_last_slash(const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *backslash = strrchr(path, '\\');
  const char *last = backslash && (!slash || backslash > slash) ? backslash : slash;
  return last ? last + 1 : path;
}

// In meshdir or assetdir, which are relative to the main file, then wherever meshes are looked for; as written if it is
// nowhere.
const char *ffi_mjcf_asset_find(ffi_mjcf *m, const xmlNode *node, const char *written, int *is_found)
{
  const ffi_mjcf_compiler *c = ffi_mjcf_attach_compiler(m, node);
  const char *main_file = m->xml->is_memory ? NULL : m->main_file.xml.file;
  const char *name = c->strip_path ? after_last_slash(written) : written;
  const char *meshes = c->mesh_folder ? c->mesh_folder : c->asset_folder ? c->asset_folder : "";
  const char *found = NULL;
  ff_status status = ffi_mesh_path_find_for(m->def, &m->arena, main_file,
                                            name[0] == '/' ? name : join(m, meshes, name), &found);
  if (status == FF_OK && !found)
    status = ffi_mesh_path_find_for(m->def, &m->arena, main_file, name, &found);
  if (status != FF_OK)
    ffi_mjcf_no_memory(m);
  if (!found && !m->lost_mesh_count++)
    m->lost_mesh = node;
  *is_found = found != NULL;
  return found ? found : written;
}

// ---- <mesh> -------------------------------------------------------------------------------------------------

void ffi_mjcf_asset_mesh(ffi_mjcf *m, const xmlNode *node, double scale[3], int *mass)
{
  static const char *const rules[] = {"legacy", "exact", "convex", "shell", NULL};
  ffi_mjcf_ignored_check(m, node, mesh_words);
  ffi_mjcf_value_keyword(m, node, "inertia", rules, mass);
  ffi_mjcf_value_numbers(m, node, "scale", 3, 3, scale);
  if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'scale' is zero");
}

// How many numbers an attribute may hold at most: its words.
static void read_vertices(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_mesh *mesh)
{
  const int count = ffi_xml_count_words(ffi_xml_get(node, "vertex"));
  if (count % 3 != 0 || count < 12) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                  "attribute 'vertex' must have three numbers for each of at least 4 vertices");
    return;
  }
  m->vertex_count += count / 3;
  if (count / 3 > FFI_MJCF_MAX_VERTICES || m->vertex_count > 10 * FFI_MJCF_MAX_VERTICES) {
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node,
                  "more than %d vertices in one mesh, or %d in all: keep them in files",
                  FFI_MJCF_MAX_VERTICES, 10 * FFI_MJCF_MAX_VERTICES);
    return;
  }
  mesh->vertices = ffi_arena_take(&m->arena, (size_t)count, sizeof *mesh->vertices);
  if (!mesh->vertices) {
    ffi_mjcf_no_memory(m);
    return;
  }
  ffi_mjcf_value_numbers(m, node, "vertex", count, count, mesh->vertices);
  for (int i = 0; i < count; ++i)
    mesh->vertices[i] *= mesh->scale[i % 3];
  mesh->vertex_count = count / 3;
}

static void read_faces(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_mesh *mesh)
{
  const char *text = ffi_mjcf_value_text(node, "face");
  const int count = text ? ffi_xml_count_words(text) : 0;
  if (!count || ffi_mjcf_failed(m))
    return;
  if (count % 3 != 0 || count / 3 > 2 * FFI_MJCF_MAX_VERTICES) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                  "attribute 'face' must have three numbers for each of at most %d triangles, not %d numbers",
                  2 * FFI_MJCF_MAX_VERTICES, count);
    return;
  }
  double *numbers = ffi_arena_take(&m->arena, (size_t)count, sizeof *numbers);
  mesh->faces = ffi_arena_take(&m->arena, (size_t)count, sizeof *mesh->faces);
  if (!numbers || !mesh->faces) {
    ffi_mjcf_no_memory(m);
    return;
  }
  if (!ffi_mjcf_value_numbers(m, node, "face", count, count, numbers))
    return;
  for (int i = 0; i < count; ++i) {
    if (!(numbers[i] >= 0 && numbers[i] < mesh->vertex_count && numbers[i] == floor(numbers[i]))) {
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node,
                    "attribute 'face' names vertex %g; there are %d, and the first one is 0", numbers[i],
                    mesh->vertex_count);
      return;
    }
    mesh->faces[i] = (int)numbers[i];
  }
  mesh->face_count = count / 3;
}

// MuJoCo moves a vertex x to S R'(x - p), where p and R are refpos and refquat and S the scale. A shape moves it to
// Q (S x) + t. The two agree if S and R commute: then Q = R' and t = - R' S p.
static void read_reference(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_mesh *mesh)
{
  double p[3] = {0, 0, 0}, w[4] = {1, 0, 0, 0}, q[4];
  ffi_mjcf_value_numbers(m, node, "refpos", 3, 3, p);
  ffi_mjcf_value_numbers(m, node, "refquat", 4, 4, w);
  const double xyzw[4] = {w[1], w[2], w[3], w[0]};
  if (!ffi_quat_normalize(xyzw, q)) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'refquat' is zero: it gives no direction");
    return;
  }
  const int is_turned = q[0] != 0 || q[1] != 0 || q[2] != 0;
  const int is_uniform = mesh->scale[0] == mesh->scale[1] && mesh->scale[0] == mesh->scale[2];
  if (is_turned && !is_uniform) {
    ffi_mjcf_fail(m, FF_ERROR_UNSUPPORTED, node,
                  "a scale that differs between axes together with 'refquat' is not supported");
    return;
  }
  ffi_quat_conjugate(q, mesh->pose.quaternion);
  for (int i = 0; i < 3; ++i)
    p[i] *= -mesh->scale[i];
  ffi_quat_rotate(mesh->pose.quaternion, p, mesh->pose.position);
}

// A mesh without a name is called like its file, without folders and ending.
const char *ffi_mjcf_asset_name_of_file(ffi_mjcf *m, const char *file)
{
  char *name = ffi_arena_string(&m->arena, after_last_slash(file));
  if (!name) {
    ffi_mjcf_no_memory(m);
    return file;
  }
  char *dot = strrchr(name, '.');
  if (dot)
    *dot = 0;
  return name;
}

static void read_mesh(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_mesh mesh = {.node = node, .name = ffi_mjcf_value_text(node, "name"), .pose = ff_pose_identity()};
  const char *file = ffi_mjcf_value_text(node, "file");
  const ffi_mjcf_class *class = &m->classes[ffi_mjcf_class_of(m, node, "class", 0)];
  memcpy(mesh.scale, class->mesh_scale, sizeof mesh.scale);
  mesh.mass = class->mesh_mass;
  ffi_mjcf_asset_mesh(m, node, mesh.scale, &mesh.mass);
  if (file && strlen(file) > FFI_MJCF_MAX_PATH)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "attribute 'file' is longer than %d characters",
                  FFI_MJCF_MAX_PATH);
  else if (file)
    mesh.file = ffi_mjcf_asset_find(m, node, file, &mesh.is_found);
  else if (ffi_xml_get(node, "vertex"))
    read_vertices(m, node, &mesh);
  else
    ffi_mjcf_fail(m, FF_ERROR_UNSUPPORTED, node, "has neither 'file' nor 'vertex'");
  if (mesh.vertices)
    read_faces(m, node, &mesh);
  if (!mesh.name && file)
    mesh.name = ffi_mjcf_asset_name_of_file(m, file);
  if (!mesh.name || !*mesh.name)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "has no name");
  read_reference(m, node, &mesh);
  ffi_mjcf_name_remember(m, &m->mesh_names, node, mesh.name, m->mesh_count);
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_mesh *grown = ffi_grow(m->meshes, m->mesh_count, &m->mesh_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->meshes = grown;
  m->meshes[m->mesh_count++] = mesh;
}

// ---- <material> ---------------------------------------------------------------------------------------------

void ffi_mjcf_asset_material(ffi_mjcf *m, const xmlNode *node, double rgba[4])
{
  ffi_mjcf_ignored_check(m, node, material_words);
  ffi_mjcf_value_rgba(m, node, rgba);
}

static void read_material(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_material material = {.name = ffi_xml_require(ffi_mjcf_at(m, node), node, "name")};
  const ffi_mjcf_class *class = &m->classes[ffi_mjcf_class_of(m, node, "class", 0)];
  memcpy(material.rgba, class->material_rgba, sizeof material.rgba);
  ffi_mjcf_asset_material(m, node, material.rgba);
  ffi_mjcf_name_remember(m, &m->material_names, node, material.name, m->material_count);
  if (ffi_mjcf_failed(m))
    return;
  ffi_mjcf_material *grown = ffi_grow(m->materials, m->material_count, &m->material_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->materials = grown;
  m->materials[m->material_count++] = material;
}

void ffi_mjcf_asset_read(ffi_mjcf *m, const xmlNode *section)
{
  const xmlNode *child = ffi_mjcf_include_child(m, section);
  for (; child && !ffi_mjcf_failed(m); child = ffi_mjcf_include_next(m, child)) {
    if (ffi_xml_is(child, "mesh"))
      read_mesh(m, child);
    else if (ffi_xml_is(child, "material"))
      read_material(m, child);
    else if (ffi_xml_is(child, "texture") || ffi_xml_is(child, "skin"))
      ffi_mjcf_ignored_add(m, child, FFI_MJCF_LOOKS, "<%s>", (const char *)child->name);
    else if (ffi_xml_is(child, "hfield"))
      ffi_mjcf_hfield_read(m, child);
    else if (!ffi_xml_is(child, "model")) // told of where they are used
      ffi_mjcf_fail(m, FF_ERROR_PARSE, child, "is not an element of <asset>");
  }
}
