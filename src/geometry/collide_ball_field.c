// Spheres and the end balls of capsules against a height field.  docs/theory/detection.md, section 6
//
// A ball touches wherever the distance from its centre to the field has a local minimum: inside a triangle, on a ridge
// between two, or on a peak. In a valley there are several such places, and all carry load. They are told apart by the
// direction in which their normals lean: features 0 .. 3 are the quadrants (+x +y), (-x +y), (+x -y), (-x -y), the
// nearest place of each. A triangle's normal never changes, so a ball at rest in a valley keeps its features, and on
// even ground there is only feature 0, whichever triangle is below. For a centre below the field only the triangle
// above it counts.
#include "geometry/height_field.h"
#include "geometry/narrow_phase.h"
#include "geometry/surface.h"

typedef struct search {
  const ffi_height_field *field;
  double centre[3], step[2]; // of the ball, in B's frame; between the lines of the grid
  struct {
    double distance, normal[3];
  } best[4]; // by quadrant
} search;

static void offer(search *s, double distance, const double normal[3])
{
  const int quadrant = (normal[0] < 0) + 2 * (normal[1] < 0);
  if (!(distance < s->best[quadrant].distance))
    return;
  s->best[quadrant].distance = distance;
  ffi_v3_copy(normal, s->best[quadrant].normal);
}

// The point of the grid in this column and row; 0 if there is none.
static int node(const search *s, int column, int row, double out[3])
{
  const ffi_height_field *f = s->field;
  if (column < 0 || column >= f->columns || row < 0 || row >= f->rows)
    return 0;
  out[0] = column * s->step[0] - 0.5 * f->size[0];
  out[1] = row * s->step[1] - 0.5 * f->size[1];
  out[2] = f->heights[(size_t)row * (size_t)f->columns + (size_t)column];
  return 1;
}

// Is the foot of the perpendicular to a triangle's plane clearly outside its cell? r: the centre from the cell's first
// corner. Mostly it is.
static int is_foot_outside(const search *s, const double r[3], const double slope[2])
{
  const double along =
      (r[2] - slope[0] * r[0] - slope[1] * r[1]) / (1 + slope[0] * slope[0] + slope[1] * slope[1]);
  for (int k = 0; k < 2; ++k) {
    const double foot = r[k] + along * slope[k], rounding = 1e-9 * (fabs(s->centre[k]) + s->field->size[k]);
    if (foot < -rounding || foot > s->step[k] + rounding)
      return 1;
  }
  return 0;
}

// A triangle counts if the foot of the perpendicular is inside it.
static void try_face(search *s, int column, int row, int is_upper)
{
  double slope[2], corner[3], r[3];
  if (!node(s, column + 1, row + 1, corner) || !node(s, column, row, corner))
    return;
  ffi_height_field_slope(s->field, column, row, is_upper, slope);
  ffi_v3_sub(s->centre, corner, r);
  if (is_foot_outside(s, r, slope))
    return;
  const double up = 1 / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  const double normal[3] = {-up * slope[0], -up * slope[1], up};
  const double distance = ffi_v3_dot(normal, r);
  ffi_height_field_triangle at;
  if (distance >= 0 &&
      ffi_height_field_find(s->field, s->centre[0] - distance * normal[0],
                            s->centre[1] - distance * normal[1], &at) &&
      at.column == column && at.row == row && at.is_upper == is_upper)
    offer(s, distance, normal);
}

// Does the distance fall from an edge (its foot, its unit axis) into the triangle that ends in this node? No, if there
// is no such node.
static int comes_nearer(const search *s, const double axis[3], const double foot[3], int column, int row)
{
  double corner[3], way[3], r[3];
  if (!node(s, column, row, corner))
    return 0;
  ffi_v3_sub(corner, foot, way);
  ffi_v3_add_scaled(-ffi_v3_dot(way, axis), axis, way);
  ffi_v3_sub(s->centre, foot, r);
  return ffi_v3_dot(r, way) > 0;
}

