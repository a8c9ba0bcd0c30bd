// The columns of a log: time, q, v, energies, contacts, and the force of all contacts on each link that can touch.
#include "complain.h"
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void title(ffi_csv_log *log, const char *kind, const char *name, const char *part, const char *unit)
{
  char text[1200]; // names have at most 1024 bytes
  snprintf(text, sizeof text, "%s.%.1024s%s%s [%s]", kind, name, *part ? "." : "", part, unit);
  ffi_csv_title(log, text);
}

// Coordinate or velocity k of a joint: what comes after the joint's name, and its unit.
static const char *part_of(const ff_joint_info *joint, int is_velocity, int k, const char **unit)
{
  static const char *const place[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  static const char *const twist[] = {"x", "y", "z", "wx", "wy", "wz"};
  static const char *const planar[] = {"x", "y", "angle"};
  const int first = joint->type == FF_JOINT_SPHERICAL ? 3 : 0; // a ball joint turns only
  const int is_body = joint->type == FF_JOINT_FREE || joint->type == FF_JOINT_SPHERICAL;
  const int is_planar = joint->type == FF_JOINT_PLANAR;
  const int is_length =
      joint->type == FF_JOINT_PRISMATIC || (is_body && first + k < 3) || (is_planar && k < 2);
  *unit = is_velocity ? (is_length ? "m/s" : "rad/s") : is_length ? "m" : is_body ? "1" : "rad";
  if (is_body)
    return is_velocity ? twist[(first + k) % 6] : place[(first + k) % 7];
  return is_planar ? planar[k % 3] : "";
}

static void joint_titles(ffi_csv_log *log, const ff_joint_info *joint, int is_velocity)
{
  const int count = is_velocity ? joint->nv : joint->nq;
  for (int k = 0; k < count; ++k) {
    const char *unit, *part = part_of(joint, is_velocity, k, &unit);
    title(log, is_velocity ? "v" : "q", joint->name, part, unit);
  }
}

// Does the link carry something that can touch?
static int can_touch(const ff_model *model, int link)
{
  const int count = ff_model_get_size(model).shapes;
  ff_link_info info;
  ff_model_link(model, link, &info);
  for (int i = 0; info.joint >= 0 && i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    if (shape.link == link && (shape.def.purpose & FF_SHAPE_COLLISION))
      return 1;
  }
  return 0;
}

static void write_titles(ffi_run_log *log, const ff_model *model)
{
  static const char *const others[] = {
      "kinetic [J]",  "potential [J]", "elastic [J]",     "energy [J]",       "control_work [J]",
      "contacts [1]", "slipping [1]",  "penetration [m]", "normal_force [N]",
  };
  static const char *const axes[] = {"x", "y", "z"};
  const int joints = ff_model_get_size(model).joints;
  ffi_csv_title(&log->csv, "time [s]");
  for (int is_velocity = 0; is_velocity < 2; ++is_velocity)
    for (int j = 0; j < joints; ++j) {
      ff_joint_info joint;
      ff_model_joint(model, j, &joint);
      joint_titles(&log->csv, &joint, is_velocity);
    }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_title(&log->csv, others[i]);
  for (int i = 0; i < log->link_count; ++i) {
    ff_link_info link;
    ff_model_link(model, log->links[i], &link);
    for (int k = 0; k < 3; ++k)
      title(&log->csv, "force", link.name, axes[k], "N");
  }
  ffi_csv_end_row(&log->csv);
}

int ffi_run_log_open(ffi_run_log *log, const char *path, const ff_model *model)
{
  const int links = ff_model_get_size(model).links;
  *log = (ffi_run_log){0};
  if (!ffi_csv_open(&log->csv, path)) {
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    return 0;
  }
  log->links = ffi_need_memory(NULL, (size_t)links * sizeof *log->links);
  log->forces = ffi_need_memory(NULL, 3 * (size_t)links * sizeof *log->forces);
  for (int l = 0; l < links; ++l)
    if (can_touch(model, l))
      log->links[log->link_count++] = l;
  write_titles(log, model);
  return 1;
}

int ffi_run_log_close(ffi_run_log *log)
{
  if (!log->csv.path)
    return 1;
  const int is_written = ffi_csv_close(&log->csv);
  if (!is_written)
    ffi_complain("%s: could not be written: %s; it ends after %lld whole rows", log->csv.path,
                 strerror(errno), log->csv.rows > 0 ? log->csv.rows - 1 : 0);
  free(log->links);
  free(log->forces);
  *log = (ffi_run_log){.csv = {.rows = log->csv.rows}};
  return is_written;
}

typedef struct touching {
  int count, slipping;
  double penetration, normal_force;
} touching;

static void add_force(double *force, const double f[3], double sign)
{
  for (int k = 0; k < 3; ++k)
    force[k] += sign * f[k];
}

// Sums over the contacts; force [links][3].
static touching sum_contacts(const ffi_run_scene *scene, int links, double *force)
{
  touching sum = {0};
  const ff_contact *contacts = ffi_run_contacts(scene, &sum.count);
  memset(force, 0, 3 * (size_t)links * sizeof *force);
  for (int i = 0; i < sum.count; ++i) {
    const ff_contact *c = &contacts[i];
    sum.slipping += c->mode == FF_CONTACT_SLIP;
    sum.penetration = fmax(sum.penetration, c->penetration);
    sum.normal_force += c->force[0] * c->normal[0] + c->force[1] * c->normal[1] + c->force[2] * c->normal[2];
    if (c->link_a >= 0)
      add_force(force + 3 * c->link_a, c->force, 1);
    if (c->link_b >= 0)
      add_force(force + 3 * c->link_b, c->force, -1);
  }
  return sum;
}

int ffi_run_log_row(ffi_run_log *log, const ffi_run_scene *scene)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  const ff_energy energy = ff_sim_energy(scene->sim);
  const touching sum = sum_contacts(scene, size.links, log->forces);
  const double *q = ffi_run_q(scene), *v = ffi_run_v(scene);
  const double others[] = {energy.kinetic, energy.potential,    energy.elastic,
                           energy.total,   energy.control_work, sum.count,
                           sum.slipping,   sum.penetration,     sum.normal_force};
  ffi_csv_figure(&log->csv, ff_sim_time(scene->sim)); // a sum of steps: its last digits mean nothing
  for (int i = 0; i < size.nq; ++i)
    ffi_csv_number(&log->csv, q[i]);
  for (int i = 0; i < size.nv; ++i)
    ffi_csv_number(&log->csv, v[i]);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    ffi_csv_figure(&log->csv, others[i]);
  for (int i = 0; i < log->link_count; ++i)
    for (int k = 0; k < 3; ++k)
      ffi_csv_figure(&log->csv, log->forces[3 * log->links[i] + k]);
  return ffi_csv_end_row(&log->csv);
}
