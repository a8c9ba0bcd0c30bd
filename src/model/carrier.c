// Walks up the chain of carriers that the builder stored for each link.
#include "model/carrier.h"

int ffi_carrier_carries(const ff_model *model, int link, int other)
{
  while (other >= 0 && other != link)
    other = model->link_carrier[other];
  return other >= 0;
}

int ffi_carrier_of_body(const ff_model *model, int body)
{
  const int link = body > 0 ? model->link_carrier[model->joints[body - 1].link] : -1;
  return link < 0 ? 0 : model->frames[model->links[link].frame].body;
}
