// Whatever the bytes are, the URDF reader returns a model or an error. The last byte chooses how mimic joints
// and the root are treated; seeds are tests/bad_input/urdf and models, the dictionary is
// tests/fuzz/urdf.dict:
//
//     fuzz_urdf -dict=tests/fuzz/urdf.dict -max_len=8192 CORPUS tests/bad_input/urdf models
#include <footfall/load.h>

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const unsigned choice = size ? data[size - 1] : 0;
  ff_load_def def = ff_load_def_default();
  ff_error error;
  ff_model *model = NULL;
  def.fixed_base = (choice & 1) != 0;
  def.mimic = (choice & 6) == 6 ? FF_MIMIC_FIX : (choice & 6) == 4 ? FF_MIMIC_FREE : FF_MIMIC_COUPLE;
  const ff_status status = ff_model_load_memory((const char *)data, size, "fuzz", &def, &model, &error);
  const int is_consistent =
      status == FF_OK ? model != NULL : model == NULL && error.status == status && error.message[0];
  if (!is_consistent)
    abort();
  if (model) {
    const ff_model_size count = ff_model_get_size(model);
    double *q = malloc(sizeof *q * (size_t)(count.nq + 1));
    if (q)
      ff_model_neutral(model, q);
    free(q);
  }
  ff_model_destroy(model);
  return 0;
}
