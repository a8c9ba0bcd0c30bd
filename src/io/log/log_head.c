// The head of a log: whose rows they are, names and units of columns, and the files of the run.
#include "io/log/log_write.h"

#include <footfall/version.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Names ----------------------------------------------------------------------------------------------------------

// Number k of a joint: what comes after the joint's name, and its unit.
static const char *part_of(const ff_joint_info *joint, int is_velocity, int k, const char **unit)
{
  static const char *const place[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  static const char *const twist[] = {"x", "y", "z", "wx", "wy", "wz"};
  static const char *const planar[] = {"x", "y", "angle"};
  const int first = joint->type == FF_JOINT_SPHERICAL ? 3 : 0; // a ball joint turns only
  const int is_body = joint->type == FF_JOINT_FREE || joint->type == FF_JOINT_SPHERICAL;
  const int is_planar = joint->type == FF_JOINT_PLANAR;
  const int is_length =
      joint->type == FF_JOINT_PRISMATIC || (is_body && first + k < 3) || (is_planar && k < 2);
  *unit = is_velocity ? (is_length ? "m/s" : "rad/s") : is_length ? "m" : is_body ? "1" : "rad";
  if (is_body)
    return is_velocity ? twist[(first + k) % 6] : place[(first + k) % 7];
  return is_planar ? planar[k % 3] : "";
}

void ff_log_column(const ff_model *model, int is_velocity, int index, char *name, size_t size,
                   const char **unit)
{
  ff_joint_info joint;
  *unit = "";
  snprintf(name, size, "%s", "");
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j) {
    const int first = is_velocity ? joint.v : joint.q, count = is_velocity ? joint.nv : joint.nq;
    if (index < first || index >= first + count)
      continue;
    const char *part = part_of(&joint, is_velocity, index - first, unit);
    snprintf(name, size, "%s%s%s", joint.name, *part ? "." : "", part);
    return;
  }
}

enum { NAME_SIZE = 1100 }; // names have at most 1024 bytes

typedef struct names {
  char *text;         // [count][NAME_SIZE]
  const char **list;  // [count]
  const char **units; // [count]
  int count;
} names;

static int make_names(int count, names *out)
{
  *out = (names){.text = calloc((size_t)count + 1, NAME_SIZE),
                 .list = calloc((size_t)count + 1, sizeof *out->list),
                 .units = calloc((size_t)count + 1, sizeof *out->units),
                 .count = count};
  for (int i = 0; out->text && out->list && i < count; ++i)
    out->list[i] = out->text + (size_t)i * NAME_SIZE;
  return out->text && out->list && out->units;
}

static void free_names(names *n)
{
  free(n->text);
  free(n->list);
  free(n->units);
}

static int put_columns(hid_t group, hid_t units, const ff_model *model, int is_velocity, const char *name)
{
  const ff_model_size size = ff_model_get_size(model);
  names n;
  int is_good = make_names(is_velocity ? size.nv : size.nq, &n);
  for (int i = 0; is_good && i < n.count; ++i)
    ff_log_column(model, is_velocity, i, n.text + (size_t)i * NAME_SIZE, NAME_SIZE, &n.units[i]);
  is_good = is_good && ffi_log_put_texts(group, name, n.list, n.count) &&
            ffi_log_put_texts(units, name, n.units, n.count);
  for (int i = 0; is_good && is_velocity && i < n.count; ++i)
    n.units[i] = strcmp(n.units[i], "m/s") == 0 ? "N" : "N m";
  if (is_velocity)
    is_good = is_good && ffi_log_put_texts(units, "tau", n.units, n.count);
  free_names(&n);
  return is_good;
}

