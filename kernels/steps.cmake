# File names define the kernels of a ladder. vNN_words.cu is step vN, and ablations/vNN_words.cu is that step with one change.
# Each ladder has its own letters in place of the v.
add_custom_target(kernels)
add_custom_target(programs ALL)

# add_group(<group> <parent>): a target that builds what belongs to the group; its parent builds it too.
function(add_group group parent)
    if(NOT TARGET ${group})
        add_custom_target(${group})
        add_dependencies(${parent} ${group})
    endif()
endfunction()
add_group(steps programs)
add_group(ablations programs)

# build_with(<group> <target>...): makes these a part of steps_<ladder>, ablations_<ladder>, or of another group of programs.
function(build_with group)
    if(group MATCHES "^(steps|ablations)_")
        add_group(${group} ${CMAKE_MATCH_1})
    else()
        add_group(${group} programs)
    endif()
    add_dependencies(${group} ${ARGN})
endfunction()

# find_kernel_files(<out> <folder>): the kernel files of a folder, in step order. Any other name of a .cu file is an error.
function(find_kernel_files out folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cu)
    foreach(file IN LISTS files)
        if(NOT file MATCHES "/[a-z][0-9][0-9][a-z]?_[a-z0-9_]+\\.cu$")
            message(FATAL_ERROR "${file}: kernel files need names like v08_two_words.cu, with two digits for the order of the steps")
        endif()
    endforeach()
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# kernel_name(<out> <kind> <file>): of a version v8 for v08_lcg_register.cu, of an ablation v8_shared for v08_shared.cu.
function(kernel_name out kind file)
    set(words_of_ablation "\\3")
    string(REGEX REPLACE ".*/([a-z])0?([0-9]+[a-z]?)(_[a-z0-9_]+)\\.cu$" "\\1\\2${words_of_${kind}}" name ${file})
    set(${out} ${name} PARENT_SCOPE)
endfunction()

# add_main(<target> <program> <ladder> <name> <library>...): an executable, the program from <ladder>::<name>::step.
function(add_main target program ladder name)
    add_executable(${target} ${CMAKE_SOURCE_DIR}/bench/run/main.cpp)
    target_compile_definitions(${target} PRIVATE
        PROGRAM_NAME="${program}" PROGRAM_LADDER="${ladder}" PROGRAM_NAMESPACE=${ladder}::${name})
    target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# add_step_program(<program> <ladder> <name> <library>...): the program from <ladder>::<name>::step. The global properties `steps`
# and `libraries_of_steps` collect them for the tests.
function(add_step_program program ladder name)
    add_main(${program} ${program} ${ladder} ${name} ${ARGN})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    install(TARGETS ${program} RUNTIME OPTIONAL)
    set_property(GLOBAL APPEND PROPERTY steps ${ladder}::${name})
    set_property(GLOBAL APPEND PROPERTY libraries_of_steps ${ARGN})
    if(program MATCHES "_[a-z][0-9]+t?_")  # an ablation is called after its step: pi_v8_shared
        build_with(ablations_${ladder} ${program})
    else()
        build_with(steps_${ladder} ${program})
    endif()
endfunction()

# add_clones(<library> <file> <flag>...): compiles the file for several instruction sets, each as CLONE, for the library. The
# flags are for the widest of them.
function(add_clones library file)
    set(clones baseline)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        list(APPEND clones x86_64_v3 x86_64_v4)
        # Without LZCNT, which they do not need: clang 14 cannot ask a machine whether it has it.
        set(flags_x86_64_v3 -march=x86-64-v3 -mno-lzcnt)
        set(flags_x86_64_v4 -march=x86-64-v4 -mno-lzcnt ${ARGN})
        target_compile_definitions(${library} PRIVATE WITH_X86_64_CLONES)
    endif()
    foreach(clone IN LISTS clones)
        add_library(${library}_${clone} OBJECT ${file})
        target_include_directories(${library}_${clone} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
        target_compile_definitions(${library}_${clone} PRIVATE CLONE=${clone})
        target_compile_options(${library}_${clone} PRIVATE ${flags_${clone}})
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_${clone}>)
    endforeach()
endfunction()

# add_kernel(<ladder> <name> <file> PROGRAMS <word> ACCURATE <name>... SPILLS <name>... LIBRARIES <library>...): object library
# kernel_<ladder>_<name>, which the tests link too, and program <word>_<name>. Kernels of ACCURATE are compiled without --use_fast_math.
# Those of SPILLS may spill registers: they have no room for all that they hold, and say so.
function(add_kernel ladder name file)
    cmake_parse_arguments(PARSE_ARGV 3 kernel "" "PROGRAMS" "ACCURATE;SPILLS;LIBRARIES")
    separate_arguments(flags UNIX_COMMAND "${SUITE_KERNEL_FLAGS}")
    if(name IN_LIST kernel_ACCURATE)
        list(REMOVE_ITEM flags --use_fast_math)
    endif()
    if(name IN_LIST kernel_SPILLS)
        list(REMOVE_ITEM flags -Xptxas=-warn-spills,-Werror)
    endif()
    set(library kernel_${ladder}_${name})
    add_library(${library} OBJECT ${file})
    target_compile_options(${library} PRIVATE ${flags})
    add_dependencies(kernels ${library})
    set(program ${kernel_PROGRAMS}_${name})
    add_step_program(${program} ${ladder} ${name} ${library} ${kernel_LIBRARIES} bench)
    if(EXISTS ${CMAKE_BINARY_DIR}/exercise/${program})
        add_exercise(${program} ${ladder} ${name} ${file} FLAGS ${flags} LIBRARIES ${kernel_LIBRARIES} bench)
    endif()
