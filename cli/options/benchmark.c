// The benchmarks of footfall-bench and their options.
#include "cli/options/benchmark.h"

#include "cli/options/choices.h"
#include "cli/options/file_endings.h"

#include <string.h>

// ---- Benchmarks ---------------------------------------------------------------------------------------------------

static const char report[] = "also write a report with figures, an HTML page";

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
  static const char *const list[] = {
      "solo12-stand4", "solo12-stand2", "solo12-trot", "romeo-stand8", "box",    "box-1",  "box-2",
      "box-4",         "box-8",         "box-16",      "box-32",       "box-64", "box-100"};
  return index < 13 ? list[index] : NULL;
}

static const char *cases_of_batch(int index)
{
  static const char *const list[] = {"solo12-stand", "solo12-trot", "solo12-drop", "romeo-walk",
                                     "starleth-trot"};
  return index < 5 ? list[index] : NULL;
}

// Any file of the folder; these are completed.
static const char *cases_of_robots(int index)
{
  static const char *const list[] = {"solo12.urdf", "romeo.urdf", "starleth.urdf"};
  return index < 3 ? list[index] : NULL;
}

const ffi_benchmark ffi_benchmark_list[] = {
    {"all", "all papers repeated, and an index page with all verdicts",
     .about =
         "Repeats the experiments of every paper behind the steppers: a page and rows for each, and an index "
         "page with all verdicts.",
     .quick = "a few minutes instead of half an hour",
     .html = "the folder of the pages, which is made if need be; default out/bench. Open its index.html",
     .cases = "only this one, such as ess-paper", .words = papers, .has_scenes = 1},
    {"batch", "robot-steps per second and core of many robots at once, MuJoCo beside us",
     .about =
         "Robot-steps per second and core of batches: solo12 stands, trots and falls, romeo walks, starleth "
         "trots by moreau; with one thread and with two, by the number of robots, with parameters that differ "
         "from robot to robot; how many steps are taken in lanes and how many lanes do useful work; bytes and "
         "instructions per robot; and MuJoCo beside them on the same threads, if it is there.",
     .quick = "ten seconds instead of some minutes: 512 robots instead of 4096; rough figures",
     .html = report,
     .cases = "only this one: solo12-stand, solo12-trot, solo12-drop, romeo-walk or starleth-trot",
     .words = cases_of_batch, .has_models = 1, .has_scenes = 1, .has_isa = 1, .has_count = 1,
     .has_instructions = 1},
    {"c2a-paper", "the experiments of the paper on adaptive steps, its numbers beside ours",
     .about =
         "Repeats the experiments of Zapolsky and Drumwright, Adaptive integration for controlling speed vs. "
         "accuracy in multi-rigid body simulation, 2015: RK4 against Euler on the passive walker, steps to "
         "failure of a trotting robot, its local errors of kinetic energy, error control and dissipation. "
         "Adds our own: tunnelling through a thin wall with every stepper, and with MuJoCo if it is "
         "there; error against time. Gives a verdict on each claim.",
     .quick = "under a minute: fewer throws, shorter runs", .html = report, .has_scenes = 1},
    {"dynamics", "nanoseconds per call of every dynamics kernel, MuJoCo beside us",
     .about =
         "Nanoseconds per call of every dynamics kernel, on the robots solo12 and romeo over 256 random "
         "states, with one lane and with as many robots at once as the machine's vectors hold; how much of "
         "the core's peak floating-point rate that is; and MuJoCo's nearest functions beside them, if it "
         "is there.",
     .quick = "3 seconds instead of 40; within a few per cent on an idle machine", .has_models = 1,
     .has_isa = 1, .has_count = 1},
    {"ess-paper", "the event-selected paper's experiments, its numbers beside ours",
     .about =
         "Repeats the experiments of Anderson and Revzen, Rapid integrator for a class of multi-contact "
         "systems, 2024: the order test, the hopper, the plate that falls on many springs, with times and "
         "errors of projected guards, of located guards, and of MuJoCo if it is there; the bound on a "
         "projection's error. Adds the stepper ess on robots. Gives a verdict on each claim.",
     .quick = "under a minute: fewer plates, fewer starts", .html = report, .has_models = 1, .has_scenes = 1},
    {"expo", "errors of the exponential steppers, and what each part contributes",
     .about =
         "Errors of the exponential steppers against reference solutions, and what each part contributes: "
         "the order of the exponential, the corrector, events inside the step, the friction law, motors "
         "inside the step. These are the tables of docs/theory.",
     .quick = "a few seconds instead of a minute: fewer step lengths, coarser reference solutions",
     .cases = "only this one: orders, stance, landing, sliding, slope, motors", .words = parts_of_expo,
     .has_models = 1},
    {"expo-paper", "the exponential paper's experiments, its numbers beside ours",
     .about =
         "Repeats section 6 of the exponential paper (Hammoud, Olivieri, Righetti, Carpentier, Del Prete, "
         "2022): local errors against speed, stiffness, stability, force prediction, times. Gives a verdict "
         "on each claim.",
     .quick = "under a minute instead of under twenty", .html = report,
     .cases = "only this test: solo-squat, solo-jump, solo-trot or romeo-walk", .words = tests_of_expo_paper,
     .has_scenes = 1},
    {"moreau-paper", "the Moreau paper's evaluation of hard contact, its numbers beside ours",
     .about =
         "Repeats the evaluation of Gehring, Diethelm, Siegwart, Nuetzi and Leine, 2014: StarlETH on hard "
         "and compliant ground in eleven configurations, times, iterations, forces, drift, pushes, with "
         "MuJoCo on the same robot if it is there. Gives a verdict on each claim.",
     .quick = "under a minute instead of under ten", .html = report, .has_scenes = 1},
    {"python", "what a step costs from Python, beside C and MuJoCo",
     .about =
         "Steps of solo12 one by one and in batches, by a loop in C and by one in Python; environment steps of "
         "Solo12Trot; and MuJoCo's mj_step and rollout on the same robot, if Python has mujoco. FOOTFALL_PYTHON "
         "names the interpreter that has the package footfall, default python3.",
     .quick = "seconds instead of minutes: rough figures"},
    {"robots", "the speed of expo against MuJoCo's, over many robots",
     .about =
         "The speed of expo against MuJoCo's over many robots that nothing was tuned for: the shipped models and "
         "those of the tests, each in the scene that 'footfall new' proposes, with its motors, for 2 s in steps "
         "of 1 ms; MuJoCo on the same model, ground and motors. The ratio for each robot, the median and the "
         "least, and what our steps spend where MuJoCo is faster.",
     .quick = "every sixth robot, half a minute instead of some minutes", .html = report,
     .cases = "only this robot, by the name of its file, such as quad.urdf", .words = cases_of_robots,
     .has_models = 1, .has_isa = 1},
    {"step", "microseconds per step of every stepper, MuJoCo beside us",
     .about =
         "Microseconds per step of every stepper: solo12 stands on four feet, on two, and trots; romeo stands "
         "on eight contact points; the phases of a step; how it grows with contacts, on a box with 1 to 100 "
         "of them; and MuJoCo's mj_step beside it, in several settings, if it is there.",
     .quick = "2 seconds instead of 60: rough figures",
     .cases =
         "only this one: solo12-stand4, solo12-stand2, solo12-trot, romeo-stand8, box-1 to box-100, or box for "
         "all of these",
     .words = cases_of_step, .has_models = 1, .has_scenes = 1, .has_isa = 1, .has_count = 1,
     .has_instructions = 1},
};

