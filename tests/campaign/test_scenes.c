// A campaign of random scenes: every stepper, joint, shape, element and option, gentle and brutal. Without arguments it
// is a test of a few seconds; `./dev soak scenes` runs it for as long as you like. `--help` says what it takes.
#include "campaign/crew.h"
#include "campaign/shrink.h"
#include "campaign/table.h"
#include "support/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// 1: ./dev test also asks that no step is slow, which a busy machine would fail. The campaign always does.
enum { IS_TEST_STRICT = 0, USUAL_SCENES = 400 };

// In ./dev test a step may take this long [s], so that some hundred scenes take some seconds. What is judged then does
// not depend on time.
#define TEST_STEP_LIMIT 0.02

// Of each stepper and fault so many scenes are shrunk, each for so long [s].
enum { SHRUNK = 2, SHRINK_SECONDS = 20 };

typedef struct wishes {
  ffi_crew_task task;
  int is_one; ///< one seed, loudly
  int is_strict;
  const char *json;
  const char *list;  ///< results to print, NULL: none
  const char *dir;   ///< where small scenes are written, NULL: nowhere
  ffi_cut_list cuts; ///< of one seed
} wishes;

static const char usage[] =
    "test_scenes [OPTIONS]: judge random scenes\n"
    "  --minutes M      as many as M minutes allow (default: a few hundred scenes)\n"
    "  --count N        N scenes\n"
    "  --first SEED     the first seed (default: FOOTFALL_SEED, else 1)\n"
    "  --judge all|energy  energy: the promise of energy alone, without restored twins (default: all)\n"
    "  --list KIND      print scenes that are refused, failed, ended, flagged or slow, each with its reason\n"
    "  --seed SEED      repeat one scene and print every step\n"
    "  --stepper NAME   with this stepper only\n"
    "  --class CLASS    mild or wild only\n"
    "  --jobs N         processes at once (default 2)\n"
    "  --strict on|off  count slow steps as broken promises (default: on with --minutes)\n"
    "  --json FILE      write the counts as JSON too\n"
    "  --shrink DIR     make scenes with broken promises small, and write them to DIR\n"
    "  --cuts A,B,...   with --seed: the small scene that these cuts leave\n";

static void fail_usage(const char *about)
{
  fprintf(stderr, "test_scenes: %s\n%s", about, usage);
  exit(2);
}

static double number(const char *text)
{
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !(value >= 0))
    fail_usage("expected a number");
  return value;
}

static void read_cuts(const char *text, ffi_cut_list *out)
{
  while (*text && out->count < FFI_CUT_MOST) {
    char *end;
    out->cuts[out->count++] = (int)strtol(text, &end, 10);
    if (end == text)
      fail_usage("--cuts takes numbers with commas between");
    text = *end == ',' ? end + 1 : end;
  }
}

static void read_option(const char *name, const char *value, wishes *w)
{
  ff_stepper stepper;
  if (strcmp(name, "--minutes") == 0) {
    w->task.seconds = 60 * number(value);
    w->task.count = 1LL << 60;
    w->is_strict = 1;
    w->task.way.step_limit = 0;
  } else if (strcmp(name, "--count") == 0)
    w->task.count = (long long)number(value);
  else if (strcmp(name, "--first") == 0 || strcmp(name, "--seed") == 0) {
    w->task.first = strtoull(value, NULL, 10);
    w->is_one |= strcmp(name, "--seed") == 0;
  } else if (strcmp(name, "--stepper") == 0) {
    if (!ff_stepper_find(value, &stepper))
      fail_usage("no stepper has that name");
    w->task.stepper = (int)stepper;
  } else if (strcmp(name, "--class") == 0)
    w->task.which = strcmp(value, "mild") == 0 ? FFI_DRAW_MILD : FFI_DRAW_WILD;
  else if (strcmp(name, "--judge") == 0)
    w->task.way.is_energy_only = strcmp(value, "energy") == 0;
  else if (strcmp(name, "--list") == 0)
    w->list = value;
  else if (strcmp(name, "--jobs") == 0)
    w->task.workers = (int)fmin(fmax(number(value), 1), 16);
  else if (strcmp(name, "--strict") == 0) {
    w->is_strict = strcmp(value, "on") == 0;
    w->task.way.step_limit = w->is_strict ? 0 : TEST_STEP_LIMIT;
  } else if (strcmp(name, "--json") == 0)
    w->json = value;
  else if (strcmp(name, "--shrink") == 0)
    w->dir = value;
  else if (strcmp(name, "--cuts") == 0)
    read_cuts(value, &w->cuts);
  else
    fail_usage("unknown option");
}

