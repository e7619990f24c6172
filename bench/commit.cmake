cmake_minimum_required(VERSION 3.22)
# Writes commit.hpp: the commit of this build, and whether the checkout differs from it. Runs at every build, but changes
# the file only if its text changes. Variables: SOURCE, OUTPUT.
#
# Results and the pages rendered from them are no part of a program, so they do not make it "dirty". A source archive
# inside another repository does not take that repository's commit.
set(commit unknown)
set(dirty true)
file(REAL_PATH ${SOURCE} SOURCE)
find_program(GIT git)
unset(ENV{GIT_DIR})  # of another repository, as in a hook
unset(ENV{GIT_WORK_TREE})
unset(ENV{GIT_INDEX_FILE})
execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel HEAD
    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_VARIABLE said)
if(GIT AND failed AND EXISTS ${SOURCE}/.git)
    message("The commit is not recorded: ${said}")  # a folder of another user, for one
elseif(NOT failed AND lines MATCHES "^(.*)\n(.*)$" AND CMAKE_MATCH_1 STREQUAL SOURCE)
    set(commit ${CMAKE_MATCH_2})
    execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain -- . ":!results" ":!*.md"
        OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND changes STREQUAL "")
        set(dirty false)
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define COMMIT \"@commit@\"\n#define COMMIT_DIRTY @dirty@\n" @ONLY)
