/// view_page.h: what `footfall view` put into a page, read back: headers by the strict reader of JSON, arrays by a
/// base64 of our own and zlib, numbers from where viewer/FORMAT.md says that their bytes are.
#ifndef FFI_TESTS_VIEW_PAGE_H
#define FFI_TESTS_VIEW_PAGE_H

#include "cli/json_value.h"

#include <stddef.h>

enum { FFI_PAGE_RUNS = 8 };

typedef struct ffi_page_run {
  ffi_json_value *header;
  unsigned char *bytes[2]; ///< what is drawn, what is plotted
  size_t count[2];
} ffi_page_run;

typedef struct ffi_page {
  char *text;
  ffi_page_run runs[FFI_PAGE_RUNS];
  int run_count;
} ffi_page;

/// A failed test if the file is not there or no such page. Free the result.
ffi_page ffi_page_read(const char *path);
void ffi_page_free(ffi_page *page);

/// Number `index` of one of the run's "arrays", and how many there are.
double ffi_page_number(const ffi_page_run *run, const char *array, int index);
int ffi_page_count(const ffi_page_run *run, const char *array);

/// A signal by group and name; a failed test if there is none.
int ffi_page_signal(const ffi_page_run *run, const char *group, const char *name);
double ffi_page_value(const ffi_page_run *run, int row, int signal);

/// Skip this test where the command was built without its viewer.
void ffi_page_need_viewer(void);

#endif
