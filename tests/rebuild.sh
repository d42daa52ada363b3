#!/usr/bin/env bash
# Tests that build the tree again (label rebuild) run when their inputs have changed since they passed.  The cache
# folder keeps a record of each test's last pass: a hash of its inputs.
#
#   rebuild.sh ROOT run NAME COMMAND...   runs the command of a test, and keeps a record if it passes
#   rebuild.sh ROOT KIND...               names of tests, one a line: `new`, without a record; `changed`, whose inputs
#                                         differ from the record; `passed`, of which those an hour ago or earlier are
#                                         `old`
set -euo pipefail
export LC_ALL=C
cd "$1"
records=${XDG_CACHE_HOME:-$HOME/.cache}/tandem/passed

# Tests, and the files and folders that they build and read.
table='
check_sanitize_model CMakeLists.txt cmake csim tests/check/sanitize.sh tests/isa tests/ptx tests/mem tests/sm tests/iss
check_tidy           .clang-tidy csim harness synth docs/generate tests
check_fuzz           CMakeLists.txt cmake csim tests/fuzz
features_none        CMakeLists.txt cmake csim harness synth rtl tests/system/features.sh tests/kernels/vecadd
install              CMakeLists.txt cmake csim harness synth rtl docs experiments tests/system/install.sh tests/kernels
'
# key PATH...: a hash of the files.
key() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-32; }

# kinds_of NAME PATH...
kinds_of() {
  local record=$records/$1
  if [[ ! -e $record ]]; then
    echo new
  elif [[ $(<"$record") != $(key "${@:2}") ]]; then
    echo changed
  elif [[ $(find "$record" -mmin +60) ]]; then
    echo passed old
  else
    echo passed
  fi
}

if [[ $2 == run ]]; then
  name=$3
  read -ra inputs < <(sed -n "s/^$name //p" <<<"$table")
  now=$(key "${inputs[@]}")
  shift 3
  "$@"
  mkdir -p "$records"
  echo "$now" >"$records/$name"
else
  while read -r name inputs; do
    # shellcheck disable=SC2086 # paths and words without spaces
    [[ ! $name ]] || for kind in $(kinds_of "$name" $inputs); do
      [[ " ${*:2} " != *" $kind "* ]] || echo "$name"
    done
  done <<<"$table"
fi
