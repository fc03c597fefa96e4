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
add_compile_options("$<$<COMPILE_LANGUAGE:C>:${WEIR_C_WARNINGS}>")
if(WEIR_WERROR)
    add_compile_options(-Werror)
endif()

if(WEIR_LTO)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    add_compile_options(-ffat-lto-objects) # so that the installed archive works without LTO
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
