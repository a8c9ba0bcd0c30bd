// What holds in a scene where nothing is said: the defaults of sims and controllers, and NAN for what is only known
// later or may be absent.
#include "io/scene/scene_schema.h"

#include <math.h>

static const ff_scene_expect nothing_expected = {.com_error = NAN,
                                                 .steps = NAN,
                                                 .flight = NAN,
                                                 .speed = {NAN, NAN},
                                                 .advance = NAN,
                                                 .final_speed = NAN,
                                                 .penetration = NAN,
                                                 .drift = NAN,
                                                 .unconverged = NAN,
                                                 .contacts = NAN,
                                                 .fallen = {NAN, NAN},
                                                 .moved = NAN,
                                                 .rise = NAN,
                                                 .passed = NAN};

static ff_scene_controller default_controller(void)
{
  const ff_controller_def def = ff_controller_def_default();
  ff_scene_controller c = {.type = def.type,
                           .period = NAN,
                           .middle = def.middle,
                           .tasks = def.tasks,
                           .kp = NAN,
                           .kd = NAN,
                           .squat = def.squat,
                           .walk = def.walk,
                           .trot = def.trot};
  c.tasks.contact.weight = -1; // not given: strict
  c.tasks.contact.is_strict = 0;
  return c;
}

void ffi_scene_def_default(ff_scene_def *def)
{
  *def = (ff_scene_def){
      .material = {NAN, NAN, NAN, NAN, NAN},
      .start = {.position = {NAN, NAN, NAN}, .quaternion = {NAN, NAN, NAN, NAN}, .rpy = {NAN, NAN, NAN}},
      .controller = default_controller(),
      .sim = ff_sim_def_default(),
      .duration = 10,
      .log = {.every = 1},
      .expect = nothing_expected};
}
