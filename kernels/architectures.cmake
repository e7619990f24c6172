# Sets CMAKE_CUDA_ARCHITECTURES. Must be included before enable_language(CUDA). The first of these applies:
# 1. The user's choice: -DCMAKE_CUDA_ARCHITECTURES=80-real, or CUDAARCHS in the environment.
# 2. With SUITE_EVERY_ARCHITECTURE: every major architecture from 7.5 up that nvcc knows.
# 3. The architectures of this machine's GPUs. Every configuration detects them again, so it notices a changed GPU.
# 4. The architectures found last, because machines may share a build folder; 9.0 if none was ever found.
# CMake's own default is 7.5 with PTX. Measurements would then depend on the driver's compiler.
if(DEFINED CMAKE_CUDA_ARCHITECTURES)
    return()
endif()
option(SUITE_EVERY_ARCHITECTURE "Compile for every major GPU architecture from 7.5 up")

# The nvcc that CMake uses.
find_program(nvcc NAMES "${CMAKE_CUDA_COMPILER}" "$ENV{CUDACXX}" nvcc PATHS /usr/local/cuda/bin NO_CACHE)

# The architectures from 7.5 up that nvcc knows: "75;80;86;...". CUDA 12 also knows older ones, and lacks some newer ones.
execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
string(REGEX MATCHALL "[0-9]+" known "${known}")
list(FILTER known EXCLUDE REGEX "^([1-6].|7[0-4])$")

# Asks a program of the driver or of CUDA for the compute capabilities of this machine's GPUs: "8.6;9.0", or "86;90" if its point is
# none. What else it says, such as that a GPU is lost, is told.
function(ask_for_capabilities result point program)
    execute_process(COMMAND ${program} ${ARGN} TIMEOUT 60 OUTPUT_VARIABLE answer ERROR_VARIABLE answer RESULT_VARIABLE code)
    string(REGEX REPLACE "[][;\\\\\r]" "" lines "${answer}")
    string(REGEX REPLACE "[ \t]*[\n,][ \t]*" ";" lines "\n${lines}")
    list(REMOVE_DUPLICATES lines)
    set(others "${lines}")
    list(FILTER lines INCLUDE REGEX "^[0-9]+${point}[0-9]$")
    list(FILTER others EXCLUDE REGEX "^([0-9]+${point}[0-9])?$")
    if(others OR NOT code EQUAL 0)
        list(JOIN others ", " others)
        message(STATUS "Looking for GPUs: ${program} (${code}): ${others}")
    endif()
    set(${result} ${lines} PARENT_SCOPE)
endfunction()

# The architectures of this machine's GPUs that nvcc can compile for. Empty if neither nvidia-smi, which WSL has in a folder of its
# own, nor nvcc's own query finds a GPU.
function(architectures_here result)
    set(query --query-gpu=compute_cap --format=csv,noheader)
    ask_for_capabilities(capabilities "[.]" nvidia-smi ${query})
    get_filename_component(folder "${nvcc}" REALPATH)
    get_filename_component(folder "${folder}" DIRECTORY)
    find_program(device_query __nvcc_device_query PATHS "${folder}" NO_DEFAULT_PATH NO_CACHE)
    if(NOT capabilities AND device_query)
        ask_for_capabilities(capabilities "" "${device_query}")
    endif()
    find_program(nvidia_smi_of_wsl nvidia-smi PATHS /usr/lib/wsl/lib NO_DEFAULT_PATH NO_CACHE)
    if(NOT capabilities AND nvidia_smi_of_wsl)
        ask_for_capabilities(capabilities "[.]" "${nvidia_smi_of_wsl}" ${query})
    endif()
    set(list "")
    foreach(capability IN LISTS capabilities)
        string(REPLACE "." "" architecture ${capability})
        if(architecture IN_LIST known)
            list(APPEND list ${architecture}-real)
        else()
            message(STATUS "Skipping the GPU of compute capability ${capability}: it must be 7.5 or later, and nvcc must support it")
        endif()
    endforeach()
    set(${result} ${list} PARENT_SCOPE)
endfunction()

if(NOT "$ENV{CUDAARCHS}" STREQUAL "")
    set(chosen "$ENV{CUDAARCHS}")
    list(TRANSFORM chosen REPLACE "^([0-9]+)[a-z]?(-real|-virtual)?$" "\\1" OUTPUT_VARIABLE unknown)
    list(REMOVE_ITEM unknown ${known} native all all-major)
    if(known AND unknown)
        list(JOIN known ", " known)
        message(FATAL_ERROR "CUDAARCHS=${chosen}: expected architectures such as 90-real or 80-real;90-real; nvcc knows ${known}")
    endif()
    set(SUITE_CUDAARCHS "${chosen}" CACHE INTERNAL "CUDAARCHS when it was set last")
endif()
if(SUITE_CUDAARCHS)
    set(CMAKE_CUDA_ARCHITECTURES "${SUITE_CUDAARCHS}")
elseif(SUITE_EVERY_ARCHITECTURE)
    list(FILTER known INCLUDE REGEX "^75$|0$")
    list(TRANSFORM known APPEND -real OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
else()
    architectures_here(here)
    if(here)
        set(SUITE_ARCHITECTURES_FOUND "${here}" CACHE INTERNAL "Architectures of the GPUs found last")
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${SUITE_ARCHITECTURES_FOUND}")
    if(NOT CMAKE_CUDA_ARCHITECTURES)
        message(STATUS "No GPU found: compiling for compute capability 9.0 only. To choose another one: CUDAARCHS=80-real make")
        set(CMAKE_CUDA_ARCHITECTURES 90-real)
    endif()
endif()
