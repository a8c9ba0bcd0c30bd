/// version.h: which Footfall this is.
#ifndef FOOTFALL_VERSION_H
#define FOOTFALL_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define FF_VERSION_MAJOR 0
#define FF_VERSION_MINOR 1
#define FF_VERSION_PATCH 0
#define FF_VERSION "0.1.0"

/// The version of the library that was linked, "major.minor.patch".
const char *ff_version(void);

#ifdef __cplusplus
}
#endif
#endif
