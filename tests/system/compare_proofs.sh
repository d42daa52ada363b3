#!/usr/bin/env bash
# `tandem compare` of units: a change that does the same is proved, one that does not is shown by inputs.
#
#   compare_proofs.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
export TANDEM_ROOT=$work/root
mkdir -p root/{experiments,build,rtl/sm}
for part in harness synth tests gpus csim; do ln -s "$sources/$part" "root/$part"; done
ln -s "${tandem%/*}/../generated" root/build/generated
cp "$sources"/rtl/*.* root/rtl/
cp "$sources"/rtl/sm/{barrier.sv,faults.def} root/rtl/sm/
cp faults.cl root/
launch >root/launch.yaml
printf 'defaults: {engine: ref, timeout: 100, set: {sms: 1}}\nruns: [{name: one, launch: ../launch.yaml}]\n' >root/experiments/s.yaml
printf 'build\nsaid\nout.json\njq.out\n' >root/.gitignore
cd root
repository first

# proofs TEXT: of a comparison of the files with HEAD.
proofs() {
  timeout 250 "$tandem" compare --suite s HEAD --no-area --json=out.json >said 2>&1 || fail "compare: status $?"
  jq -e "$1" out.json >jq.out || fail "the proofs are not as $1: $(cat out.json)"
}
change() {
  sed -i "$1" "$2"
  ! git diff --quiet || fail "the RTL is another one: $1"
}

echo "equal"
change 's/waits = waiting_q & ~released;/waits = ~(~waiting_q | released);/' rtl/sm/barrier.sv
proofs '.proofs == [{unit: "barrier", verdict: "equal", cycles: null, text: ""}]'
echo "differs"
change 's/held_o = held_o | (members_q\[c\] & live_i);/held_o = held_o | members_q[c];/' rtl/sm/barrier.sv
proofs '.proofs[0].verdict == "differs" and .proofs[0].cycles >= 2 and (.proofs[0].text | test("launch_valid_i=0x1"))'
grep -q 'differs: outputs differ in cycle' said || fail "the text has no verdict"
