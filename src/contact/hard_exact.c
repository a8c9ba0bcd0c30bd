// Placeholder until the measurement is done: SOR.
#include "contact/hard_work.h"

void ffi_hard_exact(ffi_hard_memory *m, ffi_hard_result *result)
{
  ffi_prox_sor(m, 0, result);
}
