// COLLADA: geometries, which have points, and a scene of nodes, which place them, several times if need be. Points of a
// geometry are the source of semantic POSITION of its <vertices>: numbers in a <float_array>, which an <accessor> picks
// by offset, stride and count. Triangles are the <p> of <triangles>, <polylist> and <polygons>: numbers of points, one
// of several interleaved lists.
#include "io/mesh/mesh.h"

#include "base/decimal.h"
#include "base/fail.h"
#include "base/grow.h"
#include "io/xml/xml.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Copies are points of a geometry that is there again: 24 MB of them, of a file of any size.
enum { MOST_DEPTH = 64, MOST_NODES = 100000, MOST_COPIES = 1000000 };

// Rows of an affine map: x -> A x + b.
typedef struct affine {
  double m[3][4];
} affine;

// Elements with an id, sorted by it and by their names; those that have both in common in the order of the file.
typedef struct entry {
  const char *id, *name;
  const xmlNode *node;
  int order;
} entry;

// The numbers of a <float_array>, which instances share. Its element has their index plus one in `psvi`, a field that
// libxml2 leaves to its users.
typedef struct array {
  double *numbers; ///< [count], malloc
  int count;
} array;

typedef struct reader {
  ffi_xml xml;
  ffi_mesh_points *out;
  double unit; ///< [m]
  int nodes;   ///< seen so far, instances each time
  int copies;  ///< points and triangles of arrays that were there before
  entry *index;
  int index_count;
  array *arrays;
  int array_count, array_room;
} reader;

static ff_status fail(reader *r, const xmlNode *node, const char *text)
{
  return ffi_xml_fail(&r->xml, FF_ERROR_PARSE, node, "%s", text);
}

// ---- Numbers ------------------------------------------------------------------------------------------------

// The numbers between an element's tags: *count of them in *out (malloc). Elements hold text alone here.
static ff_status take_numbers(reader *r, const xmlNode *node, double **out, int *count)
{
  xmlChar *text = xmlNodeGetContent(node);
  const size_t bytes = text ? strlen((const char *)text) : 0;
  *out = malloc((bytes / 2 + 1) * sizeof **out); // a number and a blank take two
  *count = 0;
  if (!text || !*out) {
    xmlFree(text);
    return ffi_xml_fail(&r->xml, FF_ERROR_MEMORY, node, "no memory to read it");
  }
  static const char blanks[] = " \t\r\n";
  for (const char *at = (const char *)text + strspn((const char *)text, blanks);
       *at && r->xml.status == FF_OK;) {
    const size_t length = strcspn(at, blanks);
    if (!ffi_decimal_read(at, length, &(*out)[*count]))
      ffi_xml_fail(&r->xml, FF_ERROR_PARSE, node, "'%.*s' is not a number", length > 40 ? 40 : (int)length,
                   at);
    ++*count;
    at += length;
    at += strspn(at, blanks);
  }
  xmlFree(text);
  return r->xml.status;
}

static void take_some(reader *r, const xmlNode *node, int needed, double *out)
{
  double *numbers = NULL;
  int count = 0;
  if (take_numbers(r, node, &numbers, &count) == FF_OK) {
    if (count == needed)
      memcpy(out, numbers, (size_t)needed * sizeof *out);
    else
      ffi_xml_fail(&r->xml, FF_ERROR_PARSE, node, "must have %d numbers, not %d", needed, count);
  }
  free(numbers);
}

// A whole number in an attribute that may be absent.
static int take_whole(reader *r, const xmlNode *node, const char *attribute, int least, int otherwise)
{
  double value = otherwise;
  ffi_xml_number(&r->xml, node, attribute, &value);
  if (!(value >= least && value <= 1e9) || value != floor(value)) {
    ffi_xml_fail(&r->xml, FF_ERROR_PARSE, node, "attribute '%s' must be a whole number, at least %d",
                 attribute, least);
    return otherwise;
  }
  return (int)value;
}

