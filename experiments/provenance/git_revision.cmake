# Writes the git revision of the folder SOURCE as C++ into the file OUTPUT. Runs at every build, but writes the file only if
# the revision has changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE revision
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
set(modified false)
if(failed)
  set(revision unknown)
  set(date unknown)
else()
  execute_process(COMMAND git -C ${SOURCE} log -1 --format=%cs OUTPUT_VARIABLE date
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(modified true)
  endif()
endif()
set(text "#include \"experiments/provenance/git_revision.hpp\"\n\nconst engram::experiments::GitRevision ")
string(APPEND text "engram::experiments::git_revision{\"${revision}\", \"${date}\", ${modified}};\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
