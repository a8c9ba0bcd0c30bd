// What a subcommand answers to words that it cannot understand: unknown ones, missing ones, too many, values of a wrong
// type, unit or size. bad_rows.h says what is checked.
#include "cli/bad/bad_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LITTLE "not enough words"
#define MUCH "a word too many"
#define OPTION "an unknown option"
#define NO_VALUE "an option without its value"
#define TYPE "a value of a wrong type"
#define UNIT "a wrong unit"
#define RANGE "a number out of range"
#define NAME "an unknown name"
#define TWICE "an option given twice"

static const ffi_bad_row rows[] = {
    FFI_BAD(LITTLE, "", "", 2, "footfall COMMAND"),
    FFI_BAD(LITTLE, "run", "", 2, "'run' needs a model or a scene"),
    FFI_BAD(LITTLE, "compare", "--quick", 2, "'compare' needs a scene"),
    FFI_BAD(LITTLE, "view", "", 2, "'view' needs a log, a scene or a model"),
    FFI_BAD(LITTLE, "view --live", "", 2, "'view' needs a log, a scene or a model"),
    FFI_BAD(LITTLE, "info", "", 2, "'info' needs a model"),
    FFI_BAD(LITTLE, "bench", "", 2, "'bench' needs the name of a benchmark"),
    FFI_BAD(LITTLE, "new", "-o $T/keep.yaml", 2, "'new' needs a model"),
    FFI_BAD(LITTLE, "convert", "$T/ball.urdf", 2, "'convert' needs two files"),
    FFI_BAD(LITTLE, "plan", "", 2, "'plan' needs a motion"),
    FFI_BAD(LITTLE, "plan", "jump", 2, "'plan' needs '--out FILE'"),
    FFI_BAD(LITTLE, "completion", "", 2, "bash, zsh or man"),

    FFI_BAD(MUCH, "run", "$T/ball.urdf $T/mesh.urdf", 2, "mesh.urdf': 'run' takes one model"),
    FFI_BAD(MUCH, "run", "$T/ball.urdf --resume $T/log.h5", 2, "ball.urdf': '--resume"),
    FFI_BAD(MUCH, "compare", "$T/mesh.yaml $T/typed.yaml", 2, "typed.yaml': 'compare' takes one scene"),
    FFI_BAD(MUCH, "view", "1.h5 2.h5 3.h5 4.h5 5.h5 6.h5 7.h5 8.h5 9.h5", 2,
            "unexpected argument '9.h5'|at most 8 runs"),
    FFI_BAD(MUCH, "view --live", "$T/mesh.yaml $T/mesh.yaml", 2, "'--live' takes one scene"),
    FFI_BAD(MUCH, "info", "$T/ball.urdf $T/mesh.urdf", 2, "mesh.urdf': 'info' takes one file"),
    FFI_BAD(MUCH, "bench", "dynamics step", 2, "unexpected argument 'step'"),
    FFI_BAD(MUCH, "bench all", "expo-paper", 2, "unexpected argument 'expo-paper'"),
    FFI_BAD(MUCH, "new", "$T/ball.urdf $T/keep.yaml", 2, "keep.yaml': 'new' takes one model"),
    FFI_BAD(MUCH, "convert", "$T/ball.urdf $T/keep.xml $T/x.xml", 2, "x.xml': 'convert' takes two files"),
    FFI_BAD(MUCH, "plan", "jump $T/ball.urdf $T/keep.txt", 2, "keep.txt': 'plan' takes a motion"),
    FFI_BAD(MUCH, "completion", "bash zsh", 2, "bash, zsh or man"),
    FFI_BAD(MUCH, "help", "run view", 2, "unexpected argument 'view'"),

    FFI_BAD(OPTION, "", "--verison", 2, "did you mean 'footfall --version'?"),
    FFI_BAD(OPTION, "run", "$T/ball.urdf --steper expo", 2,
            "unknown option '--steper'; did you mean '--stepper'?"),
    FFI_BAD(OPTION, "run", "$T/ball.urdf -o x.h5", 2, "unknown option '-o'; did you mean '--out'?"),
    FFI_BAD(OPTION, "run", "$T/ball.urdf --mu 1", 2, "unknown option '--mu'"),
    FFI_BAD(OPTION, "compare", "$T/mesh.yaml --substep 1", 2, "did you mean '--substeps'?"),
    FFI_BAD(OPTION, "view", "$T/log.h5 --no-opne", 2, "did you mean '--no-open'?"),
    FFI_BAD(OPTION, "view --live", "$T/mesh.yaml --prot 80", 2, "did you mean '--port'?"),
    FFI_BAD(OPTION, "info", "$T/ball.urdf --jsno", 2, "did you mean '--json'?"),
    FFI_BAD(OPTION, "bench", "--quik", 2, "unknown option '--quik'"),
    FFI_BAD(OPTION, "bench", "dynamics --quik", 2, "did you mean '--quick'?"),
    FFI_BAD(OPTION, "bench all", "--htlm $T", 2, "did you mean '--html'?"),
    FFI_BAD(OPTION, "new", "$T/ball.urdf --froce", 2, "did you mean '--force'?"),
    FFI_BAD(OPTION, "convert", "$T/ball.urdf $T/keep.xml --froce", 2, "did you mean '--force'?"),
    FFI_BAD(OPTION, "plan", "jump --uot x", 2, "did you mean '--out'?"),
    FFI_BAD(OPTION, "completion", "--bahs", 2, "'--bahs'|bash|zsh"),
    FFI_BAD(OPTION, "help", "--jsno", 2, "unknown option '--jsno'"),

    FFI_BAD(NO_VALUE, "run", "$T/ball.urdf --dt", 2, "'--dt' needs a value"),
    FFI_BAD(NO_VALUE, "run", "$T/ball.urdf --out --quiet", 2, "'--out' needs a value"),
    FFI_BAD(NO_VALUE, "compare", "$T/mesh.yaml --json", 2, "'--json' needs a value"),
    FFI_BAD(NO_VALUE, "view", "$T/log.h5 -o", 2, "'-o' needs a value"),
    FFI_BAD(NO_VALUE, "view --live", "$T/mesh.yaml --port", 2, "'--port' needs a value"),
    FFI_BAD(NO_VALUE, "info", "$T/ball.urdf --svg", 2, "'--svg' needs a value"),
    FFI_BAD(NO_VALUE, "bench", "dynamics --json", 2, "'--json' needs a value"),
    FFI_BAD(NO_VALUE, "bench all", "--html", 2, "'--html' needs a value"),
    FFI_BAD(NO_VALUE, "new", "$T/ball.urdf -o", 2, "'-o' needs a value"),
    FFI_BAD(NO_VALUE, "convert", "$T/ball.urdf $T/keep.xml --to", 2, "'--to' needs a value"),
    FFI_BAD(NO_VALUE, "plan", "jump --out", 2, "'--out' needs a value"),

    FFI_BAD(TYPE, "run", "$T/ball.urdf --dt fast", 2, "'--dt fast': not a number; expected a time"),
    FFI_BAD(TYPE, "run", "$T/ball.urdf --dt nan", 2, "'--dt nan': not a number"),
    FFI_BAD(TYPE, "run", "$T/ball.urdf --duration inf", 2, "'--duration inf': not a number"),
    FFI_BAD(TYPE, "run", "$T/ball.urdf --log-every 1.5", 2, "'--log-every 1.5' must be a whole number"),
    FFI_BAD(TYPE, "run", "$T/ball.urdf --pd 40", 2, "'--pd 40' must be two gains"),
    FFI_BAD(TYPE, "run", "$S/solo-stand.yaml --set dt=fast", 2, "'--set dt=fast': dt: 'fast': not a number"),
    FFI_BAD(TYPE, "compare", "$T/mesh.yaml --substeps few", 2, "'--substeps few' must be a whole number"),
    FFI_BAD(TYPE, "view", "$T/ball.urdf --dt fast -o $T/keep.html", 2, "'--dt fast': not a number"),
    FFI_BAD(TYPE, "view --live", "$T/mesh.yaml --port http", 2,
            "'--port http' must be a whole number from 1 to 65535"),
    FFI_BAD(TYPE, "info", "$T/ball.urdf --json=yes", 2, "'--json' takes no value"),
    FFI_BAD(TYPE, "bench", "dynamics --quick=yes", 2, "'--quick' takes no value"),
    FFI_BAD(TYPE, "bench all", "--quick=yes", 2, "'--quick' takes no value"),
    FFI_BAD(TYPE, "new", "$T/ball.urdf -o scene.txt", 2, "the name of a scene ends in .yaml"),
    FFI_BAD(TYPE, "convert", "$T/ball.urdf $T/keep.txt --force", 2,
            "keep.txt: the file name does not show the format"),
    FFI_BAD(TYPE, "plan", "jump --quiet=1 --out x", 2, "'--quiet' takes no value"),

    FFI_BAD(UNIT, "run", "$T/ball.urdf --dt 2kg", 2,
            "'--dt 2kg': the unit 'kg' is not known here; expected a time"),
    FFI_BAD(UNIT, "run", "$T/ball.urdf --friction 1N/m", 2, "'--friction 1N/m'|expected a plain number"),
    FFI_BAD(UNIT, "run", "$T/ball.urdf --slope 10", 2, "'--slope 10' needs a unit"),
    FFI_BAD(UNIT, "run", "$S/solo-stand.yaml --set dt=2kg", 2, "'--set dt=2kg': dt: |the unit 'kg'"),
    FFI_BAD(UNIT, "compare", "$S/solo-stand.yaml --duration 2kg", 2, "'--duration 2kg'|the unit 'kg'"),
    FFI_BAD(UNIT, "view", "$T/ball.urdf --drop 2s -o $T/keep.html", 2,
            "'--drop 2s': the unit 's'|expected a length"),
    FFI_BAD(UNIT, "view --live", "$T/mesh.yaml --dt 2m", 2, "'--dt 2m': the unit 'm'|expected a time"),

    FFI_BAD(RANGE, "run", "$T/ball.urdf --dt -1ms", 2, "'--dt -1ms' must be above 0"),
    FFI_BAD(RANGE, "run", "$T/ball.urdf --dt 0", 2, "'--dt 0' must be above 0"),
    FFI_BAD(RANGE, "run", "$T/ball.urdf --dt 1e400", 2, "'--dt 1e400': that number is too large"),
    FFI_BAD(RANGE, "run", "$T/ball.urdf --duration 1e300", 2, "more than 1e15"),
    FFI_BAD(RANGE, "run", "$T/ball.urdf --stiffness -1", 2, "'--stiffness -1' must be above 0"),
    FFI_BAD(RANGE, "run", "$T/ball.urdf --slope 100deg", 2, "must be less than 89 degrees"),
    FFI_BAD(RANGE, "run", "$S/solo-stand.yaml --set dt=-1ms", 2, "'--set dt=-1ms': dt: "),
    FFI_BAD(RANGE, "compare", "$T/mesh.yaml --substeps 0", 2, "'--substeps 0' must be a whole number from 1"),
    FFI_BAD(RANGE, "view", "$T/ball.urdf --friction -1 -o $T/keep.html", 2,
            "'--friction -1' must not be below 0"),
    FFI_BAD(RANGE, "view --live", "$T/mesh.yaml --port 65536", 2, "'--port 65536' must be"),
    FFI_BAD(RANGE, "view --live", "$T/mesh.yaml --port 0", 2, "'--port 0' must be"),

    FFI_BAD(NAME, "", "rnu", 2, "did you mean 'footfall run'?"),
    FFI_BAD(NAME, "", "$T/ball.urdf", 2, "'footfall run |ball.urdf"),
    FFI_BAD(NAME, "run", "$T/ball.urdf --stepper exop", 2, "did you mean 'expo'?"),
    FFI_BAD(NAME, "run", "$T/mesh.urdf --posture lying", 2, "'--posture lying'|mesh.urdf has no postures"),
    FFI_BAD(NAME, "run", "$M/solo12.urdf --posture stnding", 2, "did you mean 'standing'?"),
    FFI_BAD(NAME, "run", "$S/solo-stand.yaml --posture stnding", 2,
            "no posture 'stnding'; did you mean 'standing'? It has standing"),
    FFI_BAD(NAME, "run", "$S/solo-stand.yaml --set stepper.typ=expo", 2,
            "'--set stepper.typ=expo': stepper: there is no field 'typ'; did you mean 'type'?"),
    FFI_BAD(NAME, "run", "$S/solo-stand.yaml --set controller.type=pd", 2,
            "controller.type: 'pd' is not known; known are none, posture-pd"),
    FFI_BAD(NAME, "run", "$S/solo-stand.yaml --set coordinates=minmal", 2,
            "coordinates|'minmal' is not known; did you mean 'minimal'?"),
    FFI_BAD(NAME, "run", "$T/ball.urdf --exponential exat", 2, "did you mean 'exact'?"),
    FFI_BAD(NAME, "compare", "$S/solo-stand.yaml --steppers exop", 2,
            "'exop' is not known; did you mean 'expo'?"),
    FFI_BAD(NAME, "compare", "$S/solo-stand.yaml --posture x", 2, "no posture 'x'; it has standing"),
    FFI_BAD(NAME, "view", "$T/ball.urdf --steppers expo,eular -o $T/keep.html", 2,
            "'--stepper eular' is not known; did you mean 'euler'?"),
    FFI_BAD(NAME, "view", "$M/solo12.urdf --posture stnding -o $T/keep.html", 2, "did you mean 'standing'?"),
    FFI_BAD(NAME, "view --live", "$T/mesh.yaml --stepper exop", 2, "did you mean 'expo'?"),
    FFI_BAD(NAME, "view --live", "$S/solo-stand.yaml --posture stnding", 2,
            "no posture 'stnding'; did you mean 'standing'? It has standing"),
    FFI_BAD(NAME, "info", "$M/solo12.urdf --svg $T/keep.svg --posture stnding", 2,
            "did you mean 'standing'?"),
    FFI_BAD(NAME, "info", "$T/ball.urdf --mimic fre", 2, "did you mean 'free'?"),
    FFI_BAD(NAME, "bench", "dynamic", 2, "unknown benchmark 'dynamic'; did you mean 'dynamics'?"),
    FFI_BAD(NAME, "bench", "step --case bxo-1", 2, "did you mean 'box-1'?"),
    FFI_BAD(NAME, "bench", "dynamics --isa sse", 2, "choose base, avx2"),
    FFI_BAD(NAME, "bench all", "--case expo-papr", 2, "did you mean 'expo-paper'?"),
    FFI_BAD(NAME, "new", "$M/solo12.urdf -o $T/keep.yaml --force --posture stnding", 2,
            "did you mean 'standing'?"),
    FFI_BAD(NAME, "convert", "$T/ball.urdf $T/keep.xml --force --to mcjf", 2, "did you mean 'mjcf'?"),
    FFI_BAD(NAME, "plan", "tort --out $T/keep.txt", 2, "unknown motion 'tort'; did you mean 'trot'?"),
    FFI_BAD(NAME, "plan", "jump $M/solo12.urdf --out $T/keep.txt --posture sqat", 2, "did you mean 'squat'?"),
    FFI_BAD(NAME, "completion", "bahs", 2, "did you mean 'bash'?"),
    FFI_BAD(NAME, "help", "rnu", 2, "did you mean 'footfall run'?"),

    // The last counts.
    FFI_BAD(TWICE, "run", "$T/ball.urdf --dt 1ms --dt 2kg", 2, "'--dt 2kg'"),
    FFI_BAD_DONE(TWICE, "run", "$T/ball.urdf --duration 1000000 --duration 4ms --dt 1ms", "4 steps of 1 ms"),
    FFI_BAD_DONE(TWICE, "run", "$T/mesh.yaml --duration 1000000 --duration 4ms --dt 1ms", "4 steps of 1 ms"),
    FFI_BAD(TWICE, "compare", "$T/mesh.yaml --truth own --truth none", 2, "'--truth none'"),
    FFI_BAD(TWICE, "view", "$T/log.h5 -o $T/keep.html -o $T/none/x.html", 1,
            "none/x.html: cannot be written"),
    FFI_BAD(TWICE, "view --live", "$T/mesh.yaml --port 8000 --port 0", 2, "'--port 0' must be"),
    FFI_BAD(TWICE, "info", "$T/ball.urdf --svg $T/keep.svg --svg $T/none/x.svg", 1,
            "none/x.svg: cannot be written"),
    FFI_BAD(TWICE, "bench", "dynamics --json $T/keep.json --json $T/none/x.json", 1,
            "none/x.json: cannot be written"),
    FFI_BAD(TWICE, "bench all", "--html $T/keep.html --html $T/file", 1, "file: the folder cannot be made"),
    FFI_BAD(TWICE, "new", "$T/ball.urdf -o $T/x.yaml -o $T/keep.yaml", 1,
            "keep.yaml: already exists; '--force'"),
    FFI_BAD(TWICE, "convert", "$T/ball.urdf $T/keep.txt --to mjcf --to mcjf", 2, "did you mean 'mjcf'?"),
    FFI_BAD(TWICE, "plan", "jump $M/solo12.urdf --out $T/x.txt --out $T/none/x.txt", 1,
            "none/x.txt: cannot be written"),
};

static const ffi_bad_exemption exemptions[] = {
    {LITTLE, ",bench all,help,", "need none"},
    {MUCH, ",(none),", "its word would be a command"},
    {NO_VALUE, ",completion,help,(none),", "have no options with values"},
    {TYPE, ",completion,help,(none),", "have no options"},
    {UNIT, ",info,bench,bench all,new,convert,plan,completion,help,(none),", "take no quantities"},
    {RANGE, ",info,bench,bench all,new,convert,plan,completion,help,(none),", "take no numbers"},
    {TWICE, ",completion,help,(none),", "have no options"},
};

static void every_subcommand_is_tried(void **state)
{
  (void)state;
  ffi_bad_cover(rows, COUNT(rows), exemptions, COUNT(exemptions));
}

static void words_are_named(void **state)
{
  (void)state;
  ffi_bad_check(rows, COUNT(rows));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_subcommand_is_tried),
      cmocka_unit_test(words_are_named),
  };
  return cmocka_run_group_tests(tests, ffi_bad_files, ffi_bad_clean_up);
}
