# lfn_published_rows(FILE VARIABLE): the rows of a published table (CSV: a heading, then rows of one key and three
# numbers) as C++ initialisers.
function(lfn_published_rows file variable)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines)
  list(POP_FRONT lines)
  set(rows "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([0-9]+),([0-9.]+),([0-9.]+),([0-9.]+)$")
      message(FATAL_ERROR "${file}: not a row of four numbers: ${line}")
    endif()
    string(APPEND rows
           "    {${CMAKE_MATCH_1}, {${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}, ${CMAKE_MATCH_4}}},\n")
  endforeach()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()
