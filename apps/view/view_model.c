// Links, shapes and ground for the page. Sizes and poses go to the header; corners of hulls, heights of fields and
// files of meshes go to the arrays. The page reads STL, OBJ and COLLADA itself, so mesh files are copied unchanged,
// unless all of them together are so big that the page would open slowly: then they lose triangles.
#include "cli/memory.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MOST_MESH_BYTES = 16 << 20,  // of one mesh file in the page; larger ones are left out
  MOST_FILE_BYTES = 256 << 20, // of one that is read
  ALL_MESH_BYTES = 6 << 20     // of all meshes together: a page of some 5 MB
};

// ---- Shapes -----------------------------------------------------------------------------------------------

// A part of the arrays: its first byte and its size.
static void put_piece(ffi_json *json, const char *key, size_t begin, size_t count)
{
  const double at[2] = {(double)begin, (double)count};
  ffi_json_put_numbers(json, key, at, 2);
}

static void put_floats(ffi_json *json, const char *key, const double *values, int count,
                       ffi_view_bytes *arrays)
{
  const size_t begin = arrays->count;
  for (int i = 0; i < count; ++i)
    ffi_view_bytes_add_float(arrays, values[i]);
  put_piece(json, key, begin, arrays->count - begin);
}

static void read_file(const char *path, ffi_view_bytes *arrays)
{
  static unsigned char chunk[1 << 16];
  const size_t begin = arrays->count;
  FILE *file = path ? fopen(path, "rb") : NULL;
  size_t got = 0;
  while (file && arrays->count - begin <= MOST_FILE_BYTES && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
    ffi_view_bytes_add(arrays, chunk, got);
  if (file)
    fclose(file);
}

// Mesh files in the arrays. A file that several shapes use is stored once.
typedef struct mesh_piece {
  const char *file;
  size_t begin, count;
  int is_decimated;
} mesh_piece;

typedef struct store {
  const ff_files *files; // in which meshes are, NULL: on the disk
  ffi_view_bytes *arrays;
  mesh_piece *meshes; // [mesh_count], owned
  size_t mesh_count;
  double share; // of triangles that big meshes keep
} store;

// Adds a file, padded to four bytes; adds nothing if it cannot be read or is too large.
static mesh_piece add_mesh(store *s, const char *path)
{
  const size_t begin = s->arrays->count;
  const ff_file *kept = s->files && path ? ff_files_at(s->files, path) : NULL;
  const int is_there = kept || (path && !s->files); // a log brings all of its own
  const int is_decimated = is_there && s->share < 1 && ffi_view_decimate(path, s->files, s->share, s->arrays);
  if (!is_decimated && kept)
    ffi_view_bytes_add(s->arrays, kept->data, kept->size);
  else if (!is_decimated && is_there)
    read_file(path, s->arrays);
  if (s->arrays->count - begin > MOST_MESH_BYTES)
    s->arrays->count = begin;
  const mesh_piece piece = {path, begin, s->arrays->count - begin, is_decimated};
  ffi_view_bytes_add(s->arrays, "\0\0\0", (4 - s->arrays->count % 4) % 4);
  s->meshes = ffi_memory_need(s->meshes, (s->mesh_count + 1) * sizeof *s->meshes);
  s->meshes[s->mesh_count++] = piece;
  return piece;
}

static mesh_piece find_mesh(store *s, const char *path)
{
  for (size_t i = 0; path && i < s->mesh_count; ++i)
    if (s->meshes[i].file && strcmp(s->meshes[i].file, path) == 0)
      return s->meshes[i];
  return add_mesh(s, path);
}

// A shape whose file cannot be read is not drawn.
static void put_mesh(ffi_json *json, const ff_shape_def *shape, store *s)
{
  const mesh_piece piece = find_mesh(s, shape->mesh_file);
  ffi_json_put_text(json, "mesh_file", shape->mesh_file);
  if (piece.is_decimated)
    ffi_json_put_boolean(json, "decimated", 1); // a binary STL, whatever its name says
  ffi_json_put_numbers(json, "scale", shape->scale, 3);
  put_piece(json, "mesh", piece.begin, piece.count);
}

static void put_pose(ffi_json *json, const ff_pose *pose)
{
  ffi_json_put_numbers(json, "position", pose->position, 3);
  ffi_json_put_numbers(json, "quaternion", pose->quaternion, 4);
}

static void put_shape(ffi_json *json, const ff_shape_def *shape, const ff_pose *pose, store *s)
{
  ffi_json_put_text(json, "type", ff_shape_type_name(shape->type));
  put_pose(json, pose);
  ffi_json_put_numbers(json, "size", shape->size, 3);
  ffi_json_put_numbers(json, "rgba", shape->rgba, 4);
  ffi_json_put_boolean(json, "visual", (shape->purpose & FF_SHAPE_VISUAL) != 0);
  ffi_json_put_boolean(json, "collision", (shape->purpose & FF_SHAPE_COLLISION) != 0);
  if (shape->type == FF_SHAPE_HULL)
    put_floats(json, "vertices", shape->vertices, 3 * shape->vertex_count, s->arrays);
  if (shape->type == FF_SHAPE_MESH)
    put_mesh(json, shape, s);
  if (shape->type != FF_SHAPE_HEIGHTFIELD)
    return;
  ffi_json_put_integer(json, "rows", shape->rows);
  ffi_json_put_integer(json, "columns", shape->columns);
  put_floats(json, "heights", shape->heights, shape->rows * shape->columns, s->arrays);
}

// All shapes of a link; -1: shapes that do not move.
static void put_shapes(ffi_json *json, const ffi_view_about *about, const ff_record_data *data, int link,
                       store *s)
{
  for (int i = 0; i < data->shape_count; ++i) {
    ff_shape_info shape;
    if (data->shapes[i].link != link)
      continue;
    ff_model_shape(about->model, data->shapes[i].shape, &shape);
    ffi_json_open(json, '{', 1);
    put_shape(json, &shape.def, &data->shapes[i].pose, s);
    if (link < 0 && shape.link >= 0)
      ffi_json_put_integer(json, "link", shape.link);
    ffi_json_close(json, '}');
  }
}

static void put_links(ffi_json *json, const ffi_view_about *about, const ff_record_data *data, store *s)
{
  ffi_json_put_open(json, "links", '[');
  for (int i = 0; i < data->link_count; ++i) {
    ff_link_info link;
    ff_model_link(about->model, data->links[i].link, &link);
    ffi_json_open(json, '{', 0);
    ffi_json_put_text(json, "name", link.name);
    ffi_json_put_text(json, "joint", link.joint_name);
    ffi_json_put_integer(json, "parent", data->links[i].parent);
    ffi_json_put_open(json, "shapes", '[');
    put_shapes(json, about, data, i, s);
    ffi_json_close(json, ']');
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

// Shapes that do not move: the world's own, and those of links fixed to it.
static void put_scenery(ffi_json *json, const ffi_view_about *about, const ff_record_data *data, store *s)
{
  ffi_json_put_open(json, "scenery", '[');
  put_shapes(json, about, data, -1, s);
  ffi_json_close(json, ']');
}

static void put_ground(ffi_json *json, const ffi_view_about *about, store *s)
{
  ffi_json_put_open(json, "ground", '[');
  for (int i = 0; i < about->ground_count; ++i) {
    const ff_ground_def *ground = &about->ground[i];
    ffi_json_open(json, '{', 1);
    put_shape(json, &ground->shape, &ground->shape.pose, s);
    ffi_json_put_numbers(json, "velocity", ground->velocity, 6);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

// The index of a link of the model among those that are drawn, -1: it is not drawn.
static int number_of(const ff_record_data *data, int link)
{
  for (int i = 0; i < data->link_count; ++i)
    if (data->links[i].link == link)
      return i;
  return -1;
}

// Pushes of the scene on links that are drawn.
static void put_pushes(ffi_json *json, const ffi_view_about *about, const ff_record_data *data)
{
  const int count = about->scene ? ff_scene_push_count(about->scene) : 0;
  ffi_json_put_open(json, "pushes", '[');
  for (int i = 0; i < count; ++i) {
    const ff_scene_force push = ff_scene_push_force(about->scene, i);
    const int link = number_of(data, push.link);
    if (link < 0)
      continue;
    ffi_json_open(json, '{', 1);
    ffi_json_put_integer(json, "link", link);
    ffi_json_put_numbers(json, "at", push.at, 3);
    ffi_json_put_numbers(json, "force", push.force, 3);
    ffi_json_put_number(json, "from", push.from);
    ffi_json_put_number(json, "duration", push.duration);
    ffi_json_close(json, '}');
  }
  ffi_json_close(json, ']');
}

// Bytes of all mesh files of the robot, each once.
static double mesh_bytes(const ffi_view_about *about, const ff_record_data *data)
{
  double sum = 0;
  for (int i = 0; i < data->shape_count; ++i) {
    ff_shape_info shape, other;
    struct stat on_disk;
    int is_first = 1;
    ff_model_shape(about->model, data->shapes[i].shape, &shape);
    const char *path = shape.def.type == FF_SHAPE_MESH ? shape.def.mesh_file : NULL;
    for (int k = 0; path && k < i && is_first; ++k) {
      ff_model_shape(about->model, data->shapes[k].shape, &other);
      is_first = !other.def.mesh_file || strcmp(other.def.mesh_file, path) != 0;
    }
    if (!path || !is_first)
      continue;
    const ff_file *kept = about->files ? ff_files_at(about->files, path) : NULL;
    if (kept)
      sum += (double)kept->size;
    else if (!about->files && stat(path, &on_disk) == 0)
      sum += (double)on_disk.st_size;
  }
  return sum;
}

void ffi_view_model_write(ffi_json *json, const ffi_view_about *about, const ff_record_data *data,
                          ffi_view_bytes *arrays)
{
  store s = {
      .files = about->files, .arrays = arrays, .share = ALL_MESH_BYTES / fmax(mesh_bytes(about, data), 1)};
  ffi_json_put_text(json, "model", ff_model_name(about->model));
  ffi_json_put_number(json, "mass", ff_model_mass(about->model));
  put_links(json, about, data, &s);
  put_scenery(json, about, data, &s);
  put_ground(json, about, &s);
  free(s.meshes);
  put_pushes(json, about, data);
}
