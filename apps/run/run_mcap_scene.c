// Messages for the 3-D panel of Foxglove: frames of links, their shapes, arrows of forces.
#include "run/run_mcap.h"
#include "view/view.h"

#include <math.h>
#include <string.h>

// ---- Values -------------------------------------------------------------------------------------------------------

void ffi_run_mcap_scene_vector(ffi_mcap *m, const double v[3])
{
  ffi_mcap_put(m, "{\"x\":");
  ffi_mcap_number(m, v[0]);
  ffi_mcap_put(m, ",\"y\":");
  ffi_mcap_number(m, v[1]);
  ffi_mcap_put(m, ",\"z\":");
  ffi_mcap_number(m, v[2]);
  ffi_mcap_put(m, "}");
}

static void put_quaternion(ffi_mcap *m, const double q[4])
{
  static const char *const names[] = {"{\"x\":", ",\"y\":", ",\"z\":", ",\"w\":"};
  for (int k = 0; k < 4; ++k) {
    ffi_mcap_put(m, names[k]);
    ffi_mcap_number(m, q[k]);
  }
  ffi_mcap_put(m, "}");
}

static void put_time(ffi_mcap *m, uint64_t time)
{
  ffi_mcap_put(m, "{\"sec\":");
  ffi_mcap_integer(m, (long long)(time / 1000000000u));
  ffi_mcap_put(m, ",\"nsec\":");
  ffi_mcap_integer(m, (long long)(time % 1000000000u));
  ffi_mcap_put(m, "}");
}

static void put_pose(ffi_mcap *m, const double position[3], const double quaternion[4])
{
  ffi_mcap_put(m, "{\"position\":");
  ffi_run_mcap_scene_vector(m, position);
  ffi_mcap_put(m, ",\"orientation\":");
  put_quaternion(m, quaternion);
  ffi_mcap_put(m, "}");
}

static void put_color(ffi_mcap *m, const double rgba[4])
{
  static const char *const names[] = {"{\"r\":", ",\"g\":", ",\"b\":", ",\"a\":"};
  for (int k = 0; k < 4; ++k) {
    ffi_mcap_put(m, names[k]);
    ffi_mcap_number(m, rgba[k]);
  }
  ffi_mcap_put(m, "}");
}

// ---- Pictures -------------------------------------------------------------------------------------------------------

void ffi_run_mcap_scene_transforms(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time)
{
  const int links = ff_model_get_size(scene->model).links;
  ffi_mcap *m = &log->file;
  int count = 0;
  ff_dynamics_kinematics(log->dynamics, ff_scene_now_q(scene->scene), NULL, NULL);
  ffi_mcap_begin(m, FFI_RUN_MCAP_TRANSFORMS, time);
  ffi_mcap_put(m, "{\"transforms\":[");
  for (int l = 0; l < links; ++l) {
    ff_link_info link;
    double position[3], R[9];
    ff_model_link(scene->model, l, &link);
    if (strcmp(link.name, "world") == 0)
      continue;
    ff_dynamics_frame_pose(log->dynamics, link.frame, position, R);
    const ff_pose pose = ff_pose_from_rotation(position, R);
    ffi_mcap_put(m, count++ > 0 ? ",{\"timestamp\":" : "{\"timestamp\":");
    put_time(m, time);
    ffi_mcap_put(m, ",\"parent_frame_id\":\"world\",\"child_frame_id\":");
    ffi_mcap_quote(m, link.name);
    ffi_mcap_put(m, ",\"translation\":");
    ffi_run_mcap_scene_vector(m, position);
    ffi_mcap_put(m, ",\"rotation\":");
    put_quaternion(m, pose.quaternion);
    ffi_mcap_put(m, "}");
  }
  ffi_mcap_put(m, "]}");
  ffi_mcap_end(m);
}

static void begin_entity(ffi_mcap *m, const char *frame, const char *id, uint64_t time)
{
  ffi_mcap_put(m, "{\"timestamp\":");
  put_time(m, time);
  ffi_mcap_put(m, ",\"frame_id\":");
  ffi_mcap_quote(m, frame);
  ffi_mcap_put(m, ",\"id\":");
  ffi_mcap_quote(m, id);
  ffi_mcap_put(m, ",\"lifetime\":{\"sec\":0,\"nsec\":0},\"frame_locked\":true,\"metadata\":[],\"lines\":[],"
                  "\"triangles\":[],\"texts\":[],\"models\":[]");
}

