// Parameters of a robot, as the user sets and reads them.
#include "base/fail.h"
#include "contact/law/pair_materials.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/vec3.h"
#include "model/inertia.h"
#include "sim/sim.h"

static ff_status refuse(ff_error *error, const char *what)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters", "%s", what);
}

#define MOST_GRAVITY 1e6 // [m/s^2] its squares, times those of masses and times, stay far from overflow

// Masses or gravity have changed: kernel workspaces have to be refitted.
static void renew_version(ff_parameters *p)
{
  p->version = __atomic_add_fetch(&p->world->versions, 1, __ATOMIC_RELAXED);
}

ff_status ff_parameters_create(ff_world *world, ff_parameters **out, ff_error *error)
{
  if (!world || !out)
    return refuse(error, world ? "`out` is NULL" : "the world is NULL");
  *out = NULL;
  const ff_status status = ffi_parameters_create(world, out, error);
  if (status == FF_OK)
    (*out)->world = ffi_sim_world_retain(world);
  return status;
}

void ff_parameters_destroy(ff_parameters *p)
{
  if (!p)
    return;
  ff_world_destroy(p->world);
  ffi_parameters_free(p);
}

ff_status ff_parameters_copy(const ff_parameters *from, ff_parameters *to, ff_error *error)
{
  if (!from || !to)
    return refuse(error, "the parameters are NULL");
  if (from->world != to->world)
    return refuse(error, "the parameters belong to different worlds");
  ffi_parameters_copy(from, to);
  return FF_OK;
}

ff_status ff_parameters_set_gravity(ff_parameters *p, const double gravity[3], ff_error *error)
{
  if (!p || !gravity || !ffi_all_finite(gravity, 3) || !(ffi_v3_norm(gravity) <= MOST_GRAVITY))
    return refuse(error, "gravity must be three finite numbers, of at most 1e6 m/s^2 together");
  ffi_v3_copy(gravity, p->model.gravity);
  renew_version(p);
  return FF_OK;
}

void ff_parameters_gravity(const ff_parameters *p, double gravity[3])
{
  ffi_v3_copy(p->model.gravity, gravity);
}

static int is_link(const ff_parameters *p, int link)
{
  return p && link >= 0 && link < p->model.size.links;
}

ff_status ff_parameters_set_inertia(ff_parameters *p, int link, const ff_inertia *inertia, ff_error *error)
{
  char flaw[200];
  if (!is_link(p, link))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters",
                    "there is no link %d; the model has 0..%d", link, p ? p->model.size.links - 1 : -1);
  if (!inertia)
    return refuse(error, "the inertia is NULL");
  if (!(inertia->mass >= 0) || !ffi_all_finite(&inertia->mass, 1) || !ffi_all_finite(inertia->com, 3) ||
      !ffi_all_finite(inertia->matrix, 6))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters",
                    "the inertia of link '%.200s' must be finite, its mass >= 0 (it is %g)",
                    p->model.links[link].name, inertia->mass);
  if (ffi_inertia_suspicious(inertia, flaw, sizeof flaw) == FFI_INERTIA_INDEFINITE)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_parameters", "link '%.100s': %s",
                    p->model.links[link].name, flaw);
  p->inertia[link] = *inertia;
  renew_version(p);
  ffi_parameters_sum_body(p, p->model.frames[p->model.links[link].frame].body);
  return FF_OK;
}

ff_status ff_parameters_inertia(const ff_parameters *p, int link, ff_inertia *out)
{
  if (!is_link(p, link) || !out)
    return FF_ERROR_ARGUMENT;
  *out = p->inertia[link];
  return FF_OK;
}

// The collider of a shape or of a ground; the other one is -1. -1: nothing touches it.
static int party_of(const ff_parameters *p, int shape, int ground)
{
  const ffi_colliders *colliders = &p->world->colliders;
  for (int i = 0; i < colliders->count; ++i)
    if (colliders->items[i].shape == shape && colliders->items[i].ground == ground)
      return i;
  return -1;
}

// Set a material. One that makes no sense together with another is refused.
static ff_status set_material(ff_parameters *p, int party, const ff_material *material, ff_error *error)
{
  if (!p || party < 0 || !material)
    return refuse(error, "there is no such shape that can touch, or its material is NULL");
  const ffi_colliders *colliders = &p->world->colliders;
  if (!(material->stiffness > 0 && material->damping >= 0 && material->friction >= 0))
    return refuse(error, "stiffness must be > 0, damping and friction >= 0");
  if (!(material->restitution >= 0 && material->restitution <= 1) ||
      !(material->tangential_restitution >= 0 && material->tangential_restitution <= 1))
    return refuse(error, "restitutions must lie in 0..1");
  const double torsional = material->torsional_friction, rolling = material->rolling_friction;
  if (!(torsional >= 0 && rolling >= 0) || isinf(torsional) || isinf(rolling))
    return refuse(error, "torsional and rolling friction must be finite and >= 0");
  if ((torsional > 0 || rolling > 0) && !p->world->has_turning && p->world->def.turning_friction)
    return refuse(error,
                  "torsional and rolling friction need a world of which a material has some from the start");
  const ff_material before = p->material[party];
  p->material[party] = *material;
  const ff_status status = ffi_pair_materials(colliders, p->material, p->materials, error);
  if (status != FF_OK) {
    p->material[party] = before;
    ffi_pair_materials(colliders, p->material, p->materials, NULL);
  }
  return status;
}

