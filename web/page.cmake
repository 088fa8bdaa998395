# The page as bytes in the library, made from the files of this folder, and the query code as
# WebAssembly for the page that needs no server.
set(WEB ${PROJECT_SOURCE_DIR}/web)
set(WEB_OUT ${PROJECT_BINARY_DIR}/web)

# ---- the query code as WebAssembly -------------------------------------------------------
# Where clang, lld and wasi-libc are; else `doppel index build --page` says that it was built
# without them, and everything else works.
option(DOPPEL_WASM "compile the query code to WebAssembly, where clang and wasi-libc are found" ON)
set(WASM)
find_program(WASM_CLANG NAMES clang-14 clang clang-15 clang-16 clang-17 clang-18 clang-19)
if(DOPPEL_WASM AND WASM_CLANG AND NOT CMAKE_CROSSCOMPILING)
  file(WRITE ${WEB_OUT}/probe.c "#include <stdlib.h>\nint f(int x);\nint f(int x) { return abs(x); }\n")
  execute_process(COMMAND ${WASM_CLANG} --target=wasm32-wasi -mexec-model=reactor -O2
                          ${WEB_OUT}/probe.c -o ${WEB_OUT}/probe.wasm
                  RESULT_VARIABLE WASM_PROBE OUTPUT_QUIET ERROR_QUIET)
  if(WASM_PROBE EQUAL 0)
    set(WASM ${WEB_OUT}/query.wasm)
  endif()
endif()
if(WASM)
  # Tables of Unicode, from the ICU that the library uses.
  add_executable(wasm-tables ${WEB}/wasm/make_tables.c)
  target_link_libraries(wasm-tables PRIVATE PkgConfig::LIBS)
  set_target_properties(wasm-tables PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WEB_OUT})
  set(WASM_TABLES ${WEB_OUT}/icu_tables.h)
  add_custom_command(OUTPUT ${WASM_TABLES} COMMAND wasm-tables > ${WASM_TABLES}
                     DEPENDS wasm-tables COMMENT "Writing tables of Unicode" VERBATIM)

  set(WASM_FLAGS --target=wasm32-wasi -O2 -std=c11 -D_POSIX_C_SOURCE=200809L
      -DDPL_VERSION="${PROJECT_VERSION}" -DNDEBUG -ffp-contract=off -ffunction-sections
      -D_WASI_EMULATED_MMAN -include ${WEB}/wasm/include/lacking.h -I${WEB}/wasm/include -I${PROJECT_SOURCE_DIR}/include
      -I${PROJECT_SOURCE_DIR}/src -I${WEB}/wasm -I${WEB_OUT})
  file(STRINGS ${WEB}/wasm/sources.txt WASM_PATTERNS REGEX "^[a-z]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WEB}/wasm/sources.txt)
  file(GLOB WASM_SOURCES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${WASM_PATTERNS})
  list(FILTER WASM_SOURCES EXCLUDE REGEX "_test\\.c$")
  file(STRINGS ${WEB}/wasm/sources.txt WASM_PATTERNS REGEX "^-")
  list(TRANSFORM WASM_PATTERNS REPLACE "^-" "")
  file(GLOB WASM_LEFT_OUT RELATIVE ${PROJECT_SOURCE_DIR} ${WASM_PATTERNS})
  list(REMOVE_ITEM WASM_SOURCES ${WASM_LEFT_OUT})
  set(WASM_OBJECTS)
  foreach(source ${WASM_SOURCES})
    string(REPLACE "/" "_" object ${source})
    set(object ${WEB_OUT}/${object}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${WEB}/wasm/attempt compile ${WASM_CLANG} ${object} ${WASM_CLANG} ${WASM_FLAGS} -MD -MF ${object}.d -c
              ${PROJECT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/${source} ${WASM_TABLES} DEPFILE ${object}.d
      COMMENT "Building ${source} for WebAssembly" VERBATIM)
    list(APPEND WASM_OBJECTS ${object})
  endforeach()
  add_custom_command(OUTPUT ${WASM}
    COMMAND ${WEB}/wasm/attempt link ${WASM_CLANG} ${WASM} ${WASM_CLANG} --target=wasm32-wasi -mexec-model=reactor -O2 ${WASM_OBJECTS} -lm
            -lwasi-emulated-mman -o ${WASM} -Wl,--gc-sections -Wl,--strip-all
            -Wl,--stack-first -Wl,-z,stack-size=8388608
    DEPENDS ${WASM_OBJECTS} COMMENT "Linking the query code for WebAssembly" VERBATIM)
else()
  message(STATUS "no WebAssembly: `doppel index build --page` needs clang, lld and wasi-libc")
endif()

# ---- the page ----------------------------------------------------------------------------
file(GLOB WEB_SOURCES CONFIGURE_DEPENDS ${WEB}/*.html ${WEB}/*.css ${WEB}/js/*.js)
set(PAGE_DATA ${WEB_OUT}/page_data.c)
add_custom_command(OUTPUT ${PAGE_DATA}
  COMMAND ${CMAKE_COMMAND} -D WEB=${WEB} -D OUT=${WEB_OUT} -D WASM=${WASM}
          -P ${WEB}/assemble.cmake
  DEPENDS ${WEB_SOURCES} ${WEB}/assemble.cmake ${WASM}
  COMMENT "Putting the web page together" VERBATIM)
target_sources(doppel_objects PRIVATE ${PAGE_DATA})
