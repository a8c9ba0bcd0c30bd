// What a subcommand answers to a file that is absent, a folder, empty, rubbish, of another kind, damaged, unreadable,
// or wrong inside. bad_rows.h says what is checked.
#include "cli/bad/bad_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ABSENT "a file that is not there"
#define FOLDER "a folder in place of a file"
#define EMPTY "an empty file"
#define RUBBISH "binary rubbish"
#define OTHER "a file of another kind"
#define DAMAGED "a damaged log"
#define SECRET "a file that may not be read"
#define INSIDE "a wrong value in a file"
#define MESH "a mesh that is not there"

static const ffi_bad_row rows[] = {
    FFI_BAD(ABSENT, "run", "$T/none.urdf", 1, "none.urdf: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "run", "$T/none.yaml", 1, "none.yaml: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "run", "$T/lost.yaml", 1,
            "lost.yaml:1: model: |none.urdf: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "run", "$S/solo-stand.yaml --set model=none.urdf", 1,
            "'--set model=none.urdf'|cannot be opened"),
    FFI_BAD(ABSENT, "run", "--resume $T/none.h5", 1, "none.h5: cannot be opened"),
    FFI_BAD(ABSENT, "compare", "$T/none.yaml", 1, "none.yaml: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "view", "$T/none.h5 -o $T/keep.html", 1,
            "none.h5: cannot be opened: there is no such file"),
    FFI_BAD(ABSENT, "view", "$T/log.h5 $T/none.yaml -o $T/keep.html", 1,
            "none.yaml: cannot be opened: No such file"),
    FFI_BAD_IN("FOOTFALL_OUT=$T/pages", ABSENT, "view", "$T/none.h5", 1, "none.h5: cannot be opened"),
    FFI_BAD(ABSENT, "view --live", "$T/none.yaml", 1, "none.yaml: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "info", "$T/none.urdf --svg $T/keep.svg", 1, "none.urdf: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "bench", "dynamics --quick --models $T --json $T/keep.json", 1,
            "solo12.urdf: cannot be read|--models"),
    FFI_BAD(ABSENT, "bench", "expo-paper --quick --scenes $T --html $T/keep.html", 1,
            "solo-squat.yaml: cannot be read|--scenes"),
    FFI_BAD_LATE(NULL, ABSENT, "bench all",
                 "--case expo-paper --quick --scenes $T/none --html $T/folder >/dev/null", 1,
                 "none/solo-squat.yaml: cannot be read|--scenes"),
    FFI_BAD(ABSENT, "new", "$T/none.urdf -o $T/keep.yaml --force", 1,
            "none.urdf: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "convert", "$T/none.urdf $T/keep.xml --force", 1,
            "none.urdf: cannot be opened: No such file"),
    FFI_BAD(ABSENT, "plan", "jump $T/none.urdf --out $T/keep.txt", 1,
            "none.urdf: cannot be opened: No such file"),

    FFI_BAD(FOLDER, "run", "$T", 1, "cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "run", "$T/folder.yaml", 1, "folder.yaml: cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "run", "--resume $T/folder.h5", 1, "folder.h5: is not a log"),
    FFI_BAD(FOLDER, "compare", "$T/folder.yaml", 1, "folder.yaml: cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "view", "$T/folder.h5 -o $T/keep.html", 1, "folder.h5: is not a log"),
    FFI_BAD(FOLDER, "view --live", "$T/folder.yaml", 1, "folder.yaml: cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "info", "$T", 1, "cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "new", "$T/folder -o $T/keep.yaml --force", 1, "folder: cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "convert", "$T/folder $T/keep.xml --force", 1, "folder: cannot be read: Is a directory"),
    FFI_BAD(FOLDER, "plan", "jump $T/folder --out $T/keep.txt", 1, "folder: cannot be read: Is a directory"),

    FFI_BAD(EMPTY, "run", "$T/empty.urdf", 1, "empty.urdf: the file is empty"),
    FFI_BAD(EMPTY, "run", "$T/empty.yaml", 1, "empty.yaml: not a scene"),
    FFI_BAD(EMPTY, "run", "--resume $T/empty.h5", 1, "empty.h5: is not a log"),
    FFI_BAD(EMPTY, "compare", "$T/empty.yaml", 1, "empty.yaml: not a scene"),
    FFI_BAD(EMPTY, "view", "$T/empty.h5 -o $T/keep.html", 1, "empty.h5: is not a log"),
    FFI_BAD(EMPTY, "view --live", "$T/empty.yaml", 1, "empty.yaml: not a scene"),
    FFI_BAD(EMPTY, "info", "$T/empty.xml", 1, "empty.xml: the file is empty"),
    FFI_BAD(EMPTY, "new", "$T/empty.urdf -o $T/keep.yaml --force", 1, "empty.urdf: the file is empty"),
    FFI_BAD(EMPTY, "convert", "$T/empty.urdf $T/keep.xml --force", 1, "empty.urdf: the file is empty"),
    FFI_BAD(EMPTY, "plan", "jump $T/empty.urdf --out $T/keep.txt", 1, "empty.urdf: the file is empty"),

    FFI_BAD(RUBBISH, "run", "$T/rubbish.urdf", 1, "rubbish.urdf:1: a zero byte: this is a binary file"),
    FFI_BAD(RUBBISH, "run", "$T/rubbish.yaml", 1, "rubbish.yaml:1: not valid YAML"),
    FFI_BAD(RUBBISH, "run", "--resume $T/rubbish.h5", 1, "rubbish.h5: is not a log"),
    FFI_BAD(RUBBISH, "compare", "$T/rubbish.yaml", 1, "rubbish.yaml:1: not valid YAML"),
    FFI_BAD(RUBBISH, "view", "$T/rubbish.h5 -o $T/keep.html", 1, "rubbish.h5: is not a log"),
    FFI_BAD(RUBBISH, "view --live", "$T/rubbish.yaml", 1, "rubbish.yaml:1: not valid YAML"),
    FFI_BAD(RUBBISH, "info", "$T/rubbish.xml", 1, "rubbish.xml:1: a zero byte: this is a binary file"),
    FFI_BAD(RUBBISH, "new", "$T/rubbish.urdf -o $T/keep.yaml --force", 1, "rubbish.urdf:1: a zero byte"),
    FFI_BAD(RUBBISH, "convert", "$T/rubbish.urdf $T/keep.xml --force", 1, "rubbish.urdf:1: a zero byte"),
    FFI_BAD(RUBBISH, "plan", "jump $T/rubbish.urdf --out $T/keep.txt", 1, "rubbish.urdf:1: a zero byte"),

    FFI_BAD(OTHER, "run", "$T/log.h5", 1, "log.h5: is a log, not a robot|footfall run --resume"),
    FFI_BAD(OTHER, "run", "$T/log.yaml", 1, "log.yaml: not a scene: it is an HDF5 file, such as a log"),
    FFI_BAD(OTHER, "run", "$T/picture.yaml", 1, "picture.yaml: not a scene: it is a PNG picture"),
    FFI_BAD(OTHER, "run", "$T/robot.yaml", 1, "robot.yaml: not a scene: it is a robot in URDF, not YAML"),
    FFI_BAD(OTHER, "run", "$T/scene.urdf", 1, "scene.urdf:1: not XML"),
    FFI_BAD(OTHER, "run", "--resume $S/solo-stand.yaml", 1, "solo-stand.yaml: is not a log"),
    FFI_BAD(OTHER, "compare", "$M/solo12.urdf", 1,
            "solo12.urdf: not a scene: it is XML, such as a robot, not YAML; 'footfall new' writes a scene"),
    FFI_BAD(OTHER, "compare", "$M/../tests/new_user/robots/cart_pole.urdf", 1,
            "cart_pole.urdf: not a scene: it is XML"),
    FFI_BAD(OTHER, "compare", "$T/log.h5", 1, "log.h5: not a scene: it is an HDF5 file, such as a log"),
    FFI_BAD(OTHER, "view", "$T/picture.h5 -o $T/keep.html", 1, "picture.h5: is not a log"),
    FFI_BAD(OTHER, "view", "$T/picture.urdf -o $T/keep.html", 1, "picture.urdf: is a PNG picture, not XML"),
    FFI_BAD(OTHER, "view", "$T/keep.csv -o $T/keep.html", 2, "keep.csv: 'view' reads HDF5 logs only"),
    FFI_BAD(OTHER, "view --live", "$T/log.h5", 2, "log.h5 is one"),
    FFI_BAD(OTHER, "view --live", "$T/robot.yaml", 1,
            "robot.yaml: not a scene: it is a robot in URDF, not YAML"),
    FFI_BAD(OTHER, "info", "$S/solo-stand.yaml --svg $T/keep.svg", 1,
            "solo-stand.yaml: is not a robot; in a scene"),
    FFI_BAD(OTHER, "info", "$T/picture.h5", 1, "picture.h5: is not a log"),
    FFI_BAD(OTHER, "new", "$T/log.h5 -o $T/keep.yaml --force", 1,
            "log.h5: is an HDF5 file, such as a log, not XML"),
    FFI_BAD(OTHER, "convert", "$T/picture.urdf $T/keep.xml --force", 1,
            "picture.urdf: is a PNG picture, not XML"),
    FFI_BAD(OTHER, "plan", "jump $T/log.h5 --out $T/keep.txt", 1, "log.h5: is a log, not a robot"),

    FFI_BAD(DAMAGED, "run", "--resume $T/cut.h5", 1, "cut.h5: the log is damaged"),
    FFI_BAD(DAMAGED, "run", "--resume $T/torn.h5", 1, "torn.h5: the log is damaged"),
    FFI_BAD(DAMAGED, "info", "$T/cut.h5", 1, "cut.h5: the log is damaged"),
    FFI_BAD(DAMAGED, "info", "$T/torn.h5", 1, "torn.h5: the log is damaged"),
    FFI_BAD(DAMAGED, "view", "$T/cut.h5 -o $T/keep.html", 1, "cut.h5: the log is damaged"),
    FFI_BAD(DAMAGED, "view", "$T/torn.h5 -o $T/keep.html", 1, "torn.h5: the log is damaged"),

    FFI_BAD(INSIDE, "run", "$T/typed.yaml", 1, "typed.yaml:2: dt: 'fast': not a number"),
    FFI_BAD(INSIDE, "run", "$T/unit.yaml", 1, "unit.yaml:3: dt: '2kg': the unit 'kg' is not known"),
    FFI_BAD(INSIDE, "run", "$T/typed.urdf", 1, "typed.urdf:3: |'heavy'"),
    FFI_BAD(INSIDE, "compare", "$T/typed.yaml", 1, "typed.yaml:2: dt: 'fast'"),
    FFI_BAD(INSIDE, "view", "$T/unit.yaml -o $T/keep.html", 1, "unit.yaml:3: dt: '2kg'"),
    FFI_BAD(INSIDE, "view --live", "$T/typed.yaml", 1, "typed.yaml:2: dt: 'fast'"),
    FFI_BAD(INSIDE, "info", "$T/typed.urdf", 1, "typed.urdf:3: |'heavy'"),
    FFI_BAD(INSIDE, "new", "$T/typed.urdf -o $T/keep.yaml --force", 1, "typed.urdf:3: |'heavy'"),
    FFI_BAD(INSIDE, "convert", "$T/typed.urdf $T/keep.xml --force", 1, "typed.urdf:3: |'heavy'"),
    FFI_BAD(INSIDE, "plan", "trot $T/typed.urdf --out $T/keep.txt", 1, "typed.urdf:3: |'heavy'"),

    FFI_BAD_DONE(MESH, "run", "$T/mesh.urdf --duration 2ms", "1 warning|footfall info"),
    FFI_BAD_DONE(MESH, "run", "$T/mesh.xml --duration 2ms", "1 warning|footfall info"),
    FFI_BAD_DONE(MESH, "run", "$T/mesh.yaml --duration 2ms", "1 warning|footfall info"),
    FFI_BAD_DONE(MESH, "compare",
                 "$T/mesh.yaml --quick --duration 2ms --steppers expo --substeps 1 >/dev/null",
                 "nowhere.stl|mesh_paths"),
    FFI_BAD_DONE(MESH, "view", "$T/mesh.yaml --quiet -o $T/mesh.html", "nowhere.stl|mesh_paths"),
    FFI_BAD_DONE(MESH, "view", "$T/mesh.xml --duration 2ms --quiet -o $T/mesh.html",
                 "nowhere.stl|--mesh-path"),
    FFI_BAD_DONE(MESH, "info", "$T/mesh.urdf", "mesh.urdf:4: |nowhere.stl"),
    FFI_BAD_DONE(MESH, "info", "$T/mesh.xml", "mesh.xml:1: |nowhere.stl"),
    FFI_BAD_DONE(MESH, "new", "$T/mesh.urdf -o $T/mesh-new.yaml --force", "1 warning|footfall info"),
    FFI_BAD_DONE(MESH, "convert", "$T/mesh.urdf $T/mesh-new.xml --force >/dev/null",
                 "nowhere.stl|--mesh-path"),
    FFI_BAD_DONE(MESH, "convert", "$T/mesh.xml $T/mesh-new.urdf --force >/dev/null",
                 "nowhere.stl|--mesh-path"),
};

static const ffi_bad_row secrets[] = {
    FFI_BAD(SECRET, "run", "$T/secret.urdf", 1, "secret.urdf: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "run", "$T/secret.yaml", 1, "secret.yaml: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "run", "--resume $T/secret.h5", 1, "secret.h5: "),
    FFI_BAD(SECRET, "compare", "$T/secret.yaml", 1, "secret.yaml: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "view", "$T/secret.h5 -o $T/keep.html", 1, "secret.h5: "),
    FFI_BAD(SECRET, "view", "$T/secret.urdf -o $T/keep.html", 1,
            "secret.urdf: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "view --live", "$T/secret.yaml", 1, "secret.yaml: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "info", "$T/secret.urdf", 1, "secret.urdf: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "new", "$T/secret.urdf -o $T/keep.yaml --force", 1,
            "secret.urdf: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "convert", "$T/secret.urdf $T/keep.xml --force", 1,
            "secret.urdf: cannot be opened: Permission denied"),
    FFI_BAD(SECRET, "plan", "jump $T/secret.urdf --out $T/keep.txt", 1,
            "secret.urdf: cannot be opened: Permission denied"),
};

#define NO_FILES ",completion,help,(none),"
#define BENCHES ",bench,bench all,"
static const ffi_bad_exemption exemptions[] = {
    {ABSENT, NO_FILES, "read no file"},
    {FOLDER, NO_FILES BENCHES, "benchmarks take folders, of our own files"},
    {EMPTY, NO_FILES BENCHES, ""},
    {RUBBISH, NO_FILES BENCHES, ""},
    {OTHER, NO_FILES BENCHES, ""},
    {DAMAGED, NO_FILES BENCHES ",compare,view --live,new,convert,plan,", "read no logs"},
    {SECRET, NO_FILES BENCHES, ""},
    {INSIDE, NO_FILES BENCHES, ""},
    {MESH, NO_FILES BENCHES ",view --live,plan,", "the first stays; the robots of the second have none"},
};

static void every_subcommand_is_tried(void **state)
{
  (void)state;
  ffi_bad_cover(rows, COUNT(rows), exemptions, COUNT(exemptions));
  ffi_bad_cover(secrets, COUNT(secrets), exemptions, COUNT(exemptions));
}

static void files_are_named(void **state)
{
  (void)state;
  ffi_bad_check(rows, COUNT(rows));
}

static void modes_are_obeyed(void **state)
{
  (void)state;
  if (!ffi_bad_obey_modes())
    skip();
  ffi_bad_check(secrets, COUNT(secrets));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_subcommand_is_tried),
      cmocka_unit_test(files_are_named),
      cmocka_unit_test(modes_are_obeyed),
  };
  return cmocka_run_group_tests(tests, ffi_bad_files, ffi_bad_clean_up);
}
