# Man pages and completion scripts: doppel prints them itself, from the tables of its commands.
# The commands are the files src/cli/cmd_<name>.c; cmd_eval_pairs.c is 'eval pairs'.
set(PAGES doppel.1)
file(GLOB COMMANDS CONFIGURE_DEPENDS src/cli/cmd_*.c)
foreach(path ${COMMANDS})
  string(REGEX REPLACE ".*/cmd_(.*)\\.c$" "doppel-\\1.1" page ${path})
  string(REPLACE "_" "-" page ${page})
  list(APPEND PAGES ${page})
endforeach()

set(MANUAL_DIR ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${MANUAL_DIR})
foreach(page ${PAGES})
  string(REGEX REPLACE "^doppel-?(.*)\\.1$" "\\1" command ${page})
  string(REPLACE "-" ";" command "${command}")
  add_custom_command(OUTPUT ${MANUAL_DIR}/${page} DEPENDS doppel VERBATIM
                     COMMAND doppel help --man ${command} > ${MANUAL_DIR}/${page})
  list(APPEND MANUAL ${MANUAL_DIR}/${page})
  install(FILES ${MANUAL_DIR}/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()

# The shells' own names for such a file, and where they look for it.
function(add_completion shell name folder)
  set(file ${MANUAL_DIR}/${name})
  add_custom_command(OUTPUT ${file} DEPENDS doppel VERBATIM
                     COMMAND doppel completion ${shell} > ${file})
  set(MANUAL ${MANUAL} ${file} PARENT_SCOPE)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder} RENAME ${ARGN})
endfunction()
add_completion(bash doppel.bash bash-completion/completions doppel)
add_completion(zsh _doppel zsh/site-functions _doppel)
add_completion(fish doppel.fish fish/vendor_completions.d doppel.fish)
add_custom_target(manual ALL DEPENDS ${MANUAL})
