# Writes the files of data/papers, in the order of data/papers/order, as a C file that the program
# carries: cmake -DFROM=DIRECTORY -DTO=FILE -P papers.cmake
file(STRINGS ${FROM}/order names)
file(GLOB files RELATIVE ${FROM} ${FROM}/*.yaml)
set(texts "")
set(table "")
foreach(name IN LISTS names)
    list(REMOVE_ITEM files ${name}.yaml)
    file(READ ${FROM}/${name}.yaml text HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," text "${text}")
    string(MAKE_C_IDENTIFIER ${name} id)
    string(APPEND texts "static const unsigned char text_${id}[] = {${text}};\n")
    string(APPEND table "    {\"${name}\", text_${id}, sizeof text_${id}},\n")
endforeach()
if(files)
    message(FATAL_ERROR "not in ${FROM}/order: ${files}")
endif()
file(WRITE ${TO} "#include \"paper/files.h\"\n${texts}const struct paper_file paper_files[] = {\n"
     "${table}    {0},\n};\n")
