# What `make install` puts where: library, headers, command, pkg-config file, CMake package.
install(TARGETS doppel_static doppel_shared EXPORT doppelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/doppel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET doppel)
  install(TARGETS doppel DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
