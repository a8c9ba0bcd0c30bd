/// comma_locale.h: a locale with decimal commas (1,5). Reading and writing files must not depend on it.
#ifndef FFI_TESTS_COMMA_LOCALE_H
#define FFI_TESTS_COMMA_LOCALE_H

/// From now on numbers have commas. The locale is made here, so none has to be installed; 0 where the system has no
/// localedef.
int ffi_comma_locale_begin(void);
void ffi_comma_locale_end(void);

#endif
