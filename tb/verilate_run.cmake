# Verilates one top module, as the build asks for it (tb/Verilate.cmake):
#
#   cmake -DVERILATOR=... -DDIR=... -DPREFIX=... "-DARGUMENTS=...;..." -P verilate_run.cmake
#
#   DIR/PREFIX.h          the model's class
#   DIR/PREFIX_fast.cpp   includes the sources that run in each cycle, by Verilator's own list
#   DIR/PREFIX_slow.cpp   includes the others: construction, reset, tracing
#   DIR/PREFIX.d          the sources that were read, the modules that it instantiates among them
#
# The two files have fixed names, so that the build can list them before Verilator has run.
file(REMOVE_RECURSE ${DIR})
file(MAKE_DIRECTORY ${DIR})
execute_process(COMMAND ${VERILATOR} --make cmake --prefix ${PREFIX} --Mdir ${DIR} ${ARGUMENTS}
                RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "Verilator does not accept ${PREFIX}")
endif()
include(${DIR}/${PREFIX}.cmake)
foreach(speed FAST SLOW)
  set(text)
  foreach(source IN LISTS ${PREFIX}_CLASSES_${speed} ${PREFIX}_SUPPORT_${speed})
    string(APPEND text "#include \"${source}\"\n")
  endforeach()
  string(TOLOWER ${speed} name)
  file(WRITE ${DIR}/${PREFIX}_${name}.cpp "${text}")
endforeach()

# The sources as those of one file, the first that the build knows: ninja makes a model anew at every call
# if the list names another file first, and refuses one that names files which the build does not know.
list(JOIN ${PREFIX}_DEPS " " sources)
file(WRITE ${DIR}/${PREFIX}.d "${DIR}/${PREFIX}_fast.cpp: ${sources}\n")
