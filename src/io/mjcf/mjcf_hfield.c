// <hfield> of MJCF: heights from the file itself, an image, or MuJoCo's binary format.
#include "io/mjcf/mjcf_hfield.h"
#include "io/mjcf/mjcf_png.h"

#include "base/grow.h"
#include "io/file/files.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// MuJoCo's heights are 0 to 1 times size[2], wherever they come from: the lowest is 0, the highest 1. Rows go along y.
// An image, and the attribute 'elevation', begin with the row of the largest y.

static const ffi_mjcf_word hfield_words[] = {
    {"name", FFI_MJCF_READ, NULL},          {"file", FFI_MJCF_READ, NULL}, {"nrow", FFI_MJCF_READ, NULL},
    {"ncol", FFI_MJCF_READ, NULL},          {"size", FFI_MJCF_READ, NULL}, {"elevation", FFI_MJCF_READ, NULL},
    {"content_type", FFI_MJCF_QUIET, NULL}, {NULL, FFI_MJCF_READ, NULL},
};

enum { MOST = 1000000 }; // heights of all fields of a file

static int take_room(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_hfield *field)
{
  if (field->rows < 2 || field->columns < 2) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "needs at least 2 rows and 2 columns (it has %d and %d)",
                  field->rows, field->columns);
    return 0;
  }
  if (field->rows > MOST / field->columns || m->height_count > MOST - field->rows * field->columns) {
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d heights in all height fields", (int)MOST);
    return 0;
  }
  m->height_count += field->rows * field->columns;
  field->heights =
      ffi_arena_take(&m->arena, (size_t)field->rows * (size_t)field->columns, sizeof *field->heights);
  if (!field->heights)
    ffi_mjcf_no_memory(m);
  return field->heights != NULL;
}

// ---- Files --------------------------------------------------------------------------------------------------------

static void read_png(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_hfield *field, const char *data, size_t size)
{
  unsigned char *pixels = NULL;
  const char *flaw =
      ffi_mjcf_png_read((const unsigned char *)data, size, &field->rows, &field->columns, &pixels);
  if (flaw)
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "'%.200s': %s", field->file, flaw);
  else if (take_room(m, node, field))
    for (int r = 0; r < field->rows; ++r)
      for (int c = 0; c < field->columns; ++c)
        field->heights[r * field->columns + c] = pixels[(field->rows - 1 - r) * field->columns + c];
  free(pixels);
}

// Rows, columns, and the heights in single precision, all of them little endian, from the smallest y.
static void read_binary(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_hfield *field, const char *data,
                        size_t size)
{
  int32_t head[2] = {0, 0};
  if (size >= sizeof head)
    memcpy(head, data, sizeof head);
  const size_t count = (size - sizeof head) / sizeof(float);
  if (size < sizeof head || head[0] < 1 || head[1] < 1 || (size_t)head[0] > count ||
      (size_t)head[1] != count / (size_t)head[0] ||
      size != sizeof head + (size_t)head[0] * (size_t)head[1] * sizeof(float)) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "'%.200s' is neither a PNG nor MuJoCo's format of height fields",
                  field->file);
    return;
  }
  field->rows = head[0];
  field->columns = head[1];
  if (!take_room(m, node, field))
    return;
  for (int i = 0; i < field->rows * field->columns; ++i) {
    float height;
    memcpy(&height, data + sizeof head + sizeof height * (size_t)i, sizeof height);
    if (!isfinite(height)) {
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "'%.200s': height %d is not finite", field->file, i);
      return;
    }
    field->heights[i] = (double)height;
  }
}

static void read_file(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_hfield *field)
{
  static const char png[4] = {(char)0x89, 'P', 'N', 'G'};
  const ff_files *from = m->def ? m->def->from : NULL;
  const ff_file *kept = from ? ff_files_at(from, field->file) : NULL;
  char *own = NULL;
  const char *data = kept ? kept->data : NULL;
  size_t size = kept ? kept->size : 0;
  if (!kept) {
    const ffi_files_request request = {NULL, NULL, FF_FILE_MESH, field->file, field->file};
    const ff_status status = ffi_files_read(&request, &own, &size, m->xml->error);
    data = own;
    if (status != FF_OK) {
      m->xml->status = status;
      return;
    }
  }
  if (size >= sizeof png && memcmp(data, png, sizeof png) == 0)
    read_png(m, node, field, data, size);
  else
    read_binary(m, node, field, data, size);
  free(own);
}

