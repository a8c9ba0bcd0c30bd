// footfall help [COMMAND|units|options|vary], and the message about an unknown command.
#include "help_command.h"

#include "cli/error_message.h"
#include "cli/options/benchmark.h"
#include "cli/options/choices.h"
#include "cli/options/file_endings.h"
#include "cli/options/help.h"
#include "cli/options/option_value.h"
#include "cli/options/suggest.h"
#include "cli/program.h"

#include <footfall/version.h>

#include <string.h>
#include <unistd.h>

enum { MOST_COMMANDS = 32 };

static int has_ending(const char *name, ffi_choices *endings)
{
  const char *dot = strrchr(name, '.');
  for (int i = 0; dot && endings(i); ++i)
    if (strcmp(dot, endings(i)) == 0)
      return 1;
  return 0;
}

int ffi_help_command_unknown(const char *name)
{
  const char *names[MOST_COMMANDS] = {"--help", "--version"};
  int count = 2;
  for (int i = 0; ffi_command_help_topics(i); ++i)
    names[count++] = ffi_command_help_topics(i);
  const char *meant = ffi_suggest(name, names, count);
  const char *what = name[0] == '-' ? "option" : "command";
  if (!meant && access(name, F_OK) == 0 && has_ending(name, ffi_file_endings_model_or_scene))
    ffi_error_message("unknown command '%s'; for the file: 'footfall run %s' or 'footfall view %s'", name,
                      name, name);
  else if (!meant && access(name, F_OK) == 0 && has_ending(name, ffi_file_endings_log))
    ffi_error_message("unknown command '%s'; for the log: 'footfall view %s' or 'footfall info %s'", name,
                      name, name);
  else if (meant && !ffi_command_find(meant) && meant[0] != '-') // another topic
    ffi_error_message("unknown %s '%s'; did you mean 'footfall help %s'?", what, name, meant);
  else if (meant)
    ffi_error_message("unknown %s '%s'; did you mean 'footfall %s'?", what, name, meant);
  else
    ffi_error_message("unknown %s '%s'; 'footfall help' lists the commands", what, name);
  return FFI_EXIT_USAGE;
}

void ffi_help_command_print_overview(FILE *out)
{
  fprintf(out, "Footfall %s simulates articulated robots in stiff frictional contact.\n\n", ff_version());
  fprintf(out, "footfall COMMAND [arguments]\n\n");
  for (int i = 0; i < ffi_command_count; ++i)
    fprintf(out, "  %-10s %s\n", ffi_command_list[i].name, ffi_command_list[i].summary);
  fprintf(out, "\n'footfall help COMMAND' explains a command, 'footfall help units' lists units,\n"
               "'footfall help options' the options of steppers, 'footfall help vary' what can\n"
               "differ from run to run; 'footfall --version' prints the version.\n");
  ffi_help_exit_statuses(out);
}

static int help_bench(const char *name)
{
  int index;
  const ffi_benchmark *bench = ffi_benchmark_find(name);
  if (strcmp(name, "compare") == 0) // a command of the same program
    return ffi_help_command_run(1, (char *[]){(char *)name});
  if (!bench) {
    ffi_option_value_choice("bench", name, ffi_benchmark_names, &index); // prints the message
    return FFI_EXIT_USAGE;
  }
  ffi_help_bench(bench, stdout);
  return FFI_EXIT_OK;
}

int ffi_help_command_run(int argc, char **argv)
{
  const ffi_command *about = argc > 0 ? ffi_command_find(argv[0]) : NULL;
  const int is_bench = about && about->run == ffi_bench_command;
  if (argc > 1 + is_bench) {
    ffi_error_message("unexpected argument '%s': 'help' takes one command", argv[1 + is_bench]);
    return FFI_EXIT_USAGE;
  }
  if (argc == 0)
    ffi_help_command_print_overview(stdout);
  else if (strcmp(argv[0], "units") == 0)
    ffi_help_units(stdout);
  else if (strcmp(argv[0], "options") == 0)
    ffi_help_sim_options(stdout);
  else if (strcmp(argv[0], "vary") == 0)
    ffi_help_vary(stdout);
  else if (argc == 2)
    return help_bench(argv[1]);
  else if (about)
    ffi_command_print_help(about, 1, stdout);
  else
    return ffi_help_command_unknown(argv[0]);
  return FFI_EXIT_OK;
}
