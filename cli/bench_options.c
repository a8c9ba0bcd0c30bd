#include "cli/bench_options.h"

#include <string.h>

// ---- Benchmarks ---------------------------------------------------------------------------------------------------

static const char report[] = "also write a report with all figures drawn";

static const char *papers(int index)
{
  static const char *const list[] = {"expo-paper", "moreau-paper", "ess-paper", "c2a-paper"};
  return index < 4 ? list[index] : NULL;
}

static const char *parts_of_expo(int index)
{
  static const char *const list[] = {"orders", "stance", "landing", "sliding", "slope", "motors"};
  return index < 6 ? list[index] : NULL;
}

static const char *tests_of_expo_paper(int index)
{
  static const char *const list[] = {"solo-squat", "solo-jump", "solo-trot", "romeo-walk"};
  return index < 4 ? list[index] : NULL;
}

static const char *cases_of_step(int index)
{
  static const char *const list[] = {"solo12-stand4", "solo12-stand2", "romeo-stand8", "box",
                                     "box-1",         "box-2",         "box-4",        "box-8",
                                     "box-16",        "box-32",        "box-64",       "box-100"};
  return index < 12 ? list[index] : NULL;
}

const ffi_bench ffi_benches[] = {
    {"all", "every paper done again, and a page with all verdicts",
     .about =
         "Every paper behind the steppers done again: a page and rows for each, and a page that leads to them, with every verdict.",
     .quick = "a few minutes instead of half an hour",
     .html = "the folder for them, made if it is not there; default out/bench. Open its index.html",
     .cases = "only this one, such as ess-paper", .words = papers, .has_scenes = 1},
    {"c2a-paper", "the experiments of the paper on adaptive steps, its numbers beside ours",
     .about =
         "The experiments of Zapolsky and Drumwright, Adaptive integration for controlling speed vs. accuracy in multi-rigid body simulation, 2015, done again: RK4 against Euler on the passive walker, steps to failure of a trotting robot, its local errors of kinetic energy, error control and dissipation; and of our own: what flies through a thin wall, by every stepper and by MuJoCo if it is there, and accuracy against time; a verdict on each claim.",
     .quick = "under a minute: fewer throws, shorter runs", .html = report, .has_scenes = 1},
    {"dynamics", "nanoseconds per call of every dynamics kernel, MuJoCo beside us",
     .about =
         "Nanoseconds per call of every dynamics kernel, on the robots solo12 and romeo over 256 random states, with one lane and with as many robots at once as the machine's vectors hold; how much of the core's peak floating-point rate that is; and MuJoCo's nearest functions beside them, if this build has it.",
     .quick = "3 seconds instead of 40: within a few per cent on a calm machine", .has_models = 1,
     .has_isa = 1, .has_count = 1},
    {"ess-paper", "the event-selected paper's experiments, its numbers beside ours",
     .about =
         "The experiments of Anderson and Revzen, Rapid integrator for a class of multi-contact systems, 2024, done again: the order test, the hopper, the plate that falls on many springs, with times and errors of guards that are projected to, guards that are located, and MuJoCo if it is there; a verdict on each claim.",
     .quick = "under a minute: fewer plates, fewer starts", .html = report, .has_models = 1},
    {"expo", "errors of the exponential steppers, and what each of their parts is worth",
     .about =
         "Errors of the exponential steppers against fine solutions, and what each of their parts is worth: the orders of the exponential, the corrector, events inside the step, the law of friction, motors inside the step. The tables of docs/theory.",
     .quick = "a few seconds instead of a minute: fewer step lengths, coarser truths",
     .cases = "only this one: orders, stance, landing, sliding, slope, motors", .words = parts_of_expo,
     .has_models = 1},
    {"expo-paper", "the exponential paper's experiments, its numbers beside ours",
     .about =
         "Section 6 of the exponential paper (Hammoud, Olivieri, Righetti, Carpentier, Del Prete, 2022) done again: local errors against speed, stiffness, stability, force prediction, times, and a verdict on each of its claims.",
     .quick = "under a minute instead of under twenty", .html = report,
     .cases = "only this test: solo-squat, solo-jump, solo-trot or romeo-walk", .words = tests_of_expo_paper,
     .has_scenes = 1},
    {"moreau-paper", "the Moreau paper's evaluation of hard contact, its numbers beside ours",
     .about =
         "The evaluation of Gehring, Diethelm, Siegwart, Nuetzi and Leine, 2014, done again: StarlETH on hard and compliant ground in eleven configurations, times, iterations, forces, drift, pushes, and a verdict on each claim; MuJoCo on the same robot beside us if it is there.",
     .quick = "under a minute instead of under ten", .html = report, .has_scenes = 1},
    {"step", "microseconds per step of every stepper, MuJoCo beside us",
     .about =
         "Microseconds per step of every stepper on robots that stand: solo12 on four feet and on two, romeo on eight contact points; the phases of a step; how it grows with contacts, on a box with 1 to 100 of them; and MuJoCo's mj_step beside it, if this build has it.",
     .quick = "2 seconds instead of 60: a first impression",
     .cases =
         "only this one: solo12-stand4, solo12-stand2, romeo-stand8, box-1 to box-100, or box for all of these",
     .words = cases_of_step, .has_models = 1, .has_isa = 1, .has_count = 1, .has_instructions = 1},
};

