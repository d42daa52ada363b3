#!/usr/bin/env bash
# Runs the launch descriptions of this folder, PTX in the style of nvcc 2 to 12, and tries shared memory whose
# size the launch gives.
#
#   run.sh TANDEM FOLDER
set -euo pipefail
tandem=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect STATUS PART ARGUMENT...: the program ends with the status and says PART.
expect() {
  local status=$1 part=$2 got=0
  shift 2
  "$tandem" "$@" >"$work/said" 2>&1 || got=$?
  if [[ $got != "$status" ]] || ! grep -qF -- "$part" "$work/said"; then
    echo "tandem $*: status $got, expected $status with '$part':" && cat "$work/said" && exit 1
  fi
}

for launch in "$folder"/*.yaml; do
  expect 0 'ok: 1 SM' run "$launch" --sms 1
done
# The same among the slices of large warps, and with SMs that share a front end.
for warps in nvcc6_warps nvcc10_warps; do
  expect 0 ok run "$folder/$warps.yaml" --sms 2 --engine ref --buddy 2
  expect 0 ok run "$folder/$warps.yaml" --sms 1 --engine ref --warp-size 64
done

# Shared memory of the launch: in the description, by the option, too little of it, none, too much.
cat >"$work/dynamic.ptx" <<'PTX'
.version 6.5
.target sm_30
.address_size 64
.shared .u32 own[3];
.extern .shared .align 4 .b8 buf[];
.visible .entry swap(.param .u64 o, .param .u64 at)
{
  .reg .u64 p, t, s;
  .reg .u32 i, j;
  ld.param.u64 p, [o];
  mov.u32 i, %tid.x;
  st.shared.u32 [own+8], 99;
  mul.wide.u32 t, i, 4;
  mov.u64 s, buf;
  add.u64 s, s, t;
  st.shared.u32 [s], i;
  bar.sync 0;
  xor.b32 j, i, 1;
  mul.wide.u32 s, j, 4;
  add.u64 s, s, buf;
  ld.shared.u32 j, [s];
  add.u64 p, p, t;
  st.global.u32 [p], j;
  ret;
}
PTX
# describe MORE EXPECTED: the description of a launch with further keys
describe() {
  cat >"$work/dynamic.yaml" <<YAML
program: dynamic.ptx
buffers: [{name: o, type: u32, count: 8}]
steps:
  - launch: {grid: [1], block: [8], args: [{buffer: o}, {local: 4}]$1}
expect: [{buffer: o, data: [1, 0, 3, 2, 5, 4, 7, 6]}]
YAML
}
run=(run "$work/dynamic.yaml" --sms 1 --engine ref)
describe ', dynamic_shared: 32'
expect 0 ok "${run[@]}"
describe ', dynamic_shared: =8*4'
expect 0 ok "${run[@]}"
describe ''
expect 1 'out of bounds store of 4 bytes in shared memory, address 0x00000020' "${run[@]}"
expect 1 '16 bytes of shared memory of the kernel and 16 bytes of the launch (dynamic_shared' "${run[@]}"
describe ', dynamic_shared: 1048576'
expect 2 'shared memory' "${run[@]}"
describe ', dynamic_shared: -1'
expect 2 'dynamic_shared (bytes)' "${run[@]}"
program=(run "$work/dynamic.ptx" --sms 1 --engine ref --block 8 --arg buffer:u32:8 --arg u64:0)
expect 0 ok "${program[@]}" --dynamic-shared 32
expect 1 'and 28 bytes of the launch' "${program[@]}" --dynamic-shared 28
expect 1 'and 0 bytes of the launch' "${program[@]}"