ff_status ff_parameters_set_material(ff_parameters *p, int shape, const ff_material *material,
                                     ff_error *error)
{
  return set_material(p, p && shape >= 0 ? party_of(p, shape, -1) : -1, material, error);
}

ff_status ff_parameters_set_ground_material(ff_parameters *p, int ground, const ff_material *material,
                                            ff_error *error)
{
  return set_material(p, p && ground >= 0 ? party_of(p, -1, ground) : -1, material, error);
}

static ff_status get_material(const ff_parameters *p, int party, ff_material *out)
{
  if (party < 0 || !out)
    return FF_ERROR_ARGUMENT;
  *out = p->material[party];
  return FF_OK;
}

ff_status ff_parameters_material(const ff_parameters *p, int shape, ff_material *out)
{
  return get_material(p, p && shape >= 0 ? party_of(p, shape, -1) : -1, out);
}

ff_status ff_parameters_ground_material(const ff_parameters *p, int ground, ff_material *out)
{
  return get_material(p, p && ground >= 0 ? party_of(p, -1, ground) : -1, out);
}

ff_status ff_parameters_set_ground(ff_parameters *p, int ground, const ff_pose *pose,
                                   const double velocity[6], ff_error *error)
{
  double quaternion[4];
  if (!p || ground < 0 || ground >= p->world->colliders.ground_count)
    return refuse(error, "there is no such ground");
  if (pose && (!ffi_all_finite(pose->position, 3) || !ffi_quat_normalize(pose->quaternion, quaternion)))
    return refuse(error, "the pose of a ground must be finite, its quaternion not zero");
  if (velocity && !ffi_sim_def_allows_velocity(&p->world->def, velocity, 6))
    return refuse(error, "the velocity of a ground must be finite, and within max_speed");
  if (pose) {
    ffi_quat_matrix(quaternion, p->ground[ground].R);
    ffi_m3_snap(p->ground[ground].R);
    ffi_v3_copy(pose->position, p->ground[ground].p);
  }
  if (velocity)
    memcpy(p->ground_velocity + 6 * ground, velocity, 6 * sizeof *velocity);
  return FF_OK;
}

ff_status ff_parameters_ground(const ff_parameters *p, int ground, ff_pose *pose, double velocity[6])
{
  if (!p || ground < 0 || ground >= p->world->colliders.ground_count)
    return FF_ERROR_ARGUMENT;
  if (pose) {
    *pose = ff_pose_from_rotation(p->ground[ground].p, p->ground[ground].R);
  }
  if (velocity)
    memcpy(velocity, p->ground_velocity + 6 * ground, 6 * sizeof *velocity);
  return FF_OK;
}

static int is_element(const ff_parameters *p, int element)
{
  return p && element >= 0 && element < p->world->element_count;
}

ff_status ff_parameters_set_gains(ff_parameters *p, int element, double stiffness, double damping,
                                  double effort, ff_error *error)
{
  if (!is_element(p, element))
    return refuse(error, "there is no such element");
  ff_element_def *def = &p->elements[element].def;
  if (!(stiffness >= 0 && isfinite(stiffness) && damping >= 0 && isfinite(damping)))
    return refuse(error, "stiffness and damping must be finite and >= 0");
  const int is_friction = def->type == FF_ELEMENT_JOINT_FRICTION;
  if (def->type == FF_ELEMENT_JOINT_PD && !(effort > 0))
    return refuse(error, "the effort of a motor must be > 0");
  if (is_friction && !(effort > 0 && isfinite(effort) && stiffness > 0 && damping > 0))
    return refuse(error, "friction, its stiffness and its damping must be finite and > 0");
  def->stiffness = stiffness;
  def->damping = damping;
  if (def->type == FF_ELEMENT_JOINT_PD || is_friction)
    def->effort = effort;
  return FF_OK;
}

ff_status ff_parameters_gains(const ff_parameters *p, int element, double *stiffness, double *damping,
                              double *effort)
{
  if (!is_element(p, element))
    return FF_ERROR_ARGUMENT;
  const ff_element_def *def = &p->elements[element].def;
  if (stiffness)
    *stiffness = def->stiffness;
  if (damping)
    *damping = def->damping;
  if (effort)
    *effort = def->effort;
  return FF_OK;
}

ff_status ff_sim_set_parameters(ff_sim *sim, const ff_parameters *p, ff_error *error)
{
  if (!sim || !p)
    return refuse(error, sim ? "the parameters are NULL" : "the sim is NULL");
  if (p->world != sim->world)
    return refuse(error, "the parameters and the sim belong to different worlds");
  if (sim->parameters == sim->world->nominal) { // of a batch: it gets its own with the first that differ
    ff_parameters *own;
    const ff_status status = ffi_parameters_create(sim->world, &own, error);
    if (status != FF_OK)
      return status;
    sim->parameters = own;
  }
  ffi_parameters_copy(p, sim->parameters);
  ffi_parameters_pack(sim->world, sim->parameters);
  ffi_sim_bind(sim);
  ffi_sim_state_changed(sim);
  return FF_OK;
}

ff_status ff_sim_get_parameters(const ff_sim *sim, ff_parameters *out, ff_error *error)
{
  if (!sim || !out)
    return refuse(error, sim ? "`out` is NULL" : "the sim is NULL");
  if (out->world != sim->world)
    return refuse(error, "the parameters and the sim belong to different worlds");
  ffi_parameters_copy(sim->parameters, out);
  return FF_OK;
}
