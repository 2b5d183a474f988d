# Writes the git revision of the folder SOURCE as C++ into the file OUTPUT. Runs at every build, but writes the file only if
# the revision has changed. If SOURCE is not the root of a repository, such as an unpacked archive, the revision is
# "unknown", even if SOURCE is within another repository.
get_filename_component(above ${SOURCE} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${above})
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
set(text "namespace engram::experiments {\n")
string(APPEND text "extern const char *const git_commit, *const git_date;\nextern const bool git_modified;\n")
string(APPEND text "const char *const git_commit = \"${revision}\", *const git_date = \"${date}\";\n")
string(APPEND text "const bool git_modified = ${modified};\n}\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