const int ffi_benchmark_count = (int)(sizeof ffi_benchmark_list / sizeof ffi_benchmark_list[0]);

const char *ffi_benchmark_names(int index)
{
  return index >= 0 && index < ffi_benchmark_count ? ffi_benchmark_list[index].name : NULL;
}

const ffi_benchmark *ffi_benchmark_find(const char *name)
{
  for (int i = 0; i < ffi_benchmark_count; ++i)
    if (strcmp(ffi_benchmark_list[i].name, name) == 0)
      return &ffi_benchmark_list[i];
  return NULL;
}

// ---- Their options ------------------------------------------------------------------------------------------------

static const ffi_option all[FFI_BENCHMARK_OPTIONS] = {
    [FFI_BENCHMARK_JSON] =
        {"--json", "FILE",
         .help =
             "also write the results as a list of {case, metric, value, unit}; '-' writes them to the standard "
             "output, instead of the table",
         FFI_OPTION_FILE, ffi_file_endings_json},
    [FFI_BENCHMARK_HTML] = {"--html", "FILE", .takes = FFI_OPTION_FILE, ffi_file_endings_page},
    [FFI_BENCHMARK_CASE] = {"--case", "NAME", .takes = FFI_OPTION_WORD},
    [FFI_BENCHMARK_QUICK] = {"--quick", .help = ""},
    [FFI_BENCHMARK_MODELS] = {"--models", "DIR", .help = "the folder of the models", FFI_OPTION_FOLDER},
    [FFI_BENCHMARK_SCENES] = {"--scenes", "DIR", .help = "the folder of the scenes", FFI_OPTION_FOLDER},
    [FFI_BENCHMARK_ISA] = {"--isa", "NAME",
                           .help = "base, avx2 or avx512 instead of the best this machine has",
                           FFI_OPTION_WORD, ffi_choices_isa},
    [FFI_BENCHMARK_MARKDOWN] = {"--markdown", .help = "print the tables as Markdown"},
    [FFI_BENCHMARK_INSTRUCTIONS] =
        {"--instructions",
         .help =
             "count instructions with valgrind even with --quick; a full run always counts them, which takes "
             "40 s. Where the kernel lets a program read the processor's counter, that is used instead"},
    [FFI_BENCHMARK_COUNT] = {"--count", .help = "run everything once without timing, for callgrind"},
    [FFI_BENCHMARK_QUIET] = {"--quiet", .help = "no tables and no progress"},
};