const int ffi_bench_count = (int)(sizeof ffi_benches / sizeof ffi_benches[0]);

const char *ffi_words_of_bench(int index)
{
  return index >= 0 && index < ffi_bench_count ? ffi_benches[index].name : NULL;
}

const ffi_bench *ffi_bench_find(const char *name)
{
  for (int i = 0; i < ffi_bench_count; ++i)
    if (strcmp(ffi_benches[i].name, name) == 0)
      return &ffi_benches[i];
  return NULL;
}

// ---- Their options ------------------------------------------------------------------------------------------------

static const ffi_option all[FFI_BENCH_OPTIONS] = {
    [FFI_BENCH_JSON] =
        {"--json", "FILE",
         .help =
             "also write the figures as a list of {case, metric, value, unit}; - is the standard output, which then has no table",
         FFI_TAKES_FILE, ffi_endings_of_json},
    [FFI_BENCH_HTML] = {"--html", "FILE", .takes = FFI_TAKES_FILE, ffi_endings_of_page},
    [FFI_BENCH_CASE] = {"--case", "NAME", .takes = FFI_TAKES_WORD},
    [FFI_BENCH_QUICK] = {"--quick", .help = ""},
    [FFI_BENCH_MODELS] = {"--models", "DIR", .help = "where the models are", FFI_TAKES_FOLDER},
    [FFI_BENCH_SCENES] = {"--scenes", "DIR", .help = "where the scenes are", FFI_TAKES_FOLDER},
    [FFI_BENCH_ISA] = {"--isa", "NAME", .help = "base, avx2 or avx512 instead of the best this machine has",
                       FFI_TAKES_WORD, ffi_words_of_isa},
    [FFI_BENCH_MARKDOWN] = {"--markdown", .help = "print the tables as Markdown"},
    [FFI_BENCH_INSTRUCTIONS] =
        {"--instructions",
         .help =
             "count them with valgrind also after --quick; else only a whole run does, which takes 40 s more. Where the kernel lets a program read the processor's counter, that is used, always"},
    [FFI_BENCH_COUNT] =
        {"--count", .help = "measure nothing, run everything once: for counting instructions with callgrind"},
    [FFI_BENCH_QUIET] = {"--quiet", .help = "no tables and no progress"},
};

static int has_option(const ffi_bench *b, int option)
{
  switch (option) {
  case FFI_BENCH_HTML: return b->html != NULL;
  case FFI_BENCH_CASE: return b->cases != NULL;
  case FFI_BENCH_MODELS: return b->has_models;
  case FFI_BENCH_SCENES: return b->has_scenes;
  case FFI_BENCH_ISA: return b->has_isa;
  case FFI_BENCH_INSTRUCTIONS: return b->has_instructions;
  case FFI_BENCH_COUNT: return b->has_count;
  default: return 1;
  }
}

int ffi_bench_options(const ffi_bench *b, ffi_option options[FFI_BENCH_OPTIONS], int which[FFI_BENCH_OPTIONS])
{
  int count = 0;
  for (int i = 0; i < FFI_BENCH_OPTIONS; ++i) {
    if (!has_option(b, i))
      continue;
    ffi_option *o = &options[count];
    which[count++] = i;
    *o = all[i];
    if (i == FFI_BENCH_HTML)
      o->help = b->html;
    if (i == FFI_BENCH_QUICK)
      o->help = b->quick;
    if (i == FFI_BENCH_CASE) {
      o->help = b->cases;
      o->words = b->words;
    }
    if (i == FFI_BENCH_HTML && b->html != report) { // of all of them: many files
      o->value = "DIR";
      o->takes = FFI_TAKES_FOLDER;
    }
  }
  return count;
}