// Arrows point along x: the rotation from x to `d`.
static void turn_to(const double d[3], double quaternion[4])
{
  const double size = sqrt(2 + 2 * d[0]);
  if (size < 1e-6) {
    memcpy(quaternion, (const double[4]){0, 0, 1, 0}, 4 * sizeof *quaternion);
    return;
  }
  const double turn[4] = {0, -d[2] / size, d[1] / size, (1 + d[0]) / size};
  memcpy(quaternion, turn, sizeof turn);
}

static void put_arrow(ffi_mcap *m, const ff_contact *c, double scale)
{
  static const double colors[3][4] = {{0.6, 0.6, 0.6, 1}, {0.2, 0.7, 0.3, 1}, {0.9, 0.4, 0.1, 1}};
  const double force =
      sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1] + c->force[2] * c->force[2]);
  double quaternion[4] = {0, 0, 0, 1};
  if (force > 0)
    turn_to((const double[3]){c->force[0] / force, c->force[1] / force, c->force[2] / force}, quaternion);
  ffi_mcap_put(m, "{\"pose\":");
  put_pose(m, c->point, quaternion);
  ffi_mcap_put(m, ",\"shaft_length\":");
  ffi_mcap_number(m, 0.8 * scale * force);
  ffi_mcap_put(m, ",\"shaft_diameter\":0.006,\"head_length\":");
  ffi_mcap_number(m, 0.2 * scale * force);
  ffi_mcap_put(m, ",\"head_diameter\":0.014,\"color\":");
  put_color(m, colors[c->mode]);
  ffi_mcap_put(m, "}");
}

void ffi_run_mcap_scene_forces(ffi_run_mcap *log, const ffi_run_scene *scene, uint64_t time)
{
  ffi_mcap *m = &log->file;
  int count, shown = 0;
  const ff_contact *contacts = ff_scene_contacts(scene->scene, &count);
  ffi_mcap_begin(m, FFI_RUN_MCAP_SCENE, time);
  ffi_mcap_put(m, "{\"deletions\":[],\"entities\":[");
  begin_entity(m, "world", "forces", time);
  ffi_mcap_put(m, ",\"cubes\":[],\"spheres\":[],\"cylinders\":[],\"arrows\":[");
  for (int i = 0; i < count; ++i) {
    if (contacts[i].mode == FF_CONTACT_RELEASED)
      continue;
    ffi_mcap_put(m, shown++ > 0 ? "," : "");
    put_arrow(m, &contacts[i], log->newton);
  }
  ffi_mcap_put(m, "]}]}");
  ffi_mcap_end(m);
}

// ---- Shapes, once ---------------------------------------------------------------------------------------------------

typedef enum solid { CUBE, SPHERE, TUBE } solid;

static void put_solid(ffi_mcap *m, solid kind, const ff_pose *pose, const double size[3],
                      const double rgba[4], int *count)
{
  ffi_mcap_put(m, (*count)++ > 0 ? ",{\"pose\":" : "{\"pose\":");
  put_pose(m, pose->position, pose->quaternion);
  ffi_mcap_put(m, ",\"size\":");
  ffi_run_mcap_scene_vector(m, size);
  if (kind == TUBE)
    ffi_mcap_put(m, ",\"bottom_scale\":1,\"top_scale\":1");
  ffi_mcap_put(m, ",\"color\":");
  put_color(m, rgba);
  ffi_mcap_put(m, "}");
}

static ff_pose moved(const ff_pose *pose, double x, double y, double z)
{
  ff_pose along = ff_pose_identity();
  memcpy(along.position, (const double[3]){x, y, z}, sizeof along.position);
  return ff_pose_compose(pose, &along);
}

