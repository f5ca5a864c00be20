# lfn_stack_test(NAME TREE <dir> SOURCES <file>... [DEFINES <name=value>...] [CONFIG <dir>])
#
# A GoogleTest program NAME around one stack that is compiled from the lwIP tree TREE with the lwipopts.h, arch/cc.h and
# stack_test_hooks.h of CONFIG (default: this folder's config/) and with DEFINES. The same stack is compiled once.
#
# lfn_stack_core(<out> TREE ... [DEFINES ...] [CONFIG ...] [OPTIONS <compiler option>...] [FILES <core file>...])
#
# The stack alone: sets <out> to a library target. With FILES (as in LFN_STACK_CORE_FILES) just these files of it, to go
# in front of another tree's stack.

set(LFN_STACK_TEST_DIR "${CMAKE_CURRENT_LIST_DIR}")

set(LFN_STACK_CORE_FILES def inet_chksum init ip mem memp netif pbuf stats tcp tcp_in tcp_out timeouts
    ipv4/ip4 ipv4/ip4_addr)

function(lfn_stack_core out)
  cmake_parse_arguments(arg "" "TREE;CONFIG" "DEFINES;OPTIONS;FILES" ${ARGN})
  if(NOT arg_CONFIG)
    set(arg_CONFIG "${LFN_STACK_TEST_DIR}/config")
  endif()
  string(SHA256 key "${arg_TREE} ${arg_CONFIG} ${arg_DEFINES} ${arg_OPTIONS} ${arg_FILES}")
  string(SUBSTRING "${key}" 0 12 key)
  set(core "stack_core_${key}")
  set(${out} ${core} PARENT_SCOPE)
  if(TARGET ${core})
    return()
  endif()
  set(sources)
  set(type OBJECT) # an archive's members would wait for somebody to ask for them
  if(NOT arg_FILES)
    set(type STATIC)
    set(arg_FILES ${LFN_STACK_CORE_FILES})
    set(sources "${LFN_STACK_TEST_DIR}/config/pcb_layout.c")
  endif()
  foreach(file IN LISTS arg_FILES)
    list(APPEND sources "${arg_TREE}/src/core/${file}.c")
  endforeach()
  add_library(${core} ${type} ${sources})
  target_include_directories(${core} SYSTEM PUBLIC "${arg_CONFIG}" "${arg_TREE}/src/include"
                             "${PROJECT_SOURCE_DIR}/stack/hooks/include") # a patched tree includes lfn/tcp_hooks.h
  target_compile_definitions(${core} PUBLIC ${arg_DEFINES})
  target_compile_options(${core} PRIVATE -w ${arg_OPTIONS}) # upstream's file, upstream's warnings
endfunction()

# Besides the program there is its object library, NAME_objects, to be linked with another tree's stack.
function(lfn_stack_test name)
  cmake_parse_arguments(arg "" "TREE;CONFIG" "SOURCES;DEFINES;LIBS" ${ARGN})
  lfn_stack_core(core TREE "${arg_TREE}" CONFIG "${arg_CONFIG}" DEFINES ${arg_DEFINES})
  add_library(${name}_objects OBJECT ${arg_SOURCES} "${LFN_STACK_TEST_DIR}/segment.cpp"
              "${LFN_STACK_TEST_DIR}/wire.cpp" "${LFN_STACK_TEST_DIR}/stack_test.cpp")
  target_include_directories(${name}_objects PRIVATE "${LFN_STACK_TEST_DIR}")
  target_link_libraries(${name}_objects PRIVATE lfn_flags ${core} ${arg_LIBS} GTest::gtest GTest::gmock)
  lfn_test_code(${name}_objects)
  lfn_hot_sources("${LFN_STACK_TEST_DIR}/segment.cpp" "${LFN_STACK_TEST_DIR}/wire.cpp") # checksums
  lfn_test(${name} SOURCES $<TARGET_OBJECTS:${name}_objects> LIBS ${core} ${arg_LIBS})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
