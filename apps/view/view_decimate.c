// Fewer triangles for the page: STL and OBJ files by clustering of vertices.
//
// A grid of cubes covers the mesh. All vertices in a cube become one, their mean; triangles with two corners in one
// cube vanish. The finest grid that leaves few enough triangles is taken. So no point moves by more than the diagonal
// of a cube, whatever the mesh is like: open, self-intersecting, or a heap of triangles.
#include "cli/memory.h"
#include "view/view.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STL_HEADER = 84, STL_TRIANGLE = 50, FINEST = 1 << 12 };

typedef struct soup {
  float *at;          // [count][3][3] corners of triangles
  size_t count, room; // triangles
  float *points;      // [point_count][3] of an OBJ
  size_t point_count, point_room;
} soup;

// ---- Reading --------------------------------------------------------------------------------------------------------

static void add_triangle(soup *s, const float *a, const float *b, const float *c)
{
  if (s->count == s->room) {
    s->room = 2 * s->room + 1024;
    s->at = ffi_memory_need(s->at, 9 * s->room * sizeof *s->at);
  }
  float *to = s->at + 9 * s->count++;
  memcpy(to, a, 3 * sizeof *to);
  memcpy(to + 3, b, 3 * sizeof *to);
  memcpy(to + 6, c, 3 * sizeof *to);
}

static float read_float(const unsigned char *b)
{
  const uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// 0: it is not a binary STL.
static int read_binary(const unsigned char *data, size_t size, soup *s)
{
  if (size < STL_HEADER)
    return 0;
  const size_t count =
      (size_t)data[80] | (size_t)data[81] << 8 | (size_t)data[82] << 16 | (size_t)data[83] << 24;
  if (size != STL_HEADER + STL_TRIANGLE * count)
    return 0;
  for (size_t i = 0; i < count; ++i) {
    float x[9];
    for (size_t k = 0; k < 9; ++k)
      x[k] = read_float(data + STL_HEADER + STL_TRIANGLE * i + 12 + 4 * k);
    add_triangle(s, x, x + 3, x + 6);
  }
  return 1;
}

// Three numbers of a line; returns how many there are.
static int read_numbers(const char *text, float x[3])
{
  char *end;
  for (int k = 0; k < 3; ++k, text = end) {
    x[k] = strtof(text, &end);
    if (end == text)
      return k;
  }
  return 3;
}

// "vertex x y z" of an ASCII STL, three for a triangle.
static void read_vertex(const char *line, float x[9], int *count, soup *s)
{
  if (strncmp(line, "vertex", 6) != 0 || read_numbers(line + 6, x + 3 * *count) < 3 || ++*count < 3)
    return;
  add_triangle(s, x, x + 3, x + 6);
  *count = 0;
}

// "v x y z" and "f a/.. b/.. c/.. ..." of an OBJ; numbers below 0 count from the last point.
static void read_obj_line(const char *line, soup *s)
{
  const float *corner[3] = {0};
  char *end;
  if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
    if (s->point_count == s->point_room) {
      s->point_room = 2 * s->point_room + 1024;
      s->points = ffi_memory_need(s->points, 3 * s->point_room * sizeof *s->points);
    }
    s->point_count += read_numbers(line + 1, s->points + 3 * s->point_count) == 3;
    return;
  }
  if (line[0] != 'f' || (line[1] != ' ' && line[1] != '\t'))
    return;
  ++line;
  for (int n = 0;; ++n) {
    const long index = strtol(line, &end, 10);
    const long point = index < 0 ? (long)s->point_count + index : index - 1;
    if (end == line || point < 0 || point >= (long)s->point_count)
      return;
    corner[n == 0 ? 0 : 2] = s->points + 3 * point;
    if (n >= 2)
      add_triangle(s, corner[0], corner[1], corner[2]);
    if (n >= 1)
      corner[1] = corner[2];
    for (line = end; *line && *line != ' ' && *line != '\t' && *line != '\r'; ++line)
      ; // texture and normal
  }
}

// Lines of a text, without what they begin with.
static void read_lines(const unsigned char *data, size_t size, int is_obj, soup *s)
{
  enum { LINE = 4096 };
  char line[LINE];
  float x[9];
  int corners = 0;
  for (size_t i = 0; i < size;) {
    size_t n = 0;
    while (i < size && (data[i] == ' ' || data[i] == '\t'))
      ++i;
    for (; i < size && data[i] != '\n'; ++i)
      if (n + 1 < LINE)
        line[n++] = (char)data[i];
    line[n] = 0;
    ++i;
    if (is_obj)
      read_obj_line(line, s);
    else
      read_vertex(line, x, &corners, s);
  }
}

