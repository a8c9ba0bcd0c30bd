// The commands and what is said about each: with the tables of options the one source of the help, the manual page and the completions of shells.
#include "commands.h"

#include "cli/help.h"
#include "cli/terminal.h"

#include <string.h>

const ffi_command ffi_commands[] = {
    {"info", ffi_command_info, "what is in this robot?",
     "footfall info MODEL [options]\n"
     "footfall info SCENE.yaml [--json]\n"
     "footfall info LOG.h5 [--json]\n",
     "Shows the tree of links and joints of a robot (URDF or MJCF), totals, and what is odd about it; of a "
     "scene what it simulates, its controls and the memory of each part; of a log what was run, how it ended and "
     "which signals it has.",
     ffi_options_of_info,
     "  footfall info models/solo12.urdf\n"
     "  footfall info models/solo12.urdf --svg solo.svg --posture squat\n"
     "  footfall info scenes/solo-trot.yaml\n"
     "  footfall info out/solo-trot.h5\n",
     FFI_TAKES_FILE, ffi_endings_of_info},
    {"run", ffi_command_run, "set it into motion",
     "footfall run MODEL [options]\n"
     "footfall run SCENE.yaml [options]\n"
     "footfall run --resume LOG.h5 [options]\n",
     "Simulates a robot that holds a posture on the ground, or what a scene says, and tells how it went.\n"
     "Numbers may have units: 2ms, 10deg, 20cm, 1e5N/m; see 'footfall help units'.",
     ffi_options_of_run,
     "  footfall run scenes/solo-trot.yaml\n"
     "  footfall run scenes/solo-squat.yaml --stepper moreau --set dt=2ms\n"
     "  footfall run models/solo12.urdf --drop 5cm --duration 2s --out drop.csv\n",
     FFI_TAKES_FILE, ffi_endings_of_model_or_scene},
    {"view", ffi_command_view, "look at it in the browser",
     "footfall view LOG.h5 [MORE...] [options]\n"
     "footfall view SCENE.yaml [MORE...] [options]\n"
     "footfall view --live SCENE.yaml|MODEL [options]\n",
     "Writes a page that replays a log: robot, contacts and plots. A scene or a model is run first, as 'footfall run' "
     "does. The page needs no network and no other file. Several runs are drawn over each other, the first of them solid.\n"
     "From --stepper on, options are those of 'footfall run', for scenes and models.",
     ffi_options_of_view,
     "  footfall view scenes/solo-jump.yaml --no-open\n"
     "  footfall view scenes/solo-squat.yaml --steppers expo,moreau --no-open\n",
     FFI_TAKES_FILE, ffi_endings_of_view},
    {"new", ffi_command_new, "make a scene for a robot", "footfall new MODEL [-o SCENE.yaml] [options]\n",
     "Writes a scene to begin with: the robot (URDF or MJCF) on the ground in a posture in which it stays, found by trying, "
     "held by motors whose gains come from its inertia. Then: footfall run SCENE.yaml.",
     ffi_options_of_new,
     "  footfall new models/solo12.urdf -o my.yaml\n"
     "  footfall new models/romeo.urdf --json --force\n",
     FFI_TAKES_FILE, ffi_endings_of_model},
    {"convert", ffi_command_convert, "write a robot in the other format",
     "footfall convert FROM TO [options]\n",
     "Writes a robot as URDF (*.urdf) or MJCF (*.xml, *.mjcf), and lists what that format cannot say.",
     ffi_options_of_convert,
     "  footfall convert models/solo12.urdf solo12.xml\n"
     "  footfall convert models/gripper.xml gripper.urdf --json\n",
     FFI_TAKES_FILE, ffi_endings_of_model},
    {"plan", ffi_command_plan, "compute a motion with feedback gains",
     "footfall plan MOTION [MODEL] --out FILE [options]\n",
     "Computes a trot or a jump of a four-legged robot, with the gains that keep it on its way, and stores both for scenes "
     "to follow. MODEL is models/solo12.urdf unless said otherwise. Takes some ten seconds.",
     ffi_options_of_plan, "  footfall plan jump --out jump.txt\n", FFI_TAKES_WORD, ffi_words_of_motion},
    {"compare", ffi_command_compare, "how wrong is each stepper, and how fast?", ffi_compare_usage,
     ffi_compare_about, ffi_options_of_compare, ffi_compare_examples, FFI_TAKES_FILE, ffi_endings_of_scene},
    {"bench", ffi_command_bench, "measure how fast it is", "footfall bench NAME [options]\n",
     "Runs a benchmark. 'footfall bench NAME --help' tells its options.", NULL,
     "  footfall bench step --quick --case box-4\n", FFI_TAKES_WORD, ffi_words_of_bench},
    {"completion", ffi_command_completion, "complete commands and options in a shell",
     "footfall completion bash|zsh|man\n",
     "Prints what bash or zsh needs to complete commands, options and their values, or the manual page.\n"
     "For bash, in ~/.bashrc: eval \"$(footfall completion bash)\"\n"
     "For zsh, in ~/.zshrc after compinit: eval \"$(footfall completion zsh)\"",
     NULL, "  footfall completion man | man -l -\n", FFI_TAKES_WORD, ffi_words_of_shell},
    {"help", ffi_command_help, "say what a command does",
     "footfall help [COMMAND]\n"
     "footfall help bench NAME\n"
     "footfall help units\n"
     "footfall help options\n",
     "Says what a command does and which options it has; which units numbers may have; which options steppers have.",
     NULL,
     "  footfall help run\n"
     "  footfall help options\n",
     FFI_TAKES_WORD, ffi_words_of_help},
};

const int ffi_command_count = sizeof ffi_commands / sizeof ffi_commands[0];

const char *ffi_words_of_command(int index)
{
  return index >= 0 && index < ffi_command_count ? ffi_commands[index].name : NULL;
}

const char *ffi_words_of_help(int index)
{
  return index == ffi_command_count       ? "units"
         : index == ffi_command_count + 1 ? "options"
                                          : ffi_words_of_command(index);
}

const ffi_command *ffi_command_find(const char *name)
{
  for (int i = 0; i < ffi_command_count; ++i)
    if (strcmp(ffi_commands[i].name, name) == 0)
      return &ffi_commands[i];
  return NULL;
}

// ---- What is said about one ---------------------------------------------------------------------------------------

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
  for (int i = 0; i < ffi_bench_count; ++i) {
    fprintf(out, "  %-13s", ffi_benches[i].name);
    ffi_text_wrap_at(ffi_benches[i].summary, 15, 15, FFI_HELP_WIDTH, out);
  }
}

void ffi_help_command(const ffi_command *command, int statuses, FILE *out)
{
  int count = 0;
  const ffi_option *options = command->options ? command->options(&count) : NULL;
  ffi_help_usage(command->usage, out);
  print_paragraphs(command->about, out);
  ffi_help_options(options, count, out);
  if (command->run == ffi_command_bench)
    print_benches(out);
  if (command->examples)
    ffi_help_examples(command->examples, out);
  if (statuses)
    ffi_help_exit_statuses(out);
}
