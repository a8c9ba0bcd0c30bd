// Spheres and the end balls of capsules against a height field.
//
// A ball touches wherever the distance from its centre to the field is least among the places around it: inside a triangle, on a
// ridge between two, or on a peak. In a valley there are several such places, and all of them carry. They are told apart by the way
// their normals lean: features 0 .. 3 are the quadrants (+x +y), (-x +y), (+x -y), (-x -y), the nearest place of each. A triangle's
// normal never changes, so a ball that rests in a valley keeps its features, and on even ground there is only feature 0, whichever
// triangle is below. A centre below the field knows only the triangle above it.
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

// A triangle counts if the foot of the perpendicular is inside it.
static void try_face(search *s, int column, int row, int is_upper)
{
  double slope[2], corner[3];
  if (!node(s, column + 1, row + 1, corner) || !node(s, column, row, corner))
    return;
  ffi_height_field_slope(s->field, column, row, is_upper, slope);
  const double up = 1 / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  const double normal[3] = {-up * slope[0], -up * slope[1], up};
  double r[3];
  ffi_v3_sub(s->centre, corner, r);
  const double distance = ffi_v3_dot(normal, r);
  ffi_height_field_triangle at;
  if (distance >= 0 &&
      ffi_height_field_find(s->field, s->centre[0] - distance * normal[0],
                            s->centre[1] - distance * normal[1], &at) &&
      at.column == column && at.row == row && at.is_upper == is_upper)
    offer(s, distance, normal);
}

// Does going from an edge (its foot, its unit axis) over the triangle that ends in this node come nearer? No, if there is no such node.
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

// The edge from a node to the one (dc, dr) on, with the opposite corners of its two triangles. It counts if its foot is
// inside it and both triangles fall away.
static void try_edge(search *s, int column, int row, int dc, int dr, const int opposite[2][2])
{
  double foot[3], to[3], axis[3], r[3], normal[3] = {0, 0, 0};
  if (!node(s, column, row, foot) || !node(s, column + dc, row + dr, to))
    return;
  ffi_v3_sub(to, foot, axis);
  const double length = ffi_direction(axis, axis);
  ffi_v3_sub(s->centre, foot, r);
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

// A node counts if all its edges fall away.
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

// From `low` to `high`, the lines of a grid of `count` lines over `size` that are within `reach` of x, and one more.
static void lines_near(double x, double reach, double size, int count, int *low, int *high)
{
  const double first = floor(((x - reach) / size + 0.5) * (count - 1));
  const double last = ceil(((x + reach) / size + 0.5) * (count - 1));
  *low = first > 0 ? (int)first : 0;
  *high = last < count - 1 ? (int)last : count - 1;
}

static void search_around(search *s, double reach)
{
  static const int below[2][2] = {{1, 1}, {0, -1}}, beside[2][2] = {{1, 1}, {-1, 0}},
                   across[2][2] = {{1, 0}, {0, 1}};
  int columns[2], rows[2];
  lines_near(s->centre[0], reach, s->field->size[0], s->field->columns, &columns[0], &columns[1]);
  lines_near(s->centre[1], reach, s->field->size[1], s->field->rows, &rows[0], &rows[1]);
  for (int row = rows[0]; row <= rows[1]; ++row)
    for (int column = columns[0]; column <= columns[1]; ++column) {
      try_face(s, column, row, 0);
      try_face(s, column, row, 1);
      try_edge(s, column, row, 1, 0, below);
      try_edge(s, column, row, 0, 1, beside);
      try_edge(s, column, row, 1, 1, across);
      try_node(s, column, row);
    }
}

// The ball about `centre`, a material point of A, in B's frame. Its features begin at `first`.
static void put_ball(ffi_narrow_phase *meeting, int first, const double centre[3], double radius)
{
  const double reach = radius + meeting->margin;
  search s = {.field = meeting->b->field};
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
    ffi_narrow_phase_put(meeting, &touch);
  }
}

void ffi_collide_ball_field_sphere(ffi_narrow_phase *meeting)
{
  double centre[3];
  ffi_to_local(meeting->pb, meeting->Rb, meeting->pa, centre);
  put_ball(meeting, 0, centre, meeting->a->size[0]);
}

void ffi_collide_ball_field_capsule(ffi_narrow_phase *meeting)
{
  double p[3], R[9], end[3];
  ffi_narrow_phase_relative(meeting, p, R);
  for (int i = 0; i < 2; ++i) {
    ffi_to_world(p, R, (const double[]){0, 0, (i ? -0.5 : 0.5) * meeting->a->size[1]}, end);
    put_ball(meeting, 4 * i, end, meeting->a->size[0]);
  }
}
