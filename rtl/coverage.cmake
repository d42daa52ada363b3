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

# Front ends and clusters as whole runs have them, in the place of machines' full models: their own wiring, and
# their units once more.
function(rtl_cover_machine unit model units)
  file(GLOB source ${rtl}/*/${unit}.sv)
  set(sources ${rtl}/tandem_pkg.sv ${source})
  foreach(part IN LISTS units)
    file(GLOB points ${cover_points}/${part}_cover.sv)
    list(APPEND sources ${points})
  endforeach()
  set(parameters)
  foreach(parameter IN LISTS ARGN)
    if(parameter MATCHES "^-G")
      list(APPEND parameters ${parameter})
    else()
      list(APPEND definitions ${parameter})
    endif()
  endforeach()
  rtl_verilate(Vcover_${unit} ${unit} "${sources}" ${rtl_search} ${rtl_covering} ${parameters})
  rtl_small_object(rtl_coverage_${unit} Vcover_${unit} "-O0;-g0" UNIT=${unit} MAKE=rtl_make_${model}_full COVERED
                   ${definitions})
  target_link_libraries(rtl_coverage_${unit} PUBLIC rtl_coverage)
  set_target_properties(rtl_coverage_${unit} PROPERTIES EXCLUDE_FROM_ALL ON)
  set_property(GLOBAL APPEND PROPERTY rtl_covered_machines ${unit})
endfunction()
set(parts fetch icache ibuffer decode simt_stack scoreboard warp_scheduler issue barrier)
rtl_cover_machine(sm_frontend sm_frontend_32 "${parts}" -GWarpSize=32 FRONTEND)
rtl_cover_machine(buddy_cluster buddy_2_1_1 "${parts};uplink;downlink;monitor;group_control;master_port;slave_port;park"
                  -GMembers=2 -GHop=1 -GEntries=1 MEMBERS=2)