static wishes read_wishes(int count, char **words)
{
  wishes w = {.task = {.first = ffi_samples_seed() ? ffi_samples_seed() : 1,
                       .count = ffi_samples(USUAL_SCENES),
                       .seconds = (double)INFINITY,
                       .workers = 2,
                       .stepper = FFI_DRAW_ANY_STEPPER,
                       .way.step_limit = TEST_STEP_LIMIT},
              .is_strict = IS_TEST_STRICT};
  for (int i = 1; i < count; i += 2) {
    if (strcmp(words[i], "--help") == 0) {
      printf("%s", usage);
      exit(0);
    }
    if (i + 1 == count)
      fail_usage("an option needs a value");
    read_option(words[i], words[i + 1], &w);
  }
  return w;
}

static void print_result(const ffi_judge_result *r)
{
  printf(
      "%d steps%s%s, %d flagged; largest unflagged gain %.3g, with flagged steps %.3g; slowest step %d: %.3g s, "
      "median %.3g s\n",
      r->steps, r->is_failed ? ", then a failed one" : "", r->is_refused ? " (refused)" : "", r->flagged,
      r->gain, r->flagged_gain, r->slowest_step, r->slowest, r->median);
  for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault)
    if (r->faults >> fault & 1)
      printf("%s ", ffi_judge_fault_name((ffi_judge_fault)fault));
  printf("%s%s\n%s%s", r->faults ? ": " : "no fault", r->message, r->failure, *r->failure ? "\n" : "");
}

// With all folders above it.
static void make_folder(const char *path)
{
  char part[512];
  snprintf(part, sizeof part, "%s", path);
  for (char *at = part + 1; *at; ++at)
    if (*at == '/') {
      *at = '\0';
      mkdir(part, 0777);
      *at = '/';
    }
  mkdir(part, 0777);
}

// Make one scene small, write it, and print how to repeat it.
static void shrink(const ffi_judge_result *broken, ffi_judge_fault fault, const char *dir)
{
  static ffi_recipe recipe;
  ffi_judge_result result;
  ffi_cut_list cuts;
  char name[80], about[2048];
  ffi_draw(broken->seed, broken->is_wild ? FFI_DRAW_WILD : FFI_DRAW_MILD, (int)broken->stepper, &recipe);
  if (!ffi_shrink(&recipe, fault, SHRINK_SECONDS, &cuts, &result)) {
    printf("  the %s of seed %llu did not come back\n", ffi_judge_fault_name(fault),
           (unsigned long long)broken->seed);
    return;
  }
  snprintf(name, sizeof name, "%s-%s-%llu", ffi_judge_fault_name(fault), ff_stepper_name(broken->stepper),
           (unsigned long long)broken->seed);
  int at = snprintf(about, sizeof about,
                    "%.320s\nbuild/tests/campaign/test_scenes --seed %llu --stepper %s --class %s",
                    result.message, (unsigned long long)broken->seed, ff_stepper_name(broken->stepper),
                    broken->is_wild ? "wild" : "mild");
  for (int i = 0; i < cuts.count; ++i)
    at += snprintf(about + at, sizeof about - (size_t)at, "%s%d", i ? "," : " --cuts ", cuts.cuts[i]);
  make_folder(dir);
  const int is_written = ffi_shrink_write(&recipe, dir, name, about);
  printf("  %d links, %d shapes, %d elements, %d steps: %s/%s.yaml%s\n    %s\n", recipe.link_count,
         recipe.shape_count, recipe.element_count, recipe.steps, dir, name,
         is_written ? "" : " (the model cannot be written)", strchr(about, '\n') + 1);
}

