# Verilator, and the options that all models share.
find_program(VERILATOR verilator REQUIRED)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# Options of every model: with tracing, assertions, faults or checks only what those need is added.
# Without the data-flow graph optimiser and the splitting of processes, which take work out of the
# conditions under which it is needed: a fifth and a tenth of the speed.
set(rtl_options -Wall -O3 -fno-dfg -fno-split --output-split 0 --x-assign unique --x-initial unique
    --no-timing)

# rtl_verilate(prefix top sources arguments): the custom command; leaves the list of generated
# sources in rtl_generated and their folder in rtl_dir.
function(rtl_verilate prefix top sources)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${prefix})
  set(language --cc)
  if("--sc" IN_LIST ARGN)
    set(language)
  endif()
  set(arguments ${language} --top-module ${top} ${rtl_options} ${CMAKE_SOURCE_DIR}/rtl/trace.vlt ${ARGN}
      ${sources})
  add_custom_command(
    OUTPUT ${dir}/${prefix}_fast.cpp ${dir}/${prefix}_slow.cpp ${dir}/${prefix}.h
    COMMAND ${CMAKE_COMMAND} -DVERILATOR=${VERILATOR} -DDIR=${dir} -DPREFIX=${prefix}
            "-DARGUMENTS=${arguments}" -P ${CMAKE_SOURCE_DIR}/tb/verilate_run.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/tb/verilate_run.cmake
            ${CMAKE_SOURCE_DIR}/rtl/trace.vlt ${CMAKE_SOURCE_DIR}/rtl/scramble.vlt
    DEPFILE ${dir}/${prefix}.d
    COMMENT "Verilating ${prefix}" VERBATIM)
  set(rtl_generated ${dir}/${prefix}_fast.cpp ${dir}/${prefix}_slow.cpp PARENT_SCOPE)
  set(rtl_dir ${dir} PARENT_SCOPE)
endfunction()
