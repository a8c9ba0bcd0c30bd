# HDF5's C library without MPI, and zlib, which it compresses with: LibHdf5::LibHdf5 links both.

find_path(LIBHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(LIBHDF5_LIBRARY NAMES hdf5_serial hdf5)
find_path(LIBHDF5_ZLIB_INCLUDE_DIR zlib.h)
find_library(LIBHDF5_ZLIB_LIBRARY z)
mark_as_advanced(LIBHDF5_INCLUDE_DIR LIBHDF5_LIBRARY LIBHDF5_ZLIB_INCLUDE_DIR LIBHDF5_ZLIB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibHdf5
  REQUIRED_VARS LIBHDF5_LIBRARY LIBHDF5_INCLUDE_DIR LIBHDF5_ZLIB_LIBRARY LIBHDF5_ZLIB_INCLUDE_DIR)

if(LibHdf5_FOUND AND NOT TARGET LibHdf5::LibHdf5)
  add_library(LibHdf5::LibHdf5 INTERFACE IMPORTED)
  set_target_properties(LibHdf5::LibHdf5 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${LIBHDF5_INCLUDE_DIR};${LIBHDF5_ZLIB_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LIBHDF5_LIBRARY};${LIBHDF5_ZLIB_LIBRARY}")
endif()
