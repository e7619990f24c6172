# Sets CMAKE_CUDA_ARCHITECTURES. Must be included before enable_language(CUDA). The first of these applies:
# 1. The user's choice: -DCMAKE_CUDA_ARCHITECTURES=80-real, or CUDAARCHS in the environment.
# 2. With SUITE_EVERY_ARCHITECTURE: every major architecture from 7.5 up that nvcc knows.
# 3. The architectures of this machine's GPUs. Every configuration detects them again, so it notices a changed GPU.
# 4. The architectures found last, because machines may share a build folder; 9.0 if none was ever found.
# CMake's own default is 7.5 with PTX. Measurements would then depend on the driver's compiler.
option(SUITE_EVERY_ARCHITECTURE "Compile for every major GPU architecture from 7.5 up")

# The architectures from 7.5 up that nvcc knows: "75;80;86;...". CUDA 12 also knows older ones, and lacks some newer ones.
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

# The architectures of this machine's GPUs that nvcc can compile for. Empty if nvidia-smi fails.
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
                message(STATUS "Skipping the GPU of compute capability ${capability}: "
                    "it must be 7.5 or later, and nvcc must support it")
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
elseif(SUITE_EVERY_ARCHITECTURE)
    every_architecture(CMAKE_CUDA_ARCHITECTURES)
else()
    architectures_here(here)
    if(here)
        set(SUITE_ARCHITECTURES_FOUND "${here}" CACHE INTERNAL "Architectures of the GPUs found last")
    elseif(NOT DEFINED SUITE_ARCHITECTURES_FOUND)
        message(STATUS "No GPU found: compiling for compute capability 9.0 only. To choose another one: CUDAARCHS=80-real make")
    endif()
    if(DEFINED SUITE_ARCHITECTURES_FOUND)
        set(CMAKE_CUDA_ARCHITECTURES "${SUITE_ARCHITECTURES_FOUND}")
    else()
        set(CMAKE_CUDA_ARCHITECTURES 90-real)
    endif()
endif()
