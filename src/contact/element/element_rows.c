// Constraint rows and gaps from the poses of two bodies.  docs/theory/coordinates.md
#include "contact/element/element_rows.h"

#include "math/lie.h"
#include "math/quaternion.h"
#include "model/model.h"

int ffi_element_rows_count(ff_element_type type)
{
  switch (type) {
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_PLANAR: return 3;
  case FF_ELEMENT_WELD: return 6;
  case FF_ELEMENT_HINGE:
  case FF_ELEMENT_SLIDER: return 5;
  case FF_ELEMENT_JOINT_PD:
  case FF_ELEMENT_JOINT_LIMIT:
  case FF_ELEMENT_JOINT_FRICTION:
  case FF_ELEMENT_COUPLING: break;
  }
  return 0;
}

int ffi_element_rows_end(const ff_model *model, const ffi_pose *poses, const ff_point *end, double x[3],
                         double R[9])
{
  const ffi_frame *frame = &model->frames[end->frame];
  const ffi_pose *body = &poses[frame->body];
  double in_body[3];
  ffi_m3_mulv(frame->R, end->offset, in_body);
  ffi_v3_add(frame->p, in_body, in_body);
  ffi_m3_mulv(body->R, in_body, x);
  ffi_v3_add(body->p, x, x);
  ffi_m3_mul(body->R, frame->R, R);
  return frame->body;
}

// The frame's axes as columns: u first, then two perpendicular to it, right-handed.
static void axes_with(const double axis[3], double u[3], double t1[3], double t2[3])
{
  double e[3] = {0, 0, 0};
  const double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  ffi_v3_scale(1 / largest, axis, u); // first, so that tiny and huge axes lose no digits
  ffi_v3_scale(1 / ffi_v3_norm(u), u, u);
  int least = 0; // farthest from the axis
  for (int i = 1; i < 3; ++i)
    if (fabs(u[i]) < fabs(u[least]))
      least = i;
  e[least] = 1;
  ffi_v3_cross(u, e, t1);
  ffi_v3_scale(1 / ffi_v3_norm(t1), t1, t1);
  ffi_v3_cross(u, t1, t2);
}

static void add_row(ffi_element_rows *rows, const double Rb[9], const double d[3], const double offset[3])
{
  double *direction = rows->direction[rows->count];
  ffi_m3_mulv(Rb, d, direction);
  rows->gap[rows->count++] = ffi_v3_dot(direction, offset);
}

// The rotation from b's axes to a's, as a vector in world axes: across the free axis, or all of it.
static void turn_between(int is_turning, const double Ra[9], const double Rb[9], const double u[3],
                         double r[3])
{
  if (is_turning) {
    double in_a[3], in_b[3];
    ffi_m3_mulv(Ra, u, in_a);
    ffi_m3_mulv(Rb, u, in_b);
    ffi_v3_cross(in_b, in_a, r);
    return;
  }
  double relative[9], q[4], local[3];
  ffi_m3_tmul(Rb, Ra, relative);
  ffi_quat_from_matrix(relative, q);
  ffi_lie_so3_log(q, local);
  ffi_m3_mulv(Rb, local, r);
}

void ffi_element_rows_set(const ff_model *model, const ff_element_def *def, const ffi_pose *poses,
                          ffi_element_rows *out)
{
  static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  *out = (ffi_element_rows){0};
  if (ffi_element_rows_count(def->type) == 0)
    return;
  const int is_slider = def->type == FF_ELEMENT_SLIDER, is_planar = def->type == FF_ELEMENT_PLANAR;
  const int is_turning = def->type == FF_ELEMENT_HINGE || is_planar; // about the axis
  double xb[3], Ra[9], Rb[9], offset[3], r[3], across[3][3];         // the axis, and two directions across it
  out->a = ffi_element_rows_end(model, poses, &def->a, out->point, Ra);
  out->b = ffi_element_rows_end(model, poses, &def->b, xb, Rb);
  ffi_v3_sub(out->point, xb, offset);
  if (is_turning || is_slider)
    axes_with(def->axis, across[0], across[1], across[2]);
  for (int i = is_slider ? 1 : 0; i < (is_planar ? 1 : 3); ++i)
    add_row(out, Rb, is_slider || is_planar ? across[i] : one[i], offset);
  out->linear = out->count;
  if (def->type == FF_ELEMENT_POINT)
    return;
  turn_between(is_turning, Ra, Rb, across[0], r);
  for (int i = is_turning ? 1 : 0; i < 3; ++i)
    add_row(out, Rb, is_turning ? across[i] : one[i], r);
}

double ffi_element_rows_drift(const ffi_element_rows *rows)
{
  double square = 0;
  for (int i = 0; i < rows->linear; ++i)
    square += rows->gap[i] * rows->gap[i];
  return sqrt(square);
}
