# One static library per room of src/, linked only with the rooms it may use: a call upwards does
# not link.

# Reads tools/layers: sets WEIR_ROOMS, WEIR_USES_<room> and WEIR_TESTS_USE_<room>.
function(weir_read_layers file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^(room|test) ")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "^(room|test) +([a-z]+) *:(.*)$")
            message(FATAL_ERROR "${file}: cannot read '${line}'")
        endif()
        set(kind ${CMAKE_MATCH_1})
        set(room ${CMAKE_MATCH_2})
        string(REGEX MATCHALL "[a-z]+" uses "${CMAKE_MATCH_3}")
        if(kind STREQUAL "room")
            list(APPEND rooms ${room})
            set(WEIR_USES_${room} ${uses} PARENT_SCOPE)
        else()
            set(WEIR_TESTS_USE_${room} ${uses} PARENT_SCOPE)
        endif()
    endforeach()
    set(WEIR_ROOMS ${rooms} PARENT_SCOPE)
endfunction()

# The library room_<room> of src/<room>/*.c; cli's main.c goes into the program only, slurm's spank.c
# into the plug-in.
function(weir_add_room room)
    file(GLOB sources CONFIGURE_DEPENDS src/${room}/*.c)
    list(FILTER sources EXCLUDE REGEX "/(main|spank)\\.c$")
    if(sources)
        add_library(room_${room} STATIC ${sources})
    else()
        add_library(room_${room} INTERFACE)
    endif()
    list(TRANSFORM WEIR_USES_${room} PREPEND room_ OUTPUT_VARIABLE libraries)
    target_link_libraries(room_${room} INTERFACE ${libraries})
endfunction()

# A library of others that only this room's own files may see.
function(weir_room_uses room library)
    get_target_property(type room_${room} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_link_libraries(room_${room} INTERFACE ${library})
    else()
        target_link_libraries(room_${room} PRIVATE ${library})
    endif()
endfunction()