static int has_option(const ffi_benchmark *b, int option)
{
  switch (option) {
  case FFI_BENCHMARK_HTML: return b->html != NULL;
  case FFI_BENCHMARK_CASE: return b->cases != NULL;
  case FFI_BENCHMARK_MODELS: return b->has_models;
  case FFI_BENCHMARK_SCENES: return b->has_scenes;
  case FFI_BENCHMARK_ISA: return b->has_isa;
  case FFI_BENCHMARK_INSTRUCTIONS: return b->has_instructions;
  case FFI_BENCHMARK_COUNT: return b->has_count;
  default: return 1;
  }
}

int ffi_benchmark_options(const ffi_benchmark *b, ffi_option options[FFI_BENCHMARK_OPTIONS],
                          int which[FFI_BENCHMARK_OPTIONS])
{
  int count = 0;
  for (int i = 0; i < FFI_BENCHMARK_OPTIONS; ++i) {
    if (!has_option(b, i))
      continue;
    ffi_option *o = &options[count];
    which[count++] = i;
    *o = all[i];
    if (i == FFI_BENCHMARK_HTML)
      o->help = b->html;
    if (i == FFI_BENCHMARK_QUICK)
      o->help = b->quick;
    if (i == FFI_BENCHMARK_CASE) {
      o->help = b->cases;
      o->words = b->words;
    }
    if (i == FFI_BENCHMARK_HTML && b->html != report) { // of "all": a folder of pages
      o->value = "DIR";
      o->takes = FFI_OPTION_FOLDER;
    }
  }
  return count;
}
