# Libraries that tests and benches compare against; each is optional and becomes an interface target
# ffi_mujoco, ffi_lapacke, ffi_cvode, ffi_SiconosNumerics, ffi_ccd, ffi_qhull_ra if it is found. The libraries
# themselves never use them.

find_path(FFI_MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(FFI_MUJOCO_LIBRARY mujoco)
find_path(FFI_LAPACKE_INCLUDE lapacke.h)
find_library(FFI_LAPACKE_LIBRARY lapacke)
find_path(FFI_CVODE_INCLUDE cvode/cvode.h)
set(FFI_CVODE_LIBRARY "")
foreach(part cvode nvecserial sunmatrixdense sunlinsoldense) # vectors and solvers are libraries of their own
  find_library(FFI_SUNDIALS_${part} sundials_${part})
  mark_as_advanced(FFI_SUNDIALS_${part})
  list(APPEND FFI_CVODE_LIBRARY ${FFI_SUNDIALS_${part}})
endforeach()
find_path(FFI_CCD_INCLUDE ccd/ccd.h)
find_library(FFI_CCD_LIBRARY ccd)
find_path(FFI_QHULL_RA_INCLUDE libqhull_r/qhull_ra.h)
find_library(FFI_QHULL_RA_LIBRARY qhull_r)
find_path(FFI_SICONOSNUMERICS_ROOT siconos/numerics/SiconosNumerics.h)
find_library(FFI_SICONOSNUMERICS_LIBRARY siconos_numerics)
if(FFI_SICONOSNUMERICS_ROOT) # its headers include each other by bare names
  set(FFI_SICONOSNUMERICS_INCLUDE
    ${FFI_SICONOSNUMERICS_ROOT} ${FFI_SICONOSNUMERICS_ROOT}/siconos ${FFI_SICONOSNUMERICS_ROOT}/siconos/numerics)
endif()
mark_as_advanced(FFI_SICONOSNUMERICS_ROOT FFI_SICONOSNUMERICS_LIBRARY)
mark_as_advanced(FFI_MUJOCO_INCLUDE FFI_MUJOCO_LIBRARY FFI_LAPACKE_INCLUDE FFI_LAPACKE_LIBRARY
                 FFI_CVODE_INCLUDE FFI_CCD_INCLUDE FFI_CCD_LIBRARY FFI_QHULL_RA_INCLUDE FFI_QHULL_RA_LIBRARY)

foreach(peer mujoco lapacke cvode SiconosNumerics ccd qhull_ra)
  string(TOUPPER ${peer} PEER)
  if(NOT TARGET ffi_${peer} AND FFI_${PEER}_INCLUDE AND FFI_${PEER}_LIBRARY
     AND NOT "${FFI_${PEER}_LIBRARY}" MATCHES NOTFOUND)
    add_library(ffi_${peer} INTERFACE)
    target_include_directories(ffi_${peer} SYSTEM INTERFACE ${FFI_${PEER}_INCLUDE})
    target_link_libraries(ffi_${peer} INTERFACE ${FFI_${PEER}_LIBRARY})
    target_compile_definitions(ffi_${peer} INTERFACE FF_HAVE_${PEER}=1)
  endif()
endforeach()