// ---- footfall compare ---------------------------------------------------------------------------------------------

const char ffi_compare_usage[] = "footfall compare SCENE [options]\n";

const char ffi_compare_about[] =
    "How wrong is each stepper after one control period, and how fast is it? At every control instant the full state is set to a truth, a run with very short steps; one period is simulated with that instant's torques and compared with the truth.";

const char ffi_compare_examples[] =
    "  footfall compare scenes/solo-squat.yaml --quick --duration 400ms\n"
    "  footfall compare scenes/solo-squat.yaml --quick --steppers expo,euler \\\n"
    "    --substeps 1..16 --duration 400ms --svg squat.svg\n";

static const ffi_option compare[FFI_COMPARE_OPTIONS] = {
    [FFI_COMPARE_STEPPERS] =
        {"--steppers", "LIST",
         .help =
             "which, with commas: expo, expo:order-1, expo-paper, expo-paper:exact, expo-paper:order-1 (-2, -3, -5, -7), euler, symplectic, rk4, implicit, ess; default all but those with a colon and ess",
         FFI_TAKES_LIST, ffi_words_of_scheme},
    [FFI_COMPARE_SUBSTEPS] =
        {"--substeps", "LIST",
         .help =
             "steps per control period: 1,2,4 or, in powers of two, 1..64; default down to steps of 1/8 ms"},
    [FFI_COMPARE_TRUTH] =
        {"--truth", "WHICH",
         .help =
             "common: one truth for all, checked by a second method; own: each stepper's own; both (default)",
         FFI_TAKES_WORD, ffi_words_of_truth},
    [FFI_COMPARE_JSON] =
        {"--json", "FILE",
         .help =
             "also write the figures as a list of {case, metric, value, unit}; - is the standard output, which then has no table",
         FFI_TAKES_FILE, ffi_endings_of_json},
    [FFI_COMPARE_SVG] = {"--svg", "FILE", .help = "also draw them", FFI_TAKES_FILE, ffi_endings_of_svg},
    [FFI_COMPARE_SET] =
        {"--set", "FIELD=VALUE",
         .help =
             "change any field of the scene, as often as needed. Its stepper counts for nothing here; its dt is the control period where the controller has none (none, posture-pd), and must divide it where it has: 'controller.period=20ms' needs 'dt=20ms'",
         FFI_TAKES_FIELD},
    [FFI_COMPARE_QUICK] = {"--quick", .help = "coarser truths, fewer periods, one round of timing"},
    [FFI_COMPARE_MARKDOWN] = {"--markdown", .help = "print the table as Markdown"},
    [FFI_COMPARE_QUIET] = {"--quiet", .help = "no table and no progress"},
    [FFI_COMPARE_DURATION] = {"--duration", "TIME",
                              .help = "instead of the scene's; so are those below, as in 'footfall run'"},
    [FFI_COMPARE_POSTURE] = {"--posture", "NAME", .help = "where it starts", FFI_TAKES_POSTURE},
    [FFI_COMPARE_STIFFNESS] = {"--stiffness", "K", .help = "of the contacts"},
    [FFI_COMPARE_DAMPING] = {"--damping", "B", .help = "of the contacts"},
    [FFI_COMPARE_FRICTION] = {"--friction", "MU", .help = "of the contacts"},
    [FFI_COMPARE_KP] = {"--kp", "KP", .help = "of the controller"},
    [FFI_COMPARE_KD] = {"--kd", "KD", .help = "of the controller"},
    [FFI_COMPARE_FIXED_BASE] = {"--fixed-base",
                                .help = "URDF: fix the root to the world instead of letting it float"},
    [FFI_COMPARE_MIMIC] = {"--mimic", "POLICY", .help = "URDF mimic joints: refuse (default), free or fix",
                           FFI_TAKES_WORD, ffi_words_of_mimic},
};

const ffi_option *ffi_options_of_compare(int *count)
{
  *count = FFI_COMPARE_OPTIONS;
  return compare;
}