static int put_parts(hid_t group, const ff_model *model)
{
  const ff_model_size size = ff_model_get_size(model);
  const int counts[3] = {size.links, size.joints, size.shapes};
  static const char *const called[3] = {"links", "joints", "shapes"};
  int is_good = 1;
  for (int kind = 0; kind < 3 && is_good; ++kind) {
    names n;
    is_good = make_names(counts[kind], &n);
    for (int i = 0; is_good && i < n.count; ++i) {
      ff_link_info link = {0};
      ff_joint_info joint;
      ff_shape_info shape;
      if (kind == 0 && ff_model_link(model, i, &link) == FF_OK)
        n.list[i] = link.name;
      if (kind == 1 && ff_model_joint(model, i, &joint) == FF_OK)
        n.list[i] = joint.name;
      if (kind == 2 && ff_model_shape(model, i, &shape) == FF_OK) {
        ff_model_link(model, shape.link, &link);
        n.list[i] = shape.def.name ? shape.def.name : link.name ? link.name : "";
      }
    }
    is_good = is_good && ffi_log_put_texts(group, called[kind], n.list, n.count);
    free_names(&n);
  }
  return is_good;
}

static int put_names(hid_t file, const ff_model *model)
{
  const hid_t group = H5Gcreate2(file, "names", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              units = H5Gcreate2(file, "units", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int is_good = group >= 0 && units >= 0 && put_columns(group, units, model, 0, "q") &&
                      put_columns(group, units, model, 1, "v") &&
                      ffi_log_put_texts(group, "energy", ffi_log_energy_names, FFI_LOG_ENERGIES) &&
                      put_parts(group, model);
  H5Gclose(units);
  H5Gclose(group);
  return is_good;
}

// ---- Ground ---------------------------------------------------------------------------------------------------------

static ffi_log_ground pack_ground(const ff_ground_def *g)
{
  const ff_shape_def *s = &g->shape;
  ffi_log_ground out = {.type = (int32_t)s->type,
                        .rows = s->rows,
                        .columns = s->columns,
                        .gives_pair = g->gives_pair,
                        .stiffness = s->material.stiffness,
                        .damping = s->material.damping,
                        .friction = s->material.friction};
  memcpy(out.position, s->pose.position, sizeof out.position);
  memcpy(out.quaternion, s->pose.quaternion, sizeof out.quaternion);
  memcpy(out.size, s->size, sizeof out.size);
  memcpy(out.velocity, g->velocity, sizeof out.velocity);
  return out;
}

static int put_array(hid_t place, const char *name, hid_t type, hsize_t count, const void *data)
{
  const hid_t space = H5Screate_simple(1, &count, NULL),
              set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int is_good = set >= 0 &&
                      (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0) &&
                      ffi_log_put_sum(set, data, (size_t)count * H5Tget_size(type));
  H5Dclose(set);
  H5Sclose(space);
  return is_good;
}

// Ground shapes, and the heights of height fields one after the other.
static int put_ground(hid_t file, const ff_log_def *def)
{
  const hid_t type = ffi_log_ground_type();
  ffi_log_ground *packed = calloc((size_t)def->ground_count + 1, sizeof *packed);
  int is_good = packed && type >= 0;
  for (int i = 0; is_good && i < def->ground_count; ++i)
    packed[i] = pack_ground(&def->ground[i]);
  is_good = is_good && put_array(file, "ground", type, (hsize_t)def->ground_count, packed);
  for (int i = 0; is_good && i < def->ground_count; ++i) {
    const ff_shape_def *s = &def->ground[i].shape;
    char name[32];
    snprintf(name, sizeof name, "heights_%d", i);
    if (s->type == FF_SHAPE_HEIGHTFIELD)
      is_good = put_array(file, name, H5T_NATIVE_DOUBLE, (hsize_t)s->rows * (hsize_t)s->columns, s->heights);
  }
  free(packed);
  H5Tclose(type);
  return is_good;
}

// ---- Files ----------------------------------------------------------------------------------------------------------

static int put_file(hid_t group, int index, const ff_file *file)
{
  const hsize_t size = (hsize_t)file->size, chunk = size < 1 << 20 ? size : 1 << 20;
  const hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  char name[32];
  snprintf(name, sizeof name, "%d", index);
  if (size > 4096 && H5Pset_chunk(how, 1, &chunk) >= 0)
    H5Pset_deflate(how, 1);
  const hid_t set = H5Dcreate2(group, name, H5T_NATIVE_UINT8, space, H5P_DEFAULT, how, H5P_DEFAULT);
  const int is_good =
      set >= 0 &&
      (size == 0 || H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, file->data) >= 0) &&
      ffi_log_put_sum(set, file->data, file->size) &&
      ffi_log_put_text(set, "kind", ff_file_kind_name(file->kind)) &&
      ffi_log_put_text(set, "name", file->name) && ffi_log_put_text(set, "path", file->path);
  H5Dclose(set);
  H5Pclose(how);
  H5Sclose(space);
  return is_good;
}

// The default is not written.
static int put_softness(hid_t group, const ff_load_def *load)
{
  const int softness = (int)load->contact_parameters;
  return softness == FF_CONTACT_PARAMETERS_STATED ||
         ffi_log_put_number(group, "contact_parameters", H5T_NATIVE_INT, &softness);
}

// The default is not written.
static int put_massless(hid_t group, const ff_load_def *load)
{
  const int massless = (int)load->massless;
  return massless == FF_MASSLESS_LEAST || ffi_log_put_number(group, "massless", H5T_NATIVE_INT, &massless);
}

static int put_load(hid_t group, const ff_load_def *load)
{
  const int mimic = (int)load->mimic, count = load->contact_point_count;
  const char **links = calloc((size_t)count + 1, sizeof *links),
             **named = calloc((size_t)count + 1, sizeof *named);
  double *at = calloc(3 * (size_t)count + 1, sizeof *at);
  int is_good = links && named && at;
  for (int i = 0; is_good && i < count; ++i) {
    links[i] = load->contact_points[i].link;
    named[i] = load->contact_points[i].name ? load->contact_points[i].name : "";
    memcpy(at + 3 * (size_t)i, load->contact_points[i].at, 3 * sizeof *at);
  }
  is_good = is_good && ffi_log_put_number(group, "fixed_base", H5T_NATIVE_INT, &load->fixed_base) &&
            ffi_log_put_number(group, "mimic", H5T_NATIVE_INT, &mimic) && put_softness(group, load) &&
            put_massless(group, load) && ffi_log_put_texts(group, "point_links", links, count) &&
            ffi_log_put_texts(group, "point_names", named, count) &&
            put_array(group, "point_at", H5T_NATIVE_DOUBLE, 3 * (hsize_t)count, at);
  free(links);
  free(named);
  free(at);
  return is_good;
}

static int put_source(hid_t file, const ff_log_def *def)
{
  const hid_t source = H5Gcreate2(file, "source", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              files = H5Gcreate2(source, "files", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int is_good = source >= 0 && files >= 0 && put_load(source, def->load) &&
                ffi_log_put_texts(source, "arguments", def->arguments, def->argument_count);
  for (int i = 0; is_good && i < ff_files_count(def->files); ++i)
    is_good = put_file(files, i, ff_files_get(def->files, i));
  H5Gclose(files);
  H5Gclose(source);
  return is_good;
}

int ffi_log_head_write(hid_t file, const ff_log_def *def)
{
  const int version = FF_LOG_VERSION;
  const ff_model_size size = ff_model_get_size(def->model);
  const double dt = ff_sim_dt(def->sim);
  char program[64];
  snprintf(program, sizeof program, "footfall %s", FF_VERSION);
  return ffi_log_put_text(file, "format", FFI_LOG_FORMAT) &&
         ffi_log_put_number(file, "version", H5T_NATIVE_INT, &version) &&
         ffi_log_put_text(file, "program", program) &&
         ffi_log_put_text(file, "title", def->title ? def->title : ff_model_name(def->model)) &&
         ffi_log_put_text(file, "robot", ff_model_name(def->model)) &&
         ffi_log_put_text(file, "file", def->file ? def->file : "") &&
         ffi_log_put_text(file, "stepper", ff_stepper_name(ff_sim_stepper(def->sim))) &&
         ffi_log_put_number(file, "dt", H5T_NATIVE_DOUBLE, &dt) &&
         ffi_log_put_number(file, "nq", H5T_NATIVE_INT, &size.nq) &&
         ffi_log_put_number(file, "nv", H5T_NATIVE_INT, &size.nv) && put_names(file, def->model) &&
         put_ground(file, def) && put_source(file, def);
}