// The box around a hull, in its frame.
static void put_box_around(ffi_mcap *m, const ff_shape_def *s, int *count)
{
  double from[3], to[3], size[3];
  for (int k = 0; k < 3; ++k) {
    from[k] = to[k] = s->vertices[k];
    for (int i = 1; i < s->vertex_count; ++i) {
      from[k] = fmin(from[k], s->vertices[3 * i + k]);
      to[k] = fmax(to[k], s->vertices[3 * i + k]);
    }
    size[k] = to[k] - from[k];
  }
  const ff_pose pose = moved(&s->pose, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
  put_solid(m, CUBE, &pose, size, s->rgba, count);
}

// Adds a shape to the cubes, spheres or cylinders of its entity.
static void put_shape(ffi_mcap *m, solid kind, const ff_shape_def *s, int *count)
{
  const double r = s->size[0], ball[3] = {2 * r, 2 * r, 2 * r}, dot[3] = {0.01, 0.01, 0.01};
  const double tube[3] = {2 * r, 2 * r, s->type == FF_SHAPE_DISK ? 0.001 : s->size[1]};
  const double sheet[3] = {20, 20, 0.001}, axes[3] = {2 * r, 2 * s->size[1], 2 * s->size[2]};
  const ff_pose top = moved(&s->pose, 0, 0, s->size[1] / 2), bottom = moved(&s->pose, 0, 0, -s->size[1] / 2),
                below = moved(&s->pose, 0, 0, -0.0005);
  switch (s->type) {
  case FF_SHAPE_BOX:
    if (kind == CUBE)
      put_solid(m, kind, &s->pose, s->size, s->rgba, count);
    break;
  case FF_SHAPE_PLANE:
    if (kind == CUBE)
      put_solid(m, kind, &below, sheet, s->rgba, count);
    break;
  case FF_SHAPE_HULL:
    if (kind == CUBE)
      put_box_around(m, s, count);
    break;
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE:
    if (kind == SPHERE)
      put_solid(m, kind, &s->pose, s->type == FF_SHAPE_POINT ? dot : ball, s->rgba, count);
    break;
  case FF_SHAPE_ELLIPSOID:
    if (kind == SPHERE)
      put_solid(m, kind, &s->pose, axes, s->rgba, count);
    break;
  case FF_SHAPE_CAPSULE:
    if (kind == SPHERE) {
      put_solid(m, kind, &top, ball, s->rgba, count);
      put_solid(m, kind, &bottom, ball, s->rgba, count);
    }
    // its middle is a cylinder
    // fallthrough
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_DISK:
    if (kind == TUBE)
      put_solid(m, kind, &s->pose, tube, s->rgba, count);
    break;
  default: break; // meshes and height fields are not drawn
  }
}

// All shapes of a link, or of the world.
static void put_link(ffi_mcap *m, const ff_model *model, int link, const char *name)
{
  static const char *const lists[] = {",\"cubes\":[", ",\"spheres\":[", ",\"cylinders\":["};
  ff_shape_info shape;
  begin_entity(m, name, name, 0);
  ffi_mcap_put(m, ",\"arrows\":[]");
  for (int kind = CUBE; kind <= TUBE; ++kind) {
    int count = 0;
    ffi_mcap_put(m, lists[kind]);
    for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
      if (shape.link == link)
        put_shape(m, (solid)kind, &shape.def, &count);
    ffi_mcap_put(m, "]");
  }
  ffi_mcap_put(m, "}");
}

static void put_ground(ffi_mcap *m, const ff_ground_def *ground, int index)
{
  static const char *const lists[] = {",\"cubes\":[", ",\"spheres\":[", ",\"cylinders\":["};
  char name[32];
  snprintf(name, sizeof name, "ground %d", index);
  begin_entity(m, "world", name, 0);
  ffi_mcap_put(m, ",\"arrows\":[]");
  for (int kind = CUBE; kind <= TUBE; ++kind) {
    int count = 0;
    ffi_mcap_put(m, lists[kind]);
    put_shape(m, (solid)kind, &ground->shape, &count);
    ffi_mcap_put(m, "]");
  }
  ffi_mcap_put(m, "}");
}

void ffi_run_mcap_scene_shapes(ffi_mcap *m, const ffi_run_scene *scene, uint64_t time)
{
  const int links = ff_model_get_size(scene->model).links;
  int grounds;
  ff_ground_def plane;
  const ff_ground_def *ground = ffi_run_scene_ground(scene, &plane, &grounds);
  ffi_mcap_begin(m, FFI_RUN_MCAP_SCENE, time);
  ffi_mcap_put(m, "{\"deletions\":[],\"entities\":[");
  put_link(m, scene->model, -1, "world");
  for (int l = 0; l < links; ++l) {
    ffi_mcap_put(m, ",");
    put_link(m, scene->model, l, ffi_run_mcap_link_name(scene->model, l));
  }
  for (int g = 0; g < grounds; ++g) {
    ffi_mcap_put(m, ",");
    put_ground(m, &ground[g], g);
  }
  ffi_mcap_put(m, "]}");
  ffi_mcap_end(m);
}
