// Which pairs of geoms may collide: the same in MuJoCo, which is shown all of them overlapping, and here.
//
// MuJoCo's compiled geoms become spheres that all overlap, whatever they were and wherever they are. So its list of
// contacts is the list of pairs that its rules let through: contype and conaffinity, exclusions, pairs, parents.
#include "mjcf_compare.h"

#include <footfall/collision.h>
#include <footfall/load.h>
#include <footfall/save.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER FFI_TEST_SOURCE_DIR "/tests/oracle/mjcf"

enum { MOST_GEOMS = 400, MOST_CONTACTS = 80000 };

typedef struct tally {
  long pairs, colliding, listed, excluded, masked, parents;
} tally;

// ---- MuJoCo -------------------------------------------------------------------------------------------------

// Every geom a sphere of a kilometre; where its centre is does not matter.
static void blow_up(mjModel *m)
{
  for (int i = 0; i < m->ngeom; ++i) {
    m->geom_type[i] = mjGEOM_SPHERE;
    m->geom_size[3 * i] = 1e3;
    m->geom_rbound[i] = 1e3;
    m->geom_margin[i] = m->geom_gap[i] = 0;
  }
  m->nconmax = MOST_CONTACTS;
  m->nstack += 20 * MOST_CONTACTS;
}

// collides[i * ngeom + k] of geoms on different welded bodies, and the friction of the contact.
static void ask_mujoco(mjModel *m, char *collides, double *friction)
{
  blow_up(m);
  mjData *d = mj_makeData(m);
  assert_non_null(d);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_collision(m, d);
  assert_true(d->ncon < m->nconmax);
  for (int c = 0; c < d->ncon; ++c) {
    const int a = d->contact[c].geom1, b = d->contact[c].geom2;
    collides[a * m->ngeom + b] = collides[b * m->ngeom + a] = 1;
    friction[a * m->ngeom + b] = friction[b * m->ngeom + a] = d->contact[c].friction[0];
  }
  mj_deleteData(d);
}

static int is_one_body(const mjModel *m, int a, int b)
{
  return m->body_weldid[m->geom_bodyid[a]] == m->body_weldid[m->geom_bodyid[b]];
}

// ---- Comparison ---------------------------------------------------------------------------------------------

// Bodies without a name get one with their number.
static int find_body(const mjModel *m, const char *name)
{
  int body = mj_name2id(m, mjOBJ_BODY, name);
  return body >= 0 || sscanf(name, "body%d", &body) == 1 ? body : -1;
}

// The shape of each geom: those of a body keep their order.
static void match(const char *what, const mjModel *m, const ff_model *model, int *shape)
{
  ff_shape_info info;
  ff_link_info link;
  int next[MOST_GEOMS] = {0}, matched = 0;
  for (int s = 0; ff_model_shape(model, s, &info) == FF_OK; ++s) {
    int body = 0;
    if (ff_model_link(model, info.link, &link) == FF_OK)
      body = find_body(m, link.name);
    if (body < 0)
      fail_msg("%s: MuJoCo has no body '%s'", what, link.name);
    assert_true(next[body] < m->body_geomnum[body]);
    shape[m->body_geomadr[body] + next[body]++] = s;
    ++matched;
  }
  assert_int_equal(matched, m->ngeom);
}

static void count(tally *t, ff_collision said)
{
  ++t->pairs;
  t->colliding += said == FF_COLLISION_YES || said == FF_COLLISION_LISTED;
  t->listed += said == FF_COLLISION_LISTED;
  t->excluded += said == FF_COLLISION_EXCLUDED;
  t->masked += said == FF_COLLISION_MASKED;
  t->parents += said == FF_COLLISION_PARENT;
}

