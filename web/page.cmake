# The page as bytes in the library, made from the files of this folder.
file(GLOB WEB_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.html
     ${PROJECT_SOURCE_DIR}/web/*.css ${PROJECT_SOURCE_DIR}/web/js/*.js)
set(PAGE_DATA ${PROJECT_BINARY_DIR}/web/page_data.c)
add_custom_command(OUTPUT ${PAGE_DATA}
  COMMAND ${CMAKE_COMMAND} -D WEB=${PROJECT_SOURCE_DIR}/web -D OUT=${PROJECT_BINARY_DIR}/web
          -P ${PROJECT_SOURCE_DIR}/web/assemble.cmake
  DEPENDS ${WEB_SOURCES} ${PROJECT_SOURCE_DIR}/web/assemble.cmake
  COMMENT "Putting the web page together" VERBATIM)
target_sources(doppel_objects PRIVATE ${PAGE_DATA})
