# The sources of options/, for whoever compiles them into an object of its own (the stack's relocatable object does).
set(LFN_OPTIONS_INCLUDE_DIR ${CMAKE_CURRENT_LIST_DIR}/include)
set(LFN_OPTIONS_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/src/big_window.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/ecn.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/guard.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/loss_policy.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/nak_receiver.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/nak_sender.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/nak_timing.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/path.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/rto.cpp
    ${CMAKE_CURRENT_LIST_DIR}/src/tcp_options.cpp)
