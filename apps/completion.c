// footfall completion bash|zsh|man: words that a shell completes, and the manual page, both made of what the help says.
#include "commands.h"
#include "options.h"

#include <footfall/sim.h>
#include <footfall/version.h>

#include <stdio.h>
#include <string.h>

// ---- Options of a command -----------------------------------------------------------------------------------------

// The next option that a text mentions, "--" and letters, or a dash and one letter; NULL after the last. `length` is its own.
static const char *next_option(const char *text, size_t *length)
{
  for (const char *at = text; (at = strchr(at, '-')) != NULL; ++at) {
    const size_t dashes = strspn(at, "-");
    const int begins = at == text || strchr(" \n'", at[-1]) != NULL;
    *length = dashes + strspn(at + dashes, "abcdefghijklmnopqrstuvwxyz-");
    if (begins && ((dashes == 2 && *length > 3) || (dashes == 1 && *length == 2)))
      return at;
    at += dashes - 1;
  }
  return NULL;
}

static int is_mentioned(const char *text, const char *end, const char *option, size_t length)
{
  size_t other;
  for (const char *at = next_option(text, &other); at && at < end; at = next_option(at + other, &other))
    if (other == length && strncmp(at, option, length) == 0)
      return 1;
  return 0;
}

// Each once.
static void print_options(const ffi_command *command)
{
  size_t length;
  for (const char *at = next_option(command->usage, &length); at; at = next_option(at + length, &length))
    if (!is_mentioned(command->usage, at, at, length))
      printf("%.*s ", (int)length, at);
  if (!is_mentioned(command->usage, command->usage + strlen(command->usage), "--help", 6))
    printf("--help");
}

static void print_steppers(void)
{
  for (int k = 0; k < FF_STEPPER_COUNT; ++k)
    printf("%s%s", k > 0 ? " " : "", ff_stepper_name((ff_stepper)k));
}

static void print_names(void)
{
  for (int i = 0; i < ffi_command_count; ++i)
    printf("%s%s", i > 0 ? " " : "", ffi_commands[i].name);
}

// The branches of a `case` over the word before: values that are words.
static void print_values(void)
{
  printf("    --stepper|--steppers) choice='");
  print_steppers();
  printf(
      "' ;;\n    --mimic) choice='refuse free fix' ;;\n    --to) choice='urdf mjcf' ;;\n    help) choice='");
  print_names();
  printf("' ;;\n    completion) choice='bash zsh man' ;;\n    plan) choice='trot jump' ;;\n");
}

static void print_cases(void)
{
  for (int i = 0; i < ffi_command_count; ++i) {
    printf("    %s) options='", ffi_commands[i].name);
    print_options(&ffi_commands[i]);
    printf("' ;;\n");
  }
}

// ---- Shells -------------------------------------------------------------------------------------------------------

static void print_bash(void)
{
  printf(
      "# footfall %s: completion for bash. Use it with: eval \"$(footfall completion bash)\"\n_footfall() {\n"
      "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options='' choice=''\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '",
      ff_version());
  print_names();
  printf(" --help --version' -- \"$now\"))\n    return\n  fi\n  case $before in\n");
  print_values();
  printf("  esac\n  case ${COMP_WORDS[1]} in\n");
  print_cases();
  printf(
      "  esac\n  if [ -n \"$choice\" ]; then\n    COMPREPLY=($(compgen -W \"$choice\" -- \"$now\"))\n"
      "  elif [[ $now == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$now\"))\n"
      "  else\n    local IFS=$'\\n'\n    compopt -o filenames 2>/dev/null\n    COMPREPLY=($(compgen -f -- \"$now\"))\n  fi\n}\n"
      "complete -F _footfall footfall\n");
}

static void print_zsh(void)
{
  printf(
      "#compdef footfall\n# footfall %s: completion for zsh. Use it with: eval \"$(footfall completion zsh)\"\n"
      "_footfall() {\n  local options='' choice='' before=${words[CURRENT - 1]} command=${words[2]}\n  local -a commands\n",
      ff_version());
  printf("  commands=(\n");
  for (int i = 0; i < ffi_command_count; ++i)
    printf("    '%s:%s'\n", ffi_commands[i].name, ffi_commands[i].summary);
  printf(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case $before in\n");
  print_values();
  printf("  esac\n  case $command in\n");
  print_cases();
  printf(
      "  esac\n  if [[ -n $choice ]]; then\n    compadd -- ${=choice}\n  elif [[ $PREFIX == -* ]]; then\n"
      "    compadd -- ${=options}\n  else\n    _files\n  fi\n}\n"
      "if [ \"$funcstack[1]\" = _footfall ]; then _footfall \"$@\"; else compdef _footfall footfall; fi\n");
}

// ---- Manual page --------------------------------------------------------------------------------------------------

// Text that roff prints as it stands.
static void print_roff(const char *text)
{
  int is_first = 1;
  for (; *text; ++text) {
    if (is_first && (*text == '.' || *text == '\''))
      fputs("\\&", stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
    is_first = *text == '\n';
  }
}

static void print_man(void)
{
  printf(
      ".TH FOOTFALL 1 \"\" \"Footfall %s\" \"Footfall\"\n.SH NAME\nfootfall \\- simulate articulated robots in stiff frictional contact\n"
      ".SH SYNOPSIS\n.B footfall\n.I COMMAND\n[arguments]\n.SH COMMANDS\n",
      ff_version());
  for (int i = 0; i < ffi_command_count; ++i) {
    printf(".SS %s: ", ffi_commands[i].name);
    print_roff(ffi_commands[i].summary);
    printf("\n.nf\n");
    print_roff(ffi_commands[i].usage);
    printf(".fi\n");
  }
  printf(".SH EXIT STATUS\n.nf\n");
  print_roff(ffi_exit_statuses);
  printf(
      ".fi\n.SH ENVIRONMENT\n.TP\n.B FOOTFALL_OUT\nFolder for logs and pages, in place of out; empty: write no log unless asked for.\n"
      ".TP\n.B NO_COLOR\nUse no colours, even on a terminal.\n.TP\n.B ROS_PACKAGE_PATH\nWhere meshes of packages are looked for.\n");
}

int ffi_command_completion(int argc, char **argv)
{
  static const char *const shells[] = {"bash", "zsh", "man"};
  static void (*const print[])(void) = {print_bash, print_zsh, print_man};
  if (argc != 1) {
    ffi_complain("'completion' takes one word: bash, zsh or man");
    return FFI_EXIT_USAGE;
  }
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; ++i) {
    if (strcmp(argv[0], shells[i]) == 0) {
      print[i]();
      return FFI_EXIT_OK;
    }
  }
  const char *meant = ffi_suggest(argv[0], shells, 3);
  if (meant)
    ffi_complain("unknown shell '%s'; did you mean '%s'?", argv[0], meant);
  else
    ffi_complain("unknown shell '%s'; there are bash, zsh and man, the manual page", argv[0]);
  return FFI_EXIT_USAGE;
}
