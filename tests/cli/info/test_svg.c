// footfall info --svg: every shipped model draws, what is near hides what is far, and the pictures in docs/images are
// what the command makes today.
#include "cli/run_command.h"

#include <footfall/model.h>

#include <libxml/parser.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/shipped_models.h"

#define MODELS FFI_TEST_SOURCE_DIR "/models/"
#define IMAGES FFI_TEST_SOURCE_DIR "/docs/images/"

enum { LARGEST_FILE = 200 * 1000 }; // bytes; a picture on a page must load fast

static int clean_up(void **state)
{
  (void)state;
  ffi_clean_up();
  xmlCleanupParser();
  return 0;
}

static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s cannot be read", path);
  char *text = malloc(2 * LARGEST_FILE);
  assert_non_null(text);
  const size_t size = fread(text, 1, 2 * LARGEST_FILE - 1, file);
  fclose(file);
  text[size] = '\0';
  return text;
}

// The picture of a model, drawn into the scratch folder. Free it.
static char *draw(const char *options, const char *model)
{
  char path[256];
  snprintf(path, sizeof path, "%s/picture.svg", ffi_scratch_folder());
  remove(path);
  ffi_output output = ffi_run("", "info %s --svg '%s' '%s'", options, path, model);
  if (output.status != 0)
    fail_msg("info %s --svg %s: exit status %d, %s", options, model, output.status, output.err);
  assert_string_equal(output.err, "");
  if (!strstr(options, "--json"))
    assert_string_equal(output.out, "");
  ffi_output_free(&output);
  return read_file(path);
}

// ---- The file ---------------------------------------------------------------------------------------------

static int count_marks(const xmlNode *node)
{
  int count = 0;
  for (; node; node = node->next) {
    xmlChar *class = node->type == XML_ELEMENT_NODE ? xmlGetProp(node, BAD_CAST "class") : NULL;
    count += class && strcmp((const char *)class, "contact") == 0;
    xmlFree(class);
    count += count_marks(node->children);
  }
  return count;
}

// Well-formed, an SVG, complete in itself. Returns how many contact points are marked.
static int check_svg(const char *what, const char *text)
{
  xmlDoc *document = xmlReadMemory(text, (int)strlen(text), what, NULL, XML_PARSE_NONET);
  if (!document)
    fail_msg("the picture of %s is not well-formed", what);
  const xmlNode *root = xmlDocGetRootElement(document);
  assert_string_equal(root->name, "svg");
  assert_non_null(root->ns);
  assert_string_equal(root->ns->href, "http://www.w3.org/2000/svg");
  const int marks = count_marks(root->children);
  xmlFreeDoc(document);
  if (strlen(text) >= LARGEST_FILE)
    fail_msg("the picture of %s has %zu bytes", what, strlen(text));
  if (strstr(text, "href") || strstr(text, "nan") || strstr(text, "inf"))
    fail_msg("the picture of %s refers to something else, or holds no numbers", what);
  return marks;
}

static int count_contact_points(const ff_model *model)
{
  int points = 0;
  for (int i = 0; i < ff_model_get_size(model).shapes; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    points += shape.def.type == FF_SHAPE_POINT && (shape.def.purpose & FF_SHAPE_COLLISION);
  }
  return points;
}

static void every_model_draws_in_every_posture(void **state)
{
  (void)state;
  for (int m = 0; m < ffi_shipped_count(); ++m) {
    char path[FFI_SHIPPED_PATH], options[128];
    ffi_shipped_path(m, path);
    ff_model *model = ffi_shipped_load(m);
    const int points = count_contact_points(model);
    for (int i = 0; i < ff_model_get_size(model).postures; ++i) {
      snprintf(options, sizeof options, "--posture '%s'", ff_model_posture_name(model, i));
      char *text = draw(options, path);
      const int marks = check_svg(path, text);
      if (marks != points)
        fail_msg("%s has %d contact points, %d are marked", path, points, marks);
      assert_non_null(strstr(text, ff_model_posture_name(model, i)));
      free(text);
    }
    ff_model_destroy(model);
  }
}

static void posture_is_standing_unless_said(void **state)
{
  (void)state;
  char *unsaid = draw("", MODELS "solo12.urdf"), *standing = draw("--posture standing", MODELS "solo12.urdf");
  char *squat = draw("--posture=squat", MODELS "solo12.urdf");
  assert_string_equal(unsaid, standing);
  assert_string_not_equal(unsaid, squat);
  free(unsaid);
  free(standing);
  free(squat);
  char *first = draw("", MODELS "ball.urdf"), *resting = draw("--posture resting", MODELS "ball.urdf");
  assert_string_equal(first, resting); // it has no standing; resting is the first
  free(first);
  free(resting);
}

