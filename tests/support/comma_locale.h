/// comma_locale.h: a locale that writes 1,5, as half of Europe does. Files do not: what is read and written must not depend on it.
#ifndef FFI_TESTS_COMMA_LOCALE_H
#define FFI_TESTS_COMMA_LOCALE_H

/// From now on numbers have commas. The locale is made here, so none need be installed; 0 where the system has no localedef.
int ffi_comma_locale_begin(void);
void ffi_comma_locale_end(void);

#endif
