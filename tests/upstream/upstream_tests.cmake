# lfn_upstream_tests(NAME TREE <dir> [SOURCES <file>...] [DEFINES <name=value>...] [INCLUDES <dir>...])
#
# The ctest NAME: upstream's own unit tests (test/unit in the tree), built against that tree with upstream's unix port.
# SOURCES, DEFINES and INCLUDES come on top: what a tree needs whose switches are on.

set(LFN_UPSTREAM_CHECKS 137)

# Sets `out` to all that upstream's tests link: core, IPv4, IPv6, API, interfaces, and the applications they test.
function(lfn_upstream_sources tree out)
  set(folders core core/ipv4 core/ipv6 api netif netif/ppp netif/ppp/polarssl apps/mdns apps/mqtt)
  list(TRANSFORM folders REPLACE "(.+)" "${tree}/src/\\1/*.c")
  file(GLOB sources ${folders})
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

function(lfn_upstream_tests name)
  cmake_parse_arguments(arg "" "TREE" "SOURCES;DEFINES;INCLUDES" ${ARGN})
  set(port "${arg_TREE}/contrib/ports/unix")
  lfn_upstream_sources("${arg_TREE}" sources)
  file(GLOB_RECURSE tests "${arg_TREE}/test/unit/*.c")

  # An archive, because some files want a port's functions that the tests have no use for.
  add_library(${name}_lwip STATIC ${sources})
  add_executable(${name} ${tests} ${arg_SOURCES})
  foreach(target IN ITEMS ${name}_lwip ${name})
    target_include_directories(${target} PRIVATE "${arg_TREE}/test/unit" "${port}/check" "${port}/port/include"
                               "${arg_TREE}/src/include" "${PROJECT_SOURCE_DIR}/stack/hooks/include" ${arg_INCLUDES})
    target_compile_definitions(${target} PRIVATE LWIP_DEBUG LWIP_NOASSERT_ON_ERROR ${arg_DEFINES})
    # Upstream's files, upstream's warnings; and pools that lie at any address, as the tests' configuration has it.
    target_compile_options(${target} PRIVATE -w -O0 -fno-sanitize=alignment)
  endforeach()
  target_include_directories(${name} PRIVATE "${LFN_CHECK_INCLUDE}")
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PRIVATE ${name}_lwip "${LFN_CHECK_LIBRARY}" Threads::Threads m rt)
  find_library(LFN_SUBUNIT_LIBRARY subunit)
  if(LFN_SUBUNIT_LIBRARY)
    target_link_libraries(${name} PRIVATE "${LFN_SUBUNIT_LIBRARY}")
  endif()

  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT CK_FORK=no TIMEOUT 120
    PASS_REGULAR_EXPRESSION "100%: Checks: ${LFN_UPSTREAM_CHECKS}, Failures: 0, Errors: 0"
    FAIL_REGULAR_EXPRESSION "Sanitizer;runtime error")
endfunction()
