#!/usr/bin/env bash
# bench/peers/instruction_sets.sh LIBRARY: which vector instructions of x86-64 a library has, in words: "SSE2",
# "AVX without FMA", "AVX2 and FMA", "AVX-512 and FMA". A library that chooses when it runs has all that it may choose.
set -euo pipefail
[ "$(uname -m)" = x86_64 ] || { echo "$(uname -m)"; exit; }
LC_ALL=C objdump -d --no-show-raw-insn "$1" | awk '
  /%zmm/ { zmm = 1 }
  /%ymm/ { ymm = 1 }
  /vfn?m(add|sub)[0-9]/ { fma = 1 }
  /v(permq|permpd|(insert|extract)i128|p(add|sub)[bwdq]|pand|pxor|por|pgather.*|gather[dq]p.) .*%ymm/ { wide = 1 }
  END {
    print (zmm ? "AVX-512" : wide ? "AVX2" : ymm ? "AVX" : "SSE2") \
      (!ymm && !zmm ? "" : fma ? " and FMA" : " without FMA")
  }'
