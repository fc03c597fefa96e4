# Every test is one CTest test: programs tests/<place>/test_*.c and scripts tests/<place>/*.sh.
# What they share is in common*.c (compiled into each program of the place) and common*.sh; what
# several places share is in tests/support. Exit code 77 means skipped.

set(WEIR_TEST_ENV
    "WEIR=${CMAKE_BINARY_DIR}/weir" "WEIR_SOURCE_DIR=${CMAKE_SOURCE_DIR}"
    "WEIR_BUILD_DIR=${CMAKE_BINARY_DIR}" "WEIR_PLUGIN_DIR=${WEIR_PLUGIN_DIR}"
    "WEIR_EXAMPLE_DIR=${WEIR_EXAMPLE_DIR}")

function(weir_set_up_test name)
    set(timeout 300)
    if(WEIR_SANITIZE)
        set(timeout 1200)
    endif()
    set_tests_properties(${name} PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT ${timeout} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        ENVIRONMENT "${WEIR_TEST_ENV}")
endfunction()

# The C tests of tests/<place>, linked with the given libraries and nothing else of ours. The target
# tests_<place> builds them.
function(weir_add_c_tests place)
    file(GLOB programs CONFIGURE_DEPENDS tests/${place}/test_*.c)
    file(GLOB helpers CONFIGURE_DEPENDS tests/${place}/common*.c)
    add_custom_target(tests_${place})
    foreach(source IN LISTS programs)
        cmake_path(GET source STEM stem)
        string(REGEX REPLACE "^test_" "" topic ${stem})
        set(target test_${place}_${topic})
        add_executable(${target} ${source} ${helpers})
        add_dependencies(tests_${place} ${target})
        weir_no_lto(${target})
        target_include_directories(${target} PRIVATE tests)
        target_link_libraries(${target} PRIVATE test_support ${ARGN} PkgConfig::CMOCKA)
        target_compile_definitions(${target} PRIVATE
            WEIR_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WEIR_PLUGIN_DIR="${WEIR_PLUGIN_DIR}")
        add_test(NAME ${place}/${topic} COMMAND ${target})
        weir_set_up_test(${place}/${topic})
        weir_label_test(${place} ${topic})
    endforeach()
endfunction()

# Tests that real programs keep up with the clock: strangers who use the processors can make them fail.
set(WEIR_CLOCK_TESTS
    client/session client/tie client/wait cluster/agent cluster/handover cluster/hung cluster/lost
    cluster/mix cluster/outage cluster/restart cluster/slurm cluster/standby cluster/two serve/serve
    link/silence live/agreement live/auto live/cgroup live/chaos live/client live/commands live/escape live/faults
    live/flood live/gain live/hostile live/hung live/mixes live/mpiio live/rate live/stores live/uids
    preload/charges preload/limits)

function(weir_label_test place topic)
    set(labels ${place})
    if("${place}/${topic}" IN_LIST WEIR_CLOCK_TESTS)
        list(APPEND labels clock)
    endif()
    if(topic MATCHES "_slow$")
        list(APPEND labels slow)
        set_tests_properties(${place}/${topic} PROPERTIES TIMEOUT 3600)
    endif()
    set_tests_properties(${place}/${topic} PROPERTIES LABELS "${labels}")
endfunction()

