#!/usr/bin/env bash
# `tandem compare` of a scoreboard in which registers r and r + 16 share a pending bit, in RTL and reference: cycles
# go up, area goes down, and the stall cause is named.
#
#   compare_one_bit.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
export TANDEM_ROOT=$work/root
root=$sources
. "$sources/tests/check/files.sh"
sources '*' >files
mkdir root
tar -C "$sources" -c -T files | tar -C root -x
cd root
printf 'build\nsaid\nout.json\njq.out\n' >>.gitignore
repository before -b changed
git branch before
patch -p1 -s --no-backup-if-mismatch <"$sources/tests/system/compare_one_bit.patch" || fail "the patch does not apply"
git commit -qam after
git checkout -q before # the sources of which the program was built

status=0
"$tandem" compare before changed --only 'sgemm/*' --only 'spill/*' --fail-on cycles:0.1%,area:0% --json=out.json \
  >said 2>&1 || status=$?
[[ $status == 1 ]] || fail "status $status, not 1"
jq -e '.mean_percent.cycles > 0.1 and .most_added_stalls == "scoreboard"
  and (.limits | map(.exceeded)) == [true, false]
  and (.runs | length) == 4 and all(.runs[]; .before == "ok" and .after == "ok")
  and (.modules | map(.name)) == ["pending_writes", "scoreboard"]
  and (.modules[] | select(.name == "scoreboard") | .whole and .area.percent < -5)
  and .proofs == []' out.json >jq.out || fail "the comparison is not as expected: $(cat out.json)"
