// MJCF of the hopper and the plate, with contacts tuned to given springs and dampers.
#include "papers/ess/ess_mujoco.h"

#include "peers/mujoco_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double impedance = 1e-4; // the smallest impedance that MuJoCo accepts
static const double radius = 1e-4;    // of spheres that represent points [m]
static const double bed_radius =
    // of the bed's spheres [m]: once a sphere's centre is inside a box, MuJoCo's depth is its radius, so it must stay
    // outside
    1;

typedef struct peer {
  bench_mujoco_robot robot;
  double dt;
  const bench_ess_hopper *user; // whose leg force we apply; NULL: none
} peer;

static void push(const void *user, const double *qpos, double *passive)
{
  const bench_ess_hopper *h = user;
  if (qpos[0] < h->length)
    passive[0] += h->stiffness * (h->length - qpos[0]) + h->preload;
}

static void add(bench_ess_trace *trace, const peer *p)
{
  double x[2 * BENCH_ESS_PLATE_SIZE];
  const size_t n = (size_t)p->robot.m.nq;
  memcpy(x, p->robot.d.qpos, n * sizeof *x);
  memcpy(x + n, p->robot.d.qvel, n * sizeof *x);
  bench_ess_trace_add(trace, *p->robot.d.time, x);
}

static ff_status go(void *self, const double *x0, double duration, bench_ess_trace *trace, ff_error *error)
{
  peer *p = self;
  const int n = p->robot.m.nq, steps = (int)lround(duration / p->dt);
  const bench_mujoco_peer *f = p->robot.peer;
  f->reset(&p->robot.m, &p->robot.d);
  memcpy(p->robot.d.qpos, x0, (size_t)n * sizeof *x0);
  memcpy(p->robot.d.qvel, x0 + n, (size_t)n * sizeof *x0);
  f->set_force(p->user ? push : NULL, p->user);
  if (trace) {
    bench_ess_trace_begin(trace, 2 * n);
    add(trace, p);
  }
  for (int i = 0; i < steps; ++i) {
    bench_mujoco_robot_step(&p->robot);
    if (trace)
      add(trace, p);
  }
  f->set_force(NULL, NULL);
  if (bench_mujoco_robot_is_finite(&p->robot))
    return FF_OK;
  snprintf(error->message, sizeof error->message, "MuJoCo diverges");
  return error->status = FF_ERROR_NUMERIC;
}

static void destroy(void *self)
{
  peer *p = self;
  bench_mujoco_robot_close(&p->robot);
  free(p);
}

// Frees the text.
static peer *make(char *text, bench_ess_mujoco_integrator integrator, double dt, bench_ess_simulator *out,
                  char *why, size_t size)
{
  const bench_mujoco_options options = {
      .dt = dt,
      .is_pyramidal = 1, // there is no friction
      .integrator = integrator == BENCH_ESS_MUJOCO_EULER ? BENCH_MUJOCO_EULER : BENCH_MUJOCO_RK4};
  peer *p = text ? calloc(1, sizeof *p) : NULL;
  snprintf(why, size, "no memory");
  const int is_open = p && bench_mujoco_robot_open_text(&p->robot, text, why, size);
  free(text);
  if (!is_open) {
    free(p);
    return NULL;
  }
  p->robot.peer->set_options(&p->robot.m, &options);
  p->dt = dt;
  *out = (bench_ess_simulator){.go = go, .destroy = destroy, .self = p};
  return p;
}

// `off`: what of MuJoCo's model is not needed, such as contacts.
static FILE *begin_text(char **text, size_t *length, double gravity, const char *off)
{
  FILE *out = open_memstream(text, length);
  if (out)
    fprintf(out,
            "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
            "<option gravity=\"0 0 %.17g\"><flag equality=\"disable\" frictionloss=\"disable\" "
            "clampctrl=\"disable\" actuation=\"disable\" %s/></option>\n",
            -gravity, off);
  return out;
}

// The parameters of a constraint with this inverse inertia that acts as this spring and damper.
static void set_spring(double *solref, double stiffness, double damping, double inverse)
{
  solref[0] = -stiffness * inverse * (1 - impedance);
  solref[1] = -damping * inverse * (1 - impedance);
}

static void set_impedance(double *solimp)
{
  solimp[0] = solimp[1] = impedance;
}

// ---- The hopper -----------------------------------------------------------------------------------------

