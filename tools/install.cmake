# What `make install` puts where: library, headers, command, pkg-config file, CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS doppel_static doppel_shared EXPORT doppelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/doppel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS doppel DESTINATION ${CMAKE_INSTALL_BINDIR})

set(PC_FILES doppel)
if(TARGET doppel-lab)
  install(TARGETS doppel_lab_static doppel_lab_shared
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY include/doppel-lab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS doppel-lab DESTINATION ${CMAKE_INSTALL_BINDIR})
  list(APPEND PC_FILES doppel-lab)
endif()

# Programs find the shared library through the linker's cache, which root brings up to date;
# packages (DESTDIR) do that themselves.
install(CODE [[
  find_program(LDCONFIG ldconfig PATHS /sbin /usr/sbin)
  execute_process(COMMAND id -u OUTPUT_VARIABLE USER_ID OUTPUT_STRIP_TRAILING_WHITESPACE)
  if("$ENV{DESTDIR}" STREQUAL "" AND LDCONFIG AND USER_ID STREQUAL "0")
    execute_process(COMMAND ${LDCONFIG} ERROR_QUIET)
  endif()
]])

# pkg-config: -ldoppel; with --static, what the archive needs as well. Relative, so that the
# tree can be moved.
# No Requires.private: a program that links the shared library does without their headers.
set(PRIVATE_LIBRARIES ${LIBS_LIBRARIES} ${HTTP_LIBRARIES})
list(TRANSFORM PRIVATE_LIBRARIES PREPEND -l OUTPUT_VARIABLE LIBS_PRIVATE)
list(REMOVE_DUPLICATES LIBS_PRIVATE)
string(JOIN " " LIBS_PRIVATE ${LIBS_PRIVATE})
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name ${PC_FILES})
  configure_file(tools/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# CMake: find_package(doppel) gives doppel::doppel, the shared library, and doppel::lab where
# libdoppel-lab is installed.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/doppel)
configure_package_config_file(tools/doppelConfig.cmake.in doppelConfig.cmake
                              INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_FULL_LIBDIR CMAKE_INSTALL_FULL_INCLUDEDIR)
write_basic_package_version_file(doppelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/doppelConfig.cmake
              ${PROJECT_BINARY_DIR}/doppelConfigVersion.cmake DESTINATION ${package_dir})
