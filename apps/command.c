// The table of commands, and the help of each.
#include "command.h"

#include "cli/options/benchmark.h"
#include "cli/options/choices.h"
#include "cli/options/compare_options.h"
#include "cli/options/file_endings.h"
#include "cli/options/help.h"
#include "cli/text/text.h"

#include <string.h>

const ffi_command ffi_command_list[] = {
    {"info", ffi_info_command, "show what is in a robot, a scene or a log",
     "footfall info MODEL [options]\n"
     "footfall info SCENE.yaml [--json]\n"
     "footfall info LOG.h5 [--json]\n",
     "Prints, for a robot (URDF or MJCF), the tree of links and joints, totals and warnings; for a scene, what it "
     "simulates, its controls and the memory of each part; for a log, what was run, how it ended and its signals.",
     ffi_info_options,
     "  footfall info models/solo12.urdf\n"
     "  footfall info models/solo12.urdf --svg solo.svg --posture squat\n"
     "  footfall info scenes/solo-trot.yaml\n"
     "  footfall info out/solo-trot.h5\n",
     FFI_OPTION_FILE, ffi_file_endings_info},
    {"run", ffi_run_command, "simulate a robot or a scene",
     "footfall run MODEL [options]\n"
     "footfall run SCENE.yaml [options]\n"
     "footfall run SCENE.yaml --batch N [--vary FIELD=RANGE ...] [options]\n"
     "footfall run --resume LOG.h5 [options]\n",
     "Simulates a robot that holds a posture on the ground, or a scene, and prints a summary. With --batch it takes "
     "many runs of it, each with its own start and parameters, and summarises them.\n"
     "Numbers may have units: 2ms, 10deg, 20cm, 1e5N/m; see 'footfall help units'.",
     ffi_run_options,
     "  footfall run scenes/solo-trot.yaml\n"
     "  footfall run scenes/solo-squat.yaml --stepper moreau --set dt=2ms\n"
     "  footfall run scenes/solo-trot.yaml --batch 100 --vary mass=0.1\n"
     "  footfall run models/solo12.urdf --drop 5cm --duration 2s --out drop.csv\n",
     FFI_OPTION_FILE, ffi_file_endings_model_or_scene},
    {"view", ffi_view_command, "show runs in the browser",
     "footfall view LOG.h5 [MORE...] [options]\n"
     "footfall view SCENE.yaml [MORE...] [options]\n"
     "footfall view --live SCENE.yaml|MODEL [options]\n",
     "Writes a page that replays a log: robot, contacts and plots. A scene or a model is simulated first, as by "
     "'footfall run'. The page needs no network and no other files. Several runs share one view; the first is "
     "drawn solid.\n"
     "The options from --stepper on belong to 'footfall run' and apply to scenes and models.",
     ffi_view_options,
     "  footfall view scenes/solo-jump.yaml --no-open\n"
     "  footfall view scenes/solo-squat.yaml --steppers expo,moreau --no-open\n",
     FFI_OPTION_FILE, ffi_file_endings_view},
    {"new", ffi_new_command, "make a scene for a robot", "footfall new MODEL [-o SCENE.yaml] [options]\n",
     "Writes a first scene for a robot (URDF or MJCF): the robot on the ground, in a posture that it kept in a trial "
     "simulation, held by motors with gains from its inertia. Run it with 'footfall run SCENE.yaml'.",
     ffi_new_options,
     "  footfall new models/solo12.urdf -o my.yaml\n"
     "  footfall new models/romeo.urdf --json --force\n",
     FFI_OPTION_FILE, ffi_file_endings_model},
    {"convert", ffi_convert_command, "convert between URDF and MJCF", "footfall convert FROM TO [options]\n",
     "Writes a robot as URDF (*.urdf) or MJCF (*.xml, *.mjcf), and lists what that format cannot express.",
     ffi_convert_options,
     "  footfall convert models/solo12.urdf solo12.xml\n"
     "  footfall convert models/gripper.xml gripper.urdf --json\n",
     FFI_OPTION_FILE, ffi_file_endings_model},
    {"plan", ffi_plan_command, "compute a motion with feedback gains",
     "footfall plan MOTION [MODEL] --out FILE [options]\n",
     "Computes a trot or a jump of a four-legged robot, with feedback gains along the trajectory, and stores both for "
     "scenes to track. Default MODEL: models/solo12.urdf. Takes about ten seconds.",
     ffi_plan_options, "  footfall plan jump --out jump.txt\n", FFI_OPTION_WORD, ffi_choices_motion},
    {"compare", ffi_bench_compare_command, "compare the errors and the speed of steppers",
     ffi_compare_options_usage, ffi_compare_options_about, ffi_compare_options, ffi_compare_options_examples,
     FFI_OPTION_FILE, ffi_file_endings_scene},
    {"bench", ffi_bench_command, "run a benchmark", "footfall bench NAME [options]\n",
     "Runs a benchmark. 'footfall bench NAME --help' lists its options.", NULL,
     "  footfall bench step --quick --case box-4\n", FFI_OPTION_WORD, ffi_benchmark_names},
    {"completion", ffi_completion_command, "print shell completions or the manual page",
     "footfall completion bash|zsh|man\n",
     "Prints the completion script for bash or zsh, or the manual page.\n"
     "For bash, in ~/.bashrc: eval \"$(footfall completion bash)\"\n"
     "For zsh, in ~/.zshrc after compinit: eval \"$(footfall completion zsh)\"",
     NULL, "  footfall completion man | man -l -\n", FFI_OPTION_WORD, ffi_choices_shell},
    {"help", ffi_help_command_run, "print help",
     "footfall help [COMMAND]\n"
     "footfall help bench NAME\n"
     "footfall help units\n"
     "footfall help options\n"
     "footfall help vary\n",
     "Prints what a command does and its options; the units of numbers; the options of steppers.", NULL,
     "  footfall help run\n"
     "  footfall help options\n",
     FFI_OPTION_WORD, ffi_command_help_topics},
};

