# libcyaml, and libyaml below it: LibCyaml::LibCyaml links both.

find_path(LIBCYAML_INCLUDE_DIR cyaml/cyaml.h)
find_path(LIBYAML_INCLUDE_DIR yaml.h)
find_library(LIBCYAML_LIBRARY cyaml)
find_library(LIBYAML_LIBRARY yaml)
mark_as_advanced(LIBCYAML_INCLUDE_DIR LIBYAML_INCLUDE_DIR LIBCYAML_LIBRARY LIBYAML_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibCyaml
  REQUIRED_VARS LIBCYAML_LIBRARY LIBYAML_LIBRARY LIBCYAML_INCLUDE_DIR LIBYAML_INCLUDE_DIR)

if(LibCyaml_FOUND AND NOT TARGET LibCyaml::LibCyaml)
  add_library(LibCyaml::LibCyaml INTERFACE IMPORTED)
  set_target_properties(LibCyaml::LibCyaml PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${LIBCYAML_INCLUDE_DIR};${LIBYAML_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LIBCYAML_LIBRARY};${LIBYAML_LIBRARY}")
endif()
