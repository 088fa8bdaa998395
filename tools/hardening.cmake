# What Debian builds its packages with, for everybody: checks of the stack and of buffers, marked
# targets of jumps, addresses that are random and resolved before the program starts. Sanitizers
# check more themselves. test/hardening reads from the files that it is so.
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
if(DOPPEL_SANITIZE OR DOPPEL_FUZZ)
  return()
endif()
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER HAVE${flag} have)
  check_c_compiler_flag(${flag} ${have}) # -fcf-protection: x86 only
  if(${have})
    target_compile_options(doppel_flags INTERFACE ${flag})
  endif()
endforeach()
# It needs optimisation.
set(OPTIMISED $<AND:$<NOT:$<CONFIG:Debug>>,$<NOT:${COMPILED_ONCE}>>)
target_compile_options(doppel_flags INTERFACE
  $<${OPTIMISED}:-U_FORTIFY_SOURCE> $<${OPTIMISED}:-D_FORTIFY_SOURCE=2>)
target_link_options(doppel_flags INTERFACE -Wl,-z,relro -Wl,-z,now)
