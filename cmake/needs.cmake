# What a build cannot do without. Where something is missing, the message names all Debian packages of its group in
# tools/packages.txt, so that one command installs them.
function(beadwork_missing what group)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tools/packages.txt lines REGEX "^${group} ")
  list(TRANSFORM lines REPLACE "^${group} ([^ ]+).*" "\\1")
  list(JOIN lines " " packages)
  message(FATAL_ERROR "beadwork: ${what} was not found. On Debian:\n  apt install ${packages}\n"
                      "Elsewhere: install ${what}, and name its folder with CMAKE_PREFIX_PATH if it is in an unusual place.")
endfunction()

# beadwork_needs(GROUP NAME ...): find_package(NAME ...), or the message.
macro(beadwork_needs group name)
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    beadwork_missing("${name}" ${group})
  endif()
endmacro()