// ---- Clusters -------------------------------------------------------------------------------------------------------

typedef struct cluster {
  uint64_t cell; // plus one; 0: free
  double sum[3];
  uint32_t count;
} cluster;

typedef struct grid {
  double origin[3], edge;
  cluster *cells; // [mask + 1], a hash table
  size_t mask;
} grid;

static cluster *cell_of(const grid *g, const float *x)
{
  uint64_t key = 0;
  for (int k = 0; k < 3; ++k)
    key = key << 21 | (uint64_t)(((double)x[k] - g->origin[k]) / g->edge);
  size_t at = (size_t)((key + 1) * 0x9e3779b97f4a7c15u >> 20) & g->mask;
  while (g->cells[at].cell && g->cells[at].cell != key + 1)
    at = (at + 1) & g->mask;
  g->cells[at].cell = key + 1;
  return &g->cells[at];
}

static double find_box(const soup *s, double origin[3])
{
  double top[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
  for (int k = 0; k < 3; ++k)
    origin[k] = INFINITY;
  for (size_t i = 0; i < 3 * s->count; ++i)
    for (size_t k = 0; k < 3; ++k) {
      origin[k] = fmin(origin[k], (double)s->at[3 * i + k]);
      top[k] = fmax(top[k], (double)s->at[3 * i + k]);
    }
  for (int k = 0; k < 3; ++k)
    size = fmax(size, top[k] - origin[k]);
  return size;
}

// Puts all vertices into cells; how many triangles are left?
static size_t fill(const soup *s, grid *g)
{
  size_t left = 0;
  memset(g->cells, 0, (g->mask + 1) * sizeof *g->cells);
  for (size_t i = 0; i < s->count; ++i) {
    const cluster *corner[3];
    for (size_t c = 0; c < 3; ++c) {
      const float *x = s->at + 9 * i + 3 * c;
      cluster *in = cell_of(g, x);
      for (int k = 0; k < 3; ++k)
        in->sum[k] += (double)x[k];
      ++in->count;
      corner[c] = in;
    }
    left += corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
  }
  return left;
}

static void put_triangles(const soup *s, const grid *g, size_t count, ffi_view_bytes *out)
{
  const unsigned char header[STL_HEADER] = {[80] = (unsigned char)(count & 255),
                                            [81] = (unsigned char)(count >> 8 & 255),
                                            [82] = (unsigned char)(count >> 16 & 255),
                                            [83] = (unsigned char)(count >> 24 & 255)};
  ffi_view_bytes_add(out, header, sizeof header);
  for (size_t i = 0; i < s->count; ++i) {
    const cluster *corner[3];
    for (size_t c = 0; c < 3; ++c)
      corner[c] = cell_of(g, s->at + 9 * i + 3 * c);
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
      continue;
    for (int k = 0; k < 3; ++k)
      ffi_view_bytes_add_float(out, 0); // the page finds normals itself
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k)
        ffi_view_bytes_add_float(out, corner[c]->sum[k] / corner[c]->count);
    ffi_view_bytes_add(out, "\0\0", 2);
  }
}

// A table with room for all vertices, and the finest grid that leaves at most `most` triangles.
static int cluster_all(const soup *s, size_t most, ffi_view_bytes *out)
{
  grid g = {.mask = 1};
  const double size = find_box(s, g.origin);
  size_t left = 0;
  if (!(size > 0) || !isfinite(size))
    return 0;
  while (g.mask < 6 * s->count)
    g.mask *= 2;
  --g.mask;
  g.cells = ffi_memory_need(NULL, (g.mask + 1) * sizeof *g.cells);
  double coarse = 1, fine = FINEST; // cells along the box
  while (fine > 1.05 * coarse) {
    const double cells = sqrt(coarse * fine);
    g.edge = size / cells;
    left = fill(s, &g);
    *(left <= most ? &coarse : &fine) = cells;
  }
  g.edge = size / coarse;
  left = fill(s, &g);
  put_triangles(s, &g, left, out);
  free(g.cells);
  return 1;
}

int ffi_view_decimate(const unsigned char *data, size_t size, int is_obj, double share, ffi_view_bytes *out)
{
  enum { LEAST = 1000 }; // triangles
  soup s = {0};
  if (is_obj || !read_binary(data, size, &s))
    read_lines(data, size, is_obj, &s);
  const size_t most = (size_t)fmax(LEAST, share * (double)s.count);
  const int is_less = s.count > most && cluster_all(&s, most, out);
  free(s.at);
  free(s.points);
  return is_less;
}
