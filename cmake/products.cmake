# What is built for people: the program, the library, the example plug-ins, the benchmarks; and
# where it is installed. The target `products` is all of it but the benchmarks.
add_custom_target(products)

# --- the program, and its manual, which it writes itself -----------------------------------------
set(main ${CMAKE_SOURCE_DIR}/src/cli/main.c)
get_target_property(cli_type room_cli TYPE)
file(RELATIVE_PATH libdir_from_bindir /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
if(EXISTS ${main} AND NOT cli_type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET room_cli APPEND PROPERTY COMPILE_DEFINITIONS
                 WEIR_VERSION="${PROJECT_VERSION}"
                 WEIR_LIBDIR_FROM_BINDIR="${libdir_from_bindir}")
    add_executable(program ${main})
    set_target_properties(program PROPERTIES OUTPUT_NAME weir)
    target_compile_definitions(program PRIVATE WEIR_VERSION="${PROJECT_VERSION}")
    target_link_libraries(program PRIVATE room_cli)
    set(manual ${CMAKE_BINARY_DIR}/man1/weir.1) # and a page for each command beside it
    add_custom_command(OUTPUT ${manual} VERBATIM DEPENDS program
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man1
        COMMAND program man --output ${CMAKE_BINARY_DIR}/man1)
    # Where each shell looks for its file.
    set(places bash share/bash-completion/completions/weir zsh share/zsh/site-functions/_weir
        fish share/fish/vendor_completions.d/weir.fish)
    while(places)
        list(POP_FRONT places shell place)
        cmake_path(GET place PARENT_PATH directory)
        cmake_path(GET place FILENAME name)
        set(script ${CMAKE_BINARY_DIR}/completion/${shell}/${name})
        add_custom_command(OUTPUT ${script} VERBATIM DEPENDS program
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/completion/${shell}
            COMMAND program completion ${shell} > ${script})
        list(APPEND completions ${script})
        install(FILES ${script} DESTINATION ${directory})
    endwhile()
    add_custom_target(manual ALL DEPENDS ${manual} ${completions})
    add_dependencies(products manual)
    install(TARGETS program)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# --- the libraries: lib<name>.so and .a of some rooms, which export what cmake/lib<name>.map says ---
# The number of the interface is what a header in include/weir defines as <ABI>.
function(weir_add_library name header abi rooms)
    foreach(room IN LISTS rooms)
        get_target_property(type room_${room} TYPE)
        if(NOT type STREQUAL "INTERFACE_LIBRARY")
            list(APPEND objects $<TARGET_OBJECTS:room_${room}>)
        endif()
    endforeach()
    string(REPLACE - _ target ${name})
    set(map ${CMAKE_SOURCE_DIR}/cmake/lib${name}.map)
    file(STRINGS include/weir/${header} number REGEX "^#define ${abi} ")
    string(REGEX MATCH "[0-9]+$" number "${number}")
    add_library(${target}_shared SHARED ${objects})
    add_library(${target}_static STATIC ${objects})
    set_target_properties(${target}_shared ${target}_static PROPERTIES
        OUTPUT_NAME ${name} LINKER_LANGUAGE C)
    set_target_properties(${target}_shared PROPERTIES SOVERSION ${number} LINK_DEPENDS ${map})
    target_link_options(${target}_shared PRIVATE LINKER:--version-script=${map})
    # One object whose other names are local, so that they cannot meet those of a program; and
    # without LTO's part, which another version of the compiler could not read.
    set(object ${CMAKE_BINARY_DIR}/${name}.o)
    set(archive $<TARGET_FILE:${target}_static>)
    add_custom_command(TARGET ${target}_static POST_BUILD VERBATIM
        COMMAND ${CMAKE_LINKER} -r --whole-archive ${archive} -o ${object}
        COMMAND ${CMAKE_OBJCOPY} --strip-debug -R .gnu.lto_* -R .gnu.debuglto_* -N __gnu_lto_v1
                --wildcard --keep-global-symbol=weir_* ${object}
        COMMAND ${CMAKE_COMMAND} -E rm ${archive}
        COMMAND ${CMAKE_AR} qcs ${archive} ${object})
    add_dependencies(products ${target}_shared ${target}_static)
    install(TARGETS ${target}_shared ${target}_static)
endfunction()

# libweir has the rooms that its functions need.
set(library_rooms base stat model policy gen metric format plan map detect bound blame control sim
    checkpoint trial store experiment compare capacity answer api)
weir_add_library(weir simulate.h WEIR_SIMULATE_ABI "${library_rooms}")
target_link_libraries(weir_shared PRIVATE
    PkgConfig::YAML PkgConfig::ZLIB PkgConfig::KISSFFT PkgConfig::SQLITE ${CMAKE_DL_LIBS} m)

# libweir-client runs inside applications: it needs nothing but libc.
weir_add_library(weir-client client.h WEIR_CLIENT_ABI "wire;client")

# --- libweir-preload: what programs are started with ----------------------------------------------
# It is loaded into programs that know nothing of it: whatever else is sanitized or instrumented, it
# is not; so the client's files are compiled once more. It exports the hooks, and the client library,
# so that a program that has its own uses the same session.
set(hooks ${CMAKE_SOURCE_DIR}/src/preload/hooks.h)
set(map ${CMAKE_BINARY_DIR}/libweir-preload.map)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hooks})
file(READ ${hooks} list)
string(REGEX MATCHALL "    X\\([^,\n]*, [A-Za-z0-9_]+" hooked "${list}")
list(TRANSFORM hooked REPLACE ".*, (.*)" "\\1")
list(JOIN hooked ";\n" hooked)
file(CONFIGURE OUTPUT ${map} CONTENT "{ global: weir_client_*; weir_io_*; MPI_*; mpi_*_; __asan_default_options; ${hooked}; local: *; };\n")
file(GLOB sources CONFIGURE_DEPENDS src/wire/*.c src/client/*.c src/preload/*.c)
add_library(weir_preload MODULE ${sources})
set_target_properties(weir_preload PROPERTIES
    OUTPUT_NAME weir-preload LINK_DEPENDS ${map})
if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # a quarter less time in every call of a program
    set_target_properties(weir_preload PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    set_source_files_properties(src/preload/process.c src/preload/real.c
        src/preload/symbol.c PROPERTIES
        COMPILE_OPTIONS -fno-lto) # asm
endif()
target_compile_options(weir_preload PRIVATE
    -fno-sanitize=all -fno-profile-arcs -fno-test-coverage)
# libc's headers define no function that is defined here.
target_compile_options(weir_preload PRIVATE -U_FORTIFY_SOURCE -D__NO_INLINE__=1)
target_link_options(weir_preload PRIVATE
    -fno-sanitize=all -fno-profile-arcs LINKER:--version-script=${map} LINKER:-z,now LINKER:-z,defs)
add_dependencies(products weir_preload)
install(TARGETS weir_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# --- weir-mpi: campaigns over the ranks of MPI, where it can be had -------------------------------
# A machine may have several MPIs: the program weir-mpi is for the one whose compiler is mpicc, and
# the tests have one for each. None is instrumented: MPIs leak.
function(weir_add_mpi name)
    file(GLOB sources CONFIGURE_DEPENDS src/mpi/*.c)
    add_executable(${name} ${sources})
    list(TRANSFORM WEIR_USES_mpi PREPEND room_ OUTPUT_VARIABLE rooms)
    target_link_libraries(${name} PRIVATE ${rooms} ${ARGN})
    add_dependencies(products ${name})
endfunction()
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND AND NOT WEIR_SANITIZE)
    weir_add_mpi(weir-mpi MPI::MPI_C)
    install(TARGETS weir-mpi)
    foreach(mpi ompi-c mpich)
        pkg_check_modules(MPI_${mpi} QUIET IMPORTED_TARGET ${mpi})
        if(MPI_${mpi}_FOUND AND BUILD_TESTING)
            weir_add_mpi(weir-mpi.${mpi} PkgConfig::MPI_${mpi})
        endif()
    endforeach()
elseif(NOT WEIR_SANITIZE)
    message(STATUS "no MPI: weir-mpi is left out")
endif()

# --- spank_weir: the plug-in of Slurm, where its header can be had --------------------------------
# It is loaded into Slurm's daemons, which have the functions that it calls. Like the preload, it is
# never instrumented, so what it needs is compiled once more.
find_path(WEIR_SPANK_INCLUDE slurm/spank.h)
mark_as_advanced(WEIR_SPANK_INCLUDE)
if(WEIR_SPANK_INCLUDE)
    file(GLOB sources CONFIGURE_DEPENDS src/slurm/*.c src/supervise/*.c
         src/client/*.c src/wire/*.c)
    add_library(weir_spank MODULE ${sources} src/base/decimal.c src/base/err.c src/base/mem.c
        src/base/text.c src/base/units.c)
    set(map ${CMAKE_SOURCE_DIR}/cmake/spank_weir.map)
    set_target_properties(weir_spank PROPERTIES
        PREFIX "" OUTPUT_NAME spank_weir LINK_DEPENDS ${map})
    target_include_directories(weir_spank SYSTEM PRIVATE ${WEIR_SPANK_INCLUDE})
    target_compile_options(weir_spank PRIVATE
        -pthread -ffunction-sections -fno-sanitize=all -fno-profile-arcs -fno-test-coverage)
    target_link_options(weir_spank PRIVATE -pthread -fno-sanitize=all -fno-profile-arcs
        LINKER:--gc-sections LINKER:-z,now LINKER:--version-script=${map})
    target_link_libraries(weir_spank PRIVATE m)
    add_dependencies(products weir_spank)
    install(TARGETS weir_spank LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weir COMPONENT slurm)
else()
    message(STATUS "no slurm/spank.h: the plug-in of Slurm is left out")
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

# --- examples/{embed,client}/*.c: programs that use a library, as others would --------------------
function(weir_add_examples place library)
    file(GLOB sources CONFIGURE_DEPENDS examples/${place}/*.c)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(example_${name} ${source})
        set_target_properties(example_${name} PROPERTIES
            OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${WEIR_EXAMPLE_DIR})
        target_link_libraries(example_${name} PRIVATE ${library})
        add_dependencies(products example_${name})
    endforeach()
endfunction()
weir_add_examples(embed weir_shared)
weir_add_examples(client weir_client_shared)

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
foreach(library weir weir-client)
    configure_file(cmake/${library}.pc.in ${library}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${library}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
# The Python package goes where python3 looks for what is installed below this prefix.
find_program(WEIR_PYTHON python3)
mark_as_advanced(WEIR_PYTHON)
set(python_place lib/python3/dist-packages)
if(WEIR_PYTHON)
    execute_process(COMMAND ${WEIR_PYTHON} -c "
import sysconfig
names = sysconfig.get_scheme_names()
path = sysconfig.get_path('purelib', 'posix_local' if 'posix_local' in names else 'posix_prefix',
                          {'base': '', 'platbase': ''})
print(path.replace('/local/', '/', 1).lstrip('/'), end='')"
        OUTPUT_VARIABLE python_place)
endif()
install(DIRECTORY python/weir DESTINATION ${python_place}
    FILES_MATCHING PATTERN *.py PATTERN py.typed)
install(DIRECTORY include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