static void names_are_escaped_and_models_without_shapes_are_sticks(void **state)
{
  static const char robot[] = "<robot name='a&lt;b &amp; c&quot;'><link name='p'/><link name='q'><inertial>"
                              "<mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
                              "<joint name='j' type='continuous'><parent link='p'/><child link='q'/>"
                              "<origin xyz='0.3 0.1 0.2'/><axis xyz='1 0 0'/></joint></robot>";
  (void)state;
  const char *path = ffi_write_file("sticks.urdf", robot, (int)sizeof robot - 1);
  char *text = draw("--fixed-base", path);
  assert_int_equal(check_svg(path, text), 0);
  assert_non_null(strstr(text, "a&lt;b &amp; c"));
  int faces = 0;
  for (const char *at = text; (at = strstr(at, "<path ")); ++at)
    ++faces;
  assert_true(faces > 20); // a ball and a capsule have more sides than the ground has paths
  free(text);
}

// ---- Who hides whom ---------------------------------------------------------------------------------------

// Is (x, y) inside the path d? Only the letters M, l and z occur. By crossings of the ray to the right, for each
// polygon.
static int path_contains(const char *d, double x, double y)
{
  double px = 0, py = 0, start_x = 0, start_y = 0;
  int inside = 0, within = 0;
  char verb = 0;
  while (*d && *d != '"') {
    double nx = start_x, ny = start_y;
    if (isalpha((unsigned char)*d))
      verb = *d++;
    if (verb != 'z') {
      char *end;
      nx = (double)strtol(d, &end, 10) + (verb == 'l' ? px : 0);
      ny = (double)strtol(end, &end, 10) + (verb == 'l' ? py : 0);
      d = end;
    }
    if (verb == 'M') {
      start_x = nx;
      start_y = ny;
      within = 0;
    } else if ((ny > y) != (py > y) && x < px + (y - py) / (ny - py) * (nx - px)) {
      within = !within;
    }
    inside |= verb == 'z' && within;
    px = nx;
    py = ny;
  }
  return inside;
}

// What was painted last at (x, y), as 0xrrggbb; -1: nothing.
static long colour_at(const char *text, double x, double y)
{
  long colour = -1;
  for (const char *at = text; (at = strstr(at, "<path d=\"")); ++at) {
    const char *d = at + 9, *fill = strstr(d, "fill=\"");
    if (fill && fill[6] == '#' && path_contains(d, x, y))
      colour = strtol(fill + 7, NULL, 16);
  }
  return colour;
}

// Two upright plates that cross, red along x and blue along y; the viewer stands at +x, -y. The right half of the
// picture shows the red plate's x > 0, the left half the blue plate's y < 0, whatever lies behind. Points mark where to
// look.
static void plates_that_cross_hide_half_of_each_other(void **state)
{
  static const char robot[] =
      "<robot name='cross'><link name='base'>"
      "<visual><origin xyz='0 0 0.6'/><geometry><box size='1 0.02 1'/></geometry>"
      "<material name='r'><color rgba='0.9 0.1 0.1 1'/></material></visual>"
      "<visual><origin xyz='0 0 0.6'/><geometry><box size='0.02 1 1'/></geometry>"
      "<material name='b'><color rgba='0.1 0.1 0.9 1'/></material></visual></link>"
      "<footfall>"
      "<point name='1' link='base' xyz='0.25 -0.01 0.5'/><point name='2' link='base' xyz='0.01 -0.25 0.5'/>"
      "<point name='3' link='base' xyz='-0.25 -0.01 0.5'/><point name='4' link='base' xyz='0.01 0.25 0.5'/>"
      "</footfall></robot>";
  static const int is_red[] = {1, 0, 0, 1}; // on red, on blue; red's hidden half, blue's hidden half
  (void)state;
  const char *path = ffi_write_file("cross.urdf", robot, (int)sizeof robot - 1);
  char *text = draw("--fixed-base", path);
  assert_int_equal(check_svg(path, text), 4);
  const char *mark = text;
  for (int i = 0; i < 4; ++i) {
    double x, y;
    mark = strstr(mark, "class=\"contact\"");
    assert_non_null(mark);
    assert_int_equal(sscanf(mark++, "class=\"contact\" cx=\"%lf\" cy=\"%lf\"", &x, &y), 2);
    const long colour = colour_at(text, x, y);
    if (colour < 0 || ((colour >> 16) > (colour & 0xff)) != is_red[i])
      fail_msg("at point %d the picture is #%06lx", i + 1, (unsigned long)colour);
  }
  free(text);
}

// ---- Refusals ---------------------------------------------------------------------------------------------

