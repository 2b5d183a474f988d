# Combines the files of the page and writes them as a C++ file, which defines window_page() of bridge/transport/server.hpp.
# Usage: cmake -D PAGE=<.../index.html> -D OUT=<file.cpp> -P embed.cmake
#
# A line `<!-- include FILE -->` in the page is replaced by the file, whose path is absolute or relative to the page. A .css
# file becomes a <style>, a .js file a <script>, any other file text. If a file is missing, for example a Debian library that
# is not installed, the build continues, and the page lists the missing files.
cmake_minimum_required(VERSION 3.24)
cmake_path(GET PAGE PARENT_PATH folder)
file(READ ${PAGE} page)
string(REGEX MATCHALL "<!-- include [^ ]+ -->" includes "${page}")
set(missing)
foreach(include IN LISTS includes)
  string(REGEX REPLACE "<!-- include ([^ ]+) -->" "\\1" name "${include}")
  cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY ${folder} OUTPUT_VARIABLE file)
  if(NOT EXISTS ${file})
    list(APPEND missing ${name})
    continue()
  endif()
  file(READ ${file} text)
  cmake_path(GET name EXTENSION LAST_ONLY kind)
  string(TOLOWER "${text}" lower)
  if(kind STREQUAL ".css")
    set(element style)
  elseif(kind STREQUAL ".js")
    set(element script)
  else()
    set(element)
    string(REPLACE "&" "&amp;" text "${text}")
    string(REPLACE "<" "&lt;" text "${text}")
  endif()
  if(element)
    string(FIND "${lower}" "</${element}" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file}: contains </${element}, which would end the element; write <\\/${element} instead")
    endif()
    set(text "<${element}>\n${text}</${element}>")
  endif()
  string(REPLACE "${include}" "${text}" page "${page}")
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(STATUS "The page of engram lacks these files, and shows a message about it: ${missing}")
  string(REPLACE "&" "&amp;" missing "${missing}")
  string(REPLACE "<" "&lt;" missing "${missing}")
  set(page "<!DOCTYPE html>\n<html lang=\"en\"><title>Engram</title>\n<p>This program was built without its page, because "
           "these files were missing: ${missing}</p>\n</html>\n")
  list(JOIN page "" page)
endif()

file(CONFIGURE OUTPUT ${OUT}.html CONTENT "@page@" @ONLY)
file(READ ${OUT}.html bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
file(WRITE ${OUT} "// Made by bridge/window/embed.cmake.
#include \"bridge/transport/server.hpp\"

namespace engram::bridge {
namespace {
constexpr unsigned char bytes[] = {
${bytes}};
}  // namespace

std::string_view window_page() { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

}  // namespace engram::bridge
")