endfunction()

# add_exercise(<program> <ladder> <name> <file> FLAGS <flag>... LIBRARIES <library>...): exercise_<program>, the program with the files
# that scripts/exercise wrote, and you filled in, in place of the repository's.
function(add_exercise program ladder name file)
    cmake_parse_arguments(PARSE_ARGV 4 exercise "" "" "FLAGS;LIBRARIES")
    set(folder ${CMAKE_BINARY_DIR}/exercise/${program})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
    if(EXISTS ${folder}/${path})
        set(file ${folder}/${path})
    endif()
    add_library(exercise_${program}_kernel OBJECT EXCLUDE_FROM_ALL ${file})
    target_include_directories(exercise_${program}_kernel BEFORE PRIVATE ${folder})
    target_compile_options(exercise_${program}_kernel PRIVATE ${exercise_FLAGS})
    add_main(exercise_${program} ${program} ${ladder} ${name} exercise_${program}_kernel ${exercise_LIBRARIES})
    set_target_properties(exercise_${program} PROPERTIES
        EXCLUDE_FROM_ALL ON OUTPUT_NAME ${program} RUNTIME_OUTPUT_DIRECTORY ${folder})
endfunction()

# add_ladder(<ladder> PROGRAMS <word> ACCURATE <name>... SPILLS <name>... LIBRARIES <library>...): every step and ablation of the current folder, as
# programs <word>_<name> that link the libraries. Without a word they are called after the ladder. Library <ladder>_versions holds them all, with generated lists of them ("kernels/<ladder>/versions.hpp").
# The namespace in a file must match the file name, otherwise this does not link.
function(add_ladder ladder)
    cmake_parse_arguments(PARSE_ARGV 1 ladder "" "PROGRAMS" "ACCURATE;SPILLS;LIBRARIES")
    if(NOT ladder_PROGRAMS)
        set(ladder_PROGRAMS ${ladder})
    endif()
    find_kernel_files(version_files ${CMAKE_CURRENT_SOURCE_DIR})
    find_kernel_files(ablation_files ${CMAKE_CURRENT_SOURCE_DIR}/ablations)
    set(declarations "")
    set(kernels "")
    foreach(kind IN ITEMS version ablation)
        set(${kind}_addresses "")
        foreach(file IN LISTS ${kind}_files)
            kernel_name(name ${kind} ${file})
            add_kernel(${ladder} ${name} ${file} PROGRAMS ${ladder_PROGRAMS} ACCURATE ${ladder_ACCURATE} SPILLS ${ladder_SPILLS} LIBRARIES ${ladder_LIBRARIES})
            string(APPEND declarations "namespace ${ladder}::${name} {\nextern const bench::Step step;\n}\n")
            string(APPEND ${kind}_addresses "        &${ladder}::${name}::step,\n")
            list(APPEND ${kind}_names ${name})
            list(APPEND kernels kernel_${ladder}_${name})
        endforeach()
    endforeach()
    string(REPLACE ";" "\",\n        \"" names "${version_names}")

    set_property(GLOBAL APPEND PROPERTY ladders ${ladder})
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
    file(CONFIGURE OUTPUT ${generated}/kernels/${ladder}/versions.hpp @ONLY CONTENT
"#pragma once

#include <vector>

#include \"bench/step.hpp\"

namespace @ladder@ {

/// Every step of the ladder, in order.
const std::vector<const bench::Step*>& versions();

/// Their names, from the file names, in the same order.
const std::vector<const char*>& version_names();

/// Every ablation.
const std::vector<const bench::Step*>& ablations();

}
")
    file(CONFIGURE OUTPUT ${generated}/versions.cpp @ONLY CONTENT
"#include \"kernels/@ladder@/versions.hpp\"

@declarations@
namespace @ladder@ {

const std::vector<const bench::Step*>& versions() {
    static const std::vector<const bench::Step*> all = {
@version_addresses@    };
    return all;
}

const std::vector<const char*>& version_names() {
    static const std::vector<const char*> all = {
        \"@names@\"};
    return all;
}

const std::vector<const bench::Step*>& ablations() {
    static const std::vector<const bench::Step*> all = {
@ablation_addresses@    };
    return all;
}

}
")
    add_library(${ladder}_versions STATIC ${generated}/versions.cpp)
    target_include_directories(${ladder}_versions PUBLIC ${generated} SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(${ladder}_versions PRIVATE ${kernels} PUBLIC ${ladder_LIBRARIES} bench)
endfunction()
