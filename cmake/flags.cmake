# How everything is compiled. Results must be the same bits everywhere: no -ffast-math, and no
# contraction of a*b+c, whatever the build type.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_definitions(_GNU_SOURCE)
add_compile_options(-ffp-contract=off -fno-semantic-interposition)
include_directories(${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)

set(WEIR_C_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
    -Wmissing-prototypes -Wvla -Wwrite-strings)
if(CMAKE_C_COMPILER_ID MATCHES "Clang") # inline functions of a .c file are for that file's sake
    list(APPEND WEIR_C_WARNINGS -Wno-static-in-inline)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C>:${WEIR_C_WARNINGS}>")
if(WEIR_WERROR)
    add_compile_options(-Werror)
endif()

# What is installed does not say where it was built. (A debugger wants to know.)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(here -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
    add_compile_options(${here})
    add_link_options(${here})
endif()
if(WEIR_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    add_compile_options(-ffat-lto-objects) # for what is linked without LTO
endif()
if(WEIR_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
if(WEIR_SANITIZE)
    add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEIR_SANITIZE})
endif()

# Dozens of test programs are linked faster than they could be optimised; the program and the
# library themselves are tested as they are installed.
function(weir_no_lto target)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_link_options(${target} PRIVATE -fno-lto)
endfunction()
