# Libraries that tests and benches compare against; each is optional and becomes an interface target
# ffi_mujoco, ffi_lapacke if it is found. The libraries themselves never use them.

find_path(FFI_MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(FFI_MUJOCO_LIBRARY mujoco)
find_path(FFI_LAPACKE_INCLUDE lapacke.h)
find_library(FFI_LAPACKE_LIBRARY lapacke)
mark_as_advanced(FFI_MUJOCO_INCLUDE FFI_MUJOCO_LIBRARY FFI_LAPACKE_INCLUDE FFI_LAPACKE_LIBRARY)

foreach(peer mujoco lapacke)
  string(TOUPPER ${peer} PEER)
  if(NOT TARGET ffi_${peer} AND FFI_${PEER}_INCLUDE AND FFI_${PEER}_LIBRARY)
    add_library(ffi_${peer} INTERFACE)
    target_include_directories(ffi_${peer} SYSTEM INTERFACE ${FFI_${PEER}_INCLUDE})
    target_link_libraries(ffi_${peer} INTERFACE ${FFI_${PEER}_LIBRARY})
    target_compile_definitions(ffi_${peer} INTERFACE FF_HAVE_${PEER}=1)
  endif()
endforeach()
