# Compiles SOURCES for a Cortex-M0+ and holds their undefined symbols to what a C runtime without an operating system
# has: the block functions that a compiler may call by itself, and the ARM run-time ABI's arithmetic.
# cmake -DSOURCES=a.cpp;b.cpp -DBINARY_DIR=dir -P check_cortex_m.cmake
find_program(compiler arm-none-eabi-g++)
find_program(nm arm-none-eabi-nm)
if(NOT compiler OR NOT nm)
  message(STATUS "skipped: arm-none-eabi-g++ is missing (Debian: gcc-arm-none-eabi)")
  return()
endif()
set(flags -mcpu=cortex-m0plus -mthumb -Os -std=c++20 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics
          -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
set(allowed "^(memcpy|memmove|memset|memcmp|__aeabi_[a-z0-9_]+|lfn_[a-z0-9_]+)$")
file(MAKE_DIRECTORY ${BINARY_DIR})
foreach(source IN LISTS SOURCES)
  cmake_path(GET source STEM stem)
  set(object ${BINARY_DIR}/${stem}.o)
  execute_process(COMMAND ${compiler} ${flags} -c ${source} -o ${object} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${nm} --undefined-only --format=posix ${object} OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${nm} --defined-only --format=posix ${object} OUTPUT_VARIABLE defined
                  COMMAND_ERROR_IS_FATAL ANY)
  if(defined MATCHES "_GLOBAL__sub_I|_init_array")
    message(FATAL_ERROR "${stem}: has a static constructor")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${output}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" symbol "${line}")
    if(NOT symbol MATCHES "${allowed}")
      message(FATAL_ERROR "${stem}: needs ${symbol}")
    endif()
  endforeach()
  message(STATUS "${stem}: undefined: ${lines}")
endforeach()
