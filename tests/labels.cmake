# Labels of tests (ctest -L, -LE): fast (of a layer), cli (starts the program), web (a browser), net (wants a package registry); from
# tests/costs.txt slow (2 s and more: not in make check), long (not under the sanitizers in .ci/run) and nightly (not in .ci/run).
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/costs.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/costs.txt beadwork_costs REGEX "^[^#]")

# At the end of a folder's CMakeLists.txt: labels for its tests. Those of GoogleTest are known only when ctest has asked the
# programs, so theirs are set when ctest reads its list.
function(beadwork_label_tests)
  set(later "")
  foreach(line ${beadwork_costs})
    if(NOT line MATCHES "^ *[0-9]+ +([a-z,]+) +([^ ].*)$")
      message(FATAL_ERROR "tests/costs.txt: not 'SECONDS LABELS TEST': ${line}")
    endif()
    set(name ${CMAKE_MATCH_2})
    string(REPLACE "," ";" labels "${CMAKE_MATCH_1}")
    list(REMOVE_ITEM labels all)
    if(NOT labels)
    elseif(TEST ${name})
      set_property(TEST ${name} APPEND PROPERTY LABELS ${labels})
    else()
      string(APPEND later "set_tests_properties([==[${name}]==] PROPERTIES LABELS \"${labels}\")\n")
    endif()
  endforeach()
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/labels.cmake "${later}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/labels.cmake)
endfunction()
