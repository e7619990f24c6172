# Kernel files are found by their names: vNN_words.cu, a step; ablations/vNN_words.cu, that step with one thing changed.

# find_kernel_files(<out> <folder>): those of a folder, in step order. Stops at a file that is not named as above.
function(find_kernel_files out folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cu)
    foreach(file IN LISTS files)
        if(NOT file MATCHES "/v[0-9][0-9][a-z]?_[a-z0-9_]+\\.cu$")
            message(FATAL_ERROR "${file}: a kernel file is named like v08_two_words.cu: two digits, for the order of the steps")
        endif()
    endforeach()
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# step_name(<out> <file>): v8, of v08_lcg_register.cu.
function(step_name out file)
    string(REGEX REPLACE ".*/v0?([0-9]+[a-z]?)_.*" "v\\1" name ${file})
    set(${out} ${name} PARENT_SCOPE)
endfunction()

# ablation_name(<out> <file>): v8_shared, of v08_shared.cu.
function(ablation_name out file)
    string(REGEX REPLACE ".*/v0?([0-9]+[a-z]?_[a-z0-9_]+)\\.cu$" "v\\1" name ${file})
    set(${out} ${name} PARENT_SCOPE)
endfunction()
