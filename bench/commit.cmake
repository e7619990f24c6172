cmake_minimum_required(VERSION 3.25)
# Writes commit.hpp: the commit that this build is of, and whether the checkout differs from it. Run at every build;
# the file is touched only when its text changes. Variables: SOURCE, OUTPUT.
#
# Results, and the pages rendered from them, do not go into a program, so they do not make it "dirty".
set(commit unknown)
set(dirty true)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse HEAD
        OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
        set(commit ${head})
        execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain -- . ":!results" ":!*.md"
            OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
        if(NOT failed AND changes STREQUAL "")
            set(dirty false)
        endif()
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define COMMIT \"@commit@\"\n#define COMMIT_DIRTY @dirty@\n" @ONLY)