function(weir_add_script_tests place)
    file(GLOB scripts CONFIGURE_DEPENDS tests/${place}/*.sh)
    list(FILTER scripts EXCLUDE REGEX "/common[^/]*$")
    foreach(script IN LISTS scripts)
        cmake_path(GET script STEM stem)
        string(REGEX REPLACE "^test_" "" topic ${stem})
        add_test(NAME ${place}/${topic} COMMAND bash ${script})
        weir_set_up_test(${place}/${topic})
        weir_label_test(${place} ${topic})
    endforeach()
endfunction()

# The fuzz targets tests/fuzz/fuzz_<name>.c: each runs over its seed corpus and then a bounded
# number of mutations. The scratch corpus keeps what libFuzzer finds out of the source tree; its
# usual exit code for a crash would mean skipped.
function(weir_add_fuzz_targets)
    file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
    list(TRANSFORM WEIR_ROOMS PREPEND room_ OUTPUT_VARIABLE rooms)
    set_target_properties(${rooms} PROPERTIES EXCLUDE_FROM_ALL ON) # build what they need, no more
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM target)
        string(REGEX REPLACE "^fuzz_" "" name ${target})
        set(scratch ${CMAKE_BINARY_DIR}/corpus/${name})
        file(MAKE_DIRECTORY ${scratch})
        add_executable(${target} ${source})
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(${target} PRIVATE room_format room_wire room_node room_cluster
                              room_link room_serve)
        add_test(NAME fuzz/${name}
                 COMMAND ${target} -runs=20000 -max_total_time=60 -seed=1 -timeout=10
                         -max_len=8192 -rss_limit_mb=1024 -error_exitcode=1
                         -artifact_prefix=${CMAKE_BINARY_DIR}/${target}-
                         ${scratch} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
        weir_set_up_test(fuzz/${name})
        weir_label_test(fuzz ${name})
    endforeach()
endfunction()

function(weir_add_all_tests)
    pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
    if(NOT CMOCKA_FOUND)
        message(STATUS "no cmocka: the tests are left out")
        return()
    endif()
    # A program takes from it only what it calls, so it adds no room to those a test links with.
    file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
    add_library(test_support STATIC ${support})
    weir_no_lto(test_support)
    target_include_directories(test_support PRIVATE tests)
    foreach(room IN LISTS WEIR_ROOMS)
        list(TRANSFORM WEIR_TESTS_USE_${room} PREPEND room_ OUTPUT_VARIABLE extra)
        weir_add_c_tests(${room} room_${room} ${extra})
    endforeach()
    set(library room_sim room_gen room_metric room_format room_plan room_report)
    weir_add_c_tests(property ${library} room_bound room_blame)

    # The other .c files of tests/plugin are plug-ins, good and bad ones.
    weir_add_c_tests(plugin ${library})
    file(GLOB plugins CONFIGURE_DEPENDS tests/plugin/*.c)
    list(FILTER plugins EXCLUDE REGEX "/(test_|common)[^/]*$")
    foreach(source IN LISTS plugins)
        weir_add_plugin(${source})
    endforeach()
    add_dependencies(test_experiment_campaign plugin_crashes)
    add_dependencies(test_compare_compare plugin_wild)

    weir_add_c_tests(preload room_client) # they run themselves under the preload
    pkg_check_modules(URING QUIET IMPORTED_TARGET liburing>=2.3)
    find_library(WEIR_AIO aio)
    mark_as_advanced(WEIR_AIO)
    if(URING_FOUND AND WEIR_AIO)
        target_compile_definitions(test_preload_rings PRIVATE WEIR_HAS_RINGS)
        target_link_libraries(test_preload_rings PRIVATE PkgConfig::URING ${WEIR_AIO})
    endif()

    # Live tests have the machine's sockets and mounts to share: one at a time. Those that measure
    # time also run beside no other test, unless a sanitizer makes all times meaningless.
    weir_add_c_tests(live room_client)
    weir_add_script_tests(live)
    set(measuring agreement agreement_slow cgroup client gain lend mixes mixes_slow rate stores uids)
    file(GLOB live CONFIGURE_DEPENDS tests/live/test_*.c tests/live/*.sh)
    list(FILTER live EXCLUDE REGEX "/common[^/]*$")
    foreach(source IN LISTS live)
        cmake_path(GET source STEM stem)
        string(REGEX REPLACE "^test_" "" topic ${stem})
        set_tests_properties(live/${topic} PROPERTIES RESOURCE_LOCK live)
        if(topic IN_LIST measuring AND NOT WEIR_SANITIZE)
            set_tests_properties(live/${topic} PROPERTIES RUN_SERIAL ON)
        endif()
    endforeach()
    # A neighbour that announces I/O and moves nothing.
    add_executable(announcer tests/live/announcer.c)
    weir_no_lto(announcer)
    target_include_directories(announcer PRIVATE tests)
    target_link_libraries(announcer PRIVATE test_support room_wire PkgConfig::CMOCKA)

    # A plain program with calls of any size.
    add_executable(caller tests/live/caller.c)
    weir_no_lto(caller)

    # A program that does everything at once.
    add_executable(chaos tests/live/chaos.c)
    weir_no_lto(chaos)

    # A command that misbehaves, on another node.
    add_executable(stranger tests/cluster/stranger.c)
    weir_no_lto(stranger)
    target_link_libraries(stranger PRIVATE room_link room_node)

    # A cluster on virtual time, full of faults; built so that it can leave out one of the rules.
    file(GLOB faults CONFIGURE_DEPENDS tests/cluster/faults/*.c src/cluster/*.c)
    add_executable(faults ${faults})
    weir_no_lto(faults)
    target_compile_definitions(faults PRIVATE WEIR_RULES_CAN_BREAK)
    target_link_libraries(faults PRIVATE room_controller)
    if(WEIR_SANITIZE)
        add_test(NAME cluster/faults COMMAND faults --seeds 300 --jobs 2)
    else()
        add_test(NAME cluster/faults COMMAND faults --seeds 10000 --jobs 2)
        # Seeds that end while a share moves from one node to another.
        foreach(seed 30576 122265 123371)
            add_test(NAME cluster/faults_${seed} COMMAND faults --seeds 1 --first ${seed})
        endforeach()
        add_test(NAME cluster/rules COMMAND faults --seeds 3000 --without each)
        weir_set_up_test(cluster/rules)
        weir_label_test(cluster rules)
    endif()
    weir_set_up_test(cluster/faults)
    weir_label_test(cluster faults)
    set_tests_properties(cluster/faults PROPERTIES PROCESSORS 2)

    # A store with a limit, where FUSE can be had.
    pkg_check_modules(FUSE QUIET IMPORTED_TARGET fuse3)
    if(FUSE_FOUND)
        add_executable(pacer tests/live/pacer.c)
        target_link_libraries(pacer PRIVATE PkgConfig::FUSE)
    endif()

    set(scripted api cli cluster golden plugin paper python)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug") # what nobody installs
        list(APPEND scripted install)
    endif()
    foreach(place IN LISTS scripted)
        weir_add_script_tests(${place})
    endforeach()
    # Each has a whole cluster.
    foreach(test slurm slurm_campaign agent chaos chaos_slow commands handover hung lost restart standby
            two untold mix outage table_slow)
        set_tests_properties(cluster/${test} PROPERTIES RESOURCE_LOCK cluster)
    endforeach()
    # It compares times, if roughly.
    set_tests_properties(cluster/mix PROPERTIES RESOURCE_LOCK "cluster;live")
    set_tests_properties(cluster/table_slow PROPERTIES RUN_SERIAL ON) # it measures time
    foreach(check layers names)
        add_test(NAME tools/${check} COMMAND sh tools/check-${check})
        add_test(NAME tools/check_${check}_works COMMAND sh tools/check-${check} --self-test)
        weir_set_up_test(tools/${check})
        weir_set_up_test(tools/check_${check}_works)
    endforeach()
endfunction()
