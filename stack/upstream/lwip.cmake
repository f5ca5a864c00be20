# lwIP at configure time: fetched (or taken from LFN_LWIP_ARCHIVE), checked, unpacked and patched in the build folder.
#
# Afterwards: LFN_LWIP_PRISTINE, LFN_LWIP_BACKPORTED (upstream and the group "backports"), LFN_LWIP_PATCHED (the whole
# series): source trees; and LFN_LWIP_ARCHIVE_USED: the archive, for nested builds.

set(LFN_LWIP_VERSION 2.2.1)
set(LFN_LWIP_SUITE trixie)
set(LFN_LWIP_FILE lwip_2.2.1+dfsg1.orig.tar.xz)
set(LFN_LWIP_SHA256 83729c274c499d3348e9fbbe043a3113f3fa8953e7efddc7c21c7fcbb1f2b7b1)

function(lfn_lwip_fail reason)
  message(FATAL_ERROR
    "lwIP ${LFN_LWIP_VERSION} is not to be had: ${reason}\n"
    "Either make Debian's source package reachable (apt-get set up with a mirror that carries the suite "
    "'${LFN_LWIP_SUITE}', and debian-archive-keyring installed), or get the file ${LFN_LWIP_FILE} from it by other "
    "means and pass -DLFN_LWIP_ARCHIVE=FILE")
endfunction()

# Sets `out` to a checked archive.
function(lfn_lwip_archive out)
  if(LFN_LWIP_ARCHIVE)
    set(archive "${LFN_LWIP_ARCHIVE}")
    if(NOT EXISTS "${archive}")
      lfn_lwip_fail("LFN_LWIP_ARCHIVE names a file that does not exist: ${archive}")
    endif()
  else()
    set(directory "${CMAKE_BINARY_DIR}/upstream")
    set(archive "${directory}/${LFN_LWIP_FILE}")
    if(NOT EXISTS "${archive}")
      message(STATUS "Fetching lwIP ${LFN_LWIP_VERSION} (Debian source package, suite ${LFN_LWIP_SUITE})")
      execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/upstream/fetch-lwip.sh" ${LFN_LWIP_SUITE} "${directory}"
                      RESULT_VARIABLE result ERROR_VARIABLE log)
      if(NOT result EQUAL 0)
        lfn_lwip_fail("the download failed:\n${log}")
      endif()
      if(NOT EXISTS "${archive}")
        lfn_lwip_fail("the suite '${LFN_LWIP_SUITE}' now holds another version than ${LFN_LWIP_FILE}")
      endif()
    endif()
  endif()
  file(SHA256 "${archive}" hash)
  if(NOT hash STREQUAL LFN_LWIP_SHA256)
    lfn_lwip_fail("${archive} is not the file that this series applies to (SHA-256 ${hash}, not ${LFN_LWIP_SHA256})")
  endif()
  set(${out} "${archive}" PARENT_SCOPE)
endfunction()

# Unpacks the archive to `directory` and applies the series' groups named in ARGN (all: the whole series), unless it is
# already there in the same state.
function(lfn_lwip_tree archive directory state)
  set(stamp "${directory}.stamp")
  if(EXISTS "${stamp}")
    file(READ "${stamp}" before)
    if(before STREQUAL state)
      return()
    endif()
  endif()
  file(REMOVE_RECURSE "${directory}" "${directory}.unpack")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${directory}.unpack")
  file(GLOB top "${directory}.unpack/*")
  file(RENAME "${top}" "${directory}")
  file(REMOVE_RECURSE "${directory}.unpack")
  if(ARGN)
    execute_process(COMMAND "${PROJECT_SOURCE_DIR}/patches/apply.sh" "${directory}" ${ARGN}
                    RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "The patch series does not apply to lwIP ${LFN_LWIP_VERSION}:\n${log}")
    endif()
  endif()
  file(WRITE "${stamp}" "${state}")
endfunction()

lfn_lwip_archive(LFN_LWIP_ARCHIVE_USED)

# The series and each patch are inputs of the configure step.
file(GLOB patches CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/patches/*.patch")
set(state "${LFN_LWIP_SHA256}")
foreach(file IN LISTS patches ITEMS "${PROJECT_SOURCE_DIR}/patches/series" "${PROJECT_SOURCE_DIR}/patches/apply.sh")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(SHA256 "${file}" hash)
  string(APPEND state " ${hash}")
endforeach()
string(SHA256 state "${state}")

set(LFN_LWIP_PRISTINE "${CMAKE_BINARY_DIR}/upstream/pristine")
set(LFN_LWIP_BACKPORTED "${CMAKE_BINARY_DIR}/upstream/backported")
set(LFN_LWIP_PATCHED "${CMAKE_BINARY_DIR}/upstream/patched")
lfn_lwip_tree("${LFN_LWIP_ARCHIVE_USED}" "${LFN_LWIP_PRISTINE}" "${LFN_LWIP_SHA256}")
lfn_lwip_tree("${LFN_LWIP_ARCHIVE_USED}" "${LFN_LWIP_BACKPORTED}" "${state}" backports)
lfn_lwip_tree("${LFN_LWIP_ARCHIVE_USED}" "${LFN_LWIP_PATCHED}" "${state}" all)
