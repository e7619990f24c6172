# Sets CMAKE_CUDA_ARCHITECTURES. Included before project(). In this order:
# 1. the user's choice: -DCMAKE_CUDA_ARCHITECTURES=80-real, or CUDAARCHS in the environment;
# 2. with PI_EVERY_ARCHITECTURE, every major one from 7.5 up that nvcc knows;
# 3. those of the GPUs in this machine, asked for at every configuration, so that a changed GPU is noticed;
# 4. where no GPU answers, those found last: machines may share a build folder; 9.0 if there were never any.
# CMake's own default, 7.5 and PTX, would be measured through the driver's compiler.
option(PI_EVERY_ARCHITECTURE "Compile for every major GPU architecture from 7.5 up")

# The architectures that nvcc knows, from 7.5 up: "75;80;86;...". CUDA 12 also knows older ones, and not all of the newer.
function(known_architectures result)
    find_program(nvcc NAMES "$ENV{CUDACXX}" nvcc PATHS /usr/local/cuda/bin NO_CACHE)
    execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE list ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+" list "${list}")
    list(FILTER list EXCLUDE REGEX "^([1-6].|7[0-4])$")
    set(${result} ${list} PARENT_SCOPE)
endfunction()

function(every_architecture result)
    known_architectures(list)
    list(FILTER list INCLUDE REGEX "^75$|0$")
    list(TRANSFORM list APPEND -real)
    set(${result} ${list} PARENT_SCOPE)
endfunction()

# Those of the GPUs in this machine, less those that cannot be compiled for; none where nvidia-smi does not answer.
function(architectures_here result)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
        TIMEOUT 60 OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed)
    set(list "")
    if(NOT failed)
        string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
        list(REMOVE_DUPLICATES capabilities)
        known_architectures(known)
        foreach(capability IN LISTS capabilities)
            string(REPLACE "." "" architecture ${capability})
            if(architecture IN_LIST known)
                list(APPEND list ${architecture}-real)
            else()
                message(STATUS "No code for the GPU of compute capability ${capability}: "
                    "7.5 or later is needed, and an nvcc that knows it")
            endif()
        endforeach()
    endif()
    set(${result} ${list} PARENT_SCOPE)
endfunction()

if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    return()
endif()
if(NOT "$ENV{CUDAARCHS}" STREQUAL "")
    set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "GPU architectures to compile for")
elseif(PI_EVERY_ARCHITECTURE)
    every_architecture(CMAKE_CUDA_ARCHITECTURES)
else()
    architectures_here(here)
    if(here)
        set(PI_ARCHITECTURES_FOUND "${here}" CACHE INTERNAL "Those of the GPUs that were found last")
    elseif(NOT DEFINED PI_ARCHITECTURES_FOUND)
        message(STATUS "No GPU in this machine: compiling for compute capability 9.0 only. For others: CUDAARCHS=80-real make")
    endif()
    if(DEFINED PI_ARCHITECTURES_FOUND)
        set(CMAKE_CUDA_ARCHITECTURES "${PI_ARCHITECTURES_FOUND}")
    else()
        set(CMAKE_CUDA_ARCHITECTURES 90-real)
    endif()
endif()