// ---- Text ---------------------------------------------------------------------------------------------------------

static void read_elevation(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_hfield *field)
{
  const char *text = ffi_xml_get(node, "elevation");
  ffi_mjcf_value_integer(m, node, "nrow", &field->rows);
  ffi_mjcf_value_integer(m, node, "ncol", &field->columns);
  if (ffi_mjcf_failed(m) || !take_room(m, node, field))
    return;
  const int rows = field->rows, columns = field->columns, count = rows * columns;
  memset(field->heights, 0, sizeof *field->heights * (size_t)count);
  if (!text) // flat: MuJoCo lets a program fill it
    return;
  if (ffi_xml_count_words(text) != count) {
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'elevation' must have %d x %d numbers, not %d", rows,
                  columns, ffi_xml_count_words(text));
    return;
  }
  ffi_mjcf_value_numbers(m, node, "elevation", count, count, field->heights);
  for (int r = 0; r < rows / 2; ++r)
    for (int c = 0; c < columns; ++c) {
      double *one = field->heights + r * columns + c, *two = field->heights + (rows - 1 - r) * columns + c;
      const double other = *one;
      *one = *two;
      *two = other;
    }
}

// ---- <hfield> -----------------------------------------------------------------------------------------------------

static void scale(ffi_mjcf_hfield *field)
{
  const int count = field->rows * field->columns;
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < count; ++i) {
    least = fmin(least, field->heights[i]);
    most = fmax(most, field->heights[i]);
  }
  const double factor = field->size[2] / (most - least > 1e-15 ? most - least : 1);
  for (int i = 0; i < count; ++i)
    field->heights[i] = (field->heights[i] - least) * factor;
}

void ffi_mjcf_hfield_read(ffi_mjcf *m, const xmlNode *node)
{
  ffi_mjcf_hfield field = {.name = ffi_mjcf_value_text(node, "name")};
  const char *written = ffi_mjcf_value_text(node, "file");
  int is_found = 1;
  ffi_mjcf_ignored_check(m, node, hfield_words);
  if (!ffi_mjcf_value_numbers(m, node, "size", 4, 4, field.size) && !ffi_mjcf_failed(m))
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "has no attribute 'size'");
  for (int i = 0; i < 4 && !ffi_mjcf_failed(m); ++i)
    if (!(field.size[i] > 0))
      ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "attribute 'size' must be positive (it is %g)", field.size[i]);
  if (written && strlen(written) > FFI_MJCF_MAX_PATH)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "attribute 'file' is longer than %d characters",
                  FFI_MJCF_MAX_PATH);
  else if (written)
    field.file = ffi_mjcf_asset_find(m, node, written, &is_found);
  if (!field.name && written)
    field.name = ffi_mjcf_asset_name_of_file(m, written);
  if (!field.name || !*field.name)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "has no name");
  if (!is_found)
    ffi_mjcf_fail(m, FF_ERROR_FILE, node, "'%.200s' is not found", written);
  ffi_mjcf_name_remember(m, &m->hfield_names, node, field.name, m->hfield_count);
  if (ffi_mjcf_failed(m))
    return;
  if (field.file)
    read_file(m, node, &field);
  else
    read_elevation(m, node, &field);
  if (ffi_mjcf_failed(m))
    return;
  scale(&field);
  ffi_mjcf_hfield *grown = ffi_grow(m->hfields, m->hfield_count, &m->hfield_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->hfields = grown;
  m->hfields[m->hfield_count++] = field;
}

void ffi_mjcf_hfield_find(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_geom *geom)
{
  geom->hfield_id = geom->hfield ? ffi_names_find(&m->hfield_names, geom->hfield) : -1;
  if (!geom->hfield)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "type=\"hfield\" needs an attribute 'hfield'");
  else if (geom->hfield_id < 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "height field '%.100s' is not defined in <asset>", geom->hfield);
}

void ffi_mjcf_hfield_shape(const ffi_mjcf_hfield *field, ff_shape_def *shape)
{
  shape->type = FF_SHAPE_HEIGHTFIELD;
  shape->size[0] = 2 * field->size[0];
  shape->size[1] = 2 * field->size[1];
  shape->rows = field->rows;
  shape->columns = field->columns;
  shape->heights = field->heights;
}
