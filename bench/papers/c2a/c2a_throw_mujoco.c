// The same objects and the same wall in MuJoCo.
#include "papers/c2a/c2a_throw.h"
#include "peers/mujoco_robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hand {
  ff_model *model[BENCH_C2A_OBJECTS];
  bench_mujoco_robot robot[BENCH_C2A_OBJECTS];
  ff_inertia inertia[BENCH_C2A_OBJECTS];
} hand;

// MuJoCo's sizes are half lengths, except radii.
static void write_geom(FILE *f, const ff_shape_def *s, double time_constant)
{
  fputs("<geom type=\"", f);
  if (s->type == FF_SHAPE_SPHERE)
    fprintf(f, "sphere\" size=\"%.17g\"", s->size[0]);
  else if (s->type == FF_SHAPE_CAPSULE)
    fprintf(f, "capsule\" size=\"%.17g %.17g\"", s->size[0], s->size[1] / 2);
  else
    fprintf(f, "box\" size=\"%.17g %.17g %.17g\"", s->size[0] / 2, s->size[1] / 2, s->size[2] / 2);
  fprintf(f, " friction=\"0.5\" solref=\"%.17g 1\"/>\n", time_constant);
}

// To be freed; NULL if there is no memory.
static char *write_text(const ff_model *model, const ff_inertia *x, double time_constant)
{
  char *text = NULL;
  size_t length;
  FILE *f = open_memstream(&text, &length);
  ff_shape_info shape;
  const ff_shape_def wall = bench_c2a_throw_wall();
  if (!f)
    return NULL;
  ff_model_shape(model, 0, &shape);
  fputs("<mujoco>\n<option gravity=\"0 0 0\"/>\n<worldbody>\n", f);
  write_geom(f, &wall, time_constant);
  fprintf(f,
          "<body><freejoint/>\n<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n",
          x->mass, x->matrix[0], x->matrix[3], x->matrix[5]);
  write_geom(f, &shape.def, time_constant);
  fputs("</body>\n</worldbody>\n</mujoco>\n", f);
  fclose(f);
  return text;
}

// MuJoCo resets a state that it finds bad; such a throw has failed.
static void go(void *self, const bench_c2a_throw *t, bench_c2a_throw_end *end)
{
  hand *h = self;
  bench_mujoco_robot *robot = &h->robot[t->object];
  bench_mujoco_data *d = &robot->d;
  double x = t->q[0], v[6];
  *end = (bench_c2a_throw_end){0};
  robot->peer->reset(&robot->m, d);
  bench_mujoco_robot_convert(h->model[t->object], t->q, t->v, d->qpos, d->qvel);
  memcpy(v, d->qvel, sizeof v);
  for (; end->steps < t->steps && !end->has_failed; ++end->steps) {
    bench_mujoco_robot_step(robot);
    end->has_failed = robot->peer->has_warned(d);
    if (!end->has_failed) {
      x = d->qpos[0];
      memcpy(v, d->qvel, sizeof v);
    }
  }
  bench_c2a_throw_judge(t, x, v, &h->inertia[t->object], end);
}

static void destroy(void *self)
{
  hand *h = self;
  for (int k = 0; k < BENCH_C2A_OBJECTS; ++k) {
    bench_mujoco_robot_close(&h->robot[k]);
    ff_model_destroy(h->model[k]);
  }
  free(h);
}

static int add_object(hand *h, int k, double time_constant, double dt, char *why, size_t size)
{
  ff_link_info link;
  ff_error error = {0};
  if (bench_c2a_throw_object_model(k, &h->model[k], &error) != FF_OK ||
      ff_model_link(h->model[k], 0, &link) != FF_OK) {
    snprintf(why, size, "%.150s", error.message);
    return 0;
  }
  h->inertia[k] = link.inertia;
  char *text = write_text(h->model[k], &link.inertia, time_constant);
  snprintf(why, size, "no memory");
  const int is_open = text && bench_mujoco_robot_open_text(&h->robot[k], text, why, size);
  free(text);
  if (is_open)
    h->robot[k].peer->set_options(&h->robot[k].m, &(bench_mujoco_options){.dt = dt, .is_pyramidal = 1});
  return is_open;
}

int bench_c2a_throw_mujoco(const char *name, double time_constant, double dt, bench_c2a_throw_simulator *out,
                           char *why, size_t size)
{
  hand *h = calloc(1, sizeof *h);
  int is_made = h != NULL;
  *out = (bench_c2a_throw_simulator){0};
  snprintf(why, size, "no memory");
  for (int k = 0; k < BENCH_C2A_OBJECTS && is_made; ++k)
    is_made = add_object(h, k, time_constant, dt, why, size);
  if (!is_made) {
    if (h)
      destroy(h);
    return 0;
  }
  *out = (bench_c2a_throw_simulator){.go = go, .destroy = destroy, .self = h};
  snprintf(out->name, sizeof out->name, "%s", name);
  return 1;
}
