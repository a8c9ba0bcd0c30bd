// Writes a scene as files that `footfall run` reads: a URDF with shapes, elements and the start as a posture, and a
// scene with ground, velocities and options. What these cannot say is written as a comment.
#include "campaign/shrink.h"

#include <footfall/option.h>
#include <footfall/save.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 512 };

// ---- The model ----------------------------------------------------------------------------------------------

// A ground shape that is combined with the robot's material is a shape of the model's world.
static int is_world_shape(const ffi_recipe_ground *ground)
{
  const int moves = ground->velocity[0] != 0 || ground->velocity[3] != 0;
  return !ground->gives_pair && ground->shape.type != FF_SHAPE_HEIGHTFIELD && !moves;
}

static ff_status add_posture(const ffi_recipe *r, ff_builder *builder, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < r->link_count && status == FF_OK; ++i) {
    const int nq = ffi_recipe_nq(r->links[i].type);
    if (nq > 0)
      status = ff_builder_set_posture(builder, "start", i, r->links[i].q, nq, error);
  }
  return status;
}

// The name of a frame of the made model, for the builder.
static const char *frame_name(const ff_model *model, int frame)
{
  ff_frame_info info;
  return ff_model_frame(model, frame, &info) == FF_OK ? info.name : "world";
}

// The name of a joint of the made model, for the builder; NULL: it has none.
static const char *joint_name(const ff_model *model, int joint)
{
  ff_joint_info info;
  return ff_model_joint(model, joint, &info) == FF_OK ? info.name : NULL;
}

static ff_status add_elements(const ffi_recipe_made *made, ff_builder *builder, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < made->def.element_count && status == FF_OK; ++i) {
    const ff_element_def *e = &made->elements[i];
    if (ff_element_type_is_joint(e->type) || e->type == FF_ELEMENT_COUPLING) {
      const char *leader = e->type == FF_ELEMENT_COUPLING ? joint_name(made->model, e->leader) : NULL;
      status = ff_builder_add_element(builder, e, joint_name(made->model, e->joint), leader, error);
    } else
      status = ff_builder_add_element(builder, e, frame_name(made->model, e->a.frame),
                                      frame_name(made->model, e->b.frame), error);
  }
  return status;
}

// The frames of closed loops, as in the made model.
static ff_status add_frames(const ffi_recipe *r, const ffi_recipe_made *made, ff_builder *builder,
                            ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < r->element_count && status == FF_OK; ++i) {
    char name[16];
    ff_pose pose;
    snprintf(name, sizeof name, "F%d", i);
    if (ff_model_find_frame(made->model, name) >= 0 && ffi_recipe_loop_end(r, i, made, &pose))
      status = ff_builder_add_frame(builder, r->elements[i].b, name, &pose, error);
  }
  return status;
}

static ff_status build(const ffi_recipe *r, ff_model **model, ff_error *error)
{
  ffi_recipe_made made;
  ff_status status = ffi_recipe_make(r, &made, error);
  ff_builder *builder = status == FF_OK ? ffi_recipe_builder(r, error) : NULL;
  if (status == FF_OK && !builder)
    status = error->status;
  for (int i = 0; i < r->ground_count && status == FF_OK; ++i)
    if (is_world_shape(&r->grounds[i])) {
      const ff_shape_def def = ffi_recipe_shape_def(&r->grounds[i].shape);
      status = ff_builder_add_shape(builder, FF_WORLD, &def, error);
    }
  if (status == FF_OK)
    status = add_frames(r, &made, builder, error);
  if (status == FF_OK)
    status = add_elements(&made, builder, error);
  if (status == FF_OK)
    status = add_posture(r, builder, error);
  if (status == FF_OK)
    status = ff_builder_finish(builder, model, error);
  ff_builder_destroy(builder);
  ffi_recipe_free(&made);
  return status;
}

static int write_file(const char *path, const char *text, size_t length)
{
  FILE *file = fopen(path, "w");
  if (!file)
    return 0;
  const int is_whole = fwrite(text, 1, length, file) == length;
  return fclose(file) == 0 && is_whole;
}

