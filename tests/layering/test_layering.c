// Every #include of the tree is an edge that the allow-list knows; and the reader of includes, shown wrong
// ones, says so.

#include "layering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void check_folder(const char *folder, int least_files)
{
  ffi_layering_report report = {0};
  assert_int_equal(ffi_layering_folder(FFI_TEST_SOURCE_DIR, folder, &report), 0);
  for (int i = 0; i < report.violations && i < 8; ++i)
    print_error("%s\n", report.first[i]);
  assert_int_equal(report.violations, 0);
  assert_true(report.files >= least_files);
  assert_true(report.files == 0 || report.includes > 0);
}

static void rooms_include_only_rooms_above(void **state)
{
  (void)state;
  check_folder("src", 10);
}

static void public_headers_stand_alone(void **state)
{
  (void)state;
  check_folder("include", 9);
}

static void command_and_bench_use_public_headers(void **state)
{
  (void)state;
  check_folder("cli", 0);
  check_folder("apps", 0);
  check_folder("bench", 0);
}

static void wrong_includes_are_refused(void **state)
{
  static const struct {
    const char *path, *line;
  } wrong[] = {
      {"src/math/pose.c", "#include \"model/model.h\""},
      {"src/base/fail.c", "  #  include \"math/vec3.h\""},
      {"src/base/fail.c", "#include <footfall/model.h>"},
      {"src/ode/dopri5.c", "#include \"dynamics/dynamics.h\""},
      {"src/ode/dopri5.c", "#include <footfall/dynamics.h>"},
      {"src/model/builder.c", "#include <libxml/tree.h>"},
      {"src/model/builder.c", "#include <footfall/load.h>"},
      {"src/geometry/collide.c", "#include <footfall/sim.h>"},
      {"src/contact/law/contact_law.c", "#include \"sim/sim.h\""},
      {"src/model/builder.c", "#include <footfall/footfall.h>"},
      {"src/model/builder.c", "#include <footfall/invented.h>"},
      {"src/dynamics/kernels/rnea.c", "#include \"io/xml.h\""},
      {"src/dynamics/kernels/rnea.c", "#include \"../../io/xml.h\""},
      {"src/dynamics/kernels/rnea.c", "#include <mujoco/mujoco.h>"},
      {"src/io/urdf/urdf.c", "#include \"model/model.h\""},
      {"src/util/util.c", "#include <stdio.h>"},
      {"src/step/util/util.c", "#include <stdio.h>"},
      {"src/step/eval/evaluation.c", "#include \"step/expo/expo.h\""},
      {"src/step/explicit/rk4.c", "#include \"step/implicit/implicit.h\""},
      {"src/contact/hard/hard.c", "#include \"contact/detect/colliders.h\""},
      {"apps/svg/svg.c", "#include \"run/run.h\""},
      {"cli/json.c", "#include \"run/run.h\""},
      {"cli/json.c", "#include \"base/fail.h\""},
      {"apps/info/info.c", "#include \"model/model.h\""},
      {"bench/micro/dynamics.c", "#include \"dynamics/kernels.h\""},
      {"include/footfall/model.h", "#include \"model/model.h\""},
      {"include/footfall/model.h", "#include <libxml/tree.h>"},
      {"src/model/model.c", "#include HEADER"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    char why[400] = "";
    if (ffi_layering_line(wrong[i].path, wrong[i].line, why, sizeof why))
      fail_msg("allowed in %s: %s", wrong[i].path, wrong[i].line);
    assert_true(strlen(why) > 0);
  }
}

static void right_includes_are_allowed(void **state)
{
  static const struct {
    const char *path, *line;
  } right[] = {
      {"src/model/model.c", "#include \"math/vec3.h\""},
      {"src/model/model.c", "#include <footfall/builder.h>"},
      {"src/dynamics/kernels/rnea.c", "#include \"variant.h\""},
      {"src/dynamics/kernels/rnea.c", "#include \"dynamics/lanes.h\""},
      {"src/ode/dopri5.c", "#include \"math/dense.h\" // kernels"},
      {"src/io/urdf/urdf.c", "#include <libxml/tree.h>"},
      {"src/io/urdf/urdf.c", "#include <footfall/builder.h>"},
      {"src/contact/detect/colliders.h", "#include <footfall/sim.h>"},
      {"src/base/fail.c", "#include <stdarg.h>"},
      {"src/base/fail.c", "// #include \"io/xml.h\""},
      {"src/base/fail.c", "#define X \"io/xml.h\""},
      {"apps/info/info.c", "#include <footfall/footfall.h>"},
      {"apps/info/info.c", "#include \"commands.h\""},
      {"bench/micro/dynamics.c", "#include <mujoco/mujoco.h>"},
      {"include/footfall/load.h", "#include <stddef.h>"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
    char why[400] = "";
    if (!ffi_layering_line(right[i].path, right[i].line, why, sizeof why))
      fail_msg("refused in %s: %s: %s", right[i].path, right[i].line, why);
  }
}

// The walk itself: a tree with two wrong lines, found by file and line.
static void a_wrong_tree_is_found(void **state)
{
  char root[] = "/tmp/footfall-layering-XXXXXX", path[128];
  (void)state;
  assert_non_null(mkdtemp(root));
  static const char *const folders[] = {"src", "src/dynamics", "src/dynamics/kernels"};
  for (int i = 0; i < 3; ++i) {
    snprintf(path, sizeof path, "%s/%s", root, folders[i]);
    assert_int_equal(mkdir(path, 0700), 0);
  }
  snprintf(path, sizeof path, "%s/src/dynamics/kernels/wrong.c", root);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("#include <math.h>\n\n#include \"sim/sim.h\"\n#include \"absent.h\"\n", file);
  fclose(file);

  ffi_layering_report report = {0};
  assert_int_equal(ffi_layering_folder(root, "src", &report), 0);
  assert_int_equal(report.files, 1);
  assert_int_equal(report.includes, 3);
  assert_int_equal(report.violations, 2);
  assert_string_equal(report.first[0],
                      "src/dynamics/kernels/wrong.c:3: dynamics/kernels may not include \"sim/sim.h\"");
  assert_string_equal(report.first[1], "src/dynamics/kernels/wrong.c:4: there is no \"absent.h\" beside it");

  unlink(path);
  for (int i = 2; i >= 0; --i) {
    snprintf(path, sizeof path, "%s/%s", root, folders[i]);
    rmdir(path);
  }
  rmdir(root);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rooms_include_only_rooms_above),       cmocka_unit_test(public_headers_stand_alone),
      cmocka_unit_test(command_and_bench_use_public_headers), cmocka_unit_test(wrong_includes_are_refused),
      cmocka_unit_test(right_includes_are_allowed),           cmocka_unit_test(a_wrong_tree_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
