// footfall COMMAND [ARGUMENTS]: the first argument says what to do, the rest belongs to it.
#include "command.h"
#include "commands.h"
#include "options.h"

#include <footfall/version.h>

#include <stdio.h>
#include <string.h>

enum { MOST_COMMANDS = 32 };

static const ffi_command *find_command(const char *name)
{
  for (int i = 0; i < ffi_command_count; ++i) {
    if (strcmp(ffi_commands[i].name, name) == 0)
      return &ffi_commands[i];
  }
  return NULL;
}

static int unknown_command(const char *name)
{
  const char *names[MOST_COMMANDS] = {"--help", "--version"};
  for (int i = 0; i < ffi_command_count; ++i)
    names[i + 2] = ffi_commands[i].name;
  const char *meant = ffi_suggest(name, names, ffi_command_count + 2);
  const char *what = name[0] == '-' ? "option" : "command";
  if (meant)
    ffi_complain("unknown %s '%s'; did you mean 'footfall %s'?", what, name, meant);
  else
    ffi_complain("unknown %s '%s'; 'footfall help' lists what there is", what, name);
  return FFI_EXIT_USAGE;
}

static void print_overview(FILE *out)
{
  fprintf(out, "Footfall %s simulates articulated robots in stiff frictional contact.\n\n", ff_version());
  fprintf(out, "footfall COMMAND [arguments]\n\n");
  for (int i = 0; i < ffi_command_count; ++i)
    fprintf(out, "  %-10s %s\n", ffi_commands[i].name, ffi_commands[i].summary);
  fprintf(out, "\n'footfall help COMMAND' says more; 'footfall --version' says which version this is.\n%s",
          ffi_exit_statuses);
}

int ffi_command_help(int argc, char **argv)
{
  if (argc > 1) {
    ffi_complain("'help' takes one command, '%s' is too much", argv[1]);
    return FFI_EXIT_USAGE;
  }
  const ffi_command *about = argc == 1 ? find_command(argv[0]) : NULL;
  if (argc == 1 && !about)
    return unknown_command(argv[0]);
  if (about)
    printf("%s\n%s", about->usage, ffi_exit_statuses);
  else
    print_overview(stdout);
  return FFI_EXIT_OK;
}

static int run_command(const ffi_command *chosen, int argc, char **argv)
{
  const int passes_all_on = // their program has a --help of its own
      chosen->run == ffi_command_bench || chosen->run == ffi_command_compare;
  if (!passes_all_on && ffi_args_ask_help(argc, argv))
    return ffi_command_help(1, (char *[]){(char *)chosen->name});
  return chosen->run(argc, argv);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    print_overview(stderr);
    return FFI_EXIT_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    word = "help";
  int status = FFI_EXIT_OK;
  if (strcmp(word, "--version") == 0) {
    printf("footfall %s\n", ff_version());
  } else {
    const ffi_command *chosen = find_command(word);
    if (!chosen)
      return unknown_command(word);
    status = run_command(chosen, argc - 2, argv + 2);
  }
  return ffi_finish(status);
}
