// Which known word was meant: letters put in, left out, changed or swapped; words only begun; none that is far.
#include <footfall/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_nearest_is_found(void **state)
{
  (void)state;
  static const char *const known[] = {"type", "tolerance", "stepper", "l_knee", "r_knee"};
  static const struct {
    const char *word, *meant;
  } cases[] = {{"typ", "type"},      {"tpye", "type"},      {"types", "type"},
               {"tol", "tolerance"}, {"steper", "stepper"}, {"l_kneee", "l_knee"},
               {"r_nkee", "r_knee"}, {"friction", NULL},    {"", NULL},
               {"x", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_nearest nearest = {.word = cases[i].word};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
      ff_nearest_try(&nearest, known[k]);
    if (!cases[i].meant)
      assert_null(nearest.meant);
    else if (!nearest.meant || strcmp(nearest.meant, cases[i].meant) != 0)
      fail_msg("%s: %s", cases[i].word, nearest.meant ? nearest.meant : "nothing");
  }
}

// Longer than any word: nothing is compared, and nothing is written beyond a table.
static void long_words_mean_nothing(void **state)
{
  (void)state;
  char word[4096];
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  ff_nearest nearest = {.word = word};
  ff_nearest_try(&nearest, word);
  assert_null(nearest.meant);
  nearest = (ff_nearest){.word = "aaa"};
  ff_nearest_try(&nearest, word);
  assert_null(nearest.meant);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_is_found),
      cmocka_unit_test(long_words_mean_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
