// footfall info SCENE.yaml: what a scene simulates, what drives it, and the memory of each of its parts.
#include "cli/json.h"
#include "command.h"
#include "info/info.h"

#include <footfall/controls.h>
#include <footfall/scene.h>

#include <string.h>

typedef struct page {
  ff_scene *scene;
  const ff_world *world;
  ff_world_memory memory;
  const ffi_terminal *terminal;
} page;

// In the order of ff_control_kind.
static const char *const kinds[] = {"torque", "reference", "rate"};

// "12: 12 joint torques", "8: 6 joint torques, 2 motor references".
static void print_controls(const page *p)
{
  static const char *const names[] = {"joint torques", "motor references", "motor rates"};
  const int count = ff_world_control_count(p->world);
  int of_kind[3] = {0};
  char text[200] = "";
  size_t used = 0;
  for (int i = 0; i < count; ++i) {
    ff_control_info info;
    ff_world_control(p->world, i, &info);
    ++of_kind[info.kind];
  }
  for (int k = 0; k < 3; ++k)
    if (of_kind[k] > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%d %s", used > 0 ? ", " : "", of_kind[k],
                               names[k]);
  ffi_terminal_print(p->terminal, "controls", "%s", count > 0 ? text : "none");
}

// 1320 as "1320 B", 45000 as "43.9 KB".
static void print_bytes(const page *p, const char *key, size_t bytes, const char *of)
{
  if (bytes < 10000)
    ffi_terminal_print(p->terminal, key, "%zu B, %s", bytes, of);
  else if (bytes < 10000000)
    ffi_terminal_print(p->terminal, key, "%.1f KB, %s", (double)bytes / 1024, of);
  else
    ffi_terminal_print(p->terminal, key, "%.1f MB, %s", (double)bytes / (1024 * 1024), of);
}

static void print_text(const page *p)
{
  const ff_scene_def *def = ff_scene_get_def(p->scene);
  const ff_sim_def *sim = ff_world_def(p->world);
  const ff_model *model = ff_world_model(p->world);
  const ff_model_size size = ff_model_get_size(model);
  if (def->title && *def->title)
    ffi_terminal_print(p->terminal, "scene", "%s", def->title);
  ffi_terminal_print(p->terminal, "model", "%s, from %s", ff_model_name(ff_scene_model(p->scene)),
                     ff_scene_model_file(p->scene));
  ffi_terminal_print(
      p->terminal, "size", "nq %d, nv %d, %d elements, %d piece%s of ground, at most %d contacts", size.nq,
      size.nv, sim->element_count, sim->ground_count, sim->ground_count == 1 ? "" : "s", sim->max_contacts);
  ffi_terminal_print(p->terminal, "stepper", "%s, steps of %g s, %lld of them, %s",
                     ff_stepper_name(sim->stepper), sim->dt, ff_scene_steps(p->scene), ff_isa_name(sim->isa));
  print_controls(p);
  print_bytes(p, "world", p->memory.world, "shared by all robots of the scene");
  print_bytes(p, "parameters", p->memory.parameters,
              "a robot's masses, materials, gains, gravity, ground poses");
  print_bytes(p, "state", p->memory.state, "a robot's: all that the next step depends on");
  print_bytes(p, "evaluation", p->memory.evaluation, "a sim's: what its present state looks like");
  print_bytes(p, "workspace", p->memory.workspace, "a thread's scratch");
}

static void print_json(const page *p, const char *path)
{
  const ff_scene_def *def = ff_scene_get_def(p->scene);
  const ff_sim_def *sim = ff_world_def(p->world);
  const ff_model_size size = ff_model_get_size(ff_world_model(p->world));
  const int count = ff_world_control_count(p->world);
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "file", path);
  ffi_json_put_text(&json, "title", def->title);
  ffi_json_put_text(&json, "model", ff_scene_model_file(p->scene));
  ffi_json_put_integer(&json, "nq", size.nq);
  ffi_json_put_integer(&json, "nv", size.nv);
  ffi_json_put_integer(&json, "elements", sim->element_count);
  ffi_json_put_integer(&json, "ground", sim->ground_count);
  ffi_json_put_integer(&json, "max_contacts", sim->max_contacts);
  ffi_json_put_text(&json, "stepper", ff_stepper_name(sim->stepper));
  ffi_json_put_number(&json, "dt", sim->dt);
  ffi_json_put_number(&json, "steps", (double)ff_scene_steps(p->scene));
  ffi_json_put_text(&json, "isa", ff_isa_name(sim->isa));
  ffi_json_put_open(&json, "controls", '[');
  for (int i = 0; i < count; ++i) {
    ff_control_info info;
    ff_world_control(p->world, i, &info);
    ffi_json_open(&json, '{', 1);
    ffi_json_put_text(&json, "joint", info.name);
    ffi_json_put_text(&json, "kind", kinds[info.kind]);
    ffi_json_put_number(&json, "lower", info.lower);
    ffi_json_put_number(&json, "upper", info.upper);
    ffi_json_close(&json, '}');
  }
  ffi_json_close(&json, ']');
  ffi_json_put_open(&json, "bytes", '{');
  ffi_json_put_number(&json, "world", (double)p->memory.world);
  ffi_json_put_number(&json, "parameters", (double)p->memory.parameters);
  ffi_json_put_number(&json, "state", (double)p->memory.state);
  ffi_json_put_number(&json, "evaluation", (double)p->memory.evaluation);
  ffi_json_put_number(&json, "workspace", (double)p->memory.workspace);
  ffi_json_close(&json, '}');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

int ffi_info_scene(const char *path, int as_json, int is_quiet, const ffi_terminal *terminal)
{
  ff_error error;
  page p = {.terminal = terminal};
  if (ff_scene_load(path, NULL, 0, &p.scene, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    return FFI_EXIT_FAILED;
  }
  p.world = ff_sim_world(ff_scene_sim(p.scene));
  p.memory = ff_world_get_memory(p.world);
  if (as_json)
    print_json(&p, path);
  else if (!is_quiet)
    print_text(&p);
  ff_scene_destroy(p.scene);
  return FFI_EXIT_OK;
}
