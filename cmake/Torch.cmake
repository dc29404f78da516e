# LibTorch as the target hindsight_libtorch, and how many sources that see it compile at once.
#
# Each such source takes about 10 s and 1 GB, so a parallel build runs at most two of them; other sources go on
# beside them.  The target carries Torch's own flags (_GLIBCXX_USE_CXX11_ABI) to whoever links it, and its headers
# are system headers: our warnings stop at them.
find_package(Torch 1.13 REQUIRED)

add_library(hindsight_libtorch INTERFACE)
target_link_libraries(hindsight_libtorch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(hindsight_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_compile_options(hindsight_libtorch INTERFACE ${TORCH_CXX_FLAGS})

set_property(GLOBAL APPEND PROPERTY JOB_POOLS torch=2)

# hindsight_uses_torch(TARGET): the sources of TARGET see LibTorch.
function(hindsight_uses_torch target)
  set_target_properties(${target} PROPERTIES JOB_POOL_COMPILE torch)
endfunction()
