# What is built for people: the program, the library, the example plug-ins, the benchmarks; and
# where it is installed. The target `products` is all of it but the benchmarks.
add_custom_target(products)

# --- the program, and its manual, which it writes itself -----------------------------------------
set(main ${CMAKE_SOURCE_DIR}/src/cli/main.c)
get_target_property(cli_type room_cli TYPE)
if(EXISTS ${main} AND NOT cli_type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET room_cli APPEND PROPERTY COMPILE_DEFINITIONS
                 WEIR_VERSION="${PROJECT_VERSION}")
    add_executable(program ${main})
    set_target_properties(program PROPERTIES OUTPUT_NAME weir)
    target_compile_definitions(program PRIVATE WEIR_VERSION="${PROJECT_VERSION}")
    target_link_libraries(program PRIVATE room_cli)
    set(manual ${CMAKE_BINARY_DIR}/weir.1)
    add_custom_command(OUTPUT ${manual} COMMAND program man > ${manual} DEPENDS program VERBATIM)
    add_custom_target(manual ALL DEPENDS ${manual})
    add_dependencies(products manual)
    install(TARGETS program)
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# --- libweir: every room but the ones that talk to people ----------------------------------------
set(library_rooms ${WEIR_ROOMS})
list(REMOVE_ITEM library_rooms report cli)
foreach(room IN LISTS library_rooms)
    get_target_property(type room_${room} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND library_objects $<TARGET_OBJECTS:room_${room}>)
    endif()
endforeach()
if(library_objects)
    set(map ${CMAKE_SOURCE_DIR}/cmake/libweir.map)
    file(STRINGS include/weir/simulate.h abi REGEX "^#define WEIR_SIMULATE_ABI ")
    string(REGEX MATCH "[0-9]+$" abi "${abi}")
    add_library(weir_shared SHARED ${library_objects})
    add_library(weir_static STATIC ${library_objects})
    set_target_properties(weir_shared weir_static PROPERTIES OUTPUT_NAME weir LINKER_LANGUAGE C)
    set_target_properties(weir_shared PROPERTIES SOVERSION ${abi} LINK_DEPENDS ${map})
    target_link_options(weir_shared PRIVATE LINKER:--version-script=${map})
    target_link_libraries(weir_shared PRIVATE PkgConfig::YAML ${CMAKE_DL_LIBS} m)
    # Another compiler, or another version of this one, could not read LTO's part of the archive.
    if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
        add_custom_command(TARGET weir_static POST_BUILD VERBATIM
            COMMAND ${CMAKE_OBJCOPY} --strip-debug -R .gnu.lto_* -R .gnu.debuglto_*
                    -N __gnu_lto_v1 $<TARGET_FILE:weir_static>)
    endif()
    add_dependencies(products weir_shared weir_static)
    install(TARGETS weir_shared weir_static)
endif()

# --- examples/plugin/*.c: strategies as shared objects -------------------------------------------
function(weir_add_plugin source)
    cmake_path(GET source STEM name)
    add_library(plugin_${name} MODULE ${source})
    set_target_properties(plugin_${name} PROPERTIES
        PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${WEIR_PLUGIN_DIR})
endfunction()
file(GLOB plugins CONFIGURE_DEPENDS examples/plugin/*.c)
foreach(source IN LISTS plugins)
    weir_add_plugin(${source})
    cmake_path(GET source STEM name)
    add_dependencies(products plugin_${name})
endforeach()

# --- examples/embed/*.c: programs that use the library, as others would ---------------------------
file(GLOB embedders CONFIGURE_DEPENDS examples/embed/*.c)
foreach(source IN LISTS embedders)
    cmake_path(GET source STEM name)
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${WEIR_EXAMPLE_DIR})
    target_link_libraries(example_${name} PRIVATE weir_shared)
    add_dependencies(products example_${name})
endforeach()

# --- bench/*.c ------------------------------------------------------------------------------------
file(GLOB benches CONFIGURE_DEPENDS bench/*.c)
foreach(source IN LISTS benches)
    cmake_path(GET source STEM name)
    string(REGEX REPLACE "^bench_" "" name ${name})
    add_executable(bench_${name} ${source})
    list(TRANSFORM WEIR_ROOMS PREPEND room_ OUTPUT_VARIABLE libraries)
    target_link_libraries(bench_${name} PRIVATE ${libraries})
    list(APPEND bench_targets bench_${name})
endforeach()
add_custom_target(benches DEPENDS ${bench_targets})

# --- installation ---------------------------------------------------------------------------------
# Relative, because the prefix is chosen when installing.
file(RELATIVE_PATH WEIR_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/weir.pc.in weir.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/weir.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
