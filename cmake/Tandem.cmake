# Helpers of every folder's CMakeLists.txt.

find_package(PkgConfig REQUIRED)
set(TANDEM_WARNINGS -Wall -Wextra -Wshadow -Wconversion -Werror)
if(TANDEM_NATIVE)
  add_compile_options(-march=native)
endif()
# Results must not depend on how the compiler contracts or reorders floating point.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)

if(TANDEM_SANITIZE)
  set(TANDEM_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
endif()

function(tandem_target target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${TANDEM_WARNINGS} ${TANDEM_SANITIZE_FLAGS})
  target_link_options(${target} PUBLIC ${TANDEM_SANITIZE_FLAGS})
endfunction()

# tandem_library(name source... [LIBS library...])
function(tandem_library name)
  cmake_parse_arguments(arg "" "" "LIBS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  tandem_target(${name})
  target_link_libraries(${name} PUBLIC ${arg_LIBS})
endfunction()

# tandem_test(name source... [LIBS library...] [ARGS argument...] [LABELS label...] [TIMEOUT s])
# A cmocka program that ctest runs.  Tests without the label "slow" are the fast ones.
function(tandem_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LIBS;ARGS;LABELS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  tandem_target(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} cmocka m)
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