// The edge from a node to the one (dc, dr) further, with the opposite corners of its two triangles. It counts if its
// foot is inside it and the distance grows into both triangles.
static void try_edge(search *s, int column, int row, int dc, int dr, const int opposite[2][2])
{
  double foot[3], to[3], axis[3], r[3], normal[3] = {0, 0, 0};
  if (!node(s, column, row, foot) || !node(s, column + dc, row + dr, to))
    return;
  ffi_v3_sub(to, foot, axis);
  ffi_v3_sub(s->centre, foot, r);
  const double way = ffi_v3_dot(r, axis), square = ffi_v3_dot(axis, axis);
  if (way < -1e-9 * square || way > (1 + 1e-9) * square)
    return; // without a root: mostly the foot is outside
  const double length = ffi_direction(axis, axis);
  const double at = ffi_v3_dot(r, axis);
  if (!(at > 0 && at < length))
    return;
  ffi_v3_add_scaled(at, axis, foot);
  for (int i = 0; i < 2; ++i)
    if (comes_nearer(s, axis, foot, column + opposite[i][0], row + opposite[i][1]))
      return;
  ffi_v3_sub(s->centre, foot, r);
  const double distance = ffi_direction(r, normal);
  if (distance > 0)
    offer(s, distance, normal);
}

// A node counts if the distance grows along all its edges.
static void try_node(search *s, int column, int row)
{
  static const int ways[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}};
  double at[3], to[3], r[3], way[3], normal[3] = {0, 0, 0};
  if (!node(s, column, row, at))
    return;
  ffi_v3_sub(s->centre, at, r);
  for (int i = 0; i < 6; ++i) {
    if (!node(s, column + ways[i][0], row + ways[i][1], to))
      continue;
    ffi_v3_sub(to, at, way);
    if (ffi_v3_dot(r, way) > 0)
      return;
  }
  const double distance = ffi_direction(r, normal);
  if (distance > 0)
    offer(s, distance, normal);
}

// The lines `low` to `high` of a grid of `count` lines over `size` that are within `reach` of x, and one more.
static void lines_near(double x, double reach, double size, int count, int *low, int *high)
{
  const double first = floor(((x - reach) / size + 0.5) * (count - 1));
  const double last = ceil(((x + reach) / size + 0.5) * (count - 1));
  *low = first > 0 ? (int)first : 0;
  *high = last < count - 1 ? (int)last : count - 1;
}

// Can something in a cell, or on the edges from its first corner, be as near as the best of its quadrants? On fine
// fields most cells under a ball cannot. A foot beyond the centre in x has a normal that leans back.
static int is_worth_a_try(const search *s, int column, int row)
{
  const ffi_height_field *f = s->field;
  const int to_column = column + 1 < f->columns ? column + 1 : column;
  const size_t first = (size_t)row * (size_t)f->columns;
  const double *z = f->heights + first, *next = row + 1 < f->rows ? z + f->columns : z;
  const double high =
      ffi_larger(ffi_larger(z[column], z[to_column]), ffi_larger(next[column], next[to_column]));
  const double from[2] = {column * s->step[0] - 0.5 * f->size[0] - s->centre[0],
                          row * s->step[1] - 0.5 * f->size[1] - s->centre[1]};
  const double dz = ffi_larger(s->centre[2] - high, 0);
  double square = dz * dz, most = 0;
  int may_lean[2][2]; // by axis: forth, back
  for (int k = 0; k < 2; ++k) {
    const double to = from[k] + s->step[k], rounding = 1e-9 * s->step[k];
    const double d = ffi_larger(ffi_larger(from[k], -to), 0);
    square += d * d;
    may_lean[k][0] = from[k] <= rounding;
    may_lean[k][1] = to >= -rounding;
  }
  for (int i = 0; i < 4; ++i)
    if (may_lean[0][i % 2] && may_lean[1][i / 2])
      most = ffi_larger(most, s->best[i].distance);
  return square <= most * most * (1 + 1e-9);
}

