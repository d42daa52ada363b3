# Helpers of every folder's CMakeLists.txt.

find_package(PkgConfig REQUIRED)
set(TANDEM_WARNINGS -Wall -Wextra -Wshadow -Wconversion -Werror)
# Results must not depend on how the compiler contracts or reorders floating point.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)

# Nothing has to run wherever it is loaded (CMake's own switch CMAKE_POSITION_INDEPENDENT_CODE asks for
# that): a twentieth of the instructions of a run.
set(TANDEM_NO_PIE)
if(NOT CMAKE_POSITION_INDEPENDENT_CODE)
  set(TANDEM_NO_PIE -no-pie)
  add_compile_options(-fno-pie)
endif()
add_link_options(${TANDEM_NO_PIE})
set(TANDEM_OPTIMISED OFF)
if(NOT TANDEM_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^Rel")
  set(TANDEM_OPTIMISED ON)
endif()

set(TANDEM_SANITIZE_FLAGS)
if(TANDEM_SANITIZE STREQUAL "address")
  set(TANDEM_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(TANDEM_SANITIZE STREQUAL "thread")
  set(TANDEM_SANITIZE_FLAGS -fsanitize=thread)
elseif(TANDEM_SANITIZE STREQUAL "fuzzer") # the targets of tests/fuzz, with clang
  set(TANDEM_SANITIZE_FLAGS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  set(TANDEM_WARNINGS -w) # those of gcc count
elseif(TANDEM_SANITIZE)
  message(FATAL_ERROR "TANDEM_SANITIZE is \"${TANDEM_SANITIZE}\", not address, thread or fuzzer")
endif()

function(tandem_target target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
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

# tandem_loop(library [WHOLE source...] [BESIDE source...]): the cycle loop runs through this library, which is optimised,
# but for the files BESIDE it; those of WHOLE call each other in every cycle and are one translation unit.
function(tandem_loop library)
  cmake_parse_arguments(arg "" "" "WHOLE;BESIDE" ${ARGN})
  if(NOT TANDEM_OPTIMISED)
    return()
  endif()
  target_compile_options(${library} PRIVATE -O3)
  set_property(SOURCE ${arg_BESIDE} APPEND PROPERTY COMPILE_OPTIONS -O1)
  set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${arg_WHOLE} PROPERTIES UNITY_GROUP loop)
endfunction()

# tandem_test(name source... [LIBS library...] [ARGS argument...] [LABELS label...] [TIMEOUT s] [PROGRAM])
# A cmocka program that ctest runs.  Tests without the label "slow" are the fast ones; what has it is
# built with the target slow_tests, not with all.  A PROGRAM is left to others to build and to run.
function(tandem_test name)
  cmake_parse_arguments(arg "PROGRAM" "TIMEOUT" "LIBS;ARGS;LABELS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  if(arg_PROGRAM OR slow IN_LIST arg_LABELS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  if(slow IN_LIST arg_LABELS)
    add_dependencies(slow_tests ${name})
  endif()
  tandem_target(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} cmocka m)
  if(arg_PROGRAM)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${name} ${arg_ARGS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()

# tandem_rebuild_test(name command...): a test that builds the tree again, and runs when its inputs have changed
# (tests/rebuild.sh); it has the label rebuild.
function(tandem_rebuild_test name)
  add_test(NAME ${name} COMMAND bash ${CMAKE_SOURCE_DIR}/tests/rebuild.sh ${CMAKE_SOURCE_DIR} run ${name} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS rebuild TIMEOUT 900 PROCESSORS 2 SKIP_RETURN_CODE 77)
endfunction()

# tandem_page(name source... [LIBS library...]): the program <name>_doc prints docs/reference/<name>.md, from
# docs/generate/<name>.md and tables of the sources (csim/util/page.h).  The target <name>_page writes the
# page anew; the test of that name compares it.
function(tandem_page name)
  cmake_parse_arguments(arg "" "" "LIBS" ${ARGN})
  add_executable(${name}_doc ${arg_UNPARSED_ARGUMENTS})
  tandem_target(${name}_doc)
  target_link_libraries(${name}_doc PRIVATE tandem_page ${arg_LIBS})
  set(introduction ${CMAKE_SOURCE_DIR}/docs/generate/${name}.md)
  set(page ${CMAKE_SOURCE_DIR}/docs/reference/${name}.md)
  add_custom_target(${name}_page COMMAND ${name}_doc ${introduction} > ${page} VERBATIM)
  add_test(NAME ${name}_page COMMAND ${name}_doc ${introduction} ${page})
endfunction()
