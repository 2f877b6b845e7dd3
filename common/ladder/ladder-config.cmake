# find_package(ladder) makes the targets ladder::ladder, the shared library, and ladder::static.
include(CMakeFindDependencyMacro)
find_dependency(CUDAToolkit)
find_dependency(Threads)
get_filename_component(ladder_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET ladder::ladder)
  add_library(ladder::ladder SHARED IMPORTED)
  set_target_properties(ladder::ladder PROPERTIES
    IMPORTED_LOCATION "${ladder_prefix}/lib/libladder.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${ladder_prefix}/include"
    INTERFACE_LINK_LIBRARIES CUDA::cudart)
  add_library(ladder::static STATIC IMPORTED)
  set_target_properties(ladder::static PROPERTIES
    IMPORTED_LOCATION "${ladder_prefix}/lib/libladder.a"
    INTERFACE_INCLUDE_DIRECTORIES "${ladder_prefix}/include"
    INTERFACE_LINK_LIBRARIES "CUDA::cudart;Threads::Threads;stdc++")
endif()
