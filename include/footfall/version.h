/// version.h: version numbers of the headers and of the library.
#ifndef FOOTFALL_VERSION_H
#define FOOTFALL_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/// Incompatible changes of the interface increment this number; before 1.0 they increment the minor version.
#define FF_VERSION_MAJOR 0
#define FF_VERSION_MINOR 1 ///< incremented by a release that adds something
#define FF_VERSION_PATCH 0 ///< incremented by a release that only fixes bugs
#define FF_VERSION "0.1.0" ///< version of these headers; ff_version() returns that of the library

/// Version of the linked library, "major.minor.patch". Compare it with FF_VERSION if headers and library may come
/// from different installations.
const char *ff_version(void);

#ifdef __cplusplus
}
#endif
#endif
