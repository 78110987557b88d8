# Compiler options of everything that is built here.
add_library(beadwork_flags INTERFACE)
target_compile_options(beadwork_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(BEADWORK_WERROR)
  target_compile_options(beadwork_flags INTERFACE -Werror)
endif()
if(BEADWORK_SANITIZE)
  target_compile_options(beadwork_flags INTERFACE -fsanitize=${BEADWORK_SANITIZE} -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  target_link_options(beadwork_flags INTERFACE -fsanitize=${BEADWORK_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 raises false alarms inside the standard library once the sanitizers have added their code.
    target_compile_options(beadwork_flags INTERFACE -Wno-maybe-uninitialized)
    if(BEADWORK_SANITIZE MATCHES "address")
      # Where a program lies at a fixed place, nothing of its 180 MB is changed when it starts: a third less time for each test.
      target_link_options(beadwork_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    endif()
  endif()
endif()
