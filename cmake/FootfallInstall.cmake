# Installation: libraries, headers, FootfallConfig.cmake, footfall.pc, footfall_io.pc and the shipped models and scenes.
#
#   find_package(Footfall REQUIRED)                  Footfall::footfall, and Footfall::footfall_io if libxml2, libyaml
#                                                    and libhdf5 are there
#   find_package(Footfall REQUIRED COMPONENTS io)    fails without footfall_io

include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Footfall)

install(TARGETS footfall EXPORT FootfallTargets)
install(EXPORT FootfallTargets NAMESPACE Footfall:: DESTINATION ${config_dir})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/footfall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
if(FF_IO)
  install(TARGETS footfall_io EXPORT FootfallIoTargets)
  install(EXPORT FootfallIoTargets NAMESPACE Footfall:: DESTINATION ${config_dir})
  install(FILES ${CMAKE_SOURCE_DIR}/cmake/FindLibYaml.cmake ${CMAKE_SOURCE_DIR}/cmake/FindLibHdf5.cmake
    DESTINATION ${config_dir})
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/footfall)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/FootfallConfig.cmake.in FootfallConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# Before version 1.0 a minor version may change the interface.
write_basic_package_version_file(FootfallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/FootfallConfig.cmake ${CMAKE_BINARY_DIR}/FootfallConfigVersion.cmake
        DESTINATION ${config_dir})

# pkg-config: paths relative to the file, so that an installed tree can be moved. In a static library's file,
# what it needs in turn must be linked too.
file(RELATIVE_PATH pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
set(pc_private ".private")
if(NOT BUILD_SHARED_LIBS)
  set(pc_private "")
endif()
set(pc_hdf5 hdf5)
if(LIBHDF5_LIBRARY MATCHES serial) # as Debian calls the one without MPI
  set(pc_hdf5 hdf5-serial)
endif()
set(modules footfall)
if(FF_IO)
  list(APPEND modules footfall_io)
endif()
foreach(module IN LISTS modules)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/${module}.pc.in ${module}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