// Lines of text, each as a comment.
static void put_comment(FILE *file, const char *text)
{
  while (*text) {
    const size_t length = strcspn(text, "\n");
    fprintf(file, "# %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static int write_model(const ffi_recipe *r, const char *path, FILE *scene)
{
  ff_error error;
  ff_model *model = NULL;
  ff_saved saved = {0};
  ff_status status = build(r, &model, &error);
  if (status == FF_OK)
    status = ff_model_save_text(model, FF_MODEL_URDF, path, &saved, &error);
  ff_model_destroy(model);
  if (status != FF_OK) {
    put_comment(scene, error.message);
    return 0;
  }
  put_comment(scene, saved.notes);
  int is_written = write_file(path, saved.text, saved.length);
  for (int i = 0; i < saved.mesh_count; ++i)
    is_written &= write_file(saved.meshes[i].path, saved.meshes[i].text, saved.meshes[i].length);
  ff_saved_free(&saved);
  return is_written;
}

// ---- The scene ----------------------------------------------------------------------------------------------

static void put_numbers(FILE *file, const char *key, const double *x, int count)
{
  fprintf(file, "%s: [", key);
  for (int i = 0; i < count; ++i)
    fprintf(file, "%s%.17g", i ? ", " : "", x[i]);
  fprintf(file, "]\n");
}

static void put_ground(FILE *file, const ffi_recipe_ground *ground)
{
  const ffi_recipe_shape *s = &ground->shape;
  double R[9];
  ff_pose_rotation(&s->pose, R);
  const double rpy[3] = {atan2(R[7], R[8]), atan2(-R[6], hypot(R[7], R[8])), atan2(R[3], R[0])};
  fprintf(file, "  - type: %s\n", ff_shape_type_name(s->type));
  put_numbers(file, "    position", s->pose.position, 3);
  put_numbers(file, "    rpy", rpy, 3);
  if (s->type != FF_SHAPE_PLANE)
    put_numbers(file, "    size", s->size, 3);
  if (s->type == FF_SHAPE_HEIGHTFIELD) {
    fprintf(file, "    rows: %d\n    columns: %d\n", FFI_RECIPE_GRID, FFI_RECIPE_GRID);
    put_numbers(file, "    heights", s->heights, FFI_RECIPE_GRID * FFI_RECIPE_GRID);
  }
  put_numbers(file, "    velocity", ground->velocity, 6);
  if (ground->gives_pair)
    fprintf(file,
            "    stiffness: %.17g\n    damping: %.17g\n    friction: %.17g\n    restitution: %.17g\n"
            "    tangential_restitution: %.17g\n",
            s->material.stiffness, s->material.damping, s->material.friction, s->material.restitution,
            s->material.tangential_restitution);
  else
    fprintf(file, "    # its material is combined with the robot's, which a scene cannot say\n");
}

static void put_grounds(FILE *file, const ffi_recipe *r)
{
  int count = 0;
  for (int i = 0; i < r->ground_count; ++i)
    count += !is_world_shape(&r->grounds[i]);
  if (r->ground_count >= 0)
    fprintf(file, count ? "ground:\n" : "ground: []\n");
  for (int i = 0; i < r->ground_count; ++i)
    if (!is_world_shape(&r->grounds[i]))
      put_ground(file, &r->grounds[i]);
}

// The base's velocity if one joint is free, those of joints with one coordinate, and a word about all others.
static void put_start(FILE *file, const ffi_recipe *r)
{
  int bases = 0, base = 0;
  for (int i = 0; i < r->link_count; ++i)
    if (r->links[i].type == FF_JOINT_FREE) {
      ++bases;
      base = i;
    }
  fprintf(file, "start:\n  posture: start\n");
  if (bases == 1)
    put_numbers(file, "  velocity", r->links[base].v, 6);
  int singles = 0;
  for (int i = 0; i < r->link_count; ++i) {
    const ffi_recipe_link *l = &r->links[i];
    int moves = 0;
    for (int k = 0; k < ffi_recipe_nv(l->type); ++k)
      moves |= l->v[k] != 0;
    if (ffi_recipe_nv(l->type) == 1 && singles++ == 0)
      fprintf(file, "  joints:\n");
    if (ffi_recipe_nv(l->type) == 1)
      fprintf(file, "    J%02d: {position: %.17g, velocity: %.17g}\n", i, l->q[0], l->v[0]);
    else if (moves && (l->type != FF_JOINT_FREE || bases > 1))
      fprintf(file, "    # J%02d begins with a velocity, which a scene cannot say: %g %g %g %g %g %g\n", i,
              l->v[0], l->v[1], l->v[2], l->v[3], l->v[4], l->v[5]);
    if (l->tau != 0)
      fprintf(file, "    # J%02d is driven with +-%g, changing every %d steps, which a scene cannot say\n", i,
              l->tau, r->torque_period);
  }
}

// Options of the stepper: those of one word, then by family.
static void put_stepper(FILE *file, const ffi_recipe *r)
{
  const ff_option *rows[FFI_RECIPE_OPTIONS];
  char family[32] = "";
  fprintf(file, "dt: %.17g\nduration: %.17g\nstepper:\n  type: %s\n", r->dt, r->dt * r->steps,
          ff_stepper_name(r->stepper));
  ffi_recipe_made made; // for the text of values
  ff_error error;
  if (ffi_recipe_make(r, &made, &error) != FF_OK)
    return;
  for (int has_family = 0; has_family < 2; ++has_family)
    for (int i = 0; i < r->option_count; ++i) {
      char text[64];
      rows[i] = ff_option_at(r->options[i].index);
      const char *name = ff_option_name(rows[i]);
      const size_t length = (size_t)(name - rows[i]->key);
      if ((length > 0) != has_family || !ff_option_is_of(rows[i], r->stepper) || !rows[i]->scene ||
          ff_sim_def_get(&made.def, rows[i]->key, text, sizeof text, &error) != FF_OK)
        continue;
      if (length > 0 && strncmp(family, rows[i]->key, length) != 0) { // the table has families in one piece
        snprintf(family, sizeof family, "%.*s", (int)length, rows[i]->key);
        fprintf(file, "  %.*s:\n", (int)length - 1, family);
      }
      fprintf(file, "%s%s: %s\n", length > 0 ? "    " : "  ", name, text);
    }
  ffi_recipe_free(&made);
}

static void put_changes(FILE *file, const ffi_recipe *r)
{
  if (r->reference_period > 0)
    fprintf(file, "# references change by %g every %d steps, which a scene cannot say\n", r->reference_size,
            r->reference_period);
  if (r->ground_period > 0)
    fprintf(file, "# the ground moves by %g m every %d steps, which a scene cannot say\n", r->ground_size,
            r->ground_period);
}

int ffi_shrink_write(const ffi_recipe *r, const char *dir, const char *name, const char *about)
{
  char scene[PATH], model[PATH];
  snprintf(scene, sizeof scene, "%s/%s.yaml", dir, name);
  snprintf(model, sizeof model, "%s/%s.urdf", dir, name);
  FILE *file = fopen(scene, "w");
  if (!file)
    return 0;
  put_comment(file, about);
  const int has_model = write_model(r, model, file);
  fprintf(file, "title: %s\nmodel: %s.urdf\n", name, name);
  put_grounds(file, r);
  put_start(file, r);
  put_stepper(file, r);
  put_changes(file, r);
  return fclose(file) == 0 && has_model;
}
