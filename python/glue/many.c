// Functions of one configuration, for many in a row.
#include "glue.h"

void ffp_integrate(const ff_model *model, long long count, const double *q, const double *dv, double *out)
{
  const ff_model_size size = ff_model_get_size(model);
  for (long long k = 0; k < count; ++k)
    ff_model_integrate(model, q + k * size.nq, dv + k * size.nv, out + k * size.nq);
}

void ffp_difference(const ff_model *model, long long count, const double *q0, const double *q1, double *dv)
{
  const ff_model_size size = ff_model_get_size(model);
  for (long long k = 0; k < count; ++k)
    ff_model_difference(model, q0 + k * size.nq, q1 + k * size.nq, dv + k * size.nv);
}
