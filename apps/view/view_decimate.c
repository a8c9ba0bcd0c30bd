// Fewer triangles for the page, by clustering of vertices.
//
// A grid of cubes covers the mesh. All vertices in a cube become one, their mean; triangles with two corners in one
// cube vanish. The finest grid that leaves few enough triangles is taken. So no point moves by more than the diagonal
// of a cube, whatever the mesh is like: open, self-intersecting, or a heap of triangles.
#include "cli/memory.h"
#include "view/view.h"

#include <footfall/mesh.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STL_HEADER = 84, FINEST = 1 << 12 };

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

static cluster *cell_of(const grid *g, const double *x)
{
  uint64_t key = 0;
  for (int k = 0; k < 3; ++k)
    key = key << 21 | (uint64_t)((x[k] - g->origin[k]) / g->edge);
  size_t at = (size_t)((key + 1) * 0x9e3779b97f4a7c15u >> 20) & g->mask;
  while (g->cells[at].cell && g->cells[at].cell != key + 1)
    at = (at + 1) & g->mask;
  g->cells[at].cell = key + 1;
  return &g->cells[at];
}

// A corner of a triangle.
static const double *corner_of(const ff_mesh *m, int triangle, int corner)
{
  return m->points + 3 * (size_t)m->corners[3 * (size_t)triangle + (size_t)corner];
}

static double find_box(const ff_mesh *m, double origin[3])
{
  double top[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
  for (int k = 0; k < 3; ++k)
    origin[k] = INFINITY;
  for (int i = 0; i < m->point_count; ++i)
    for (int k = 0; k < 3; ++k) {
      origin[k] = fmin(origin[k], m->points[3 * (size_t)i + (size_t)k]);
      top[k] = fmax(top[k], m->points[3 * (size_t)i + (size_t)k]);
    }
  for (int k = 0; k < 3; ++k)
    size = fmax(size, top[k] - origin[k]);
  return size;
}

// Puts all vertices into cells; how many triangles are left?
static size_t fill(const ff_mesh *m, grid *g)
{
  size_t left = 0;
  memset(g->cells, 0, (g->mask + 1) * sizeof *g->cells);
  for (int i = 0; i < m->triangle_count; ++i) {
    const cluster *corner[3];
    for (int c = 0; c < 3; ++c) {
      const double *x = corner_of(m, i, c);
      cluster *in = cell_of(g, x);
      for (int k = 0; k < 3; ++k)
        in->sum[k] += x[k];
      ++in->count;
      corner[c] = in;
    }
    left += corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
  }
  return left;
}

static void put_triangles(const ff_mesh *m, const grid *g, size_t count, ffi_view_bytes *out)
{
  const unsigned char header[STL_HEADER] = {[80] = (unsigned char)(count & 255),
                                            [81] = (unsigned char)(count >> 8 & 255),
                                            [82] = (unsigned char)(count >> 16 & 255),
                                            [83] = (unsigned char)(count >> 24 & 255)};
  ffi_view_bytes_add(out, header, sizeof header);
  for (int i = 0; i < m->triangle_count; ++i) {
    const cluster *corner[3];
    for (int c = 0; c < 3; ++c)
      corner[c] = cell_of(g, corner_of(m, i, c));
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
static int cluster_all(const ff_mesh *m, size_t most, ffi_view_bytes *out)
{
  grid g = {.mask = 1};
  const double size = find_box(m, g.origin);
  size_t left = 0;
  if (!(size > 0) || !isfinite(size))
    return 0;
  while (g.mask < 6 * (size_t)m->triangle_count)
    g.mask *= 2;
  --g.mask;
  g.cells = ffi_memory_need(NULL, (g.mask + 1) * sizeof *g.cells);
  double coarse = 1, fine = FINEST; // cells along the box
  while (fine > 1.05 * coarse) {
    const double cells = sqrt(coarse * fine);
    g.edge = size / cells;
    left = fill(m, &g);
    *(left <= most ? &coarse : &fine) = cells;
  }
  g.edge = size / coarse;
  left = fill(m, &g);
  put_triangles(m, &g, left, out);
  free(g.cells);
  return 1;
}

int ffi_view_decimate(const char *path, const ff_files *from, double share, ffi_view_bytes *out)
{
  enum { LEAST = 1000 }; // triangles
  ff_mesh *mesh;
  if (ff_mesh_load(path, from, &mesh, NULL) != FF_OK)
    return 0;
  const size_t most = (size_t)fmax(LEAST, share * mesh->triangle_count);
  const int is_less = (size_t)mesh->triangle_count > most && cluster_all(mesh, most, out);
  ff_mesh_destroy(mesh);
  return is_less;
}
