// What a subcommand does when its output cannot be written: no folder, a folder in its place, a file in place of the
// folder, a folder that may not be written to, a disk that is full. Nothing that was there is lost, nothing half is
// left. bad_rows.h says what is checked.
#include "cli/bad/bad_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NOWHERE "no such folder"
#define FOLDER "a folder is there"
#define FILE_ABOVE "a file in place of the folder"
#define CLOSED "a folder that may not be written to"
#define FULL "a full disk"
#define DEVICE "a full device"
#define INPUT "the input in place of the output"

#define RUN "$T/ball.urdf --duration 20ms --quiet --out "
#define COMPARE "$T/ball.yaml --quick --duration 2ms --steppers expo --substeps 1 "
// What it says goes through a pipe, which has no length.
#define NO_ROOM "sh -c 'ulimit -f 0; \"$0\" \"$@\" 2>&1 >/dev/null'"

static const ffi_bad_row rows[] = {
    FFI_BAD(NOWHERE, "run", RUN "$T/none/x.h5", 1, "none/x.h5: cannot be written: No such file or directory"),
    FFI_BAD(NOWHERE, "run", RUN "$T/none/x.csv", 1,
            "none/x.csv: cannot be written: No such file or directory"),
    FFI_BAD(NOWHERE, "run", RUN "$T/none/x.mcap", 1,
            "none/x.mcap: cannot be written: No such file or directory"),
    FFI_BAD_IN("FOOTFALL_OUT=$T/none/x", NOWHERE, "run", "$T/ball.urdf --duration 2ms", 1,
               "none/x/ball.h5: the folder of the log cannot be made|'--out FILE'"),
    FFI_BAD(NOWHERE, "compare", COMPARE "--json $T/none/x.json", 1,
            "none/x.json: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "view", "$T/log.h5 -o $T/none/x.html", 1,
            "none/x.html: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "info", "$T/ball.urdf --svg $T/none/x.svg", 1,
            "none/x.svg: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "bench", "dynamics --json $T/none/x.json", 1,
            "none/x.json: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "bench", "ess-paper --html $T/none/x.html", 1,
            "none/x.html: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "bench all", "--json $T/none/x.json", 1, "none/x.json: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "new", "$T/ball.urdf -o $T/none/x.yaml", 1,
            "none/x.yaml: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "convert", "$T/ball.urdf $T/none/x.xml", 1,
            "none/x.xml: cannot be written: No such file"),
    FFI_BAD(NOWHERE, "plan", "jump $M/solo12.urdf --out $T/none/x.txt", 1,
            "none/x.txt: cannot be written: No such file"),

    FFI_BAD(FOLDER, "run", RUN "$T/folder.h5", 1, "folder.h5: cannot be written"),
    FFI_BAD(FOLDER, "run", RUN "$T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "run", RUN "$T/", 2, "names no file"),
    FFI_BAD(FOLDER, "compare", COMPARE "--svg $T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "view", "$T/log.h5 -o $T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "info", "$T/ball.urdf --svg $T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "bench", "dynamics --json $T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "bench all", "--json $T/folder", 1, "folder: cannot be written: Is a directory"),
    FFI_BAD(FOLDER, "new", "$T/ball.urdf -o $T/folder.yaml --force", 1, "folder.yaml: is a folder"),
    FFI_BAD(FOLDER, "convert", "$T/ball.urdf $T/folder --to mjcf --force", 1, "folder: is a folder"),
    FFI_BAD(FOLDER, "plan", "jump $M/solo12.urdf --out $T/folder", 1,
            "folder: cannot be written: Is a directory"),

    FFI_BAD(FILE_ABOVE, "run", RUN "$T/file/x.h5", 1, "file/x.h5: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "run", RUN "$T/file/x.mcap", 1, "file/x.mcap: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "compare", COMPARE "--svg $T/file/x.svg", 1,
            "file/x.svg: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "view", "$T/log.h5 -o $T/file/x.html", 1,
            "file/x.html: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "info", "$T/ball.urdf --svg $T/file/x.svg", 1,
            "file/x.svg: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "bench", "step --json $T/file/x.json", 1,
            "file/x.json: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "bench all", "--html $T/file", 1, "file: the folder cannot be made: Not a directory"),
    FFI_BAD(FILE_ABOVE, "new", "$T/ball.urdf -o $T/file/x.yaml", 1,
            "file/x.yaml: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "convert", "$T/ball.urdf $T/file/x.xml", 1,
            "file/x.xml: cannot be written: Not a directory"),
    FFI_BAD(FILE_ABOVE, "plan", "jump $M/solo12.urdf --out $T/file/x.txt", 1,
            "file/x.txt: cannot be written: Not a directory"),

    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/keep.h5", 1, "keep.h5: cannot be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/new.h5", 1, "new.h5: cannot be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/keep.csv", 1, "keep.csv: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/new.csv", 1, "new.csv: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/keep.mcap", 1,
               "keep.mcap: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "run", RUN "$T/new.mcap", 1, "new.mcap: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "compare", COMPARE "--json $T/keep.json", 1,
               "keep.json: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "compare", COMPARE "--svg $T/keep.svg", 1,
               "keep.svg: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "view", "$T/log.h5 -o $T/keep.html", 1,
               "keep.html: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "view", "$T/log.h5 -o $T/new.html", 1,
               "new.html: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "info", "$T/ball.urdf --svg $T/keep.svg", 1,
               "keep.svg: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "bench", "expo --quick --case slope --json $T/keep.json", 1,
               "keep.json: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "bench", "expo --quick --case slope --json $T/new.json", 1,
               "new.json: could not be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "new", "$T/ball.urdf -o $T/keep.yaml --force", 1,
               "keep.yaml: cannot be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "new", "$T/ball.urdf -o $T/new.yaml", 1,
               "new.yaml: cannot be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "convert", "$T/ball.urdf $T/keep.xml --force", 1,
               "keep.xml: cannot be written: File too large"),
    FFI_BAD_IN(NO_ROOM, FULL, "convert", "$M/box.xml $T/keep.urdf --force", 1,
               "keep.urdf: cannot be written: File too large"),

    FFI_BAD(DEVICE, "run", RUN "/dev/full", 1, "/dev/full: could not be written: No space left on device"),
    FFI_BAD(DEVICE, "compare", COMPARE "--json /dev/full >/dev/null", 1,
            "/dev/full: could not be written: No space left"),
    FFI_BAD(DEVICE, "view", "$T/log.h5 -o /dev/full", 1, "/dev/full: could not be written: No space left"),
    FFI_BAD(DEVICE, "info", "$T/ball.urdf --svg /dev/full", 1,
            "/dev/full: could not be written: No space left"),
    FFI_BAD(DEVICE, "bench", "expo --quick --case slope --json /dev/full >/dev/null", 1,
            "/dev/full: could not be written: No space left"),
    FFI_BAD(DEVICE, "convert", "$T/ball.urdf /dev/full --to urdf --force", 1,
            "/dev/full: is not a regular file"),

    FFI_BAD(INPUT, "run", "$T/log.yaml --out $T/log.yaml", 2, "log.yaml"),
    FFI_BAD(INPUT, "run", "--resume $T/log.h5 --duration 1ms --out $T/log.h5", 1,
            "log.h5: is the log that is resumed"),
    FFI_BAD(INPUT, "compare", "$T/mesh.yaml --json $T/mesh.yaml", 1,
            "mesh.yaml: is the scene, which the result would overwrite"),
    FFI_BAD(INPUT, "compare", "$T/mesh.yaml --svg $T/mesh.urdf", 1,
            "mesh.urdf: is the model, which the result would overwrite"),
    FFI_BAD(INPUT, "view", "$T/log.h5 -o $T/log.h5", 1,
            "log.h5: is the input, which the page would overwrite"),
    FFI_BAD(INPUT, "info", "$T/ball.urdf --svg $T/./ball.urdf", 1,
            "ball.urdf: is the model, which the picture would overwrite"),
    FFI_BAD(INPUT, "new", "$T/robot.yaml -o $T/robot.yaml --force", 1,
            "robot.yaml: is the model, which the scene would overwrite"),
    FFI_BAD(INPUT, "convert", "$T/ball.urdf $T/ball.urdf --force", 1,
            "ball.urdf: is the model, which the new file would overwrite"),
    FFI_BAD(INPUT, "plan", "jump $M/solo12.urdf --out $M/solo12.urdf", 1,
            "solo12.urdf: is the model, which the trajectory would overwrite"),
};

static const ffi_bad_row closed[] = {
    FFI_BAD(CLOSED, "run", RUN "$T/closed/x.h5", 1, "closed/x.h5: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "run", RUN "$T/closed/x.csv", 1, "closed/x.csv: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "run", RUN "$T/closed/x.mcap", 1, "closed/x.mcap: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "run", RUN "$T/secret.h5", 1, "secret.h5: cannot be replaced: Permission denied"),
    FFI_BAD_IN("FOOTFALL_OUT=$T/closed/out", CLOSED, "run", "$T/ball.urdf --duration 2ms", 1,
               "the folder of the log cannot be made: Permission denied|'--no-log'"),
    FFI_BAD(CLOSED, "compare", COMPARE "--json $T/closed/x.json", 1,
            "closed/x.json: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "view", "$T/log.h5 -o $T/closed/x.html", 1,
            "closed/x.html: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "info", "$T/ball.urdf --svg $T/closed/x.svg", 1,
            "closed/x.svg: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "info", "$T/ball.urdf --svg $T/secret.yaml", 1,
            "secret.yaml: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "bench", "dynamics --json $T/closed/x.json", 1,
            "closed/x.json: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "bench all", "--html $T/closed/x", 1,
            "closed/x: the folder cannot be made: Permission denied"),
    FFI_BAD(CLOSED, "new", "$T/ball.urdf -o $T/closed/x.yaml", 1,
            "closed/x.yaml: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "convert", "$T/ball.urdf $T/closed/x.xml", 1,
            "closed/x.xml: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "convert", "$T/ball.urdf $T/secret.urdf --force", 1,
            "secret.urdf: cannot be written: Permission denied"),
    FFI_BAD(CLOSED, "plan", "jump $M/solo12.urdf --out $T/closed/x.txt", 1,
            "closed/x.txt: cannot be written: Permission denied"),
};

#define NO_OUTPUT ",view --live,completion,help,(none),"
static const ffi_bad_exemption exemptions[] = {
    {NOWHERE, NO_OUTPUT, "write no file"},
    {FOLDER, NO_OUTPUT, ""},
    {FILE_ABOVE, NO_OUTPUT, ""},
    {CLOSED, NO_OUTPUT, ""},
    {FULL, NO_OUTPUT ",bench all,plan,",
     "minutes and seconds of work; they write as 'bench' does and by ff_trajectory_save(), which has a test"},
    {DEVICE, NO_OUTPUT ",bench all,new,plan,", "the same; scenes are called *.yaml"},
    {INPUT, NO_OUTPUT ",bench,bench all,", "are made from our own files"},
};

static void every_subcommand_is_tried(void **state)
{
  (void)state;
  ffi_bad_cover(rows, COUNT(rows), exemptions, COUNT(exemptions));
  ffi_bad_cover(closed, COUNT(closed), exemptions, COUNT(exemptions));
}

static void nothing_is_lost(void **state)
{
  (void)state;
  ffi_bad_check(rows, COUNT(rows));
}

static void modes_are_obeyed(void **state)
{
  (void)state;
  if (!ffi_bad_obey_modes())
    skip();
  ffi_bad_check(closed, COUNT(closed));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_subcommand_is_tried),
      cmocka_unit_test(nothing_is_lost),
      cmocka_unit_test(modes_are_obeyed),
  };
  return cmocka_run_group_tests(tests, ffi_bad_files, ffi_bad_clean_up);
}
