// Whatever the bytes are, the MJCF reader returns a model or an error. Seeds are tests/bad_input/mjcf,
// tests/oracle/mjcf and models, the dictionary is tests/fuzz/mjcf.dict:
//
//     fuzz_mjcf -dict=tests/fuzz/mjcf.dict -max_len=8192 CORPUS tests/bad_input/mjcf tests/oracle/mjcf
//
// Included files are looked for in the working folder, so run it where there are none that matter.
#include <footfall/load.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What a model promises whoever made it.
static int is_sound(const ff_model *model)
{
  const ff_model_size count = ff_model_get_size(model);
  double *q = malloc(sizeof *q * (size_t)(count.nq + 1));
  int is_finite = q && isfinite(ff_model_mass(model));
  if (q)
    ff_model_neutral(model, q);
  for (int i = 0; is_finite && i < count.nq; ++i)
    is_finite = isfinite(q[i]);
  for (int k = 0; is_finite && k < count.postures; ++k)
    for (int i = 0; is_finite && i < count.nq; ++i)
      is_finite = isfinite(ff_model_posture(model, k)[i]);
  free(q);
  return is_finite;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ff_error error;
  ff_model *model = NULL;
  const ff_status status = ff_model_load_memory((const char *)data, size, "fuzz", NULL, &model, &error);
  const int is_consistent =
      status == FF_OK ? model != NULL : model == NULL && error.status == status && error.message[0];
  if (!is_consistent || (model && !is_sound(model)))
    abort();
  ff_model_destroy(model);
  return 0;
}
