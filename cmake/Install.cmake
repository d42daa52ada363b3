# `cmake --install`: the program with its files and manual pages; the library with header and
# pkg-config file (docs/use/library.md).  The target `installable` makes all of it.
include(GNUInstallDirs)

# The library is one archive of one object: all libraries that tandem.h stands for, the verilated models of
# the default GPU and Verilator's run-time library among them.  `ld -r` links them, with the copies that C++ templates
# have in several objects reduced to one; objcopy then hides each name but those of the functions that
# tandem.h declares, and leaves out what is for debuggers.
set(tandem_parts
  tandem_harness tandem_yaml tandem_ports tandem_ports_generate tandem_iss tandem_sm tandem_mem tandem_ref_wide tandem_ref
  tandem_ptx tandem_bitcode tandem_isa tandem_model_maker tandem_root_unknown tandem_linked tandem_boundary tandem_util)
list(TRANSFORM tandem_parts REPLACE ".+" "$<TARGET_FILE:\\0>" OUTPUT_VARIABLE tandem_part_files)

set(header ${CMAKE_SOURCE_DIR}/harness/tandem.h)
file(READ ${header} text)
string(REGEX MATCHALL "tandem_[a-z_]+\\(" names "${text}")
list(TRANSFORM names REPLACE "\\(" "")
list(REMOVE_DUPLICATES names)
list(JOIN names "\n" names)
set(library ${CMAKE_BINARY_DIR}/lib)
file(GENERATE OUTPUT ${library}/names.txt CONTENT "${names}\n")

add_custom_command(
  OUTPUT ${library}/libtandem.a
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${library}/all.o
          --whole-archive ${tandem_part_files}
  COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${library}/names.txt --strip-debug ${library}/all.o ${library}/tandem.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${library}/libtandem.a
  COMMAND ${CMAKE_AR} rcs ${library}/libtandem.a ${library}/tandem.o
  COMMAND ${CMAKE_COMMAND} -E rm ${library}/all.o ${library}/tandem.o
  DEPENDS ${tandem_parts} ${library}/names.txt
  COMMENT "Linking libtandem.a" VERBATIM)

set(pc ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH tandem_prefix_from_pc /prefix/${pc} /prefix)
string(REGEX REPLACE "/$" "" tandem_prefix_from_pc ${tandem_prefix_from_pc})
configure_file(${CMAKE_CURRENT_LIST_DIR}/tandem.pc.in ${library}/tandem.pc @ONLY)

get_property(shipped GLOBAL PROPERTY tandem_shipped)
set(installable ${library}/libtandem.a tandem_cli shipped_models)
find_program(HELP2MAN help2man)
if(HELP2MAN)
  set(man ${CMAKE_BINARY_DIR}/man)
  add_custom_command(
    OUTPUT ${man}/tandem.1
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/manual.sh ${HELP2MAN} $<TARGET_FILE:tandem_cli> ${PROJECT_VERSION} ${man}
    DEPENDS tandem_cli ${CMAKE_CURRENT_LIST_DIR}/manual.sh
    COMMENT "Writing manual pages" VERBATIM)
  list(APPEND installable ${man}/tandem.1)
  install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
else()
  message(STATUS "There is no help2man: no manual pages")
endif()
add_custom_target(installable DEPENDS ${installable})

# The program looks for share/tandem beside its own folder (harness/cli/places.c).
install(TARGETS tandem_cli RUNTIME DESTINATION bin)
install(DIRECTORY tests/kernels DESTINATION share/tandem/tests FILES_MATCHING PATTERN "*.cl" PATTERN "*.yaml")
# The default GPU's models, and what others are made of (harness/shim/models).
get_filename_component(shipped_folder ${shipped} DIRECTORY)
install(DIRECTORY ${shipped_folder}/ DESTINATION lib/tandem/models FILES_MATCHING PATTERN "*.so")
install(DIRECTORY rtl DESTINATION share/tandem)
install(DIRECTORY harness/shim/ DESTINATION share/tandem/harness/shim
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h"
  PATTERN models EXCLUDE PATTERN boundary EXCLUDE)
install(DIRECTORY csim/ports/ DESTINATION share/tandem/csim/ports
  FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "*.def"
  PATTERN generate EXCLUDE)
install(PROGRAMS synth/flow/scripts/netlist.sh DESTINATION share/tandem/synth/flow/scripts)
install(FILES synth/flow/scripts/gated_netlist.tcl synth/flow/scripts/clock_gating.tcl
  synth/flow/scripts/clock_gating.v synth/flow/scripts/clock_gate.v
  DESTINATION share/tandem/synth/flow/scripts)
install(DIRECTORY experiments DESTINATION share/tandem FILES_MATCHING PATTERN "*.yaml" PATTERN "*.cu")
install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${library}/libtandem.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${library}/tandem.pc DESTINATION ${pc})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN generate EXCLUDE)