static void try_cell(search *s, int column, int row)
{
  static const int below[2][2] = {{1, 1}, {0, -1}}, beside[2][2] = {{1, 1}, {-1, 0}},
                   across[2][2] = {{1, 0}, {0, 1}};
  if (!is_worth_a_try(s, column, row))
    return;
  try_face(s, column, row, 0);
  try_face(s, column, row, 1);
  try_edge(s, column, row, 1, 0, below);
  try_edge(s, column, row, 0, 1, beside);
  try_edge(s, column, row, 1, 1, across);
  try_node(s, column, row);
}

// From the middle of the rows and columns outwards, as what is near leaves little to try: i = 0, 1, 2, 3 are the middle
// and then one after and one before it in turn.
static int outwards(const int range[2], int middle, int i)
{
  const int after = range[1] - middle, before = middle - range[0], both = after < before ? after : before;
  if (i > 2 * both)
    return after > before ? middle + i - both : middle - (i - both);
  return i % 2 ? middle + (i + 1) / 2 : middle - i / 2;
}

static void search_around(search *s, double reach)
{
  const ffi_height_field *f = s->field;
  const double up = ffi_larger(s->centre[2] - f->high, 0),
               across = sqrt(reach * reach - up * up) * (1 + 1e-9);
  int columns[2], rows[2];
  lines_near(s->centre[0], across, f->size[0], f->columns, &columns[0], &columns[1]);
  lines_near(s->centre[1], across, f->size[1], f->rows, &rows[0], &rows[1]);
  const int column = (columns[0] + columns[1]) / 2, row = (rows[0] + rows[1]) / 2;
  for (int i = 0; i < 4; ++i)
    s->best[i].distance = reach * (1 + 1e-9); // what is farther is not listed
  for (int j = 0; j <= rows[1] - rows[0]; ++j)
    for (int i = 0; i <= columns[1] - columns[0]; ++i)
      try_cell(s, outwards(columns, column, i), outwards(rows, row, j));
}

// The ball about `centre`, a material point of A, in B's frame. Its features begin at `first`.
static void put_ball(ffi_narrow_phase *query, int first, const double centre[3], double radius)
{
  const double reach = radius + query->margin;
  search s = {.field = query->b->field};
  double normal[3], above;
  if (!ffi_height_field_distance(s.field, centre, normal, &above) || centre[2] - s.field->high > reach)
    return;
  ffi_v3_copy(centre, s.centre);
  s.step[0] = s.field->size[0] / (s.field->columns - 1);
  s.step[1] = s.field->size[1] / (s.field->rows - 1);
  for (int i = 0; i < 4; ++i)
    s.best[i].distance = (double)INFINITY;
  if (above < 0)
    offer(&s, above, normal);
  else
    search_around(&s, reach);
  for (int i = 0; i < 4; ++i) {
    ffi_touch touch = {.feature = first + i, .gap = s.best[i].distance - radius, .roll = FFI_ROLL_SPHERE};
    ffi_v3_copy(s.best[i].normal, touch.normal);
    ffi_v3_copy(centre, touch.centre);
    ffi_v3_copy(centre, touch.point);
    ffi_v3_add_scaled(-radius, touch.normal, touch.point);
    ffi_narrow_phase_put(query, &touch);
  }
}

void ffi_collide_ball_field_sphere(ffi_narrow_phase *query)
{
  double centre[3];
  ffi_to_local(query->pb, query->Rb, query->pa, centre);
  put_ball(query, 0, centre, query->a->size[0]);
}

void ffi_collide_ball_field_capsule(ffi_narrow_phase *query)
{
  double p[3], R[9], end[3];
  ffi_narrow_phase_relative(query, p, R);
  for (int i = 0; i < 2; ++i) {
    ffi_to_world(p, R, (const double[]){0, 0, (i ? -0.5 : 0.5) * query->a->size[1]}, end);
    put_ball(query, 4 * i, end, query->a->size[0]);
  }
}
