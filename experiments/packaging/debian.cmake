# The Debian package with all installed files. Include this file last, because CPack reads the variables at its end.
file(STRINGS ${PROJECT_SOURCE_DIR}/CITATION.cff authors REGEX "^  - name: ")
string(REGEX REPLACE "^  - name: " "" authors "${authors}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME engram)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR ${authors})
set(CPACK_PACKAGE_CONTACT "${authors} <engram@engram.invalid>" CACHE STRING "The maintainer of the package, in Debian's format")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION
"Engram is fed Narsese, tells for any cue which concepts and statements
deserve a reasoner's budget, and compares attention, Hopfield networks and
the usual baselines on the same learnt graph, reproducibly.

This package has the program, the libraries for C++ and C with their headers,
the package for Python, the JSON schemas, and the specs and data of the
experiments.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Packages that link libengram.so depend on this package. A trigger of dpkg updates the cache of the dynamic linker.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/shlibs @ONLY CONTENT
     "libengram 1 engram (>= @PROJECT_VERSION_MAJOR@.@PROJECT_VERSION_MINOR@)\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/shlibs ${CMAKE_CURRENT_SOURCE_DIR}/triggers)
# Recommended: programs that draw plots and graphs. Suggested: headers that ours include, and data of
# `engram import wordnet`.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, graphviz")
string(CONCAT CPACK_DEBIAN_PACKAGE_SUGGESTS
  "g++, cmake, libboost-graph-dev, libboost-filesystem-dev, libeigen3-dev, libicu-dev, nlohmann-json3-dev, libssl-dev, "
  "libserd-dev, libedit-dev, wordnet-base")

# A package with the Python module depends on the Python version of the build, which also compiles its modules.
if(TARGET engram_python)
  get_target_property(suffix engram_python SUFFIX)  # .cpython-311-x86_64-linux-gnu.so
  if(NOT suffix MATCHES "cpython-3([0-9]+)")
    message(FATAL_ERROR "engram_python must have a suffix such as .cpython-311-x86_64-linux-gnu.so, found '${suffix}'")
  endif()
  math(EXPR next "${CMAKE_MATCH_1} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.${CMAKE_MATCH_1}~), python3 (<< 3.${next})")
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", python3-numpy")
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", python3-pandas")
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/postinst
       ${CMAKE_CURRENT_SOURCE_DIR}/prerm)
endif()

# Files that Debian's policy requires in /usr/share/doc: the licences in Debian's format, and the changelog.
function(engram_licence name file beginning)  # the text from `beginning` on; each line gets a leading blank
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  string(FIND "${text}" "${beginning}" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(STRIP "${text}" text)
  string(REPLACE "\n\n" "\n.\n" text "${text}")
  string(REPLACE "\n" "\n " text "${text}")
  set(${name} "${text}" PARENT_SCOPE)
endfunction()
engram_licence(expat LICENSE "Permission is hereby")
engram_licence(bsd bridge/window/d3_licence.txt "Redistribution and use")
configure_file(copyright.in copyright @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # uses SOURCE_DATE_EPOCH if it is set
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/changelog @ONLY CONTENT
"engram (@PROJECT_VERSION@) unstable; urgency=medium

  * Version @PROJECT_VERSION@.

 -- @CPACK_PACKAGE_CONTACT@  @date@
")
find_program(GZIP gzip)
if(GZIP)
  set(changelog ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
  add_custom_command(OUTPUT ${changelog} COMMAND ${GZIP} -9nk -f changelog DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/changelog
                     COMMENT "The package's changelog" VERBATIM)
  add_custom_target(package_changelog ALL DEPENDS ${changelog})
  install(FILES ${changelog} ${CMAKE_CURRENT_BINARY_DIR}/copyright OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/engram)
endif()
install(FILES lintian_overrides RENAME engram DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)

include(CPack)
