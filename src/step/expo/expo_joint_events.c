#include "step/expo/expo_joint_events.h"

#include "math/poles.h"
#include "step/expo/expo_dense_output.h"

#include <math.h>

// Where the velocity is inside a sub-step is a weighted sum of alpha; the largest weight of each pole over the sub-step bounds it.
static void fill_swing(const ffi_frozen *z, double swing[FFI_COMPLEX])
{
  enum { PLACES = 64 };
  for (int k = 0; k < FFI_COMPLEX; ++k)
    swing[k] = 0;
  for (int place = 0; place <= PLACES; ++place) {
    double c[FFI_COMPLEX];
    ffi_poles_inside((double)place / PLACES, c);
    for (int k = 0; k < FFI_POLES; ++k) {
      const double size = 2 * hypot(c[k], c[4 + k]) * hypot(z->inverse[1][k], z->inverse[1][4 + k]);
      swing[k] = swing[4 + k] = fmax(swing[k], 1.1 * size); // what is between two places
    }
  }
}

void ffi_expo_joint_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z,
                                  ffi_expo_joint_events *out)
{
  const size_t elements = (size_t)s->element_count + 1;
  fill_swing(z, out->swing);
  out->when = ffi_block_take(block, elements, sizeof *out->when);
  out->next = ffi_block_take(block, elements, sizeof *out->next);
  out->stop = ffi_block_keep(block, elements, sizeof *out->stop);
  out->stop_count = 0;
  for (int e = 0; e < s->element_count; ++e)
    if (s->elements[e].def.type == FF_ELEMENT_JOINT_LIMIT && out->stop)
      out->stop[out->stop_count++] = e;
}

void ffi_expo_joint_events_begin(ffi_expo_joint_events *w, const ffi_system *s, const ffi_evaluation *at,
                                 const ffi_state *from)
{
  w->system = s;
  w->at = at;
  w->from = from;
  w->time = INFINITY;
}

int ffi_expo_joint_events_changes(const ffi_expo_joint_events *w, int e, double time)
{
  return w->when[e] <= time * (1 + 1e-9);
}

// One element on its way through a sub-step that begins at t, watched for a change from the regime it holds to `next`: a motor in its linear range has two
// ends to it, and so has a stop.
typedef struct passage {
  const ffi_expo_joint_events *w;
  const ffi_frozen *z;
  const ffi_element *element;
  const ffi_joint_law_row *row; // &no_row: a stop that was far away at the start
  int e, next;
  double t, h;
} passage;

static double motor_margin(const passage *p, double x, double u)
{
  const ff_element_def *def = &p->element->def;
  const double force = -def->stiffness * x - def->damping * u;
  const int regime = p->row->regime;
  return regime == 0 ? def->effort - p->next * force : regime * force - def->effort;
}

// A stop that pushes holds while it does; a free one while the joint is within its limits, or leaves so fast that it would pull.
static double stop_margin(const passage *p, double q, double v)
{
  const ff_element_def *def = &p->element->def;
  const int side = p->next != 0 ? p->next : p->row->regime;
  const double depth = side * (q - (side < 0 ? def->lower : def->upper));
  const double push = def->stiffness * depth + def->damping * side * v;
  if (p->next == 0)
    return push;
  const double in = (def->stiffness > 0 ? def->stiffness : 1) * depth;
  return -(in < push ? in : push);
}

// How far the element is from that change, in newtons or newton metres, `tau` into the sub-step: positive while it holds. moved, turned: the integrals of
// xi'' from the sub-step's start.
static double margin_at(const passage *p, double tau, double moved, double turned)
{
  const int v = p->element->v;
  const double time = p->t + tau, dv = p->z->delta_v[v] + turned,
               dx = p->z->delta_x[v] + tau * p->z->delta_v[v] + moved;
  if (p->element->def.type == FF_ELEMENT_JOINT_PD)
    return motor_margin(p, p->row->x + time * p->row->u + dx, p->row->u + dv);
  const double speed = p->w->from->v[v];
  return stop_margin(p, p->w->from->q[p->element->q] + time * speed + dx, speed + dv);
}

static double margin_inside(const void *user, double tau)
{
  const passage *p = user;
  double moved, turned;
  ffi_expo_dense_output(p->z, p->h, tau, 1, p->z->alpha + FFI_COMPLEX * p->element->v, &moved, &turned);
  return margin_at(p, tau, moved, turned);
}

// How far the velocity can be from that at the sub-step's start, inside of it: an even change, and what bounds say of the rest.
static double stray_of(const passage *p, double even)
{
  const double *alpha = p->z->alpha + FFI_COMPLEX * p->element->v, *swing = p->w->swing,
               *one = p->z->inverse[1];
  double rest = fabs(even);
  for (int k = 0; k < FFI_POLES; ++k)
    rest += swing[k] * (fabs(alpha[k] - even * one[k]) + fabs(alpha[4 + k] - even * one[4 + k]));
  return rest;
}