static void compare_friction(const char *what, const ff_model *model, int a, int b, double theirs)
{
  ff_shape_pair pair;
  for (int i = 0; ff_model_pair(model, i, &pair) == FF_OK; ++i)
    if (((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) && pair.friction >= 0 &&
        pair.friction != theirs)
      fail_msg("%s: shapes %d and %d have friction %g, in MuJoCo %g", what, a, b, pair.friction, theirs);
}

static void compare(const char *what, mjModel *m, const ff_model *model, tally *t)
{
  const size_t all = (size_t)m->ngeom * (size_t)m->ngeom;
  int shape[MOST_GEOMS];
  char *collides = calloc(all + 1, 1);
  double *friction = calloc(all + 1, sizeof *friction);
  assert_true(collides && friction && m->ngeom < MOST_GEOMS && m->nbody < MOST_GEOMS);
  match(what, m, model, shape);
  ask_mujoco(m, collides, friction);
  for (int a = 0; a < m->ngeom; ++a)
    for (int b = a + 1; b < m->ngeom; ++b) {
      const ff_collision said = ff_model_collision(model, shape[a], shape[b], 1);
      const int may = said == FF_COLLISION_YES || said == FF_COLLISION_LISTED;
      // Two geoms of one body have nothing to do with each other here, even if a pair lists them.
      const int wanted = collides[a * m->ngeom + b] && !is_one_body(m, a, b);
      if (may != wanted && said != FF_COLLISION_UNSUPPORTED)
        fail_msg("%s: geoms %d and %d (bodies %d, %d): '%s' here, %s in MuJoCo", what, a, b,
                 m->geom_bodyid[a], m->geom_bodyid[b], ff_collision_name(said),
                 wanted ? "they collide" : "they do not");
      if (said == FF_COLLISION_LISTED)
        compare_friction(what, model, shape[a], shape[b], friction[a * m->ngeom + b]);
      count(t, said);
    }
  free(collides);
  free(friction);
}

// ---- Saving -------------------------------------------------------------------------------------------------

// Collision shapes in an order that saving keeps: by link, and within a link as they come.
static int list_shapes(const ff_model *model, int *list)
{
  ff_shape_info shape;
  int count = 0;
  for (int link = -1; link < ff_model_get_size(model).links; ++link)
    for (int s = 0; ff_model_shape(model, s, &shape) == FF_OK; ++s)
      if (shape.link == link && (shape.def.purpose & FF_SHAPE_COLLISION))
        list[count++] = s;
  return count;
}

// Of a listed pair; -2: it is not listed.
static double friction_of(const ff_model *model, int a, int b)
{
  ff_shape_pair pair;
  for (int i = 0; ff_model_pair(model, i, &pair) == FF_OK; ++i)
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
      return pair.friction;
  return -2;
}

// Saved and read again, the model lets the same pairs through, with the same friction. Links keep their order: their
// joints keep their names.
static void keep(const char *what, const ff_model *model, ff_model_format format)
{
  int list[2][4 * MOST_GEOMS];
  ff_saved saved;
  ff_error error;
  ff_model *again;
  if (ff_model_save_text(model, format, "saved", &saved, &error) != FF_OK ||
      ff_model_load_memory(saved.text, saved.length, what, NULL, &again, &error) != FF_OK)
    fail_msg("%s, saved: %s", what, error.message);
  const int count = list_shapes(model, list[0]);
  if (count != list_shapes(again, list[1]))
    fail_msg("%s, saved, has other shapes\n%s", what, saved.text);
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      const ff_collision before = ff_model_collision(model, list[0][a], list[0][b], 1),
                         after = ff_model_collision(again, list[1][a], list[1][b], 1);
      const double had = friction_of(model, list[0][a], list[0][b]),
                   has = friction_of(again, list[1][a], list[1][b]);
      const int is_excluded = before == FF_COLLISION_PARENT && after == FF_COLLISION_EXCLUDED;
      if (had != has)
        fail_msg("%s, saved: the pair %d, %d has friction %g, before %g", what, list[1][a], list[1][b], has,
                 had);
      if (before != after && !is_excluded)
        fail_msg("%s, saved: shapes %d and %d: '%s', before '%s'\n%s", what, list[1][a], list[1][b],
                 ff_collision_name(after), ff_collision_name(before), saved.text);
    }
  ff_saved_free(&saved);
  ff_model_destroy(again);
}

// ---- Random forests -----------------------------------------------------------------------------------------

typedef struct text {
  char *data;
  size_t length, capacity;
  int bodies, geoms, joints;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->data + t->length, t->capacity - t->length, format, arguments);
  va_end(arguments);
  assert_true(t->length < t->capacity);
}

static int below(int count)
{
  return (int)ffi_mjcf_compare_uniform(0, count);
}

static void put_geom(text *t)
{
  static const char *const types[] = {"sphere", "capsule", "box", "cylinder"};
  put(t, "<geom name=\"g%d\" type=\"%s\" size=\".1 .1 .1\"", t->geoms++, types[below(4)]);
  if (below(3) == 0)
    put(t, " contype=\"%d\" conaffinity=\"%d\"", below(4), below(4));
  put(t, "/>\n");
}

// Bodies without a joint are welded to their parent; some have several joints, or one off their origin.
static void put_body(text *t, int depth)
{
  const int is_free = depth == 0 && below(4) == 0;
  put(t, "<body name=\"b%d\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>\n", t->bodies++);
  if (is_free)
    put(t, "<freejoint/>\n");
  for (int n = is_free ? 0 : below(4); n > 0; --n)
    put(t, "<joint type=\"hinge\" axis=\"%d %d 1\" pos=\"%d 0 0\"/>\n", n, 1 - n, below(2));
  for (int n = below(3); n > 0; --n)
    put_geom(t);
  for (int n = depth < 4 ? below(3) : 0; n > 0 && t->bodies < 18; --n)
    put_body(t, depth + 1);
  put(t, "</body>\n");
}