static void refuse(int status, const char *arguments, const char *words, const char *more_words)
{
  ffi_output output = ffi_run("", "%s", arguments);
  if (output.status != status || !strstr(output.err, words) || !strstr(output.err, more_words))
    fail_msg("footfall %s: status %d, '%s' or '%s' not in: %s", arguments, output.status, words, more_words,
             output.err);
  assert_true(strncmp(output.err, "footfall: ", 10) == 0);
  assert_string_equal(output.out, "");
  ffi_output_free(&output);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
  char line[512];
  (void)state;
  snprintf(line, sizeof line, "info " MODELS "solo12.urdf --svg '%s/no.svg' --posture dancing",
           ffi_scratch_folder());
  refuse(2, line, "'--posture dancing' is not known", "standing, straight_standing or squat");
  snprintf(line, sizeof line, "%s/no.svg", ffi_scratch_folder());
  assert_int_not_equal(access(line, F_OK), 0); // nothing was begun
  snprintf(line, sizeof line, "info " MODELS "solo12.urdf --svg '%s/no.svg' --posture squatt",
           ffi_scratch_folder());
  refuse(2, line, "did you mean 'squat'?", "squat");
  refuse(1, "info " MODELS "solo12.urdf --svg /no/such/folder/robot.svg", "/no/such/folder/robot.svg",
         "No such file or directory");
  if (access("/dev/full", W_OK) == 0)
    refuse(1, "info " MODELS "solo12.urdf --svg /dev/full", "/dev/full", "could not be written");
  refuse(2, "info " MODELS "solo12.urdf --svg", "'--svg' needs a value", "");
  refuse(2, "info " MODELS "solo12.urdf --posture squat", "--svg", "--posture");
}

static void picture_and_json_go_together(void **state)
{
  (void)state;
  ffi_output output = ffi_run("", "info --json --svg '%s/both.svg' " MODELS "box.xml", ffi_scratch_folder());
  assert_int_equal(output.status, 0);
  assert_int_equal(output.out[0], '{');
  ffi_output_free(&output);
}

// ---- The pictures of the documentation ---------------------------------------------------------------------

// Other compilers may round a coordinate to the next tenth of a pixel, and a shade to its neighbour: a number may be
// off by this, of two ends of a relative line each by one.
enum { NUMBER_SLACK = 2 };

static const char *skip_space(const char *at)
{
  while (isspace((unsigned char)*at))
    ++at;
  return at;
}

static int same_colour(const char *a, const char *b)
{
  for (int k = 0; k < 3; ++k) {
    unsigned x, y;
    if (sscanf(a + 2 * k, "%2x", &x) != 1 || sscanf(b + 2 * k, "%2x", &y) != 1 || x > y + 1 || y > x + 1)
      return 0;
  }
  return 1;
}

static int is_colour(const char *at)
{
  return *at == '#' && strspn(at + 1, "0123456789abcdef") == 6;
}

// Where two pictures differ; NULL: nowhere.
static const char *find_difference(const char *a, const char *b)
{
  for (;;) {
    a = skip_space(a);
    b = skip_space(b);
    if (is_colour(a) && is_colour(b)) {
      if (!same_colour(a + 1, b + 1))
        return a;
      a += 7;
      b += 7;
    } else if ((isdigit((unsigned char)*a) || *a == '-') && (isdigit((unsigned char)*b) || *b == '-')) {
      char *end_a, *end_b;
      const long off = strtol(a, &end_a, 10) - strtol(b, &end_b, 10);
      if (off < -NUMBER_SLACK || off > NUMBER_SLACK)
        return a;
      a = end_a > a ? end_a : a + 1;
      b = end_b > b ? end_b : b + 1;
    } else if (*a != *b) {
      return a;
    } else if (*a == '\0') {
      return NULL;
    } else {
      ++a;
      ++b;
    }
  }
}

static void pictures_in_the_documentation_are_up_to_date(void **state)
{
  static const char *const names[] = {"solo12", "romeo"};
  (void)state;
  for (int i = 0; i < 2; ++i) {
    char model[256], image[256];
    snprintf(model, sizeof model, MODELS "%s.urdf", names[i]);
    snprintf(image, sizeof image, IMAGES "%s.svg", names[i]);
    char *drawn = draw("", model), *kept = read_file(image);
    const char *difference = find_difference(drawn, kept);
    if (difference)
      fail_msg("docs/images/%s.svg is stale, at '%.60s'; draw it again:\n"
               "build/footfall info models/%s.urdf --svg docs/images/%s.svg",
               names[i], difference, names[i], names[i]);
    free(drawn);
    free(kept);
  }
}

static void the_model_is_not_drawn_over(void **state)
{
  (void)state;
  char path[256];
  snprintf(path, sizeof path, "%s/ball.urdf", ffi_scratch_folder());
  char *before = read_file(MODELS "ball.urdf");
  FILE *copy = fopen(path, "wb");
  assert_non_null(copy);
  fputs(before, copy);
  fclose(copy);
  ffi_output output = ffi_run("", "info '%s' --svg '%s'", path, path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "is the model, which the picture would overwrite"));
  ffi_output_free(&output);
  char *after = read_file(path);
  assert_string_equal(before, after);
  free(before);
  free(after);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_model_draws_in_every_posture),
      cmocka_unit_test(posture_is_standing_unless_said),
      cmocka_unit_test(names_are_escaped_and_models_without_shapes_are_sticks),
      cmocka_unit_test(plates_that_cross_hide_half_of_each_other),
      cmocka_unit_test(what_cannot_be_drawn_is_refused),
      cmocka_unit_test(picture_and_json_go_together),
      cmocka_unit_test(the_model_is_not_drawn_over),
      cmocka_unit_test(pictures_in_the_documentation_are_up_to_date),
  };
  return cmocka_run_group_tests(tests, NULL, clean_up);
}
