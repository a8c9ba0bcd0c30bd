/// hard_two.h: two doubles side by side, for loops over rows of G that the compiler would not vectorise by itself.
#ifndef FFI_CONTACT_HARD_TWO_H
#define FFI_CONTACT_HARD_TWO_H

typedef double ffi_hard_two
    __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));

#endif