// A motor that cannot leave its regime within the sub-step: most never come near. At rest the bounds alone tell; in motion, with the even change taken out.
static int is_calm(const passage *p)
{
  const ff_element_def *def = &p->element->def;
  const int v = p->element->v;
  const double K = def->stiffness * p->h, u = p->row->u + p->z->delta_v[v];
  const double force = -def->stiffness * (p->row->x + p->t * p->row->u + p->z->delta_x[v]) - def->damping * u;
  const double margin =
      p->row->regime == 0 ? def->effort - fabs(force) : p->row->regime * force - def->effort;
  const double room = margin - K * fabs(u);
  return (K + def->damping) * stray_of(p, 0) < room ||
         (K + def->damping) * stray_of(p, p->z->A[4 * v]) < room;
}

static void look_at(ffi_expo_joint_events *w, const passage *p, const double *position_weight,
                    const double *velocity_weight)
{
  double moved[FFI_EXPO_SAMPLES], turned[FFI_EXPO_SAMPLES];
  double before = fmax(0, margin_at(p, 0, 0, 0)); // a regime held against the law by rounding is just within
  const double *alpha = p->z->alpha + FFI_COMPLEX * p->element->v, part = p->h / FFI_EXPO_SAMPLES;
  p->z->kernels->combine(1, alpha, position_weight, moved);
  p->z->kernels->combine(1, alpha, velocity_weight, turned);
  for (int look = 0; look < FFI_EXPO_SAMPLES; ++look) {
    const double tau = (look + 1) * part;
    const double after = margin_at(p, tau, p->h * moved[look], turned[look]);
    const double slack = 1e-9 * before; // rounding of forces that cancel
    if (after < -slack) {
      const double when = p->t + ffi_crossing(margin_inside, p, tau - part, tau, before, after);
      if (when < w->when[p->e]) {
        w->when[p->e] = when;
        w->next[p->e] = p->next;
        w->time = fmin(w->time, when);
      }
      return;
    }
    before = fmax(0, after);
  }
}

// An element that has a row is looked at if it can change; a motor without a limit cannot.
static void look_at_row(ffi_expo_joint_events *w, passage *p, const double *position_weight,
                        const double *velocity_weight)
{
  const int is_motor = p->element->def.type == FF_ELEMENT_JOINT_PD;
  if (is_motor && (!(p->element->def.effort < INFINITY) || is_calm(p)))
    return;
  const int regime = p->row->regime;
  for (p->next = regime == 0 ? -1 : 0; p->next < (regime == 0 ? 2 : 1); p->next += 2)
    look_at(w, p, position_weight, velocity_weight);
}

static int has_row(const ffi_evaluation *at, int element)
{
  for (int r = 0; r < at->joint_row_count; ++r)
    if (at->joint_row_element[r] == element)
      return 1;
  return 0;
}

static const ffi_joint_law_row no_row = {0}; // it does not push

// A stop that was too far away to have a row is looked at where the sub-step ends: something has thrown the joint at it.
static void look_at_far_stops(ffi_expo_joint_events *w, passage *p, const double *position_weight,
                              const double *velocity_weight)
{
  const ffi_frozen *z = p->z;
  const double *q = w->from->q, *v = w->from->v, until = p->t + p->h;
  for (int i = 0; i < w->stop_count; ++i) {
    const ffi_element *el = &w->system->elements[w->stop[i]];
    const int k = el->v;
    const double there = q[el->q] + until * v[k] + z->delta_x[k] + p->h * z->delta_v[k] + z->A[4 * k + 1];
    if ((there >= el->def.lower && there <= el->def.upper) || has_row(w->at, w->stop[i]))
      continue;
    p->e = w->stop[i];
    p->element = el;
    p->row = &no_row;
    look_at_row(w, p, position_weight, velocity_weight);
  }
}

void ffi_expo_joint_events_search(ffi_expo_joint_events *w, const ffi_frozen *z,
                                  const double *position_weight, const double *velocity_weight, double t,
                                  double h)
{
  const ffi_system *s = w->system;
  passage p = {.w = w, .z = z, .t = t, .h = h};
  if (t == 0) {
    w->time = INFINITY;
    for (int e = 0; e < s->element_count; ++e)
      w->when[e] = INFINITY;
  }
  for (int r = 0; r < w->at->joint_row_count; ++r) {
    p.row = &w->at->joint_row[r];
    p.e = w->at->joint_row_element[r];
    p.element = &s->elements[p.e];
    look_at_row(w, &p, position_weight, velocity_weight);
  }
  look_at_far_stops(w, &p, position_weight, velocity_weight);
}

void ffi_expo_joint_events_set_regime(const ffi_system *s, const ffi_state *x, ffi_evaluation *at, int index,
                                      int regime)
{
  const ffi_element *el = &s->elements[at->joint_row_element[index]];
  const ff_element_def *def = &el->def;
  ffi_joint_law_row *row = &at->joint_row[index];
  const int is_motor = def->type == FF_ELEMENT_JOINT_PD, acts = is_motor ? regime == 0 : regime != 0;
  if (!is_motor && regime != 0) { // one that is not reached yet begins unloaded: it does not pull
    const double beyond = regime < 0 ? def->lower - x->q[el->q] : x->q[el->q] - def->upper;
    row->x = regime * fmax(0, beyond);
  }
  row->regime = regime;
  row->K = acts ? def->stiffness : 0;
  row->B = acts ? def->damping : 0;
  row->force = acts ? -row->K * row->x - row->B * row->u : is_motor ? regime * def->effort : 0;
}
