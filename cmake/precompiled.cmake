# What most files include, compiled once a target. Off by default, so that a missing include is found by the other builds.
option(BEADWORK_PCH "Precompile the headers that most files include" OFF)
if(BEADWORK_PCH AND CCACHE)  # without these ccache does not touch what uses a precompiled header
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

function(beadwork_precompile target)  # further headers after it
  if(NOT BEADWORK_PCH)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <map> <memory>
    <numeric> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <variant> <vector> <fmt/format.h> ${ARGN})
endfunction()
