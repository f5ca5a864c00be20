# lfn_headers_alone(NAME HEADERS ... LIBS ...): an object library that compiles each header by itself, twice over to prove
# its guard: .hpp as C++20, .h as C++20 and as pedantic C99. LIBS lend their include folders and definitions.
function(lfn_headers_alone name)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBS" ${ARGN})
  set(sources "")
  foreach(header IN LISTS arg_HEADERS)
    string(MAKE_C_IDENTIFIER "${header}" unit)
    set(languages cpp)
    if(header MATCHES "\\.h$")
      list(APPEND languages c)
    endif()
    foreach(language IN LISTS languages)
      set(source ${CMAKE_CURRENT_BINARY_DIR}/headers_alone/${name}/${unit}.${language})
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\nextern int lfn_alone;\n" @ONLY)
      list(APPEND sources ${source})
    endforeach()
  endforeach()
  add_library(${name} OBJECT ${sources})
  target_link_libraries(${name} PRIVATE lfn_flags ${arg_LIBS})
  target_compile_options(${name} PRIVATE -O0 -g0 -fno-sanitize=all) # they only have to compile
  set_target_properties(${name} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF C_STANDARD_REQUIRED ON
                                           CXX_STANDARD 20 CXX_EXTENSIONS OFF CXX_STANDARD_REQUIRED ON)
endfunction()