static void put_body_name(text *t, const char *attribute)
{
  const int body = below(t->bodies + 1);
  if (body == t->bodies)
    put(t, " %s=\"world\"", attribute);
  else
    put(t, " %s=\"b%d\"", attribute, body);
}

static void put_contact(text *t)
{
  put(t, "<contact>\n");
  for (int n = below(8); n > 0; --n) {
    put(t, "<exclude");
    put_body_name(t, "body1");
    put_body_name(t, "body2");
    put(t, "/>\n");
  }
  for (int n = t->geoms > 1 ? below(6) : 0; n > 0; --n) {
    const int a = below(t->geoms), b = (a + 1 + below(t->geoms - 1)) % t->geoms;
    put(t, "<pair geom1=\"g%d\" geom2=\"g%d\"", a, b);
    if (below(2))
      put(t, " friction=\"0.%d\"", 1 + below(9));
    put(t, "/>\n");
  }
  put(t, "</contact>\n");
}

static void make_forest(text *t)
{
  t->length = 0;
  t->bodies = t->geoms = t->joints = 0;
  put(t, "<mujoco><compiler inertiafromgeom=\"false\"/>\n");
  if (below(5) == 0)
    put(t, "<option><flag filterparent=\"disable\"/></option>\n");
  put(t, "<default><geom contype=\"%d\" conaffinity=\"%d\"/>", 1 + below(3), below(4));
  put(t, "<pair friction=\"0.%d\"/></default>\n<worldbody>\n", 1 + below(9));
  for (int n = below(3); n > 0; --n)
    put_geom(t);
  for (int n = 1 + below(4); n > 0; --n)
    put_body(t, 0);
  put(t, "</worldbody>\n");
  put_contact(t);
  put(t, "</mujoco>\n");
}

static mjModel *read_in_mujoco(const text *t, mjVFS *vfs)
{
  char message[1000] = "";
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "forest.xml", (int)t->length);
  memcpy(vfs->filedata[0], t->data, t->length);
  mjModel *m = mj_loadXML("forest.xml", vfs, message, sizeof message);
  mj_deleteVFS(vfs);
  if (!m)
    fail_msg("MuJoCo: %s\n%s", message, t->data);
  return m;
}

static void random_forests_agree(void **unused)
{
  enum { FORESTS = 400, ROOM = 1 << 16 };
  (void)unused;
  text t = {.data = malloc(ROOM), .capacity = ROOM};
  mjVFS *vfs = malloc(sizeof *vfs);
  tally all = {0};
  for (int k = 0; k < FORESTS; ++k) {
    char name[40];
    ff_error error;
    ff_model *model = NULL;
    snprintf(name, sizeof name, "forest %d", k);
    make_forest(&t);
    mjModel *m = read_in_mujoco(&t, vfs);
    if (ff_model_load_memory(t.data, t.length, name, NULL, &model, &error) != FF_OK)
      fail_msg("%s\n%s", error.message, t.data);
    compare(name, m, model, &all);
    keep(name, model, FF_MODEL_MJCF);
    keep(name, model, FF_MODEL_URDF);
    ff_model_destroy(model);
    mj_deleteModel(m);
  }
  free(vfs);
  free(t.data);
  print_message("%ld pairs: %ld collide (%ld listed), %ld excluded, %ld masked, %ld parents\n", all.pairs,
                all.colliding, all.listed, all.excluded, all.masked, all.parents);
  assert_true(all.colliding > 1000 && all.listed > 100 && all.excluded > 100 && all.masked > 1000 &&
              all.parents > 100);
}

// ---- Files --------------------------------------------------------------------------------------------------

static int is_xml(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && strcmp(dot, ".xml") == 0;
}

static void every_file_agrees(void **unused)
{
  (void)unused;
  DIR *folder = opendir(FOLDER);
  tally all = {0};
  int files = 0;
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char path[1024], message[1000] = "";
    ff_error error;
    ff_model *model = NULL;
    if (!is_xml(entry->d_name))
      continue;
    snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
    mjModel *m = mj_loadXML(path, NULL, message, sizeof message);
    if (!m)
      fail_msg("%s: MuJoCo: %s", path, message);
    if (ff_model_load(path, NULL, &model, &error) != FF_OK)
      fail_msg("%s", error.message);
    if (ff_model_get_size(model).shapes == m->ngeom) { // some have geoms that are no shapes here
      compare(entry->d_name, m, model, &all);
      ++files;
    }
    ff_model_destroy(model);
    mj_deleteModel(m);
  }
  closedir(folder);
  print_message("%d files, %ld pairs: %ld collide\n", files, all.pairs, all.colliding);
  assert_true(files >= 20);
}

// Without this MuJoCo writes its warnings to a file in the working folder.
static void say_nothing(const char *message)
{
  (void)message;
}

int main(void)
{
  mju_user_warning = say_nothing;
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_forests_agree),
                                     cmocka_unit_test(every_file_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
