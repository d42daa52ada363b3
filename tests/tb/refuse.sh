#!/usr/bin/env bash
# spu_demo and flex_demo refuse what they cannot run, with the right status and text:
#
#   refuse.sh SPU_DEMO FLEX_DEMO SOURCES
set -uo pipefail
demo=$1 flex=$2 kernels=$3/tests/kernels here=$3/tests/tb
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
bad=0

# refused STATUS TEXT ARGUMENT...
refused() {
  local status=$1 text=$2 output found
  shift 2
  output=$("$demo" "$@" 2>&1)
  found=$?
  [[ $found == "$status" && $output == *"$text"* ]] && return
  echo "$demo $*: status $found, not $status with \"$text\":"
  echo "$output"
  bad=1
}

refused 2 "usage:"
refused 2 "usage:" --param n "$kernels/spu/mean3d_128.yaml"
refused 2 "--param n=" --param n= "$kernels/spu/mean3d_128.yaml"
refused 2 "spu.columns 2, spu.rows 2" "$kernels/spu/mean3d_128.yaml"
refused 2 "cannot read" --config "$here/none.yaml" "$kernels/spu/mean3d_128.yaml"
refused 2 "sm.ibuffer_entries must be 2" --config "$here/ibuffer.yaml" "$kernels/spu/mean3d_128.yaml"
refused 1 "slot (0, 0), pass (0, 0): the warps of its block" "$here/differ.yaml"

demo=$flex
refused 2 "usage:" --param n "$kernels/vecadd/vecadd.yaml"
refused 2 "sms 2, flex.size 2, flex.dummy 1; it has 4, 0, 1" --config "$here/spu-2x2.yaml" "$kernels/vecadd/vecadd.yaml"
auto=$(mktemp)
trap 'rm -f "$auto"' EXIT
sed 's/size: 2/size: 2, scheme: auto/' "$here/flex-pair.yaml" >"$auto"
refused 2 "flex.choice must be static" --config "$auto" "$kernels/vecadd/vecadd.yaml"
refused 1 "scheme bal needs trios" --config "$here/flex-pair.yaml" "$here/flex_bal.yaml"
exit $bad
