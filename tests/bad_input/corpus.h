/// corpus.h: what every format's malformed input is put through.
///
/// A corpus is a folder of malformed files with a table, expected.txt, of what must be said about each, and one good
/// text that uses much of the format. CORPUS_TESTS(&corpus) are the tests that any reader must pass with them: each
/// file is refused as its row says, no file lacks a row, and neither cutting the good text short nor wrong bytes nor
/// missing pieces in it do harm. A row is
///
///     file  status  line  fragment of the message
///
/// where the line is 0 if there is none. The message must start with "file:line: " and name the file of the row, unless
/// the fragment names another one, such as "part.xml:3:" where the fault is in an included file.
///
/// Giants are texts too large to keep in a folder: append() to a `text` that starts as {0}, then refuse() it.
#ifndef FFI_TESTS_CORPUS_H
#define FFI_TESTS_CORPUS_H

#include <footfall/load.h>

#include <stddef.h>

typedef struct corpus {
  const char *folder; ///< full path
  const char *ending; ///< of its files, such as ".urdf"
  int least;          ///< it has at least so many files
  const char *good;   ///< ends in ">\n"
  size_t length;      ///< of the good text [bytes]
  const char *wrong;  ///< bytes to put into the good text, each place getting the next of them
  size_t wrong_count;
  size_t cut_step,
      cut_longest; ///< pieces of 1..cut_longest bytes are cut out of it at every cut_step-th place
} corpus;

/// Tests of a corpus, which is their state.
void every_file_is_refused_as_its_table_says(void **state);
void no_file_is_left_out_of_the_table(void **state);
void the_good_file_is_good(void **state);
void every_truncation_is_refused(void **state);
void no_single_wrong_byte_does_harm(void **state);
void no_missing_piece_does_harm(void **state);

/// All of them, as entries of an array of CMUnitTest.
#define CORPUS_TESTS(corpus)                                                                                 \
  cmocka_unit_test_prestate(every_file_is_refused_as_its_table_says, corpus),                                \
      cmocka_unit_test_prestate(no_file_is_left_out_of_the_table, corpus),                                   \
      cmocka_unit_test_prestate(the_good_file_is_good, corpus),                                              \
      cmocka_unit_test_prestate(every_truncation_is_refused, corpus),                                        \
      cmocka_unit_test_prestate(no_single_wrong_byte_does_harm, corpus),                                     \
      cmocka_unit_test_prestate(no_missing_piece_does_harm, corpus)

/// Every allocation of the reader, the builder and the model fails once, as far as the program sees them (see
/// alloc_counter.h): each is FF_ERROR_MEMORY or does not matter. `path` NULL: the good text of the corpus.
void fail_in_turn(const corpus *c, const char *path);

typedef struct text {
  char *data;
  size_t length, room;
} text;

/// Add less than 4096 bytes.
void append(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void append_times(text *t, int count, const char *piece);

/// The text must be refused with this status and message, and soon: 120 s is far above what it takes (about 1 s), to
/// hold under valgrind and sanitizers; quadratic work on these sizes would take hours. Frees the text.
void refuse(text *t, ff_status expected, const char *fragment);

#endif
