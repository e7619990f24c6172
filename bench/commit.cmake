cmake_minimum_required(VERSION 3.24)
# Writes commit.hpp: the commit of the source, and whether the checkout has changes. Runs at every build, and
# rewrites the file only if its text changes. Variables: SOURCE, OUTPUT.
#
# Changes of results, and of pages rendered from them, do not count: they are not part of a program.
# The commit is unknown if the source lies inside another repository, as an unpacked archive may.
set(commit unknown)
set(dirty true)
file(REAL_PATH ${SOURCE} SOURCE)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel HEAD
        OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND lines MATCHES "^(.*)\n(.*)$" AND CMAKE_MATCH_1 STREQUAL SOURCE)
        set(commit ${CMAKE_MATCH_2})
        execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain -- . ":!results" ":!*.md"
            OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
        if(NOT failed AND changes STREQUAL "")
            set(dirty false)
        endif()
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define COMMIT \"@commit@\"\n#define COMMIT_DIRTY @dirty@\n" @ONLY)
