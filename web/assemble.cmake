# Puts the page together: index.html with style.css and the scripts in it, once for the server and
# once for `doppel index build --page`; computes the hashes that the content security policy names.
#
#     cmake -D WEB=web -D OUT=build/web -P web/assemble.cmake
#
# Out: page.html (with a server), offline_head.html and offline_tail.html (the index and the query
# code go between them), page_data.c (all of them as bytes). Needs cmake only.
cmake_minimum_required(VERSION 3.25)

# The scripts, in the order in which they stand in the page; they share one scope.
set(SCRIPTS dom text api_http files wasi api_wasm charts compare search documents overview pairs links worker play main)

# Base64 of a SHA-256, which file() and string() give as 64 hexadecimal digits.
function(base64_of_hex out hex)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(at RANGE 0 59 6)
    string(SUBSTRING "${hex}" ${at} 6 part)
    math(EXPR bits "0x${part}")
    foreach(shift 18 12 6 0)
      math(EXPR digit "(${bits} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${hex}" 60 4 part) # two bytes are left: 16 bits and two zeros
  math(EXPR bits "0x${part} << 2")
  foreach(shift 12 6 0)
    math(EXPR digit "(${bits} >> ${shift}) & 63")
    string(SUBSTRING "${digits}" ${digit} 1 letter)
    string(APPEND text "${letter}")
  endforeach()
  set(${out} "${text}=" PARENT_SCOPE)
endfunction()

function(hash_source out content)
  string(SHA256 hex "${content}")
  base64_of_hex(base64 ${hex})
  set(${out} "'sha256-${base64}'" PARENT_SCOPE)
endfunction()

# file(READ) loses [ and ] in lists only; everything here is handled as one string.
file(READ ${WEB}/index.html frame)
file(READ ${WEB}/style.css style)
set(script "\n'use strict';\n(() => {\n")
foreach(name ${SCRIPTS})
  file(READ ${WEB}/js/${name}.js part)
  string(APPEND script "${part}\n")
endforeach()
string(APPEND script "})();\n")
foreach(bad "</script" "<!--")
  string(FIND "${script}" "${bad}" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "web/js: '${bad}' would end the script")
  endif()
endforeach()

hash_source(style_hash "${style}")
hash_source(script_hash "${script}")
set(rest "img-src data:; base-uri 'none'; form-action 'none'")
set(policy "default-src 'none'; script-src ${script_hash}; style-src ${style_hash}; ${rest}")
set(server_policy "${policy}; connect-src 'self'; frame-ancestors 'none'")
set(offline_policy
    "default-src 'none'; script-src ${script_hash} 'wasm-unsafe-eval'; style-src ${style_hash}; worker-src blob:; ${rest}")

# One place at a time, by position: contents are never taken for patterns or variables.
function(put frame_name mark content)
  set(frame "${${frame_name}}")
  string(FIND "${frame}" "${mark}" place)
  string(LENGTH "${mark}" length)
  math(EXPR behind "${place} + ${length}")
  string(SUBSTRING "${frame}" 0 ${place} before)
  string(SUBSTRING "${frame}" ${behind} -1 after)
  set(${frame_name} "${before}${content}${after}" PARENT_SCOPE)
endfunction()

put(frame "@STYLE@" "${style}")
put(frame "@SCRIPT@" "${script}")
set(page "${frame}")
put(page "@POLICY@\n" "")
put(page "@DATA@" "")
file(WRITE ${OUT}/page.html "${page}")

set(offline "${frame}")
put(offline "@POLICY@"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"${offline_policy}\">")
string(FIND "${offline}" "@DATA@" place)
string(SUBSTRING "${offline}" 0 ${place} head)
math(EXPR behind "${place} + 6")
string(SUBSTRING "${offline}" ${behind} -1 tail)
file(WRITE ${OUT}/offline_head.html "${head}")
file(WRITE ${OUT}/offline_tail.html "${tail}")

function(add_bytes name path)
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPEAT "0x..," 16 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  file(SIZE ${path} size)
  file(APPEND ${OUT}/page_data.c.new
       "const unsigned char ${name}[] = {\n${bytes}0x00\n};\nconst size_t ${name}_size = ${size};\n")
endfunction()
file(WRITE ${OUT}/page_data.c.new
     "/* made by web/assemble.cmake */\n#include \"page/page.h\"\n")
add_bytes(dpl__page ${OUT}/page.html)
add_bytes(dpl__offline_head ${OUT}/offline_head.html)
add_bytes(dpl__offline_tail ${OUT}/offline_tail.html)
set(wasm_size 0)
if(WASM)
  file(SIZE ${WASM} wasm_size)
endif()
if(wasm_size)
  add_bytes(dpl__offline_wasm ${WASM})
else()
  file(APPEND ${OUT}/page_data.c.new
       "const unsigned char dpl__offline_wasm[] = {0};\nconst size_t dpl__offline_wasm_size = 0;\n")
endif()
file(APPEND ${OUT}/page_data.c.new "const char dpl__page_csp[] =\n    \"${server_policy}\";\n")
file(RENAME ${OUT}/page_data.c.new ${OUT}/page_data.c)
