# Catch2 2.13 (Debian 12) or 3 (Debian 13): tests include "tests/catch.hpp" and link hindsight_catch, which has main.
find_package(Catch2 REQUIRED)
if(Catch2_VERSION VERSION_LESS 3)
  add_library(hindsight_catch STATIC ${CMAKE_CURRENT_LIST_DIR}/../tests/catch_main.cpp)
  target_link_libraries(hindsight_catch PUBLIC Catch2::Catch2)
  target_compile_options(hindsight_catch PRIVATE -w)  # Catch's own main; GCC 12 warns about it under sanitizers
  target_compile_definitions(hindsight_catch PUBLIC HINDSIGHT_CATCH_VERSION=2 CATCH_CONFIG_ENABLE_BENCHMARKING)
  # Catch2 2 is one header of 18,000 lines: parsed once, not in each test.  A program without tests, compiled as they are.
  add_executable(hindsight_catch_header ${CMAKE_CURRENT_LIST_DIR}/../tests/catch_header.cpp)
  target_link_libraries(hindsight_catch_header PRIVATE hindsight_catch)
  target_compile_options(hindsight_catch_header PRIVATE ${HINDSIGHT_PRECOMPILE_OPTIONS})
  target_precompile_headers(hindsight_catch_header PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../tests/catch.hpp)
else()
  add_library(hindsight_catch INTERFACE)
  target_link_libraries(hindsight_catch INTERFACE Catch2::Catch2WithMain)
  target_compile_definitions(hindsight_catch INTERFACE HINDSIGHT_CATCH_VERSION=3)
endif()

# hindsight_test(NAME SOURCES... [LIBRARIES ...]): one program and one ctest entry for a whole group of cases, since a
# program linked to LibTorch takes seconds to start.
function(hindsight_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "SOURCES;LIBRARIES")
  add_executable(test_${name} ${test_SOURCES})
  target_link_libraries(test_${name} PRIVATE hindsight_catch ${test_LIBRARIES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  if(TARGET hindsight_catch_header AND NOT transformer_torch IN_LIST test_LIBRARIES)  # LibTorch has flags of its own
    target_compile_options(test_${name} PRIVATE ${HINDSIGHT_PRECOMPILE_OPTIONS})
    target_precompile_headers(test_${name} REUSE_FROM hindsight_catch_header)
  endif()
  add_test(NAME ${name} COMMAND test_${name})
endfunction()