const int ffi_command_count = sizeof ffi_command_list / sizeof ffi_command_list[0];

const char *ffi_command_names(int index)
{
  return index >= 0 && index < ffi_command_count ? ffi_command_list[index].name : NULL;
}

const char *ffi_command_help_topics(int index)
{
  return index == ffi_command_count       ? "units"
         : index == ffi_command_count + 1 ? "options"
         : index == ffi_command_count + 2 ? "vary"
                                          : ffi_command_names(index);
}

const ffi_command *ffi_command_find(const char *name)
{
  for (int i = 0; i < ffi_command_count; ++i)
    if (strcmp(ffi_command_list[i].name, name) == 0)
      return &ffi_command_list[i];
  return NULL;
}

// ---- Help ---------------------------------------------------------------------------------------

static void print_paragraphs(const char *text, FILE *out)
{
  char line[1024];
  for (int i = 0; *text; ++i) {
    const size_t length = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)length, text);
    if (i == 0)
      fputc('\n', out);
    ffi_text_wrap_at(line, 0, 0, FFI_HELP_WIDTH, out);
    text += length + (text[length] == '\n');
  }
}

static void print_benches(FILE *out)
{
  fputc('\n', out);
  for (int i = 0; i < ffi_benchmark_count; ++i) {
    fprintf(out, "  %-13s", ffi_benchmark_list[i].name);
    ffi_text_wrap_at(ffi_benchmark_list[i].summary, 15, 15, FFI_HELP_WIDTH, out);
  }
}

void ffi_command_print_help(const ffi_command *command, int statuses, FILE *out)
{
  int count = 0;
  const ffi_option *options = command->options ? command->options(&count) : NULL;
  ffi_help_usage(command->usage, out);
  print_paragraphs(command->about, out);
  ffi_help_options(options, count, out);
  if (command->run == ffi_bench_command)
    print_benches(out);
  if (command->examples)
    ffi_help_examples(command->examples, out);
  if (statuses)
    ffi_help_exit_statuses(out);
}
