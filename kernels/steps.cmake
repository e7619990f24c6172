# File names define the kernels. vNN_words.cu is a step. ablations/vNN_words.cu is that step with one change.

# find_kernel_files(<out> <folder>): the kernel files of a folder, in step order. Any other name of a .cu file is an error.
function(find_kernel_files out folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cu)
    foreach(file IN LISTS files)
        if(NOT file MATCHES "/v[0-9][0-9][a-z]?_[a-z0-9_]+\\.cu$")
            message(FATAL_ERROR "${file}: kernel files need names like v08_two_words.cu, with two digits for the order of the steps")
        endif()
    endforeach()
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# step_name(<out> <file>): v8 for v08_lcg_register.cu.
function(step_name out file)
    string(REGEX REPLACE ".*/v0?([0-9]+[a-z]?)_.*" "v\\1" name ${file})
    set(${out} ${name} PARENT_SCOPE)
endfunction()

# ablation_name(<out> <file>): v8_shared for v08_shared.cu.
function(ablation_name out file)
    string(REGEX REPLACE ".*/v0?([0-9]+[a-z]?_[a-z0-9_]+)\\.cu$" "v\\1" name ${file})
    set(${out} ${name} PARENT_SCOPE)
endfunction()

# add_step_program(<ladder> <name> <type> <library>...): program <ladder>_<name> from <ladder>::<name>::step, a bench::<type>.
function(add_step_program ladder name type)
    set(program ${ladder}_${name})
    add_executable(${program} ${CMAKE_SOURCE_DIR}/bench/main.cpp)
    target_compile_definitions(${program} PRIVATE
        PROGRAM_LADDER="${ladder}" PROGRAM_NAMESPACE=${ladder}::${name} PROGRAM_STEP=${type})
    target_link_libraries(${program} PRIVATE ${ARGN})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    install(TARGETS ${program} RUNTIME)
    add_dependencies(programs ${program})
endfunction()
