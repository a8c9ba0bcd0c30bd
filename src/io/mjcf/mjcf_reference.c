// The attributes that name something. See mjcf_reference.h.
#include "io/mjcf/mjcf_reference.h"

#include <string.h>

#define BODY FFI_MJCF_REFERENCE_BODY
#define JOINT FFI_MJCF_REFERENCE_JOINT
#define GEOM FFI_MJCF_REFERENCE_GEOM
#define SITE FFI_MJCF_REFERENCE_SITE
#define TENDON FFI_MJCF_REFERENCE_TENDON

const ffi_mjcf_reference ffi_mjcf_reference_list[FFI_MJCF_REFERENCES] = {
    {"joint", JOINT},     {"jointinparent", JOINT}, {"joint1", JOINT},   {"joint2", JOINT},
    {"site", SITE},       {"refsite", SITE},        {"site1", SITE},     {"site2", SITE},
    {"slidersite", SITE}, {"cranksite", SITE},      {"sidesite", SITE},  {"body", BODY},
    {"body1", BODY},      {"body2", BODY},          {"geom", GEOM},      {"geom1", GEOM},
    {"geom2", GEOM},      {"tendon", TENDON},       {"tendon1", TENDON}, {"tendon2", TENDON},
};

ffi_mjcf_reference_kind ffi_mjcf_reference_kind_of(const char *element)
{
  static const ffi_mjcf_reference elements[] = {
      {"body", BODY}, {"joint", JOINT}, {"freejoint", JOINT}, {"geom", GEOM}, {"site", SITE}};
  for (int i = 0; i < 5; ++i)
    if (strcmp(element, elements[i].attribute) == 0)
      return elements[i].kind;
  return FFI_MJCF_REFERENCE_KINDS;
}