// ---- References ---------------------------------------------------------------------------------------------

static int compare_words(const entry *x, const entry *y)
{
  const int order = strcmp(x->id, y->id);
  return order ? order : strcmp(x->name, y->name);
}

static int compare(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  const int order = compare_words(x, y);
  return order ? order : x->order - y->order;
}

// The next node of a document, children first; NULL at the end.
static const xmlNode *following(const xmlNode *node, const xmlNode *root)
{
  if (node->type == XML_ELEMENT_NODE && node->children)
    return node->children;
  while (node != root && !node->next)
    node = node->parent;
  return node == root ? NULL : node->next;
}

static ff_status make_index(reader *r)
{
  const xmlNode *root = xmlDocGetRootElement(r->xml.doc);
  int capacity = 0;
  for (const xmlNode *node = root; node; node = following(node, root)) {
    const char *id = node->type == XML_ELEMENT_NODE ? ffi_xml_get(node, "id") : NULL;
    if (!id || !ffi_xml_is(node, (const char *)node->name)) // a name with a prefix is none of COLLADA's
      continue;
    entry *grown = ffi_grow(r->index, r->index_count, &capacity, sizeof *r->index);
    if (!grown)
      return ffi_xml_fail(&r->xml, FF_ERROR_MEMORY, root, "no memory to read it");
    r->index = grown;
    r->index[r->index_count] = (entry){id, (const char *)node->name, node, r->index_count};
    ++r->index_count;
  }
  if (r->index_count > 0)
    qsort(r->index, (size_t)r->index_count, sizeof *r->index, compare);
  return FF_OK;
}