static int repeat(const wishes *w)
{
  static ffi_recipe recipe;
  ffi_judge_result result;
  ffi_draw(w->task.first, w->task.which, w->task.stepper, &recipe);
  for (int i = 0; i < w->cuts.count; ++i)
    ffi_cut_apply(w->cuts.cuts[i], &recipe);
  ffi_recipe_print(&recipe);
  fflush(stdout);
  ffi_judge(&recipe, &(ffi_judge_way){.is_loud = 1}, &result);
  print_result(&result);
  for (int fault = 0; w->dir && fault < FFI_JUDGE_FAULTS; ++fault)
    if (result.faults >> fault & 1)
      shrink(&result, (ffi_judge_fault)fault, w->dir);
  return result.faults != 0;
}

// Where results go.
typedef struct sink {
  ffi_table *table;
  const char *list;
} sink;

static void take(const ffi_judge_result *result, void *user)
{
  const sink *to = user;
  ffi_table_add(result, to->table);
  if (!to->list)
    return;
  const int is_listed = strcmp(to->list, "refused") == 0  ? result->is_refused
                        : strcmp(to->list, "failed") == 0 ? result->is_failed
                        : strcmp(to->list, "ended") == 0  ? result->is_ended
                        : strcmp(to->list, "slow") == 0   ? (int)(result->faults >> FFI_JUDGE_SLOW & 1)
                                                          : result->flagged > 0;
  if (is_listed)
    printf("%s: --seed %llu --stepper %s --class %s: step %d, flagged gain %.3g: %s\n", to->list,
           (unsigned long long)result->seed, ff_stepper_name(result->stepper),
           result->is_wild ? "wild" : "mild", result->steps, result->flagged_gain,
           *result->message ? result->message : result->failure);
  fflush(stdout);
}

// Five of each kind, and the first of them made small.
static void list_broken(const ffi_table *table, int is_strict, const char *dir)
{
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    for (int fault = 0; fault < FFI_JUDGE_FAULTS; ++fault) {
      const int shown = ffi_table_is_promised((ff_stepper)stepper, (ffi_judge_fault)fault, is_strict) ? 5 : 0;
      for (int i = 0; i < table->kept[stepper][fault] && i < shown; ++i) {
        const ffi_judge_result *r = &table->broken[stepper][fault][i];
        printf("%s: --seed %llu --stepper %s --class %s: %.200s\n",
               ffi_judge_fault_name((ffi_judge_fault)fault), (unsigned long long)r->seed,
               ff_stepper_name(r->stepper), r->is_wild ? "wild" : "mild", r->message);
        if (dir && i < SHRUNK)
          shrink(r, (ffi_judge_fault)fault, dir);
        fflush(stdout);
      }
    }
}

int main(int count, char **words)
{
  static ffi_table table;
  const wishes w = read_wishes(count, words);
  if (w.is_one)
    return repeat(&w);
  if (!ffi_crew_run(&w.task, take, &(sink){&table, w.list})) {
    fprintf(stderr, "test_scenes: no process could be started\n");
    return 1;
  }
  ffi_table_print(&table);
  fflush(stdout);
  list_broken(&table, w.is_strict, w.dir);
  if (w.json && !ffi_table_write_json(&table, w.json))
    fprintf(stderr, "test_scenes: cannot write %s\n", w.json);
  long long tried = 0;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper)
    tried += table.rows[stepper][0].scenes + table.rows[stepper][1].scenes;
  printf("tried %lld scenes\n", tried);
  const long long broken = ffi_table_broken(&table, w.is_strict);
  if (broken > 0)
    printf("%lld broken promises\n", broken);
  return broken > 0 || tried == 0;
}
