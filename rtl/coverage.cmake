# Models that count what a run covers (docs/coverage.md), each with the cover points that
# tests/coverage/<unit>_cover.sv binds to its unit.  They are built by what needs them alone.
set(rtl_covering --assert --coverage-line --coverage-toggle --coverage-user)
set(cover_points ${CMAKE_SOURCE_DIR}/tests/coverage)

# Verilator's own library of coverage.
add_library(rtl_coverage STATIC EXCLUDE_FROM_ALL ${VERILATOR_ROOT}/include/verilated_cov.cpp)
target_link_libraries(rtl_coverage PUBLIC rtl_runtime)
target_compile_options(rtl_coverage PRIVATE -O2 -w)

set(rtl_covered_variants "monitor 4x2" "uplink 3hops_slave5" "downlink 2hops" "warp_scheduler odd" "scoreboard 4releases"
    "group_control 4members")

# rtl_cover(name unit Parameter=value...): rtl_coverage_<name>.
function(rtl_cover name unit)
  file(GLOB source ${rtl}/*/${unit}.sv)
  file(GLOB points ${cover_points}/${unit}_cover.sv) # one, or none
  set(sources ${rtl}/tandem_pkg.sv ${source} ${points})
  set(parameters ${ARGN})
  list(TRANSFORM parameters PREPEND -G)
  rtl_verilate(Vcover_${name} ${unit} "${sources}" ${rtl_search} ${rtl_covering} ${parameters})
  rtl_unit(rtl_coverage_${name} ${unit} rtl Vcover_${name} "-O1;-g0" COVERED)
  target_link_libraries(rtl_coverage_${name} PUBLIC rtl_coverage)
  set_target_properties(rtl_coverage_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  list(JOIN ARGN " " parameters)
  set_property(GLOBAL APPEND PROPERTY rtl_covered "${name} ${unit} ${parameters}")
endfunction()

foreach(unit IN LISTS rtl_parts)
  rtl_cover(${unit} ${unit})
endforeach()
# Units that do in other parameters what they do not as they are.
foreach(variant IN LISTS rtl_variants)
  separate_arguments(variant)
  list(POP_FRONT variant unit name)
  if("${unit} ${name}" IN_LIST rtl_covered_variants)
    rtl_cover(${unit}_${name} ${unit} ${variant})
  endif()
endforeach()
