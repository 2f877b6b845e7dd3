# find_package(ladder) makes the targets ladder::ladder, the shared library, and ladder::static. Where the library was
# built on the simulated GPU, its headers of CUDA lie beside it, and no toolkit is needed.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
get_filename_component(ladder_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(ladder_headers "${ladder_prefix}/include/ladder-simulated")
set(ladder_cuda)
if(NOT EXISTS "${ladder_headers}")
  find_dependency(CUDAToolkit)
  set(ladder_headers)
  set(ladder_cuda CUDA::cudart)
endif()
if(NOT TARGET ladder::ladder)
  add_library(ladder::ladder SHARED IMPORTED)
  set_target_properties(ladder::ladder PROPERTIES
    IMPORTED_LOCATION "${ladder_prefix}/lib/libladder.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${ladder_prefix}/include;${ladder_headers}"
    INTERFACE_LINK_LIBRARIES "${ladder_cuda}")
  add_library(ladder::static STATIC IMPORTED)
  set_target_properties(ladder::static PROPERTIES
    IMPORTED_LOCATION "${ladder_prefix}/lib/libladder.a"
    INTERFACE_INCLUDE_DIRECTORIES "${ladder_prefix}/include;${ladder_headers}"
    INTERFACE_LINK_LIBRARIES "${ladder_cuda};Threads::Threads;stdc++")
endif()
