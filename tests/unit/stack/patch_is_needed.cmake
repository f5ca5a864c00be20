# lfn_patch_is_needed(<slug> TREE <dir> GROUPS <group>... OBJECTS <object library> CASES <Suite.case>...
#                     [CONFIG <dir>] [DEFINES <name=value>...])
#
# The ctest `patch_is_needed.<slug>`: the objects of a stack test, linked with the stack of a tree that lacks this one
# patch of the groups, fail in exactly these cases. TREE has all patches of the groups; what the patch does not touch is
# compiled from there, once for all patches. That stack always has the address sanitizer, so that a read past the end is
# a failure too.

set(LFN_PATCH_IS_NEEDED_DIR "${CMAKE_CURRENT_LIST_DIR}")

# Sets `out` to upstream's core with all patches of the groups but one.
function(lfn_tree_without slug groups out)
  set(tree "${CMAKE_BINARY_DIR}/upstream/without/${slug}")
  set(${out} "${tree}" PARENT_SCOPE)
  set(state "${groups}")
  file(GLOB patches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/patches/*.patch")
  foreach(file IN LISTS patches ITEMS "${PROJECT_SOURCE_DIR}/patches/series")
    file(SHA256 "${file}" hash)
    string(APPEND state " ${hash}")
  endforeach()
  if(EXISTS "${tree}.stamp")
    file(READ "${tree}.stamp" before)
    if(before STREQUAL state)
      return()
    endif()
  endif()
  file(REMOVE_RECURSE "${tree}")
  file(COPY "${LFN_LWIP_PRISTINE}/" DESTINATION "${tree}")
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/patches/apply.sh" --without ${slug}.patch "${tree}" ${groups}
                  RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "Without ${slug} the other patches do not apply:\n${log}")
  endif()
  file(WRITE "${tree}.stamp" "${state}")
endfunction()

# Sets `out` to the core files that the patch touches; to nothing, which means all, if it touches a header.
function(lfn_patch_files slug out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/patches/${slug}.patch" files REGEX "^\\+\\+\\+ b/src/")
  list(TRANSFORM files REPLACE "^\\+\\+\\+ b/src/core/(.*)\\.c$" "\\1")
  if(files MATCHES "\\+\\+\\+")
    set(files)
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

function(lfn_patch_is_needed slug)
  cmake_parse_arguments(arg "" "TREE;OBJECTS;CONFIG" "GROUPS;CASES;DEFINES" ${ARGN})
  lfn_tree_without(${slug} "${arg_GROUPS}" tree)
  lfn_patch_files(${slug} files)
  set(build CONFIG "${arg_CONFIG}" DEFINES ${arg_DEFINES} OPTIONS -O0 -fsanitize=address)
  lfn_stack_core(core TREE "${tree}" FILES ${files} ${build})
  if(files)
    lfn_stack_core(rest TREE "${arg_TREE}" ${build})
  endif()
  set(program "without_${slug}")
  add_executable(${program} $<TARGET_OBJECTS:${arg_OBJECTS}>)
  target_link_libraries(${program} PRIVATE ${core} ${rest} GTest::gtest GTest::gmock GTest::gtest_main)
  target_link_options(${program} PRIVATE -fsanitize=address)
  add_test(NAME patch_is_needed.${slug}
           COMMAND "${LFN_PATCH_IS_NEEDED_DIR}/patch_is_needed.sh" $<TARGET_FILE:${program}> ${arg_CASES})
endfunction()

# Sets `out` to the cases that a patch's message names in its "Test:" lines.
function(lfn_patch_cases slug out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/patches/${slug}.patch" lines REGEX "^Test: ")
  list(TRANSFORM lines REPLACE "^Test: " "")
  if(NOT lines)
    message(FATAL_ERROR "${slug}.patch names no test")
  endif()
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# Sets `out` to the slugs of a group, in order.
function(lfn_patch_slugs group out)
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/patches/list.sh" ${group}
                  OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ".patch" "" names "${names}")
  string(REPLACE "\n" ";" names "${names}")
  set(${out} ${names} PARENT_SCOPE)
endfunction()
