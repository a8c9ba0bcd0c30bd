# libyaml: LibYaml::LibYaml.

find_path(LIBYAML_INCLUDE_DIR yaml.h)
find_library(LIBYAML_LIBRARY yaml)
mark_as_advanced(LIBYAML_INCLUDE_DIR LIBYAML_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibYaml REQUIRED_VARS LIBYAML_LIBRARY LIBYAML_INCLUDE_DIR)

if(LibYaml_FOUND AND NOT TARGET LibYaml::LibYaml)
  add_library(LibYaml::LibYaml INTERFACE IMPORTED)
  set_target_properties(LibYaml::LibYaml PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${LIBYAML_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${LIBYAML_LIBRARY}")
endif()