int bench_ess_mujoco_hopper(const bench_ess_hopper *h, const bench_ess_mujoco_options *options,
                            bench_ess_simulator *out, char *why, size_t size)
{
  const bench_ess_mujoco_leg leg = options->leg;
  char *text = NULL;
  size_t length;
  FILE *file = begin_text(&text, &length, h->gravity,
                          leg == BENCH_ESS_LEG_USER    ? "constraint=\"disable\" contact=\"disable\""
                          : leg == BENCH_ESS_LEG_LIMIT ? "contact=\"disable\""
                                                       : "");
  if (!file)
    return 0;
  fputs("<worldbody>\n", file);
  if (leg == BENCH_ESS_LEG_CONTACT)
    fputs("<geom name=\"ground\" type=\"plane\" size=\"1 1 1\"/>\n", file);
  fprintf(file, "<body><inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"1 1 1\"/>\n", h->mass);
  fprintf(file, "<joint type=\"slide\" axis=\"0 0 1\" limited=\"%s\" range=\"%.17g 1000\"/>\n",
          leg == BENCH_ESS_LEG_LIMIT ? "true" : "false", h->length);
  if (leg == BENCH_ESS_LEG_CONTACT)
    fprintf(file, "<geom name=\"foot\" type=\"sphere\" size=\"%g\" pos=\"0 0 %.17g\"/>\n", radius,
            radius - h->length);
  fputs("</body>\n</worldbody>\n", file);
  if (leg == BENCH_ESS_LEG_CONTACT)
    fputs("<contact><pair geom1=\"ground\" geom2=\"foot\" condim=\"1\"/></contact>\n", file);
  fputs("</mujoco>\n", file);
  fclose(file);
  peer *p = make(text, options->integrator, options->dt, out, why, size);
  if (!p)
    return 0;
  bench_mujoco_model *m = &p->robot.m;
  if (leg == BENCH_ESS_LEG_LIMIT) {
    set_spring(m->joint_solref, h->stiffness, 0, m->velocity_inverse_weight[0]);
    set_impedance(m->joint_solimp);
  } else if (leg == BENCH_ESS_LEG_CONTACT) {
    set_spring(m->pair_solref, h->stiffness, 0, m->body_inverse_weight[2]);
    set_impedance(m->pair_solimp);
  } else {
    p->user = h;
  }
  return 1;
}

// ---- The plate ------------------------------------------------------------------------------------------

static void write_plate(FILE *file, const bench_ess_plate *p)
{
  const double half =
      20; // of the box [m]: its lower face is the plate, the other faces are far from the springs
  fputs("<worldbody>\n", file);
  if (p->has_feet)
    fprintf(file, "<geom name=\"ground\" type=\"plane\" size=\"1 1 1\" pos=\"0 0 %.17g\"/>\n",
            p->length - radius);
  for (int i = 0; i < p->springs && !p->has_feet; ++i)
    fprintf(file, "<geom name=\"s%d\" type=\"sphere\" size=\"%g\" pos=\"%.17g 0 %.17g\"/>\n", i, bed_radius,
            bench_ess_plate_place(p, i), p->length - bed_radius);
  fprintf(file, "<body><inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n", p->mass,
          p->inertia, p->inertia, p->inertia); // it turns only about y
  fputs("<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint type=\"hinge\" "
        "axis=\"0 -1 0\"/>\n",
        file);
  if (!p->has_feet)
    fprintf(file, "<geom name=\"plate\" type=\"box\" size=\"%g %g %g\" pos=\"0 0 %g\"/>\n", half, half, half,
            half);
  for (int i = 0; i < p->springs && p->has_feet; ++i)
    fprintf(file, "<geom name=\"s%d\" type=\"sphere\" size=\"%g\" pos=\"%.17g 0 0\"/>\n", i, radius,
            bench_ess_plate_place(p, i));
  fputs("</body>\n</worldbody>\n<contact>\n", file);
  for (int i = 0; i < p->springs; ++i)
    fprintf(file, "<pair geom1=\"%s\" geom2=\"s%d\" condim=\"1\"/>\n", p->has_feet ? "ground" : "plate", i);
  fputs("</contact>\n</mujoco>\n", file);
}

int bench_ess_mujoco_plate(const bench_ess_plate *plate, bench_ess_mujoco_integrator integrator, double dt,
                           bench_ess_simulator *out, char *why, size_t size)
{
  char *text = NULL;
  size_t length;
  FILE *file = begin_text(&text, &length, plate->gravity, "");
  if (!file)
    return 0;
  fprintf(file, "<size nconmax=\"%d\" njmax=\"%d\"/>\n", plate->springs + 4, plate->springs + 4);
  write_plate(file, plate);
  fclose(file);
  peer *p = make(text, integrator, dt, out, why, size);
  if (!p)
    return 0;
  bench_mujoco_model *m = &p->robot.m;
  for (int i = 0; i < m->npair; ++i) {
    set_spring(m->pair_solref + 2 * i, plate->stiffness, plate->damping, m->body_inverse_weight[2]);
    set_impedance(m->pair_solimp + 5 * i);
  }
  return 1;
}