// The first element with this name and id.
static const xmlNode *find(const reader *r, const char *name, const char *id)
{
  const entry wanted = {.id = id, .name = name};
  int low = 0, high = r->index_count; // the first entry that is not smaller
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (compare_words(&r->index[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < r->index_count && compare_words(&r->index[low], &wanted) == 0 ? r->index[low].node : NULL;
}

// What an attribute "#id" refers to; a failure if there is nothing.
static const xmlNode *referred(reader *r, const xmlNode *node, const char *attribute, const char *name)
{
  const char *url = ffi_xml_require(&r->xml, node, attribute);
  if (!url)
    return NULL;
  const xmlNode *found = url[0] == '#' ? find(r, name, url + 1) : NULL;
  if (!found)
    ffi_xml_fail(&r->xml, FF_ERROR_PARSE, node, "there is no <%s> '%.80s' in this file", name, url);
  return found;
}

// ---- Geometries ---------------------------------------------------------------------------------------------

static void add_point(reader *r, const xmlNode *node, const affine *place, const double *x)
{
  double y[3];
  for (int i = 0; i < 3; ++i) {
    const double *row = place->m[i];
    y[i] = r->unit * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3]);
  }
  const ff_status status = ffi_mesh_add(r->out, ffi_xml_line(node), y);
  if (status != FF_OK)
    r->xml.status = status;
}

// The numbers of an array, read once; NULL with a failure.
static const array *array_of(reader *r, xmlNode *node, int *is_new)
{
  *is_new = 0;
  if (node->psvi)
    return &r->arrays[(intptr_t)node->psvi - 1];
  array *grown = ffi_grow(r->arrays, r->array_count, &r->array_room, sizeof *r->arrays);
  if (!grown) {
    ffi_xml_fail(&r->xml, FF_ERROR_MEMORY, node, "no memory to read it");
    return NULL;
  }
  r->arrays = grown;
  array *made = &r->arrays[r->array_count++];
  *made = (array){0};
  node->psvi = (void *)(intptr_t)r->array_count;
  *is_new = 1;
  return take_numbers(r, node, &made->numbers, &made->count) == FF_OK ? made : NULL;
}

static void add_source(reader *r, const xmlNode *source, const affine *place)
{
  xmlNode *node = ffi_xml_child(source, "float_array");
  const xmlNode *accessor = ffi_xml_child(ffi_xml_child(source, "technique_common"), "accessor");
  int is_new;
  if (!node) {
    fail(r, source, "has no <float_array>");
    return;
  }
  const array *a = array_of(r, node, &is_new);
  if (!a)
    return;
  const int stride = take_whole(r, accessor, "stride", 3, 3),
            offset = take_whole(r, accessor, "offset", 0, 0);
  const int points = take_whole(r, accessor, "count", 0, a->count / stride);
  if ((long long)offset + (long long)stride * (points - 1) + 3 > a->count && points > 0)
    ffi_xml_fail(&r->xml, FF_ERROR_PARSE, accessor ? accessor : node,
                 "%d points do not fit into the %d numbers that are there", points, a->count);
  r->copies += is_new || r->xml.status != FF_OK ? 0 : points;
  if (r->copies > MOST_COPIES)
    ffi_xml_fail(&r->xml, FF_ERROR_LIMIT, source, "its nodes repeat more than %d points", MOST_COPIES);
  for (int i = 0; i < points && r->xml.status == FF_OK; ++i)
    add_point(r, node, place, a->numbers + offset + (size_t)stride * (size_t)i);
}

// ---- Faces --------------------------------------------------------------------------------------------------

// Polygons of one element: `first` is the number of the geometry's first point, of which there are `points`.
typedef struct faces {
  xmlNode *node; ///< <p>, the list of numbers
  array list;
  int first, points;
  int stride, offset; ///< of the points' numbers in the list
  int is_mirrored;
} faces;

static array counted_array(reader *r, xmlNode *node)
{
  int is_new;
  const array *list = array_of(r, node, &is_new);
  if (list && !is_new && list->count > MOST_COPIES - r->copies)
    ffi_xml_fail(&r->xml, FF_ERROR_LIMIT, node, "its nodes repeat more than %d points", MOST_COPIES);
  if (!list || r->xml.status != FF_OK)
    return (array){0};
  r->copies += is_new ? 0 : list->count;
  return *list;
}

static int corner_at(reader *r, const faces *f, int i)
{
  const double value = f->list.numbers[f->stride * i + f->offset];
  if (value >= 0 && value < f->points && value == floor(value))
    return f->first + (int)value;
  ffi_xml_fail(&r->xml, FF_ERROR_PARSE, f->node, "it names a point %g that is not there (there are %d)",
               value, f->points);
  return 0;
}

// A polygon of `count` corners from the list's corner `at` on, as triangles around its first one.
static void add_polygon(reader *r, const faces *f, int at, int count)
{
  for (int i = 2; i < count && r->xml.status == FF_OK; ++i) {
    const int a = corner_at(r, f, at), b = corner_at(r, f, at + i - 1), c = corner_at(r, f, at + i);
    if (r->xml.status != FF_OK)
      return;
    const ff_status status = ffi_mesh_add_triangle(r->out, ffi_xml_line(f->node), a, f->is_mirrored ? c : b,
                                                   f->is_mirrored ? b : c);
    if (status != FF_OK)
      r->xml.status = status;
  }
}

static void add_polygons(reader *r, const xmlNode *node, const faces *f)
{
  const int corners = f->list.count / f->stride, is_list = ffi_xml_is(node, "polylist");
  xmlNode *sizes = is_list ? ffi_xml_child(node, "vcount") : NULL;
  const array counts = sizes ? counted_array(r, sizes) : (array){0};
  int at = 0;
  if (ffi_xml_is(node, "polygons"))
    add_polygon(r, f, 0, corners);
  for (; ffi_xml_is(node, "triangles") && at + 3 <= corners && r->xml.status == FF_OK; at += 3)
    add_polygon(r, f, at, 3);
  if (is_list && !sizes)
    fail(r, node, "has no <vcount>");
  for (int i = 0; i < counts.count && r->xml.status == FF_OK; ++i) {
    const double count = counts.numbers[i];
    if (!(count >= 0 && count <= corners - at)) {
      ffi_xml_fail(&r->xml, FF_ERROR_PARSE, sizes, "its polygons have more corners than <p>, which has %d",
                   corners);
      return;
    }
    add_polygon(r, f, at, (int)count);
    at += (int)count;
  }
}

// The interleaved lists: how many there are, and which one has the points.
static int find_lists(reader *r, const xmlNode *node, faces *f)
{
  int is_found = 0;
  f->stride = 1;
  for (const xmlNode *input = ffi_xml_child(node, "input"); input; input = ffi_xml_next(input, "input")) {
    const int offset = take_whole(r, input, "offset", 0, 0);
    const char *semantic = ffi_xml_get(input, "semantic");
    if (offset >= 1000) {
      fail(r, input, "attribute 'offset' must be less than 1000");
      return 0;
    }
    f->stride = offset + 1 > f->stride ? offset + 1 : f->stride;
    if (semantic && strcmp(semantic, "VERTEX") == 0) {
      f->offset = offset;
      is_found = 1;
    }
  }
  return is_found && r->xml.status == FF_OK;
}

static double determinant(const affine *a)
{
  const double(*m)[4] = a->m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void add_faces(reader *r, const xmlNode *mesh, int first, const affine *place)
{
  static const char *const unread[] = {"tristrips", "trifans", NULL};
  faces f = {.first = first, .points = r->out->count - first, .is_mirrored = determinant(place) < 0};
  for (const xmlNode *node = ffi_xml_child(mesh, NULL); node && r->xml.status == FF_OK;
       node = ffi_xml_next(node, NULL)) {
    for (int i = 0; unread[i]; ++i)
      r->out->is_part_only |= ffi_xml_is(node, unread[i]);
    if (!ffi_xml_is(node, "triangles") && !ffi_xml_is(node, "polylist") && !ffi_xml_is(node, "polygons"))
      continue;
    if (!find_lists(r, node, &f))
      continue;
    for (f.node = ffi_xml_child(node, "p"); f.node && r->xml.status == FF_OK;
         f.node = ffi_xml_next(f.node, "p")) {
      f.list = counted_array(r, f.node);
      add_polygons(r, node, &f);
    }
  }
}

static void add_geometry(reader *r, const xmlNode *geometry, const affine *place)
{
  const xmlNode *mesh = ffi_xml_child(geometry, "mesh");
  const xmlNode *vertices = ffi_xml_child(mesh, "vertices");
  const xmlNode *input = ffi_xml_child(vertices, "input");
  if (!mesh)
    return; // splines have no points of a surface
  while (input &&
         strcmp(ffi_xml_get(input, "semantic") ? ffi_xml_get(input, "semantic") : "", "POSITION") != 0)
    input = ffi_xml_next(input, "input");
  if (!input) {
    fail(r, vertices ? vertices : mesh, "there is no <input> of semantic POSITION");
    return;
  }
  const xmlNode *source = referred(r, input, "source", "source");
  const int first = r->out->count;
  if (source)
    add_source(r, source, place);
  if (r->xml.status == FF_OK)
    add_faces(r, mesh, first, place);
}

// ---- Nodes --------------------------------------------------------------------------------------------------

static affine product(const affine *a, const affine *b)
{
  affine out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      out.m[i][j] = j == 3 ? a->m[i][3] : 0;
      for (int k = 0; k < 3; ++k)
        out.m[i][j] += a->m[i][k] * b->m[k][j];
    }
  return out;
}

static const affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

// An axis and degrees, by Rodrigues' formula.
static affine rotation(const double turn[4])
{
  affine out = identity;
  const double n = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  const double angle = turn[3] * 0.017453292519943295, c = cos(angle), s = sin(angle);
  if (!(n > 0))
    return out;
  const double u[3] = {turn[0] / n, turn[1] / n, turn[2] / n};
  const double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out.m[i][j] = (i == j ? c : 0) + (1 - c) * u[i] * u[j] + s * cross[i][j];
  return out;
}

// One transformation of a node; other elements are ignored.
static affine own_place(reader *r, const xmlNode *node)
{
  affine out = identity;
  double x[16] = {0};
  if (ffi_xml_is(node, "matrix")) {
    take_some(r, node, 16, x);
    memcpy(out.m, x, sizeof out.m);
  } else if (ffi_xml_is(node, "translate")) {
    take_some(r, node, 3, x);
    for (int i = 0; i < 3; ++i)
      out.m[i][3] = x[i];
  } else if (ffi_xml_is(node, "scale")) {
    take_some(r, node, 3, x);
    for (int i = 0; i < 3; ++i)
      out.m[i][i] = x[i];
  } else if (ffi_xml_is(node, "rotate")) {
    take_some(r, node, 4, x);
    out = rotation(x);
  } else if (ffi_xml_is(node, "skew") || ffi_xml_is(node, "lookat")) {
    fail(r, node, "is not supported");
  }
  return out;
}

static void walk(reader *r, const xmlNode *node, affine place, int depth)
{
  if (depth > MOST_DEPTH || ++r->nodes > MOST_NODES) {
    ffi_xml_fail(&r->xml, FF_ERROR_LIMIT, node,
                 "nodes are nested more than %d deep, or there are more than %d", MOST_DEPTH, MOST_NODES);
    return;
  }
  for (const xmlNode *child = ffi_xml_child(node, NULL); child && r->xml.status == FF_OK;
       child = ffi_xml_next(child, NULL)) {
    const xmlNode *found;
    const affine own = own_place(r, child);
    place = product(&place, &own);
    if (ffi_xml_is(child, "node"))
      walk(r, child, place, depth + 1);
    else if (ffi_xml_is(child, "instance_node") && (found = referred(r, child, "url", "node")))
      walk(r, found, place, depth + 1);
    else if (ffi_xml_is(child, "instance_geometry") && (found = referred(r, child, "url", "geometry")))
      add_geometry(r, found, &place);
  }
}

// The scene, or where there is none all geometries as they are.
static void read_document(reader *r)
{
  const xmlNode *root = xmlDocGetRootElement(r->xml.doc);
  if (!ffi_xml_is(root, "COLLADA")) {
    fail(r, root, "is no COLLADA document");
    return;
  }
  ffi_xml_number(&r->xml, ffi_xml_child(ffi_xml_child(root, "asset"), "unit"), "meter", &r->unit);
  if (r->xml.status == FF_OK && !(r->unit > 0))
    fail(r, ffi_xml_child(ffi_xml_child(root, "asset"), "unit"), "attribute 'meter' must be > 0");
  const xmlNode *instance = ffi_xml_child(ffi_xml_child(root, "scene"), "instance_visual_scene");
  const xmlNode *scene = instance ? referred(r, instance, "url", "visual_scene") : NULL;
  if (scene)
    walk(r, scene, identity, 0);
  for (const xmlNode *g = instance ? NULL
                                   : ffi_xml_child(ffi_xml_child(root, "library_geometries"), "geometry");
       g && r->xml.status == FF_OK; g = ffi_xml_next(g, "geometry"))
    add_geometry(r, g, &identity);
}

ff_status ffi_mesh_dae_read(const char *text, size_t length, ffi_mesh_points *out)
{
  reader r = {.out = out, .unit = 1};
  const ff_status status = ffi_xml_open_with_text(out->file, text, length, out->error, &r.xml);
  if (status != FF_OK)
    return status;
  if (make_index(&r) == FF_OK)
    read_document(&r);
  for (int i = 0; i < r.array_count; ++i)
    free(r.arrays[i].numbers);
  free(r.arrays);
  free(r.index);
  ffi_xml_close(&r.xml);
  return r.xml.status;
}
