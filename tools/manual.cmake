# Man pages and completion scripts: a program prints those of section 1 itself, from the tables of its
# commands.
set(MANUAL_DIR ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${MANUAL_DIR})

function(add_manual_file program file folder name) # what prints it follows
  set(path ${MANUAL_DIR}/${file})
  add_custom_command(OUTPUT ${path} DEPENDS ${program} VERBATIM
                     COMMAND ${program} ${ARGN} > ${path})
  set(MANUAL ${MANUAL} ${path} PARENT_SCOPE)
  install(FILES ${path} DESTINATION ${folder} RENAME ${name})
endfunction()

# The commands are the files cmd_<name>.c; cmd_eval_pairs.c is 'eval pairs'.
function(add_manual program) # COMMAND-FILE...
  add_manual_file(${program} ${program}.1 ${CMAKE_INSTALL_MANDIR}/man1 ${program}.1 help --man)
  foreach(file ${ARGN})
    string(REGEX REPLACE ".*/cmd_(.*)\\.c$" "\\1" command ${file})
    string(REPLACE "_" "-" page ${program}-${command}.1)
    string(REPLACE "_" ";" command ${command})
    add_manual_file(${program} ${page} ${CMAKE_INSTALL_MANDIR}/man1 ${page} help --man ${command})
  endforeach()
  # the shells' own names for such a file, and where they look for it
  set(data ${CMAKE_INSTALL_DATAROOTDIR})
  add_manual_file(${program} ${program}.bash ${data}/bash-completion/completions ${program}
                  completion bash)
  add_manual_file(${program} _${program} ${data}/zsh/site-functions _${program} completion zsh)
  add_manual_file(${program} ${program}.fish ${data}/fish/vendor_completions.d ${program}.fish
                  completion fish)
  set(MANUAL ${MANUAL} PARENT_SCOPE)
endfunction()

file(GLOB COMMANDS CONFIGURE_DEPENDS src/cli/cmd_*.c)
add_manual(doppel ${COMMANDS})
if(TARGET doppel-lab)
  file(GLOB COMMANDS CONFIGURE_DEPENDS src/lab/cmd_*.c)
  add_manual(doppel-lab ${COMMANDS} src/cli/cmd_completion.c src/cli/cmd_help.c)
endif()

# Section 3: a page of each public header, out of its comments.
file(GLOB HEADERS CONFIGURE_DEPENDS include/doppel/*.h)
foreach(header ${HEADERS})
  get_filename_component(page ${header} NAME_WE)
  if(page STREQUAL "doppel") # includes the others
    set(page ${MANUAL_DIR}/libdoppel.3)
  else()
    set(page ${MANUAL_DIR}/doppel_${page}.3)
  endif()
  add_custom_command(OUTPUT ${page} DEPENDS ${header} tools/header-page VERBATIM
                     COMMAND ${PROJECT_SOURCE_DIR}/tools/header-page ${header} ${PROJECT_VERSION} > ${page})
  list(APPEND MANUAL ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
endforeach()

add_custom_target(manual ALL DEPENDS ${MANUAL})
