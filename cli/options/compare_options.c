// The options of footfall compare, with their help.
#include "cli/options/compare_options.h"

#include "cli/options/choices.h"
#include "cli/options/file_endings.h"

const char ffi_compare_options_usage[] = "footfall compare SCENE [options]\n";

const char ffi_compare_options_about[] =
    "Measures the error of each stepper after one control period, and its speed. At every control instant "
    "the full state is set to that of a reference solution, a run with very short steps; one period is "
    "simulated with that instant's torques and compared with the reference solution.";

const char ffi_compare_options_examples[] =
    "  footfall compare scenes/solo-squat.yaml --quick --duration 400ms\n"
    "  footfall compare scenes/solo-squat.yaml --quick --steppers expo,euler \\\n"
    "    --substeps 1..16 --duration 400ms --svg squat.svg\n";

static const ffi_option compare[FFI_COMPARE_OPTIONS] = {
    [FFI_COMPARE_STEPPERS] =
        {"--steppers", "LIST",
         .help = "names, separated by commas: expo, expo:order-1, expo-paper, expo-paper:exact, "
                 "expo-paper:order-1 (-2, -3, -5, -7), euler, symplectic, rk4, implicit, ess; default: all "
                 "except ess and those with a colon",
         FFI_OPTION_LIST, ffi_choices_scheme},
    [FFI_COMPARE_SUBSTEPS] =
        {"--substeps", "LIST",
         .help =
             "numbers of steps per control period: a list, 1,2,4, or powers of two, 1..64; default: until a "
             "step is 1/8 ms"},
    [FFI_COMPARE_TRUTH] =
        {"--truth", "WHICH",
         .help =
             "the reference solution. common: one for all, checked by a second method; own: each stepper's "
             "own; both (default)",
         FFI_OPTION_WORD, ffi_choices_truth},
    [FFI_COMPARE_JSON] =
        {"--json", "FILE",
         .help =
             "also write the results as a list of {case, metric, value, unit}; '-' writes them to the standard "
             "output, instead of the table",
         FFI_OPTION_FILE, ffi_file_endings_json},
    [FFI_COMPARE_SVG] = {"--svg", "FILE", .help = "also plot the results", FFI_OPTION_FILE,
                         ffi_file_endings_svg},
    [FFI_COMPARE_SET] =
        {"--set", "FIELD=VALUE",
         .help =
             "override a field of the scene; may be given several times. The scene's stepper is not used. "
             "Its dt is the control period of controllers without one (none, posture-pd), and must divide "
             "the period of others: 'controller.period=20ms' needs 'dt=20ms'",
         FFI_OPTION_FIELD},
    [FFI_COMPARE_QUICK] = {"--quick",
                           .help = "coarser reference solutions, fewer periods, one round of timing"},
    [FFI_COMPARE_MARKDOWN] = {"--markdown", .help = "print the table as Markdown"},
    [FFI_COMPARE_QUIET] = {"--quiet", .help = "print no table and show no progress"},
    [FFI_COMPARE_DURATION] =
        {"--duration", "TIME",
         .help = "time to simulate. This and all options below override the scene; see 'footfall help run'"},
    [FFI_COMPARE_POSTURE] = {"--posture", "NAME", .help = "the posture at the start", FFI_OPTION_POSTURE},
    [FFI_COMPARE_STIFFNESS] = {"--stiffness", "K", .help = "stiffness of the contacts with the ground"},
    [FFI_COMPARE_DAMPING] = {"--damping", "B", .help = "damping of these contacts"},
    [FFI_COMPARE_FRICTION] = {"--friction", "MU", .help = "friction coefficient of these contacts"},
    [FFI_COMPARE_KP] = {"--kp", "KP", .help = "position gain of the controller"},
    [FFI_COMPARE_KD] = {"--kd", "KD", .help = "velocity gain of the controller"},
    [FFI_COMPARE_FIXED_BASE] = {"--fixed-base",
                                .help = "URDF: fix the root to the world instead of letting it float"},
    [FFI_COMPARE_MIMIC] = {"--mimic", "POLICY",
                           .help = "URDF mimic joints: couple (default), free, fix or refuse",
                           FFI_OPTION_WORD, ffi_choices_mimic},
};

const ffi_option *ffi_compare_options(int *count)
{
  *count = FFI_COMPARE_OPTIONS;
  return compare;
}
